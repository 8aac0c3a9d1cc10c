"""What the checks that people pinned to an entry come to tonight: held, put right, or left with what was seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from dream.guards.verdicts.outputs import is_withheld
from dream.memory.notes import Entry, Note
from dream.memory.operations import Revise
from dream.memory.pinned import (
    BrokenCheck,
    PinnedCheck,
    Relation,
    compare,
    pinned_checks,
    with_expected,
)
from dream.sources.production.port import Down, Found, Query
from tasks.entries import span_of
from tasks.verification.corrected_values import revision, stated_places, whole_tokens
from tasks.verification.inquiries import Asked
from tasks.verification.leaving import why_no_fact, why_not_written, why_unsettled
from tasks.verification.recorded_outputs import evidence_of, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Every check of the entry holds; `checks` are what was asked."""

    entry: Entry
    checks: tuple[PinnedCheck, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A check that does not hold, what was seen instead, and the line of the answer that says so."""

    check: PinnedCheck
    observed: str
    asked: Asked
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRight:
    """The entry says what was seen instead of what its `failed` checks expected."""

    entry: Entry
    revision: Revise
    failed: tuple[Failed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftAlone:
    """The entry stays as it is and is not verified.

    `told` is what a person should see, `down` the probes that did not answer, and why.
    """

    entry: Entry
    told: tuple[str, ...] = ()
    down: Mapping[str, str] = field(default_factory=dict)


PinnedVerdict = Held | PutRight | LeftAlone


def pinned_verdicts(
    path: str, note: Note, *, ask: Callable[[int, Query], Asked], today: date
) -> tuple[PinnedVerdict, ...]:
    """Return the verdict on each entry of the note at `path` that has a check; no correction is dated after `today`."""
    checked = [(entry, pinned_checks(entry.raw)) for entry in note.entries]
    return tuple(_Entry(path, note, entry, ask=ask, today=today).verdict(checks) for entry, checks in checked if checks)


class _Entry:
    """One entry with checks, asked about one after the other."""

    def __init__(self, path: str, note: Note, entry: Entry, *, ask: Callable[[int, Query], Asked], today: date) -> None:
        self._path, self._note, self._entry, self._ask, self._today = path, note, entry, ask, today

    def verdict(self, checks: Sequence[PinnedCheck | BrokenCheck]) -> PinnedVerdict:
        """Return what all checks together come to: one that is not answered leaves the entry as it is."""
        told: list[str] = []
        failed: list[Failed] = []
        down: dict[str, str] = {}
        for check in checks:
            if isinstance(check, BrokenCheck):
                told.append(f"{self._place(check.line)} has a check that cannot be read: {check.reason}")
                continue
            one = self._one(check)
            match one:
                case Failed():
                    failed.append(one)
                case Down(reason=reason):
                    down[check.probe] = reason
                case str():
                    told.append(one)
                case None:
                    pass
        if told or down:
            told += [self._differs(one, "not all checks of the entry are settled") for one in failed]
            return LeftAlone(entry=self._entry, told=tuple(told), down=down)
        if not failed:
            return Held(entry=self._entry, checks=tuple(check for check in checks if isinstance(check, PinnedCheck)))
        return self._put_right(failed)

    def _one(self, check: PinnedCheck) -> Failed | Down | str | None:
        """Return why a check does not hold, or cannot be told to; None where it holds."""
        query = Query(probe=check.probe, operation=check.operation, text=check.text)
        asked = self._ask(self._entry.start, query)
        answer = asked.answer
        if isinstance(answer, Down):
            return answer
        place = self._place(check.line)
        if not isinstance(answer, Found):
            return f"{place}: {shown(str(query))} settles nothing: {shown(answer.reason)}"
        lines = [line.text for line in answer.lines]
        holds = compare(check, answer.values, lines, cut=answer.cut)
        if holds is None:
            return f"{place}: {shown(str(query))} settles nothing: {why_unsettled(check, answer)}"
        if holds:
            return None
        observed = answer.values[0].strip() if answer.values else ""
        line = next((one for one in lines if whole_tokens(one, observed)), "") if observed else ""
        return Failed(check=check, observed=observed, asked=asked, line=line)

    def _put_right(self, failed: Sequence[Failed]) -> PinnedVerdict:
        reasons = {id(one): self._why_left(one) for one in failed}
        if any(reasons.values()):
            whole = "the entry is put right as a whole or not at all"
            return LeftAlone(
                entry=self._entry, told=tuple(self._differs(one, reasons[id(one)] or whole) for one in failed)
            )
        raw = self._entry.raw
        places: dict[int, list[str]] = {}
        for one in failed:
            changed = _with_observed(self._entry, raw, one)
            if changed is None:
                told = tuple(self._differs(one, "the same words state several values") for one in failed)
                return LeftAlone(entry=self._entry, told=told)
            raw, line = changed
            places.setdefault(line, []).append(one.asked.query.probe)
        why = "; ".join(f"{shown(one.asked.query.probe)} says {shown(one.observed)}" for one in failed)
        evidence = [evidence_of(one.asked.id, str(one.asked.query), one.line) for one in failed]
        return PutRight(
            entry=self._entry,
            revision=revision(
                span_of(self._path, self._note, self._entry),
                self._entry,
                raw,
                probes=[one.asked.query.probe for one in failed],
                evidence=evidence,
                why=why,
                today=self._today,
                places=places,
            ),
            failed=tuple(failed),
        )

    def _why_left(self, one: Failed) -> str:
        why = why_no_fact(self._path, self._note, self._entry, one.check.expected, one.observed)
        if why and one.check.relation is Relation.IS:
            return why
        return why_not_written(self._entry, self._entry.raw, one.check, one.observed, one.line)

    def _differs(self, one: Failed, why: str) -> str:
        check = one.check
        seen = shown(one.observed) if one.observed and not is_withheld(one.observed) else "something else"
        relation = "" if check.relation is Relation.IS else f"{check.relation} "
        place = self._place(check.line)
        return f"{place} says {relation}{shown(check.expected)}, {check.probe} says {seen}; left, because {why}"

    def _place(self, line: int) -> str:
        return f"{self._path}:{self._entry.start + line + 1}"


def _with_observed(entry: Entry, raw: str, one: Failed) -> tuple[str, int] | None:
    """Return the entry with what was seen as what it states and expects, and the line that states it.

    None where that would be a guess, such as once another check of the entry was put right.
    """
    old, new = one.check.expected, one.observed
    if why_not_written(entry, raw, one.check, new, one.line):
        return None
    lines = raw.split("\n")
    olds, news = (stated_places(entry, raw, value) for value in (old, new))
    number, start, end = (olds or news)[0]
    if olds:
        lines[number] = lines[number][:start] + new + lines[number][end:]
    moved = with_expected("\n".join(lines), one.check, new)
    return None if moved is None else (moved, number)
