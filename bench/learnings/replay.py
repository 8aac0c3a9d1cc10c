"""One replay: real sessions and planted ones, a night after each day, and what it wrote held against what was said."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from bench.learnings.dreaming import LOG, run_night
from bench.learnings.ends import Ends, count_night
from bench.learnings.landed import Learning, learnings_in, observations_in
from bench.learnings.mind import MODELS, Minding
from bench.learnings.planted import PEOPLE, TAUGHT, Planted
from bench.learnings.truth import Truth
from bench.nights.sessions import Shelf
from dream.memory.skills import learning_name, learning_path
from tests.support.repositories import Person, host
from tests.support.served import Served

ORGANISATION = "acme"
SOMEBODY = "greg"
"""Who typed in the real sessions, which name nobody."""

_ROOM = {
    "learnings": {"observations": 2_000, "shown": 3_000, "candidates": 2_000},
    "spend": {"tokens": 10**9, "dollars": 10**6, "calls": 10**6, "minutes": 10**6},
}
_OWN = "reply-in-plain-words"
_PERSONS_SKILL = (
    f"---\nname: {_OWN}\ndescription: When replying to customers of the shop\n---\n\n# Replies\n\n"
    "- Reply in plain words, without abbreviations.\n"
)
MEMORY: Mapping[str, str] = {
    "MEMORY.md": "# Memory\n\n- [Shop](services/shop.md)\n",
    "services/shop.md": "# Shop\n\n- 2025-11-02: The shop listens on port 8443. [thread_0000a001, 2025-11-02]\n",
    learning_path(_OWN): _PERSONS_SKILL,
}
_REST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What is replayed: the sessions of a shelf, the plants from a day on, and by whom it is dreamt.

    `models` are asked where nothing is scripted; `most_nights` is the number of nights, all where it is None.
    """

    name: str
    shelf: Shelf
    planted: Planted | None
    minding: Minding | None
    models: Mapping[str, Any] = field(default_factory=lambda: MODELS)
    most_nights: int | None = None
    forked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """What one night came to."""

    night: date
    new: int
    changed: int
    observations: int
    observation_bytes: int
    cpu_seconds: float


@dataclass(kw_only=True)
class Told:
    """What a replay came to; `faults` are what is false, broken or somebody else's in what its nights wrote."""

    name: str
    sessions: int = 0
    nights: list[Night] = field(default_factory=list)
    learnings: dict[str, Learning] = field(default_factory=dict)
    ends: Ends = field(default_factory=Ends)
    faults: dict[str, date] = field(default_factory=dict)
    """Each once, with the night after which it was first seen."""
    taken_back: dict[str, date] = field(default_factory=dict)
    """Learnings that somebody deleted or rewrote, by name, and the day of it."""


class Replay:
    """A hosted memory, what lies before its nights, and somebody who takes back and rewrites what they wrote."""

    def __init__(self, script: Script, served: Served, root: Path) -> None:
        """Host the memory."""
        self.script = script
        self.root = root
        first = datetime.combine(script.shelf.days[0], time(), UTC) - timedelta(days=1)
        self.hosted = host(served, script.name, MEMORY, at=first)
        self.person = Person(self.hosted, root / "copy", "Ada Person")
        self.told = Told(name=script.name)
        self.truth = Truth()
        self._persons: dict[str, str] = {_OWN: _PERSONS_SKILL}

    def run(self) -> Told:
        """Dream the night after each day and return what they came to."""
        days = self.script.shelf.days[: self.script.most_nights]
        for number, day in enumerate(days):
            self._sleep(day + timedelta(days=1))
            self._interfere(day)
            state = self.told.nights[-1]
            print(
                f"{self.script.name}: {number + 1} of {len(days)}: {len(self.told.learnings)} learnings, "
                f"{state.observations} observations, {len(self.told.faults)} faults, {state.cpu_seconds:.1f} s",
                file=sys.stderr,
            )
        self.told.sessions = len(self.script.shelf.fed)
        return self.told

    def _sleep(self, night: date) -> None:
        self.script.shelf.lay(night)
        if self.script.planted:
            self.script.planted.lay(self.root / "planted", night)
        old = self.hosted.files()
        before = learnings_in(old)
        home = self.root / "home"
        script = self.script
        run = run_night(self._organisation(), night, home=home, minding=script.minding, forked=script.forked)
        if run.payload["status"] != "landed":
            self.told.faults[f"{run.payload['status']}: {run.payload['reason']}"] = night
        files = self.hosted.files()
        self.told.learnings = learnings_in(files)
        events = _events(home / LOG, night)
        self.truth.take(one for one in events if one["event"] == "proposed")
        count_night(self.told.ends, events, run.payload, before=before, after=self.told.learnings)
        for what in (*self._faults(files, before), *_misplaced(old, files)):
            self.told.faults.setdefault(what, night)
        count, size = observations_in(files)
        new = self.told.learnings.keys() - before.keys()
        changed = [name for name in before if self.told.learnings.get(name) != before[name]]
        self.told.nights.append(
            Night(
                night=night,
                new=len(new),
                changed=len(changed),
                observations=count,
                observation_bytes=size,
                cpu_seconds=run.cpu_seconds,
            )
        )

    def _faults(self, files: Mapping[str, bytes], before: Mapping[str, Learning]) -> list[str]:
        """Return what is wrong with what stands: false, broken, brought back, somebody's own, too much at once."""
        found = []
        for name, one in self.told.learnings.items():
            if name in self._persons:
                continue
            found += [f"broken: {name}: {finding}" for finding in one.findings]
            if self.script.minding:
                found += [f"false: {fault}" for fault in self.truth.faults(one)]
        for name, text in self._persons.items():
            if files.get(learning_path(name)) != text.encode():
                found.append(f"a person's own was touched: {name}")
        back = [name for name in self.told.taken_back if name in self.told.learnings and name not in self._persons]
        found += [f"brought back: {name}" for name in back]
        if len(self.told.learnings.keys() - before.keys()) > _REST:
            found.append(f"{len(self.told.learnings.keys() - before.keys())} new learnings in one night")
        return found

    def _interfere(self, day: date) -> None:
        """Once the plants have been taught, delete one of their learnings and rewrite another, each once."""
        for name, one in self.told.learnings.items():
            words = {plant.word for plant in one.plants if plant.kind == TAUGHT}
            if name in self.told.taken_back or not words & {"kestrel", "marabou"}:
                continue
            self.person.pull()
            if "kestrel" in words:
                self.person.delete(learning_path(name))
            else:
                text = f"{one.text}\nAsk Ada about it.\n"
                self._persons[name] = text
                self.person.edit({learning_path(name): text})
            self.told.taken_back[name] = day

    def _organisation(self) -> dict[str, Any]:
        shelf, planted = self.script.shelf, self.root / "planted"
        sessions = [{"kind": shelf.kind, "path": str(shelf.folder), "person": SOMEBODY}]
        if self.script.planted:
            people = [*PEOPLE, "mallory"]
            sessions += [{"kind": "claude-code", "path": str(planted / name), "person": name} for name in people]
        return {
            "organisation": ORGANISATION,
            "memory": {"url": self.hosted.url},
            "sessions": sessions,
            "people": [SOMEBODY, *PEOPLE],
            "models": self.script.models,
            "limits": _ROOM if self.script.minding else {},
        }


def _misplaced(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> list[str]:
    """Return the paths that a night changed and that no learning stands at, the night's own apart."""
    changed = [path for path in sorted(old.keys() | new.keys()) if old.get(path) != new.get(path)]
    return [
        f"changed: {path}"
        for path in changed
        if not learning_name(path) and not path.startswith((".dream/", "CATALOG")) and path != "MEMORY.md"
    ]


def _events(log: Path, night: date) -> Sequence[Mapping[str, Any]]:
    lines = log.read_text(encoding="utf-8").split("\n") if log.exists() else []
    return [one for one in map(json.loads, filter(None, lines)) if one["night"] == night.isoformat()]
