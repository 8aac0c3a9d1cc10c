"""One replay: days of people and sessions, a night after each, everything checked after every night."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from bench.nights.accounts import Violation
from bench.nights.dreamer import Dreaming
from bench.nights.dreaming import LOG, run_night, take_back
from bench.nights.ends import Ends, read_ends
from bench.nights.history import History
from bench.nights.invariants import Invariants, NightFacts
from bench.nights.memories import CODE, MemoryDay
from bench.nights.organisations import DREAMT, STATEMENTS, TAKEN_BACK_AT_RANDOM
from bench.nights.people import People
from bench.nights.reading import write_page
from bench.nights.sessions import Shelf
from bench.processes import Run
from config.settings import Identity
from tests.support.repositories import Person, host
from tests.support.served import Served

ORGANISATION = "acme"
_MAIL = Identity().mail
_RACED_SHARE, _AGAIN_SHARE, _TAKEN_BACK_SHARE = 0.25, 0.2, 0.08


@dataclass(kw_only=True)
class Told:
    """What a replay came to."""

    name: str
    nights: int = 0
    sessions: int = 0
    commits: int = 0
    people_commits: int = 0
    written: int = 0
    not_written: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    pending: int = 0
    lost_notes: int = 0
    lost_statements: int = 0
    index_lines: int = 0
    index_bytes: int = 0
    cpu_seconds: float = 0.0
    peak_mb: float = 0.0
    did: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)
    days: dict[date, str] = field(default_factory=dict)
    """What nights wrote into each day's note, whatever people made of it."""
    distilled: dict[date, str] = field(default_factory=dict)
    """What distilling wrote in each night, by the day before it."""
    ends: Ends | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What is replayed: a memory at first, sessions or the memory's own days, and the seed of everything else."""

    name: str
    memory: Mapping[str, str | bytes]
    seed: str
    shelf: Shelf | None = None
    memory_days: tuple[MemoryDay, ...] = ()
    folder: str = ""
    with_code: bool = False
    since: date | None = None
    most_nights: int | None = None
    dreaming: Dreaming | None = None
    only: frozenset[date] = frozenset()
    """The only days that are lived; empty is all."""
    forked: bool = False
    """Whether its nights import nothing themselves."""

    @property
    def days(self) -> list[date]:
        """The days that are lived, a night after each."""
        days = self.shelf.days if self.shelf else [one.day for one in self.memory_days]
        wanted = [day for day in days if self.since is None or day >= self.since]
        return [day for day in wanted if not self.only or day in self.only][: self.most_nights]


class Replay:
    """A hosted memory, the people around it, and its nights."""

    def __init__(self, script: Script, served: Served, root: Path) -> None:
        """Host the memory, and the code that it speaks of."""
        self.script = script
        self.served = served
        self.root = root
        self.hosted = host(served, script.name, script.memory)
        self.history = History(self.hosted.path)
        self.invariants = Invariants(history=self.history, mail=_MAIL, folder=script.folder)
        self.people = People(
            hosted=self.hosted,
            root=root,
            folder=script.folder,
            seed=script.seed,
            pushed=self.invariants.acknowledge,
        )
        self.told = Told(name=script.name)
        self._rng = random.Random(f"{script.seed}/replay")  # noqa: S311 - a replay, not a secret
        self._commits: dict[str, str] = {}
        self._coder: Person | None = None
        if script.with_code:
            code = host(served, f"{script.name}-code", CODE)
            self._coder = Person(code, root / "copy-code", "Cleo Coder")
            self._code_url = code.url

    def run(self) -> Told:
        """Live all days of the script and return what they came to."""
        changes = {one.day: one for one in self.script.memory_days}
        days = self.script.days
        for number, day in enumerate(days):
            if day in changes:
                self.people.put(day, changes[day].files, changes[day].deleted)
            if not changes or self._rng.random() < 0.5:
                self.people.live(day, self._commits)
            self._code(day)
            if number and self._rng.random() < _TAKEN_BACK_SHARE:
                self._take_back(days[number - 1] + timedelta(days=1), now=day)
            night = day + timedelta(days=1)
            self._sleep(night, today=night)
            if self._rng.random() < _AGAIN_SHARE:
                self._sleep(night, today=night, again=True)
            if number and self._rng.random() < _AGAIN_SHARE / 2:
                self._sleep(days[number - 1] + timedelta(days=1), today=night, again=True)
            seen = "; ".join(f"{one.invariant} {one.what}" for one in self.told.violations) or "no violation"
            print(f"{self.script.name}: {number + 1} of {len(days)}: {seen}", file=sys.stderr)
        self.told.violations += self.invariants.sound()
        self.told.did = self.people.did
        self.told.people_commits = len(self.invariants.acknowledged)
        self._measure_index()
        self.told.days = notes_written(self.history, self.script.folder)
        if self.script.dreaming:
            self.told.distilled = distilled(self.history, self.script.folder)
            log = self.root / "home" / LOG
            self.told.ends = read_ends(log, self._record, limit=STATEMENTS)
        return self.told

    def write_page(self, folder: Path) -> None:
        """Write the page of the last night into `folder`."""
        write_page(self._organisation(), self.root / "home", folder / f"{self.script.name}.html")

    def _sleep(self, night: date, *, today: date, again: bool = False) -> None:
        shelf = self.script.shelf
        if shelf and not again:
            shelf.lay(night)
        if not again and self._rng.random() < _RACED_SHARE:
            self.served.before_push = self.people.interrupt(night)
        old = self.history.tip()
        how: dict[str, Any] = {"dreaming": self.script.dreaming, "forked": self.script.forked}
        run = run_night(self._organisation(), night, today=today, home=self.root / "home", **how)
        self.served.before_push = None
        new = self.history.tip()
        payload = run.payload
        facts = NightFacts(
            night=night,
            old=old,
            new=new,
            status=payload["status"],
            said_tip=payload["tip"],
            findings=tuple(payload["findings"]),
            fed=tuple(shelf.fed.values()) if shelf else (),
        )
        self.told.violations += [
            Violation(one.invariant, f"{night}: {one.what}") for one in self.invariants.after(facts)
        ]
        if again and (old != new or payload["status"] not in {"nothing-to-do", "superseded"}):
            self.told.violations.append(Violation("I4", f"{night}: the same night again ended {payload['status']}"))
        self._count(night, run, is_new=not again)

    def _take_back(self, night: date, *, now: date) -> None:
        """Let a person take back a task of a night with the program's own command."""
        task = self._rng.choice(["daily_note", "production_verification", "tidy"])
        retry = self._rng.random() < 0.5
        home, forked = self.root / "home", self.script.forked
        run = take_back(self._organisation(), night, task, now=now, retry=retry, home=home, forked=forked)
        done = "" if run.payload["commits"] else ": nothing to do"
        self.people.did[f"dream revert{' --retry' if retry else ''}{done}"] += 1

    def _count(self, night: date, run: Run, *, is_new: bool) -> None:
        told, payload = self.told, run.payload
        told.statuses[payload["status"]] += 1
        told.cpu_seconds += run.cpu_seconds
        told.peak_mb = max(told.peak_mb, run.peak_mb)
        if not is_new:
            return
        told.nights += 1
        if payload["status"] != "landed":
            told.violations.append(Violation("I3", f"{night}: {payload['status']}: {payload['reason']}"))
            return
        tasks = payload["tasks"]
        self._commits = {name: task["commit"] for name, task in tasks.items() if task.get("commit")}
        told.commits += len(self._commits) + 1
        for task in tasks.values():
            told.written += task["written"]
            told.pending += task["pending"]
            told.not_written.update(task["not_written"])
            told.refused.update(task["refusals"])
        told.lost_notes += payload["loss"]["notes"]
        told.lost_statements += payload["loss"]["statements"]
        told.sessions = len(self.script.shelf.fed) if self.script.shelf else 0

    def _code(self, day: date) -> None:
        """Now and then let a file of the code move or go."""
        if self._coder is None or self._rng.random() > 0.2:
            return
        self._coder.pull()
        paths = sorted(self._coder.git("ls-files").split("\n"))
        path = self._rng.choice(paths)
        if self._rng.random() < 0.3 and len(paths) > 5:
            self._coder.delete(path)
        else:
            self._coder.rename(path, f"lib/{day:%m%d}/{Path(path).parent.name}_{Path(path).name}")

    def _organisation(self) -> dict[str, Any]:
        shelf = self.script.shelf
        return {
            "organisation": ORGANISATION,
            "memory": {"url": self.hosted.url, "path": self.script.folder.rstrip("/")},
            "sessions": [{"kind": shelf.kind, "path": str(shelf.folder)}] if shelf else [],
            "production": [{"name": "web", "kind": "code", "url": self._code_url, "internal": True}]
            if self._coder
            else [],
            "limits": TAKEN_BACK_AT_RANDOM,
            **(DREAMT if self.script.dreaming else {}),
        }

    def _record(self, night: str) -> Mapping[str, Any]:
        data = self.history.read(self.history.tip(), f"{self.script.folder}.dream/nights/{night}.json")
        return json.loads(data) if data else {}

    def _measure_index(self) -> None:
        index = self.history.read(self.history.tip(), f"{self.script.folder}MEMORY.md") or b""
        self.told.index_lines, self.told.index_bytes = index.count(b"\n"), len(index)


def notes_written(history: History, folder: str) -> dict[date, str]:
    """Return the lines that all nights together wrote into the note of each day, by the records that are kept."""
    tip = history.tip()
    paths = sorted(path for path in history.files(tip) if path.startswith(f"{folder}.dream/nights/"))
    lines: dict[str, list[str]] = {}
    for effect in (one for path in paths for one in history.read_json(tip, path).get("effects", ())):
        for change in effect.get("changes", ()):
            note = lines.setdefault(change["path"], [])
            gone = set(change.get("removed", ()))
            note[:] = [*(line for line in note if line not in gone), *change.get("added", ())]
    return {
        date.fromisoformat(Path(path).stem): "\n".join(note)
        for path, note in lines.items()
        if path.startswith("daily/")
    }


def distilled(history: History, folder: str) -> dict[date, str]:
    """Return the lines that distilling added in every night whose record is kept, by the day before it."""
    tip = history.tip()
    found = {}
    for path in sorted(path for path in history.files(tip) if path.startswith(f"{folder}.dream/nights/")):
        effects = history.read_json(tip, path).get("effects", ())
        changes = [change for one in effects if one.get("task") == "distil" for change in one.get("changes", ())]
        day = date.fromisoformat(Path(path).stem) - timedelta(days=1)
        found[day] = "\n".join(line for change in changes for line in change.get("added", ()))
    return found


def total(all_told: Iterable[Told]) -> Told:
    """Return the sum of several replays; of sizes and memory, the largest."""
    whole = Told(name="all")
    for one in all_told:
        for name in ("nights", "sessions", "commits", "people_commits", "written", "pending", "lost_notes"):
            setattr(whole, name, getattr(whole, name) + getattr(one, name))
        whole.lost_statements += one.lost_statements
        whole.cpu_seconds += one.cpu_seconds
        for name in ("index_lines", "index_bytes", "peak_mb"):
            setattr(whole, name, max(getattr(whole, name), getattr(one, name)))
        for name in ("not_written", "refused", "did", "statuses"):
            getattr(whole, name).update(getattr(one, name))
        whole.violations += one.violations
    return whole
