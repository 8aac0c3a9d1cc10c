"""I8: where every input of every night ended, counted from what was fed and from the records alone."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

LOOK_BACK = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Violation:
    """An invariant that does not hold, and where that was seen."""

    invariant: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fed:
    """A session as it was laid before the nights: its id, its files, the days it has messages on, and since when."""

    id: str
    files: tuple[str, ...]
    first_day: date
    days: frozenset[date]
    visible: date


@dataclass(kw_only=True)
class Accounts:
    """What became of everything that was fed, over all nights: `ended` by input, `settled` by session."""

    ended: dict[str, str] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    began: date | None = None

    def after(
        self, night: date, record: Mapping[str, Any], *, fed: Sequence[Fed], findings: Sequence[str]
    ) -> Iterator[Violation]:
        """Yield what does not add up in the record of a night."""
        for name, task in record["tasks"].items():
            not_written, done = task.get("not_written", {}), task.get("done", ())
            ended = task.get("written", 0) + sum(not_written.values()) + task.get("pending", 0)
            if task.get("inputs", 0) != ended:
                yield Violation("I8", f"{name}: {task.get('inputs', 0)} inputs, {ended} accounted for")
            twice = [one for one, count in Counter(each["id"] for each in done).items() if count > 1]
            if twice:
                yield Violation("I8", f"{name}: {twice[0]} ended twice")
            reasons = Counter(each["reason"] for each in done if each.get("reason"))
            if any(count > not_written.get(reason, 0) for reason, count in reasons.items()):
                yield Violation("I8", f"{name}: more inputs with a reason than were counted")
        daily = record["tasks"].get("daily_note", {})
        if self.began is None and "daily_note" in record.get("windows", {}):
            self.began = date.fromisoformat(record["windows"]["daily_note"][0][:10])
        for each in daily.get("done", ()):
            yield from _is_fed(each["id"], fed)
            self.ended[each["id"]] = each.get("reason", "")
        yield from self._none_vanished(night, fed, "\n".join(findings), waiting=daily.get("pending", 0))

    def _none_vanished(self, night: date, fed: Sequence[Fed], said: str, *, waiting: int) -> Iterator[Violation]:
        """Look for sessions that should have ended by now: neither in a record, nor pending, nor left out by name."""
        missing = []
        for one in fed:
            if one.id in self.settled or one.first_day >= night or one.visible > night:
                continue
            too_late = one.first_day <= one.visible - LOOK_BACK or one.first_day < (self.began or one.first_day)
            ended = any(
                _is_called(one, thread) and day[:10] == one.first_day.isoformat()
                for thread, _, day in (name.partition("/") for name in self.ended)
            )
            if ended or all(file in said for file in one.files) or (too_late and "before the window" in said):
                self.settled.add(one.id)
            else:
                missing.append(one.id)
        if len(missing) > waiting:
            yield Violation("I8", f"{len(missing)} sessions vanished: {', '.join(missing[:3])}")


def _is_fed(name: str, fed: Sequence[Fed]) -> Iterator[Violation]:
    thread, _, day = name.partition("/")
    if not thread.startswith("thread_"):
        return
    known = [one for one in fed if _is_called(one, thread)]
    if not known:
        yield Violation("I8", f"{name} is of no session that was fed")
    elif not any(date.fromisoformat(day[:10]) in one.days for one in known):
        yield Violation("I8", f"{name} is of a day on which nothing was said")


def _is_called(session: Fed, thread: str) -> bool:
    """Whether a thread's name is a part of the session's id, from its beginning or end, or of its hash."""
    short = thread.removeprefix("thread_")
    plain = session.id.lower().replace("-", "")
    hashed = hashlib.sha256(session.id.encode()).hexdigest()
    return bool(short) and (
        short == session.id or plain.startswith(short) or plain.endswith(short) or hashed.startswith(short)
    )
