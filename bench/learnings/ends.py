"""Where every mark and every candidate of a scripted dreamer ended, from its log and the memory as it landed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.learnings.landed import Learning
from bench.learnings.offers import HOSTILE_NAME, JUDGED, TRUE_MARKS, TRUE_PROPOSALS
from bench.prompted import bare
from tasks.observing import OBSERVED

WRITTEN = "written"
AGAIN = "already-observed"
_ACCOUNT = re.compile(r"learnings: [0-9]+ (?:stretch|stretches|candidate|candidates) (?:marked|proposed): (.+)")
_COUNTED = re.compile(r"([0-9]+) ([a-z][a-z-]*)")


@dataclass(kw_only=True)
class Ends:
    """Marks and candidates by kind and end; what is false and was taken in; what has no end or another account."""

    marks: Counter[tuple[str, str]] = field(default_factory=Counter)
    proposals: Counter[tuple[str, str]] = field(default_factory=Counter)
    remembered: list[str] = field(default_factory=list)
    """Stretches that nobody typed and that are remembered."""
    written: list[tuple[str, str]] = field(default_factory=list)
    """Wrong candidates that were written, by kind, as they read."""
    unaccounted: list[str] = field(default_factory=list)
    revised: int = 0
    kinds: dict[tuple[str, str], str] = field(default_factory=dict)
    """How each mark was made, by message and quote: two sessions that read the same get the same answer, once."""

    @property
    def held_by_code(self) -> list[tuple[str, str]]:
        """Wrong candidates that code alone must have stopped, and did not."""
        return [(kind, text) for kind, text in self.written if kind not in JUDGED]


def count_night(
    told: Ends,
    events: Sequence[Mapping[str, Any]],
    payload: Mapping[str, Any],
    *,
    before: Mapping[str, Learning],
    after: Mapping[str, Learning],
) -> None:
    """Add what a night's log says; `before` and `after` are the learnings that stood around it."""
    night = events[0]["night"] if events else ""
    for one in events:
        if one["event"] == "marked":
            told.kinds[one["message"], one["quote"]] = one["kind"]
    told.revised += sum(one["event"] == "revised" for one in events)
    marks = Counter(_marks(told, events))
    told.marks += Counter({(kind, end): count for (kind, end, _), count in marks.items()})
    told.remembered += [text for kind, end, text in marks if end == OBSERVED and kind not in TRUE_MARKS]
    ended = {one["id"]: one for one in events if one["event"] == "ended"}
    answered: Counter[str] = Counter()
    for one in events:
        if one["event"] != "proposed":
            continue
        end = ended.get(one["id"])
        if end is None:
            told.unaccounted.append(f"{night}: {one['kind']}: {one['trigger']}")
            continue
        answered[end["end"] or "approved"] += 1
        reason = end["end"] or _landed(one, end["detail"], before, after)
        told.proposals[one["kind"], reason] += 1
        if reason == WRITTEN and one["kind"] not in TRUE_PROPOSALS | {HOSTILE_NAME}:
            told.written.append((one["kind"], _read(one)))
    located = Counter(end for _, end, _ in marks.elements())
    told.unaccounted += [f"{night}: {what}" for what in _miscounted(payload, [located, answered])]


def _marks(told: Ends, events: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    kept = {
        (one["source"], message, words)
        for one in events
        if one["event"] == "observed"
        for message, words in one["kept"]
    }
    for one in events:
        if one["event"] != "located":
            continue
        kind = told.kinds[one["message"], one["quote"]]
        place = (one["source"], one["message"], one["quote"].strip())
        end = AGAIN if one["end"] == OBSERVED and place not in kept else one["end"]
        if end == OBSERVED:
            kept.discard(place)
        yield kind, end, one["quote"]


def _landed(one: Mapping[str, Any], name: str, before: Mapping[str, Learning], after: Mapping[str, Learning]) -> str:
    """Return `written` if what was approved stands in the memory, else that it was left out later."""
    if one["action"] == "delete":
        return WRITTEN if name in before and name not in after else "left out later"
    text = bare(after[name].text) if name in after else ""
    stands = bool(text) and all(bare(line["text"]) in text for line in one["lines"])
    return WRITTEN if stands and after.get(name) != before.get(name) else "left out later"


def _read(one: Mapping[str, Any]) -> str:
    lines = " / ".join(line["text"] for line in one["lines"])
    return f"{one['action']} {one['name']}: {one['trigger']}: {lines}"


def _miscounted(payload: Mapping[str, Any], seen: Sequence[Counter[str]]) -> Iterator[str]:
    """Hold the night's own accounts of marks and candidates against what was seen of them."""
    findings = payload["tasks"].get("learnings", {}).get("findings", ())
    said = [
        Counter({name: int(number) for number, name in _COUNTED.findall(match[1])})
        for one in findings
        if (match := _ACCOUNT.fullmatch(one))
    ]
    for counted in seen:
        if counted and counted not in said:
            yield f"the night says {[dict(one) for one in said]}, seen were {dict(counted)}"
