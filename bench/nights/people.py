"""A scripted person and scripted agents who work in the memory between nights; the seed decides what they do."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path

from bench.nights.losses import is_topic
from bench.nights.memories import SUBJECTS, statement
from tests.support.repositories import GitFailedError, Hosted, Person

_TASKS = ("daily_note", "pr_outcomes", "production_verification", "tidy", "index_rewrite")
_NIGHTLY = 12


@dataclass(kw_only=True)
class People:
    """Whoever pushes by day: `pushed` is called with every commit that the server has acknowledged."""

    hosted: Hosted
    root: Path
    folder: str
    seed: str
    pushed: Callable[[str], None]
    did: Counter[str] = field(default_factory=Counter)
    commits: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Give everybody a working copy."""
        self._rng = random.Random(f"{self.seed}/people")  # noqa: S311 - a replay, not a secret
        self._ada = Person(self.hosted, self.root / "copy-ada", "Ada Person")
        self._agent = Person(self.hosted, self.root / "copy-agent", "Agent thread_5e55")

    def live(self, day: date, commits: Mapping[str, str]) -> None:
        """Do a day's work; `commits` are those that last night's tasks made."""
        self.commits = [commits[task] for task in _TASKS if commits.get(task)]
        deeds: list[tuple[Callable[[], str], int]] = [
            (self._tell, 6),
            (self._repeat, 4),
            (self._reword, 4),
            (self._make, 3),
            (self._rename, 3),
            (self._delete, 1),
            (self._revert, 4),
            (self._edit_nightly, 3),
            (self._merge, 2),
        ]
        kinds, weights = [deed for deed, _ in deeds], [weight for _, weight in deeds]
        for number, deed in enumerate(self._rng.choices(kinds, weights, k=self._rng.randint(1, 4))):
            self._ada.at = self._agent.at = datetime.combine(day, time(9 + 3 * number), tzinfo=UTC)
            self._ada.pull()
            self._agent.pull()
            commit = deed()
            name = deed.__name__.strip("_").replace("_", " ")
            self.did[name if commit else f"{name}: nothing to do"] += 1
            if commit:
                self.pushed(commit)

    def put(self, day: date, files: Mapping[str, bytes], deleted: tuple[str, ...]) -> None:
        """Push what became different on a day, in one commit, on top of whatever the night made of it."""
        self._ada.at = datetime.combine(day, time(18), tzinfo=UTC)
        self._ada.pull()
        gone = [path for path in deleted if (self._ada.folder / path).is_file() and path not in files]
        self.pushed(self._ada.edit({**files, **dict.fromkeys(gone)}, f"memory: {day}"))
        self.did["put"] += 1

    def interrupt(self, night: date) -> Callable[[], None]:
        """Return a push that somebody makes just as the night's own push arrives."""

        def push() -> None:
            self._ada.at = datetime.combine(night, time(4), tzinfo=UTC)
            self._ada.pull()
            deed = self._rng.choice([self._tell, self._reword, self._edit_nightly, self._rename])
            commit = deed()
            self.did["pushed during the night" if commit else "pushed during the night: nothing to do"] += 1
            if commit:
                self.pushed(commit)

        return push

    def _notes(self, person: Person) -> list[str]:
        listed = person.git("-c", "core.quotePath=false", "ls-files", "-z").split("\0")
        here = [path.removeprefix(self.folder) for path in listed if path.startswith(self.folder)]
        return sorted(path for path in here if is_topic(path) and _is_text(person.folder / self.folder / path))

    def _tell(self) -> str:
        notes = self._notes(self._agent)
        if not notes:
            return ""
        path = self.folder + self._rng.choice(notes)
        fact = statement(self._rng, self._rng.choice(SUBJECTS))
        before = self._agent.read(path)
        ending = b"" if before.endswith(b"\n") or not before else b"\n"
        line = f"- {self._day}: {fact}. [thread_{self._rng.randrange(16**8):08x}, {self._day}]\n"
        return self._agent.edit({path: before + ending + line.encode()}, "notes: tell")

    def _repeat(self) -> str:
        """Say in one note what another says already."""
        notes = self._notes(self._agent)
        lines = [
            (path, line)
            for path in notes
            for line in self._agent.read(self.folder + path).decode().split("\n")
            if line.startswith(("- ", "* ")) and "](" not in line
        ]
        if not lines or len(notes) < 2:
            return ""
        origin, line = self._rng.choice(lines)
        path = self.folder + self._rng.choice([note for note in notes if note != origin])
        return self._agent.edit({path: self._agent.read(path) + f"\n{line}\n".encode()}, "notes: repeat")

    def _reword(self) -> str:
        notes = self._notes(self._ada)
        if not notes:
            return ""
        return self._change_a_line(self.folder + self._rng.choice(notes), "notes: reword")

    def _make(self) -> str:
        subject = self._rng.choice(SUBJECTS)
        path = f"{self.folder}notes/{subject}-{self._rng.randrange(10000)}.md"
        text = f"# More about {subject}\n\n" + "".join(f"- {statement(self._rng, subject)}.\n" for _ in range(3))
        return self._agent.edit({path: text}, "notes: make")

    def _rename(self) -> str:
        notes = self._notes(self._ada)
        if not notes:
            return ""
        old = self.folder + self._rng.choice(notes)
        new = f"{self.folder}moved/{Path(old).stem}-{self._rng.randrange(10000)}.md"
        return self._ada.edit({new: self._ada.read(old), old: None}, "notes: rename")

    def _delete(self) -> str:
        notes = self._notes(self._ada)
        if len(notes) < 5:
            return ""
        return self._ada.edit({self.folder + self._rng.choice(notes): None}, "notes: delete")

    def _revert(self) -> str:
        """Take back a commit of last night as anybody would; where git cannot, let it be."""
        if not self.commits:
            return ""
        try:
            self._ada.git("revert", "--no-edit", self._rng.choice(self.commits))
        except GitFailedError:
            self._ada.git("reset", "--quiet", "--hard", f"origin/{self.hosted.branch}")
            return ""
        return self._ada.push()

    def _edit_nightly(self) -> str:
        """Rework or delete a line that a night wrote."""
        listed = self._ada.git("ls-files", f"{self.folder}daily").split("\n")[-_NIGHTLY:]
        daily = [path for path in listed if path and _is_text(self._ada.folder / path)]
        if not daily:
            return ""
        path = self._rng.choice(daily)
        if self._rng.random() < 0.2:
            return self._ada.edit({path: None}, "daily: delete")
        return self._change_a_line(path, "daily: rework")

    def _merge(self) -> str:
        """Commit on what is here while the branch moves on, and push a merge."""
        notes = self._notes(self._agent)
        if not notes:
            return ""
        path = f"{self.folder}notes/merged-{self._rng.randrange(10000)}.md"
        self._agent.commit({path: f"# Merged\n\n- {statement(self._rng, 'sync')}.\n"}, "notes: aside")
        moved = self._make_as_ada()
        self._agent.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", self.hosted.branch)
        self.pushed(moved)
        return self._agent.push()

    def _make_as_ada(self) -> str:
        path = f"{self.folder}notes/ada-{self._rng.randrange(10000)}.md"
        return self._ada.edit({path: f"# By Ada\n\n- {statement(self._rng, 'login')}.\n"}, "notes: make")

    def _change_a_line(self, path: str, message: str) -> str:
        lines = self._ada.read(path).decode().split("\n")
        places = [n for n, line in enumerate(lines) if len(line) > 20 and not line.startswith("#")]
        if not places:
            return ""
        place = self._rng.choice(places)
        if self._rng.random() < 0.3:
            del lines[place]
        else:
            ending = "\r" if lines[place].endswith("\r") else ""
            lines[place] = f"{lines[place].rstrip(chr(13))} Corrected by hand.{ending}"
        return self._ada.edit({path: "\n".join(lines).encode()}, message)

    @property
    def _day(self) -> date:
        at = self._agent.at
        return at.date() if at else date(2025, 6, 1)


def _is_text(file: Path) -> bool:
    try:
        return (
            file.is_file()
            and not file.is_symlink()
            and b"\0" not in file.read_bytes()
            and bool(file.read_text("utf-8"))
        )
    except UnicodeDecodeError:
        return False
