"""Invented records of pull requests."""

from __future__ import annotations

from typing import Any

from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.records import read_record
from dream.sources.pull_requests.values import Classification, PullRequest

Record = dict[str, Any]
BOT = "devin-ai-integration[bot]"


def commit(number: int, author: object, committer: object = None, message: str = "fix", **fields: object) -> Record:
    """A commit; the committer is the author unless told otherwise."""
    return {"sha": f"{number:040x}", "author": author, "committer": committer or author, "message": message, **fields}


def event(name: str, actor: object = "", *, commit_id: str = "", at: str = "2026-10-21T10:00:00Z") -> Record:
    """A line of the timeline."""
    return {"event": name, "actor": actor, "commit_id": commit_id, "created_at": at}


def record(state: str = "merged", *commits: Record, author: object = BOT, **fields: object) -> Record:
    """A pull request of Devin."""
    ended = {
        "open": {},
        "closed": {"closed_at": "2026-10-21T10:00:00Z"},
        "merged": {"closed_at": "2026-10-21T10:00:00Z", "merged_at": "2026-10-21T10:00:00Z"},
    }
    return {
        "repo": "acme/web",
        "number": 41,
        "title": "Fix the queue",
        "state": state,
        "author": author,
        "created_at": "2026-10-20T10:00:00Z",
        "commits": list(commits) or None,
        "reviews": [],
        "comments": None,
        "timeline": None,
        **ended.get(state, {}),
        **fields,
    }


def pull_request(recorded: Record) -> PullRequest:
    """The record, read."""
    read = read_record("here", recorded)
    assert isinstance(read, PullRequest)
    return read


def fate(recorded: Record) -> Classification:
    """What became of it."""
    return classify(pull_request(recorded), KNOWN_AGENTS)
