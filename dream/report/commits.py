"""The commits of one night, listed task by task."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from dream.report.accounts import many, spoken
from dream.report.escaping import one_line
from dream.report.story import NightCommit

MOST_FILES = 30
"""Of one commit; git knows the rest."""


def render_commits(
    organisation: str, night: date, commits: Sequence[NightCommit], *, remarks: Sequence[str] = ()
) -> str:
    """Return the list for a terminal: id, task and subject of each commit, and its files."""
    lines = [f"{organisation}: the night of {night.isoformat()}, {many(len(commits), 'commit')}"]
    lines += [f"note: {one_line(remark)}" for remark in remarks]
    for commit in commits:
        verb = "revert " if commit.is_revert else ""
        lines += ["", f"{commit.id}  {verb}{one_line(spoken(commit.task))}", f"  {one_line(commit.subject)}"]
        lines += [f"    {one_line(path)}" for path in commit.files[:MOST_FILES]]
        if len(commit.files) > MOST_FILES:
            lines.append(f"    … and {len(commit.files) - MOST_FILES} more files")
    return "\n".join(lines)


def commits_payload(
    organisation: str, night: date, commits: Sequence[NightCommit], *, remarks: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the JSON document of the list."""
    return {
        "organisation": organisation,
        "night": night.isoformat(),
        "commits": [commit.payload() for commit in commits],
        "remarks": list(remarks),
    }
