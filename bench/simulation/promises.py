"""What was promised beyond the eight invariants: what people took back stays away, and no statement vanishes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date
from pathlib import Path

import pygit2

_FLOW = "Nightly Dreaming"
_STATEMENT = re.compile(r"^- (?:\d{4}-\d\d-\d\d: )?(.*?)(?: \[[^\]]*\])?$")
_TARGET = re.compile(r"\]\([^)]*\)")


class Promises:
    """Follows the branch of a bare repository by its own reading of it."""

    def __init__(self, path: Path) -> None:
        """Begin at the tip as it is now."""
        self._repository = pygit2.Repository(str(path))
        self._seen = self._tip().id
        self._away: dict[str, str] = {}
        self._kept: dict[tuple[str, str], str] = {}
        self._landed: list[tuple[str, date, str]] = []

    def commits(self, tasks: Collection[str]) -> list[tuple[str, date, str]]:
        """Return task, night and commit of what `tasks` have landed, oldest first."""
        return [one for one in self._landed if one[0] in tasks]

    def stays_away(self, commit: str) -> None:
        """Note that what a daily note's commit added was taken back, as far as it is gone now."""
        for path, lines in self._added(commit).items():
            standing = self._lines(self._tip(), path)
            self._away |= {line: commit for line in lines if line not in standing}

    def stays(self, commit: str) -> None:
        """Note that the lines which a tidy commit took away were brought back, as far as they are there now."""
        for path, line in self._removed(self._commit(commit)):
            if line in self._lines(self._tip(), path):
                self._kept[path, line] = commit

    def may_be_done_again(self, commit: str) -> None:
        """Note that somebody asked for what a commit did to be done once more."""
        self._away = {line: by for line, by in self._away.items() if by != commit}
        self._kept = {place: by for place, by in self._kept.items() if by != commit}

    def check(self) -> list[str]:
        """Return what does not hold of what reached the branch since the last look."""
        tip = self._tip()
        if tip.id == self._seen:
            return []
        walker = self._repository.walk(tip.id, pygit2.enums.SortMode.TOPOLOGICAL | pygit2.enums.SortMode.REVERSE)
        walker.hide(self._seen)
        problems = [problem for commit in walker for problem in self._look(commit)]
        self._seen = tip.id
        return problems

    def _look(self, commit: pygit2.Commit) -> Iterator[str]:
        if commit.committer.name != _FLOW:
            return
        told = dict(re.findall(r"^(Dream-[A-Za-z]+): (.*)$", commit.message, re.MULTILINE))
        if "Dream-Task" not in told:
            return
        self._landed.append((told["Dream-Task"], date.fromisoformat(told["Dream-Night"]), str(commit.id)))
        if told["Dream-Task"] == "daily_note":
            for path, lines in self._added(str(commit.id)).items():
                yield from (f"{path} tells again what was taken back: {line}" for line in lines & set(self._away))
        if told["Dream-Task"] == "tidy":
            yield from (f"{path} loses again: {line}" for path, line in self._removed(commit) & self._kept.keys())
        gone = _statements(commit.parents[0]) - _statements(commit) if commit.parents else set()
        yield from (f"{told['Dream-Task']} of {told['Dream-Night']} lost: {line}" for line in sorted(gone))

    def _added(self, commit: str) -> dict[str, set[str]]:
        found = self._commit(commit)
        names = {entry.name: entry for entry in found.tree}
        folder = names.get("daily")
        paths = [f"daily/{entry.name}" for entry in folder] if isinstance(folder, pygit2.Tree) else []
        before = found.parents[0] if found.parents else None
        added = {path: self._lines(found, path) - (self._lines(before, path) if before else set()) for path in paths}
        return {path: {line for line in lines if line.startswith("- ")} for path, lines in added.items() if lines}

    def _removed(self, commit: pygit2.Commit) -> set[tuple[str, str]]:
        """The statements that a commit took out of topic notes, with the notes' paths."""
        if not commit.parents:
            return set()
        before, deltas = commit.parents[0], commit.parents[0].tree.diff_to_tree(commit.tree).deltas
        paths = {delta.old_file.path for delta in deltas}
        return {
            (path, line)
            for path in paths
            for line in self._lines(before, path) - self._lines(commit, path)
            if line.startswith("- ") and "](" not in line
        }

    def _commit(self, commit: str) -> pygit2.Commit:
        return self._repository[commit].peel(pygit2.Commit)

    def _lines(self, commit: pygit2.Commit, path: str) -> set[str]:
        try:
            blob = commit.tree[path]
        except KeyError:
            return set()
        return set(blob.data.decode(errors="replace").splitlines()) if isinstance(blob, pygit2.Blob) else set()

    def _tip(self) -> pygit2.Commit:
        return self._repository.references["refs/heads/main"].peel(pygit2.Commit)


def _statements(commit: pygit2.Commit) -> set[str]:
    """Every statement of the topic notes, without date, sources and the targets of its links."""
    found: set[str] = set()
    for folder in commit.tree:
        if isinstance(folder, pygit2.Tree) and folder.name not in {"daily", ".dream", "conventions", "CATALOG"}:
            for entry in folder:
                if isinstance(entry, pygit2.Blob):
                    lines = entry.data.decode(errors="replace").splitlines()
                    found |= {_TARGET.sub("]()", match[1]) for line in lines if (match := _STATEMENT.match(line))}
    return found
