"""One pull request with all its parts, page after page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dream.sources.pull_requests.github.connections import Elements, read_rest
from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.listing import Listed
from dream.sources.pull_requests.github.port import Platform, Unanswered
from dream.sources.pull_requests.github.translation import (
    Record,
    Words,
    closed_by,
    comment,
    commit,
    event,
    outline,
    review,
    thread,
)
from dream.sources.pull_requests.records import read_record
from dream.sources.pull_requests.values import PullRequest, SkippedRecord

_CONNECTIONS = (
    ("commits", "commits", "MoreCommits"),
    ("reviews", "reviews", "MoreReviews"),
    ("comments", "comments", "MoreComments"),
    ("threads", "reviewThreads", "MoreThreads"),
    ("timeline", "timelineItems", "MoreTimeline"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A pull request, or why there is none; `gaps` are the parts that it says were not recorded, and why."""

    read: PullRequest | SkippedRecord | Unanswered
    gaps: tuple[str, ...] = ()


def read_whole(platform: Platform, listed: Listed, node: Mapping[str, Any], limits: GitHubLimits) -> Whole:
    """Return the pull request that `node` is, with the rest of its parts asked for.

    A part that GitHub does not give whole is None, as if it had not been recorded; a part that it cannot give now
    leaves nothing, for a later night can have all of it.
    """
    words = Words(longest=limits.text_characters)
    parts: dict[str, Elements] = {}
    for name, part in _parts(platform, listed, node, limits):
        if part.unanswered is not None:
            return Whole(read=part.unanswered)
        parts[name] = part
    threads: list[Record] = []
    for told in parts["threads"].nodes:
        comments = read_rest(
            platform, told.get("comments"), "MoreThreadComments", of=words.keep(told.get("id")), limits=limits
        )
        if comments.unanswered is not None:
            return Whole(read=comments.unanswered)
        if comments.gap:
            parts["threads"] = replace(parts["threads"], gap=f"the comments of one: {comments.gap}")
        threads.append(thread(told, comments.nodes, words))
    read = read_record(listed.source, _record(listed, node, parts, threads, words))
    gaps = [f"its {name}: {part.gap}" for name, part in parts.items() if part.gap]
    return Whole(read=read, gaps=(*gaps, "a text that is too long is cut") if words.cut else tuple(gaps))


def _parts(
    platform: Platform, listed: Listed, node: Mapping[str, Any], limits: GitHubLimits
) -> Iterator[tuple[str, Elements]]:
    for name, place, operation in _CONNECTIONS:
        # the total of a timeline counts events of every kind, also those that are not asked for
        counts = name != "timeline"
        yield name, read_rest(platform, node.get(place), operation, of=listed.id, limits=limits, counts=counts)


def _record(
    listed: Listed, node: Mapping[str, Any], parts: Mapping[str, Elements], threads: list[Record], words: Words
) -> Record:
    def whole(name: str, told: list[Record]) -> list[Record] | None:
        return None if parts[name].gap else told

    timeline = parts["timeline"]
    record = outline(node, listed.repository, words)
    return {
        **record,
        "agent": listed.agent,
        "commits": whole("commits", [commit(one, words) for one in parts["commits"].nodes]),
        "reviews": whole("reviews", [review(one, words) for one in parts["reviews"].nodes]),
        "comments": whole("comments", [comment(one, words) for one in parts["comments"].nodes]),
        "threads": whole("threads", threads),
        "timeline": whole("timeline", [event(one, words) for one in timeline.nodes]),
        "closed_by": None if timeline.gap or record["state"] != "closed" else closed_by(timeline.nodes),
    }
