"""Where every offer of a scripted dreamer ended, from its log and the hosted memory's records."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bench.nights.dreamer import is_good
from bench.nights.losses import is_topic
from bench.nights.spoiling import PLACES
from bench.prompted import bare

WRITTEN = "written"
NOT_RULED = ("a part had no answer", "the line was full", "past the limit", "of no day that was told")
_ACCOUNT = re.compile(r"(?:distil|daily note): [0-9]+ statements? proposed: (.*)")
_COUNTED = re.compile(r"([0-9]+) ([a-z][a-z-]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLine:
    """Something bad that a night wrote."""

    night: str
    task: str
    kind: str
    statement: str


@dataclass(kw_only=True)
class Ends:
    """Offers by task and kind and their ends, what is bad and was written, what has no end, tokens by night."""

    ends: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    good: set[str] = field(default_factory=set)
    bad: list[BadLine] = field(default_factory=list)
    unaccounted: list[str] = field(default_factory=list)
    replies: Counter[tuple[str, str]] = field(default_factory=Counter)
    tokens: dict[tuple[str, str, str], tuple[int, int, int]] = field(default_factory=dict)
    """Questions, tokens in and out, by night, task and role."""
    longest: Counter[str] = field(default_factory=Counter)
    """The longest prompt of each task, in characters."""

    @property
    def offered(self) -> int:
        """How many offers there were."""
        return self.ends.total() + len(self.unaccounted)


def read_ends(log: Path, record_of: Callable[[str], Mapping[str, Any]], *, limit: int) -> Ends:
    """Return the ends of everything in `log`; `limit` is how many statements of one reply are looked at.

    `record_of` returns the record of a night, by its date, as it landed; empty where none did.
    """
    lines = log.read_text(encoding="utf-8").split("\n") if log.exists() else []
    nights: dict[str, list[dict[str, Any]]] = {}
    for event in map(json.loads, filter(None, lines)):
        nights.setdefault(event["night"], []).append(event)
    told = Ends()
    for night, events in nights.items():
        _count_night(told, night, events, record_of(night), limit)
    return told


def sum_of(all_ends: Iterable[Ends]) -> Ends:
    """Return the ends of several replays as one."""
    whole = Ends()
    for number, one in enumerate(all_ends):
        whole.ends.update(one.ends)
        whole.good |= one.good
        whole.bad += one.bad
        whole.unaccounted += one.unaccounted
        whole.replies.update(one.replies)
        whole.tokens.update(
            {(f"{number}/{night}", task, role): told for (night, task, role), told in one.tokens.items()}
        )
        whole.longest |= one.longest
    return whole


def _count_night(
    told: Ends, night: str, events: Sequence[Mapping[str, Any]], record: Mapping[str, Any], limit: int
) -> None:
    for task, name, number in _by_reply(events):
        told.replies[task, name] += number
    for event in events:
        if event["event"] == "asked":
            told.longest[event["task"]] = max(told.longest[event["task"]], event["characters"])
    for task, done in record.get("tasks", {}).items():
        for role, spend in done.get("spend", {}).items():
            spent = (spend.get("questions", 0), spend.get("input", 0), spend.get("output", 0))
            told.tokens[night, task, role] = spent
    told.unaccounted += [f"{night}: {what}" for what in _miscounted(events, record)]
    looking = _Looking(night, events, record, limit)
    offers = {(one["task"], one["id"]): one for one in events if one["event"] == "offered"}
    for (task, _), offer in offers.items():
        end = looking.end_of(task, offer)
        kind = offer["kind"] if not offer["kind"].startswith("claim: ") else _claim(offer)
        if not end:
            told.unaccounted.append(f"{night}: {task}: {kind}: {offer['statement'][:80]}")
            continue
        told.ends[task, kind, end] += 1
        is_fine = is_good(offer["kind"], is_true=offer["is_true"])
        if is_fine:
            told.good.add(kind)
        if end == WRITTEN and not is_fine and looking.is_harm(task, offer):
            told.bad.append(BadLine(night=night, task=task, kind=kind, statement=offer["statement"]))


def _claim(offer: Mapping[str, Any]) -> str:
    return "a true claim" if offer["is_true"] else f"a false claim, {offer['kind'].removeprefix('claim: ')}"


def _by_reply(events: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str, int]]:
    for (task, how), number in Counter((one["task"], one["how"]) for one in events if one["event"] == "asked").items():
        yield task, how, number


class _Looking:
    """One night's events and record, looked into for single offers."""

    def __init__(self, night: str, events: Sequence[Mapping[str, Any]], record: Mapping[str, Any], limit: int) -> None:
        self._night = night
        self._ruled = {(one["task"], one["id"]): one for one in events if one["event"] == "ruled"}
        self._placed = {one["id"]: one for one in events if one["event"] == "placed"}
        self._badly = {
            (task, one.get("source"))
            for one in events
            if one["event"] == "asked" and one["how"] != "answered"
            for task in (("daily_note", "distil") if one["task"] == "summary" else (one["task"],))
        }
        offered = [one for one in events if one["event"] == "offered"]
        self._sources = {(one["task"], one["id"]): one["source"] for one in offered}
        self._admitted = Counter(
            self._sources.get(key, "") for key, one in self._ruled.items() if key[0] == "daily_note" and not one["end"]
        )
        self._told = {name for one in events if one["event"] == "told" for name in one["ids"]}
        self._past = {
            (one["task"], one["id"]) for one in offered if one["place"] >= (2 if one.get("part") == "stale" else limit)
        }
        self._added = {task: _added(record, task) for task in ("daily_note", "distil")}
        self._refused = {
            (one["input"], one.get("operation", "").partition(" ")[2]): one["reason"]
            for one in record.get("tasks", {}).get("distil", {}).get("left_out", ())
        }
        self._said = Counter(
            " ".join(one["text"].split())
            for one in self._placed.values()
            if not one["end"] and any(operation["kind"] == "Add" for operation in one["operations"])
        )

    def end_of(self, task: str, offer: Mapping[str, Any]) -> str:
        """Return the reason, `written`, or nothing where there is no end."""
        ruled = self._ruled.get((task, offer["id"]))
        if ruled is None:
            return self._why_not_ruled(task, offer)
        placed = self._placed.get(offer["id"]) if task == "distil" else ruled
        if ruled["end"] or placed is None:
            return str(ruled["end"] or self._why_not_ruled(task, offer))
        if placed["end"]:
            return str(placed["end"])
        if bare(ruled["text"]) in self._added[task]:
            return WRITTEN
        paths = [one["path"] for one in placed.get("operations", ())]
        reasons = (self._refused.get((offer["source"], path)) for path in paths)
        return next((f"guard: {reason}" for reason in reasons if reason), "left out later")

    def _why_not_ruled(self, task: str, offer: Mapping[str, Any]) -> str:
        if (task, offer["source"]) in self._badly:
            return NOT_RULED[0]
        if (task, offer["id"]) in self._past:
            return NOT_RULED[2]
        if task == "daily_note" and offer["id"] not in self._told:
            return NOT_RULED[3]
        return NOT_RULED[1] if task == "daily_note" and self._admitted[offer["source"]] >= 2 else ""

    def is_harm(self, task: str, offer: Mapping[str, Any]) -> bool:
        """Whether what was written is what made the offer bad; an honest statement may be written where it belongs."""
        if offer["kind"] not in PLACES:
            return True
        placed = self._placed.get(offer["id"]) if task == "distil" else None
        operations = placed["operations"] if placed else []
        if offer["kind"] == "a hostile place":
            return any(not is_topic(operation["path"]) or ".." in operation["path"] for operation in operations)
        if offer["kind"] == "replaces something else":
            return any(operation["replaces_named"] for operation in operations)
        return self._said[" ".join((placed or {}).get("text", "").split())] > 1


def _added(record: Mapping[str, Any], task: str) -> str:
    lines = [
        line
        for effect in record.get("effects", ())
        if effect.get("task") == task
        for change in effect.get("changes", ())
        for line in change.get("added", ())
    ]
    return bare(" ".join(lines))


def _is_last(ruled: Mapping[str, Any], *, is_placed_next: bool) -> bool:
    return bool(ruled["end"]) or not is_placed_next


def _miscounted(events: Sequence[Mapping[str, Any]], record: Mapping[str, Any]) -> Iterator[str]:
    """Hold the night's own account of its statements against what was seen: one of the plans must come to it."""
    for task in ("distil", "daily_note"):
        findings = record.get("tasks", {}).get(task, {}).get("findings", ())
        said = next((match[1] for one in findings if (match := _ACCOUNT.fullmatch(one))), "")
        plans: list[Counter[str]] = []
        is_last = partial(_is_last, is_placed_next=task == "distil")
        for event in events:
            if event.get("task") != task:
                continue
            if event["event"] == "planned":
                plans.append(Counter())
            elif plans and (event["event"] == "placed" or (event["event"] == "ruled" and is_last(event))):
                plans[-1][event["end"] or WRITTEN] += 1
        counted = Counter({name: int(number) for number, name in _COUNTED.findall(said)})
        counted[WRITTEN] += counted.pop("admitted", 0)
        if task == "daily_note":  # what passes the gates may still find no place in its line
            counted[WRITTEN] += counted.pop("already-written", 0) + counted.pop("no-room", 0)
        if said and +counted not in plans:
            yield f"{task}: the night says {dict(counted)}, seen were {[dict(one) for one in plans]}"
