"""Invented pull requests of Devin that people edited, closed or spoke about, and who finds what they teach."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from dream.guards.screen import screen_line
from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.memory.windows import Window
from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.records import read_record
from dream.sources.pull_requests.values import PullRequest
from tasks.lessons import lessons as pr_lessons
from tasks.lessons.finding import Asking, Finder
from tasks.lessons.lessons import Past
from tasks.lessons.limits import LessonLimits
from tasks.lessons.teachers import Teachers

BOT = "devin-ai-integration[bot]"
NIGHT = date(2026, 10, 22)
WINDOW = Window(start=datetime(2026, 10, 1, tzinfo=UTC), end=datetime(2026, 10, 22, tzinfo=UTC), days=())
PATH = "conventions/acme-web.md"
Record = dict[str, Any]


def commit(number: int, author: str, message: str = "fix") -> Record:
    """A commit of one author."""
    return {"sha": sha_of(number), "author": author, "committer": author, "message": message, "parents": None}


def sha_of(number: int) -> str:
    """A hash that looks like one."""
    return hashlib.sha256(str(number).encode()).hexdigest()[:40]


def patch(*pairs: tuple[str, str], around: str = "") -> str:
    """Hunks in which each first line becomes the second; a line that is empty is not there."""
    rows = []
    for number, (old, new) in enumerate(pairs):
        rows += [f"@@ -{number * 9 + 1},3 +{number * 9 + 1},3 @@", f" {around or 'around'} {number}"]
        rows += [f"-{line}" for line in old.split("\n") if old]
        rows += [f"+{line}" for line in new.split("\n") if new]
    return "\n".join(rows)


def edit(path: str, *pairs: tuple[str, str], status: str = "modified", around: str = "") -> Record:
    """A file that people changed."""
    return {"path": path, "status": status, "patch": patch(*pairs, around=around) if pairs else None}


def merged(number: int, *edits: Record, by: Sequence[str] = ("mona",), **fields: Any) -> Record:
    """A pull request that was merged after people's commits, all of which come to `edits`."""
    commits = [commit(number * 100, BOT), *(commit(number * 100 + place, who) for place, who in enumerate(by, 1))]
    ended = {"closed_at": f"2026-10-21T10:{number % 60:02}:00Z", "merged_at": f"2026-10-21T10:{number % 60:02}:00Z"}
    told = {"title": f"Work {number}", "state": "merged", "commits": commits, "merged_by": "mona", "edits": list(edits)}
    return {"repo": "acme/web", "number": number, "author": BOT, **ended, **told, **fields}


def closed(number: int, *words: Record, by: str = "mona", **fields: Any) -> Record:
    """A pull request that somebody closed, with what was said on it."""
    told = {"title": f"Work {number}", "state": "closed", "closed_at": f"2026-10-21T10:{number % 60:02}:00Z"}
    commits = [commit(number * 100, BOT)]
    ended = {"closed_by": by, "commits": commits, "comments": list(words)}
    return {"repo": "acme/web", "number": number, "author": BOT, **told, **ended, **fields}


def said(text: str, by: str = "mona", *, association: str = "MEMBER", number: int = 1) -> Record:
    """A comment."""
    return {
        "id": number,
        "user": by,
        "association": association,
        "body": text,
        "created_at": f"2026-10-21T09:{number % 60:02}:00Z",
    }


def read(*records: Record) -> list[PullRequest]:
    """The records, read."""
    found = []
    for record in records:
        one = read_record("here", record)
        assert isinstance(one, PullRequest), one
        found.append(one)
    return found


def finder(pull_requests: Sequence[PullRequest], *, past: Past | None = None, **limits: Any) -> Finder:
    """Who finds what the pull requests teach, beside what earlier nights found."""
    standing: dict[str, list[Any]] = {}
    for one in past.tentative if past else ():
        standing.setdefault(one.repository, []).append(one)
    return Finder(
        classify=partial(classify, agents=KNOWN_AGENTS),
        teachers=Teachers.of(pull_requests, agents=KNOWN_AGENTS),
        timezone=ZoneInfo("UTC"),
        screen=lambda line, _: line,
        passes=lambda text: screen_line(text, Origin.EXTERNAL) is None,
        standing=standing,
        limits=LessonLimits(**limits),
    )


def propose(
    tree: Tree,
    *records: Record,
    past: Past | None = None,
    asking: Asking | None = None,
    night: date = NIGHT,
    window: Window = WINDOW,
    **limits: Any,
) -> Plan:
    """What a night makes of these records."""
    pull_requests = read(*records)
    known = past or Past()
    found = finder(pull_requests, past=known, **limits)
    return pr_lessons.propose(
        tree=tree,
        notes=NoteCache(),
        pull_requests=pull_requests,
        classify=found.classify,
        find=lambda one: found.find(one, asking=asking),
        past=known,
        window=window,
        night=night,
        limits=found.limits,
    )
