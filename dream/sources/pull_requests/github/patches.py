"""What people changed on top of an agent's work, file by file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from dream.sources.pull_requests.agents import AgentMarks
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.port import Platform, Unanswered
from dream.sources.pull_requests.values import Commit, Fate, FileEdit, PullRequest

MOST_FILES = 300
_STATUS = {"added": "added", "copied": "added", "removed": "removed", "renamed": "renamed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A stretch of commits of people, each on top of the one before: from `base`, which is not theirs, to `head`."""

    base: str
    head: str


class Patches(Protocol):
    """A way to the patches of pull requests."""

    def prepare(self, repository: str, numbers: Sequence[int]) -> Unanswered | None:
        """Make ready what these pull requests need, and return why that cannot be done."""
        ...

    def changes(self, repository: str, base: str, head: str) -> tuple[Mapping[str, Any], ...] | Unanswered:
        """Return the files that differ between two commits, at most 300, each with the keys of GitHub's interface."""
        ...


class Compared:
    """Patches by one comparison of GitHub's for each stretch of commits."""

    def __init__(self, platform: Platform) -> None:
        """Ask `platform`."""
        self._platform = platform

    def prepare(self, repository: str, numbers: Sequence[int]) -> Unanswered | None:
        """Make nothing ready: each comparison is asked for by itself."""

    def changes(self, repository: str, base: str, head: str) -> tuple[Mapping[str, Any], ...] | Unanswered:
        """Return the files that differ between two commits, at most 300."""
        return self._platform.compare(repository, base, head)


def runs_of_people(pull_request: PullRequest, agents: Sequence[AgentMarks]) -> tuple[Run, ...]:
    """Return the stretches of people's commits in what was merged; the first one's base is the agent's last head.

    Merges from the base, formatters' commits and the agent's own stand between stretches and in none.
    """
    classified = classify(pull_request, agents)
    if classified.fate is not Fate.MERGED_EDITED:
        return ()
    people = set(classified.commits)
    runs: list[Run] = []
    for commit in pull_request.commits or ():
        parent = _parent(commit)
        if commit.sha not in people or not parent:
            continue
        if runs and runs[-1].head == parent:
            runs[-1] = replace(runs[-1], head=commit.sha)
        else:
            runs.append(Run(base=parent, head=commit.sha))
    return tuple(runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What people changed; `gap` says what of it is not told, `unanswered` what stood in the way of all of it."""

    files: tuple[FileEdit, ...] | None
    gap: str = ""
    unanswered: Unanswered | None = None


def read_edits(patches: Patches, repository: str, runs: Sequence[Run], limits: GitHubLimits) -> Edits:
    """Return the union of what `runs` changed, one element for each file."""
    gaps: list[str] = []
    files: dict[str, FileEdit] = {}
    left = limits.patch_characters
    if len(runs) > limits.runs:
        gaps.append(f"of {len(runs)} stretches of commits only the first {limits.runs} are compared")
    for run in runs[: limits.runs]:
        found = patches.changes(repository, run.base, run.head)
        if isinstance(found, Unanswered):
            return Edits(files=None, gap=found.reason, unanswered=found)
        if len(found) >= MOST_FILES:
            gaps.append(f"only the first {MOST_FILES} files are told")
        for edit in _edits(found[:MOST_FILES]):
            patch = edit.patch
            if patch is not None and len(patch) > left:
                gaps.append("patches that are too large are left out")
                patch = None
            left -= len(patch or "")
            files[edit.path] = _joined(files.get(edit.path), replace(edit, patch=patch))
    return Edits(files=tuple(files.values()), gap="; ".join(dict.fromkeys(gaps)))


def _edits(files: Iterable[Mapping[str, Any]]) -> Iterable[FileEdit]:
    for file in files:
        path, patch, previous = file.get("filename"), file.get("patch"), file.get("previous_filename")
        if isinstance(path, str) and path:
            yield FileEdit(
                path=path,
                status=_STATUS.get(str(file.get("status")), "modified"),
                previous=previous if isinstance(previous, str) and file.get("status") == "renamed" else "",
                patch=patch if isinstance(patch, str) and patch else None,
            )


def _joined(before: FileEdit | None, after: FileEdit) -> FileEdit:
    """Return two changes of one file as one: hunks one after the other, a file that was new is still new."""
    if before is None:
        return after
    hunks = [patch for patch in (before.patch, after.patch) if patch is not None]
    status = before.status if after.status == "modified" else after.status
    return replace(
        after, status=status, previous=after.previous or before.previous, patch="\n".join(hunks) if hunks else None
    )


def _parent(commit: Commit) -> str:
    return commit.parents[0] if commit.parents else ""
