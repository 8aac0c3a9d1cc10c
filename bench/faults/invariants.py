"""What must hold of a branch, whatever happened: told from its objects and its log alone, by no code of the product.

I1 no acknowledged commit is lost; I2 a tip descends from the tip before; I3 a night lands whole or not at all; I4 a
task lands once a night, index and state once a landing; I5 loss is within the budget; I6 only the night changes
`.dream/`, and its state can be read in every tip; I7 a task changes only its own paths, and those that its record
names; I8 every input is written, not written for a reason, or pending.
"""

from __future__ import annotations

import difflib
import json
import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pygit2

FLOW = ("Nightly Dreaming", "nightly-dreaming@localhost")
AFRESH = {"index_rewrite", "state_update"}
_NO_TOPIC = ("daily/", "preferences/", "learnings/", "archive/", "CATALOG/", "MEMORY.md", "CATALOG.md")
_PATHS = {
    "daily_note": re.compile(r"daily/\d{4}-\d\d-\d\d\.md"),
    "pr_outcomes": re.compile(r"conventions/[a-z0-9._-]+\.md"),
    "index_rewrite": re.compile(r"MEMORY\.md|CATALOG\.md|CATALOG/.+\.md"),
    "state_update": re.compile(r"\.dream/(state\.json|nights/\d{4}-\d\d-\d\d\.json)"),
}
_STATEMENT = re.compile(r"^[-*+] (?:\d{4}-\d\d-\d\d: )?(.*?)(?: \[[^\]]*\])?$")
_ALIKE = 0.6


class Checker:
    """Follows one branch of a bare repository that keeps a log of its references (`core.logAllRefUpdates`)."""

    def __init__(self, path: Path, branch: str = "main") -> None:
        """Begin at the tip as it is now."""
        self._path = path
        self._log = path / "logs" / "refs" / "heads" / branch
        self._repository = pygit2.Repository(str(path))
        self._ref = f"refs/heads/{branch}"
        self._seen = len(self._log_lines())
        self._landed: Counter[tuple[str, str]] = Counter()
        self._landings: Counter[str] = Counter()
        self.acknowledged: list[str] = []
        self.lost: dict[str, tuple[int, int]] = {}
        """How many notes and statements each night took away, by a plain count."""
        self.allowed_again: set[str] = set()
        """Nights whose tasks somebody asked to be done once more."""
        self.start = self.tip()

    def tip(self) -> str:
        """The commit that the branch stands on; empty where it is not born."""
        found = self._repository.references.get(self._ref)
        return str(found.target) if found else ""

    def landings(self, night: str) -> int:
        """How often a push of `night` was seen on the branch."""
        return self._landings[night]

    def subjects(self) -> list[str]:
        """Return the first lines of all commits on the branch, newest first; this is no check."""
        tip = self.tip()
        walker = self._repository.walk(tip, pygit2.enums.SortMode.TOPOLOGICAL) if tip else ()
        return [commit.message.split("\n", 1)[0] for commit in walker]

    def check(self) -> list[str]:
        """Return what does not hold of everything that reached the branch since the last look."""
        problems: list[str] = []
        tip, lines = self._tip_and_log()
        for line in lines[self._seen :]:
            old, new = line.split(" ", 2)[:2]
            problems += self._update(old, new)
        self._seen = len(lines)
        if lines and tip and lines[-1].split(" ", 2)[1] != tip:
            problems.append("the branch is not where its log ends")
        problems += [f"I1: {commit[:10]} is lost" for commit in self.acknowledged if not self._holds(tip, commit)]
        return problems

    def sound(self) -> list[str]:
        """Return what git's own check says against the repository, and what a push left behind in it."""
        done = subprocess.run(
            ["git", "-C", str(self._path), "fsck", "--strict", "--no-dangling"], capture_output=True, check=False
        )
        left = [str(path.name) for path in (self._path / "objects").glob("tmp_objdir*")]
        left += [str(path.name) for path in (self._path / "objects" / "pack").glob("tmp_*")]
        problems = [f"left behind: {', '.join(sorted(left))}"] if left else []
        return [f"fsck: {done.stderr.decode(errors='replace').strip()}", *problems] if done.returncode else problems

    def _tip_and_log(self) -> tuple[str, list[str]]:
        """Read both until they agree: somebody may be pushing at this moment."""
        for _ in range(100):
            lines, tip = self._log_lines(), self.tip()
            if not lines or lines[-1].split(" ", 2)[1] == tip:
                break
            time.sleep(0.01)
        return tip, lines

    def _log_lines(self) -> list[str]:
        return self._log.read_text(errors="replace").splitlines() if self._log.exists() else []

    def _holds(self, tip: str, commit: str) -> bool:
        return bool(tip) and (tip == commit or self._repository.descendant_of(tip, commit))

    def _update(self, old: str, new: str) -> Iterator[str]:
        unborn = set(old) == {"0"}
        if set(new) == {"0"} or not (unborn or self._holds(new, old)):
            yield f"I2: the branch went from {old[:10]} to {new[:10]}"
            return
        walker = self._repository.walk(new, pygit2.enums.SortMode.TOPOLOGICAL | pygit2.enums.SortMode.REVERSE)
        if not unborn:
            walker.hide(old)
        commits = list(walker)
        flows = [commit for commit in commits if _is_flow(commit)]
        for commit in commits:
            if commit not in flows and any(path.startswith(".dream/") for path in self._changed(commit)):
                yield f"I6: {commit.short_id}, which is not the night's, changes .dream/"
        if flows:
            yield from self._landing(old, commits, flows)

    def _landing(self, old: str, commits: list[pygit2.Commit], flows: list[pygit2.Commit]) -> Iterator[str]:
        if flows != commits:
            yield f"I3: {commits[-1].short_id} brings the night's commits and others in one push"
            return
        base = None if set(old) == {"0"} else old
        yield from self._line(base, commits)
        last = commits[-1]
        kinds = [_trailers(commit) for commit in commits]
        night = kinds[-1].get("Dream-Night", "")
        if {kind.get("Dream-Night") for kind in kinds} != {night} or not night:
            yield f"I3: {last.short_id} brings commits of several nights"
        if _task(kinds[-1]) != "state_update":
            yield f"I3: {last.short_id} ends a push of the night and is no state commit"
        state, record = _json(last, ".dream/state.json"), _json(last, f".dream/nights/{night}.json")
        if state is None or record is None:
            yield f"I3: {last.short_id} ends a push of the night, and has no state or no record of it"
            return
        if [state.get("lastCommit")] != ([str(parent) for parent in last.parent_ids] or [""]):
            yield f"I6: lastCommit of {last.short_id} is not its parent"
        if "Dream-Revert" in kinds[-1]:
            yield from self._paths(commits, kinds, None)
            return
        yield from self._tasks(commits, kinds, night, record)
        yield from self._paths(commits, kinds, record)
        yield from _accounts(record)
        if base:
            yield from self._loss(night, self._commit(base), last)

    def _line(self, base: str | None, commits: list[pygit2.Commit]) -> Iterator[str]:
        for commit in commits:
            if [str(parent) for parent in commit.parent_ids] != ([base] if base else []):
                yield f"I3: {commit.short_id} does not stand on {base}"
            if base and commit.commit_time < self._commit(base).commit_time:
                yield f"{commit.short_id} is dated before what it stands on"
            base = str(commit.id)

    def _tasks(
        self, commits: list[pygit2.Commit], kinds: list[dict[str, str]], night: str, record: Mapping[str, Any]
    ) -> Iterator[str]:
        self._landings[night] += 1
        if record.get("landings", 1) != self._landings[night] and night not in self.allowed_again:
            yield f"I4: {night} has {record.get('landings', 1)} landings, seen {self._landings[night]}"
        names = [_task(kind) for kind in kinds]
        if len(set(names)) != len(names):
            yield f"I4: one push of {night} brings a task twice: {names}"
        for commit, name in zip(commits, names, strict=True):
            self._landed[night, name] += name not in AFRESH
            if self._landed[night, name] > 1 and night not in self.allowed_again:
                yield f"I4: {name} of {night} landed {self._landed[night, name]} times"
            told = record["tasks"].get(name, {})
            if name != "state_update" and told.get("commit") != str(commit.id):
                yield f"I3: the record of {night} does not name {name} at {commit.short_id}"
        made = {
            name for name, told in record["tasks"].items() if told.get("commit") in {str(one.id) for one in commits}
        }
        if made != {name for name in names if name != "state_update"}:
            yield f"I3: the record of {night} names {sorted(made)}, the push holds {names}"

    def _paths(
        self, commits: list[pygit2.Commit], kinds: list[dict[str, str]], record: Mapping[str, Any] | None
    ) -> Iterator[str]:
        for commit, kind in zip(commits, kinds, strict=True):
            name = _task(kind)
            planned = None if record is None or name in AFRESH else _planned(record, name)
            for path in self._changed(commit):
                if not (_PATHS[name].fullmatch(path) if name in _PATHS else _is_topic(path)):
                    yield f"I7: {name} changes {path}"
                if planned is not None and path not in planned:
                    yield f"I7: {name} changes {path}, which its record does not name"

    def _loss(self, night: str, base: pygit2.Commit, last: pygit2.Commit) -> Iterator[str]:
        before, after = _statements(base), _statements(last)
        standing = Counter(line for lines in after.values() for line in lines)
        gone = [
            (path, line)
            for path, lines in before.items()
            for line in lines
            if line not in standing and not any(_alike(line, other) for other in after.get(path, ()))
        ]
        notes = [
            path
            for path, lines in before.items()
            if path not in after and sum(line in standing for line in lines) < len(lines) / 2
        ]
        earlier = self.lost.get(night, (0, 0))
        self.lost[night] = (earlier[0] + len(notes), earlier[1] + len(gone))
        total = sum(map(len, before.values()))
        if len(notes) > min(max(3, len(before) * 15 // 100), len(before) // 2):
            yield f"I5: {len(notes)} of {len(before)} notes went"
        if len(gone) > max(5, total * 15 // 100):
            yield f"I5: {len(gone)} of {total} statements went"

    def _changed(self, commit: pygit2.Commit) -> set[str]:
        """The paths that differ from every parent: what a merge merely brings along is not its own."""
        if not commit.parents:
            return {path for path, _ in _files(commit.tree)}
        each = [
            {
                path
                for delta in parent.tree.diff_to_tree(commit.tree).deltas
                for path in (delta.old_file.path, delta.new_file.path)
            }
            for parent in commit.parents
        ]
        return set.intersection(*each)

    def _commit(self, commit: str) -> pygit2.Commit:
        return self._repository[commit].peel(pygit2.Commit)


def _statements(commit: pygit2.Commit) -> dict[str, list[str]]:
    found = {}
    for path, data in _files(commit.tree):
        if _is_topic(path):
            lines = data.decode(errors="replace").splitlines()
            found[path] = [match[1] for line in lines if (match := _STATEMENT.match(line.rstrip()))]
    return found


def _json(commit: pygit2.Commit, path: str) -> dict[str, Any] | None:
    try:
        entry = commit.tree[path]
        payload = json.loads(entry.data if isinstance(entry, pygit2.Blob) else b"")
    except (KeyError, ValueError):
        return None
    return payload if isinstance(payload, dict) and isinstance(payload.get("version"), int) else None


def _task(kind: Mapping[str, str]) -> str:
    return kind.get("Dream-Task") or kind.get("Dream-Revert", "")


def _planned(record: Mapping[str, Any], task: str) -> set[str]:
    return {
        path
        for effect in record.get("effects", ())
        if effect["task"] == task
        for path in [
            *(change["path"] for change in effect.get("changes", ())),
            *effect.get("created", ()),
            *effect.get("deleted", ()),
        ]
    }


def _accounts(record: Mapping[str, Any]) -> Iterator[str]:
    for name, told in record["tasks"].items():
        ended = told.get("written", 0) + sum(told.get("not_written", {}).values()) + told.get("pending", 0)
        if told.get("inputs", 0) != ended:
            yield f"I8: {name} had {told.get('inputs', 0)} inputs, {ended} ended"
        if any(not reason for reason in told.get("not_written", {})):
            yield f"I8: {name} left inputs out without a reason"


def _is_flow(commit: pygit2.Commit) -> bool:
    return (commit.committer.name, commit.committer.email) == FLOW


def _trailers(commit: pygit2.Commit) -> dict[str, str]:
    lines = commit.message.rstrip("\n").split("\n\n")[-1].split("\n")
    return dict(line.split(": ", 1) for line in lines if line.startswith("Dream-") and ": " in line)


def _is_topic(path: str) -> bool:
    return path.lower().endswith(".md") and not path.startswith((".", *_NO_TOPIC)) and "/." not in path


def _alike(line: str, other: str) -> bool:
    return difflib.SequenceMatcher(None, line, other, autojunk=False).ratio() >= _ALIKE


def _files(tree: pygit2.Tree, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in tree:
        if isinstance(entry, pygit2.Tree):
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif isinstance(entry, pygit2.Blob):
            yield f"{prefix}{entry.name}", entry.data
