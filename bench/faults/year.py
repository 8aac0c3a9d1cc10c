"""A year around one memory: what people, agents, sessions and a model that is ill now and then do, day after day."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from bench.faults.invariants import Checker
from bench.simulation.world import World
from dream.models.port import Reason, Unanswered
from tests.sources.sessions.transcripts import jsonl, line
from tests.support.dreamers import Dreamer, Stated, stated
from tests.support.repositories import Hosted, Person, host
from tests.support.served import Served

_SAID = re.compile(r"Remember for good that (the ([a-z]+ [a-z]+) [a-z ]+ [0-9]+ [a-z]+)\.")
_THINGS = ("ledger", "search", "signup", "export", "mailer", "stock", "return", "refund", "basket", "coupon", "parcel")
_PARTS = ("queue", "worker", "cache", "table", "page", "feed", "importer", "gateway", "report", "archive", "scheduler")
_DOES = ("keeps", "retries after", "is limited to", "waits for", "drops after", "holds", "splits at", "expires after")
_UNITS = ("hours", "rows", "seconds", "tries", "days", "megabytes", "users", "orders")
_CODE_FILES = 300
_QUIET_WEEK = 8
_ILL = (
    (0.06, Reason.OUTAGE),
    (0.03, Reason.INVALID),
    (0.03, Reason.TRUNCATED),
    (0.02, Reason.REFUSED),
    (0.02, Reason.RATE_LIMITED),
)


@dataclass(kw_only=True)
class Year:
    """One memory and everybody around it; `done` counts what they did."""

    world: World
    code: Person
    chance: random.Random
    dreamer: Dreamer = field(default_factory=Dreamer)
    done: Counter[str] = field(default_factory=Counter)
    _number: int = 0
    _moved: int = 0
    _told: list[tuple[str, bytes]] = field(default_factory=list)

    @property
    def hosted(self) -> Hosted:
        """The memory."""
        return self.world.hosted

    @property
    def checker(self) -> Checker:
        """Who holds I1 to I8 against every push."""
        return self.world.checker

    @property
    def night(self) -> date:
        """The night that is due."""
        return self.world.due

    def problems(self) -> list[str]:
        """Return what does not hold of what was pushed since the last look.

        A statement that is worded anew, because what it speaks of has moved, is no statement lost: the budget counts.
        """
        return [one for one in self.world.check() if " lost: " not in one]

    def live_a_day(self, number: int) -> None:
        """Let a day pass, up to the hour of its night."""
        self.world.jump(1)
        if number % 30 == 29:
            self._move_code()
        if number and number // 7 % _QUIET_WEEK == _QUIET_WEEK - 1:
            self.done["quiet days"] += 1
            return
        for share, what in self._habits():
            for _ in range(int(share) + (self.chance.random() < share % 1)):
                what()
                self.done[what.__name__.strip("_").replace("_", " ")] += 1

    def dream(self) -> str:
        """Dream the night, with a model that may be ill, people who may push into it, and one more run at times."""
        self._fall_ill()
        ill = self.dreamer.silent is not None
        draw = self.chance.random()
        if draw < 0.03:
            self.done["nights that died"] += 1
            self.world.dream(die_at=self.chance.choice(("read", "tidy", "index_rewrite", "land")))
        pushed = ("land", self._person_adds) if 0.03 < draw < 0.10 else None
        self.done["pushes into a night"] += pushed is not None
        ended = self.world.dream(meanwhile=pushed, may_fail=ill)
        if draw > 0.9:
            self.done["runs again"] += 1
            self.world.dream(may_fail=ill)
        if draw > 0.985:
            self.done["fresh homes"] += 1
            self.world.restart()
        return ended

    def _habits(self) -> tuple[tuple[float, Callable[[], None]], ...]:
        """What is done in a day, and how often on average."""
        return (
            (1.6, self._session),
            (0.3, self._late_session),
            (0.1, self._same_session_again),
            (0.8, self._ready_summary),
            (2.5, self._person_adds),
            (0.7, self._agent_repeats),
            (0.2, self._person_makes_a_note),
            (0.08, self._person_deletes_a_note),
            (0.3, self._person_deletes_a_line),
            (0.12, self._person_renames),
            (0.05, self._git_revert),
            (0.04, self._dream_revert),
        )

    def _fall_ill(self) -> None:
        """Draw what the model is like tonight."""
        self.dreamer.silent = None
        self.dreamer.rules = lambda _: "supported"
        self.dreamer.examined = lambda supported: "supported" if supported else "unsure"
        draw = self.chance.random()
        for share, reason in _ILL:
            draw -= share
            if draw < 0:
                self.dreamer.silent = Unanswered(reason=reason, detail="by script")
                self.done[f"model: {reason.value}"] += 1
                return
        if draw < 0.04:
            self.dreamer.rules = lambda _: "unsure"
            self.done["model: unsure of all"] += 1
        elif draw < 0.06:
            self.dreamer.examined = lambda _: "supported"
            self.done["model: unfit judge"] += 1

    # sessions

    def _session(self, *, days_ago: int = 1) -> None:
        self._number += 1
        ended = self.world.now - timedelta(days=days_ago)
        subject = f"{self.chance.choice(_THINGS)} {self.chance.choice(_PARTS)}"
        value = f"{self.chance.choice(_DOES)} {self._number} {self.chance.choice(_UNITS)}"
        turns = (
            f"Remember for good that the {subject} {value}. Also rename helper {self._number} in the script.",
            f"Done, helper {self._number} is renamed and its tests pass.",
        )
        session = f"{self._number:08x}-0000-4000-8000-000000000001"
        records = []
        for place, text in enumerate(turns):
            kind, content = ("assistant", [{"type": "text", "text": text}]) if place % 2 else ("user", text)
            stamp = (ended + timedelta(minutes=place)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
            named = {
                "sessionId": session,
                "uuid": f"{self._number:08x}-0000-4000-8000-{place:012x}",
                "timestamp": stamp,
            }
            records.append(line(kind, place, content, **named))
        self._leave(session, jsonl(records))

    def _late_session(self) -> None:
        self._session(days_ago=self.chance.randint(2, 10))

    def _same_session_again(self) -> None:
        if self._told:
            name, data = self.chance.choice(self._told[-20:])
            self._leave(f"{name}-again-{self.world.count}", data)

    def _ready_summary(self) -> None:
        self.world.hear(1)

    def _leave(self, name: str, data: bytes) -> None:
        folder = self.world.stage.sessions / "claude"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.jsonl").write_bytes(data)
        self._told.append((name, data))
        for old, _ in self._told[:-200]:  # what agents' tools keep is a month or two
            (folder / f"{old}.jsonl").unlink(missing_ok=True)
        self._told = self._told[-200:]

    # people and agents

    def _person_adds(self) -> None:
        path = self._note()
        self.world.push(
            {path: self.world.read(path).rstrip(b"\n") + b"\n" + self.world.say().encode()}, who="Ada Person"
        )

    def _agent_repeats(self) -> None:
        one, other = self._note(), self._note()
        lines = [row for row in self.world.read(one).split(b"\n") if row.startswith(b"- ")]
        if lines and one != other:
            data = self.world.read(other).rstrip(b"\n") + b"\n" + self.chance.choice(lines) + b"\n"
            self.world.push({other: data}, who="agent thread")

    def _person_makes_a_note(self) -> None:
        self.world.count += 1
        number = self.world.count
        self.world.push({f"facts/new-{number}.md": note(number, self.chance).encode()}, who="Ada Person")

    def _person_deletes_a_note(self) -> None:
        self.world.push({self._note(): None}, who="Ada Person")

    def _person_deletes_a_line(self) -> None:
        path = self._note()
        rows = self.world.read(path).split(b"\n")
        places = [place for place, row in enumerate(rows) if row.startswith(b"- ")]
        if len(places) > 1:
            gone = self.chance.choice(places)
            self.world.push({path: b"\n".join(rows[:gone] + rows[gone + 1 :])}, who="Ada Person")

    def _person_renames(self) -> None:
        old = self._note()
        self.world.count += 1
        self.world.push({old: None, f"services/moved-{self.world.count}.md": self.world.read(old)}, who="Ada Person")

    def _git_revert(self) -> None:
        landed = self.world.landed_commits()
        if landed:
            task, _, commit = self.chance.choice(landed[-6:])
            self.world.git_revert(commit, task)

    def _dream_revert(self) -> None:
        landed = self.world.landed_commits()
        if landed:
            task, night, _ = self.chance.choice(landed[-6:])
            self.world.dream_revert(night, self.chance.choice((task, None)), retry=self.chance.random() < 0.2)

    def _note(self) -> str:
        return self.chance.choice(self.world.notes())

    def _move_code(self) -> None:
        for _ in range(4):
            self.code.rename(_code(self._moved), f"src/moved/part_{self._moved:03d}.py")
            self._moved += 1
        self.done["code files moved"] += 4


def begin_year(served: Served, root: Path, *, notes: int, chance: random.Random) -> Year:
    """Host a memory of so many notes, and the code that they speak of."""
    files = {
        f"{'services' if number % 3 else 'queues'}/n-{number:03d}.md": note(number, chance) for number in range(notes)
    }
    world = World.create(served, {"MEMORY.md": "# Memory\n\nWe are polite to customers.\n", **files})
    code = host(served, "web", {_code(number): f"PART = {number * 37 + 11}\n" * 20 for number in range(_CODE_FILES)})
    (root / "requests.json").write_text(json.dumps([]))
    world.stage.extra = {"production": [{"name": "web", "kind": "code", "url": code.url, "internal": True}]}
    world.now = world.latest = datetime(2026, 10, 22, 4, 0, 5, tzinfo=UTC)
    year = Year(world=world, code=Person(code, root / "engineer", "Eve Engineer"), chance=chance)
    year.dreamer.lasts = _lasting
    world.models = year.dreamer.models
    return year


def note(number: int, chance: random.Random) -> str:
    """Return a note of three statements, the first of which names a file of the code."""
    subject = f"{chance.choice(_THINGS)} {chance.choice(_PARTS)} {number}"
    person = chance.choice(("Ana", "Ben", "Cleo", "Dora"))
    said = (
        f"The code of the {subject} is in `{_code(number % _CODE_FILES)}`.",
        f"The {subject} {chance.choice(_DOES)} {number + 7} {chance.choice(_UNITS)}.",
        f"{person} answers for the {subject}.",
    )
    rows = [f"- 2026-09-{number % 28 + 1:02d}: {one} [thread_{number:04d}]" for one in said]
    return f"# The {subject}\n\n" + "\n".join(rows) + "\n"


def _code(number: int) -> str:
    return f"src/area_{number % 20:02d}/part_{number:03d}.py"


def _lasting(conversation: str) -> list[Stated]:
    return [
        stated(f"{match[1][0].upper()}{match[1][1:]}.", match[1], resource=f"the {match[2]}")
        for match in _SAID.finditer(conversation)
    ]
