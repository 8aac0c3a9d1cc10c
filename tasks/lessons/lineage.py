"""Which pull requests are one piece of work that was posted again: together they say a thing once. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from dream.sources.pull_requests.values import PullRequest
from tasks.lessons.diffs import digest_of_edits

_LONGEST_SHA = 12
_MOST_COMMITS = 40
_PICKED = re.compile(r"(?i)\(?cherry[ -]picked from (?:commit )?([0-9a-f]{7,64})")
_AGAIN = re.compile(
    r"(?i)\b(?:revert|back-?port|forward-?port|cherry[ -]?pick|port|re-?post|re-?open|re-?submi|re-?land|supersede"
    r"|replace|redo|duplicate|copy)[a-z]{0,7}\b:?[^\n#!]{0,40}?([\w.-]{1,100}/[\w.-]{1,100})?[#!]([0-9]{1,9})"
)
_LEAD = re.compile(r"(?i)^\W{0,3}(?:\[[^\]\n]{1,40}\]|revert|reland|reapply|backport)[\s:\"']{0,4}")


def marks_of(pull_request: PullRequest, *, commits: int) -> tuple[str, ...]:
    """Return what a pull request has in common with one that is the same work, as far as its record says.

    Its own name and those that it says it reverts, ports or replaces; its commits (the first `commits` are looked at)
    and those that they were picked from; its title together with what people changed, or, where it was closed, its
    title or branch alone: what was merged from a branch of one name is new work each time. Saying so can only make
    two count as one.
    """
    texts = [pull_request.title, pull_request.body[:4_000]]
    found = {pull_request.source}
    texts += [commit.message[:2_000] for commit in (pull_request.commits or ())[:commits]]
    shas = [commit.sha[:_LONGEST_SHA] for commit in (pull_request.commits or ())[-_MOST_COMMITS:] if commit.sha]
    for text in texts:
        shas += [match[1][:_LONGEST_SHA] for match in _PICKED.finditer(text)]
        found |= {f"{match[1] or pull_request.repository}#{match[2]}" for match in _AGAIN.finditer(text)}
    if pull_request.edits:
        work = f"{_title(pull_request.title)}\n{digest_of_edits(pull_request.edits)}"
        found.add(f"work:{_digest(work)}")
    if pull_request.state == "closed":
        again = (f"branch {pull_request.branch}", f"title {_title(pull_request.title)}")
        found |= {f"closed:{_digest(one)}" for one in again if not one.endswith(" ")}
    return tuple(sorted({*found, *(f"commit:{sha}" for sha in shas)}))


def independent(marks: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return one pull request of each piece of work, the first of it in the order of `marks`."""
    groups: list[tuple[str, set[str]]] = []
    for source, known in marks.items():
        own = {source, *known}
        together = [group for group in groups if group[1] & own]
        first = together[0][0] if together else source
        joined = own.union(*(group[1] for group in together))
        at = groups.index(together[0]) if together else len(groups)
        groups = [group for group in groups if group not in together]
        groups.insert(at, (first, joined))
    return tuple(first for first, _ in groups)


def is_again(marks: Sequence[str], sources: Iterable[str]) -> bool:
    """Whether the pull request of `marks` is, by its own account, one of `sources` once more."""
    named = {source.rpartition("@")[2] for source in sources}
    return not named.isdisjoint(marks)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def _title(title: str) -> str:
    """The title without what marks it as a repetition, its first letters and case."""
    text = title
    for _ in range(3):
        text = _LEAD.sub("", text)
    return " ".join(text.casefold().strip("\"' ").split())
