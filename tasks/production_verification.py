"""Looks at the chosen notes and checks what they say against the real systems.

Without probes and a model, code can tell whether a path, a command or a link is there; it cannot tell whether what is
said of it is true. So a note counts as unverified as long as any of its entries says more than names that are there,
unless pinned checks or a verdict by recorded output bear it out. What moved or has another value is put right in place,
with the evidence; what is gone is reported and kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from dream.cached import cached_property
from dream.memory.notes import Entry, Note, NoteCache, Unreadable
from dream.memory.operations import Operation, Revise
from dream.memory.outcomes import Item, Plan
from dream.memory.paths import is_topic
from dream.memory.tree import Tree
from dream.sources.production.code.tree import CodeTree
from tasks.entries import span_of
from tasks.verification.answered import unanswered
from tasks.verification.choice import choose
from tasks.verification.note_checks import Look, NoteCheck, Probing
from tasks.verification.recorded_outputs import shown
from tasks.verification.reference_checks import Alive, Dead, Production, Renamed, Untold, Verdict, finding
from tasks.verification.reference_repairs import corrected_entries, says_only
from tasks.verification.same_values import Sameness
from tasks.verification.symbol_checks import dead_symbols

__all__ = ["choose", "propose"]

PROBE_DOWN = "probe-down"
"""Why a note keeps the date of its check."""


def propose(
    *,
    tree: Tree,
    notes: NoteCache,
    chosen: Sequence[str],
    code: Sequence[CodeTree],
    today: date,
    renames: Mapping[str, str] = MappingProxyType({}),
    probing: Probing | None = None,
    overdue: Collection[str] = (),
) -> Plan:
    """Return an item for each of the `chosen` notes, with what is to be put right in it by `code` and `probing`.

    Findings name what is gone, what moved where an entry speaks of the past, and what differs and could not be put
    right. `checked` are the notes that are there, whatever the verdict, but for those whose probe was down, which are
    `waiting` unless they are `overdue`. No correction is dated after `today`. A link that `renames` of notes left
    behind is no finding: it is mended tonight.
    """
    night = _Night(tree, notes, Production(code, tree.paths(), renames), probing=probing, today=today)
    night.code_is_down = any(one.unknown for one in code)
    for path in chosen:
        night.read(path)
    if probing is not None:
        night.findings += night.spread(probing)
    for path in chosen:
        night.conclude(path, is_overdue=path in overdue)
    return night.plan()


@dataclass(kw_only=True)
class _Read:
    """A note with the verdicts on its names, the revisions they lead to, and the look that probes took."""

    note: Note
    verdicts: Sequence[Verdict]
    revisions: dict[int, Revise]
    settled: frozenset[Renamed]
    look: Look | None = None

    @cached_property
    def proved(self) -> set[int]:
        """The entries that say nothing but names which are there."""
        return {entry.start for entry in self.note.entries if self._is_proved(entry)}

    def operations(self) -> tuple[Operation, ...]:
        """What is to be done, by place; a moved name in an entry that changes otherwise is for another night."""
        found: dict[int, Operation] = {**self.revisions, **(self.look.operations if self.look else {})}
        return tuple(found[start] for start in sorted(found))

    def left(self) -> list[Dead | Renamed]:
        """The verdicts that a person should see."""
        over = set(self.look.operations) & set(self.revisions) if self.look else set()
        put_off = [entry for entry in self.note.entries if entry.start in over]
        return [
            one
            for one in self.verdicts
            if isinstance(one, Dead)
            or (
                isinstance(one, Renamed)
                and (one not in self.settled or any(e.start <= one.reference.line < e.end for e in put_off))
            )
        ]

    def is_unverified(self) -> bool:
        """Whether an entry says anything that neither names which were found nor a probe bears out."""
        verified = self.look.verified if self.look else set()
        dead = {one.reference.line for one in self.left()} if verified else set()
        return any(
            entry.start not in self.proved
            and (entry.start not in verified or any(entry.start <= line < entry.end for line in dead))
            for entry in self.note.entries
        )

    @cached_property
    def _by_line(self) -> dict[int, list[Verdict]]:
        found: dict[int, list[Verdict]] = {}
        for one in self.verdicts:
            found.setdefault(one.reference.line, []).append(one)
        return found

    def _is_proved(self, entry: Entry) -> bool:
        inside = [one for line in range(entry.start, entry.end) for one in self._by_line.get(line, ())]
        found = [one.reference for one in inside if isinstance(one, Alive)]
        return len(found) == len(inside) and says_only(entry, found)


@dataclass
class _Night:
    """The verification of one night: what was read, and what it comes to."""

    tree: Tree
    notes: NoteCache
    production: Production
    probing: Probing | None = field(kw_only=True)
    today: date = field(kw_only=True)
    code_is_down: bool = False
    findings: list[str] = field(default_factory=list)
    _items: list[Item] = field(default_factory=list)
    _read: dict[str, _Read] = field(default_factory=dict)
    _left_alone: dict[str, str] = field(default_factory=dict)
    _checked: set[str] = field(default_factory=set)
    _unverified: set[str] = field(default_factory=set)
    _waiting: set[str] = field(default_factory=set)

    def read(self, path: str) -> None:
        """Look at a note."""
        note = self.notes.note(self.tree, path)
        if isinstance(note, Unreadable):
            self._left_alone[path] = note.reason
            return
        verdicts = [*self.production.verdicts(path, note), *self._symbols(path, note)]
        read = self._reading(path, note, verdicts)
        if self.probing is not None:
            check = NoteCheck(
                path=path, note=note, probing=self.probing, others=lambda: self._others(path), today=self.today
            )
            look = check.look({*read.proved, *read.revisions})
            if look.held:
                read = self._reading(path, note, unanswered(note, verdicts, look.held))
            read.look = look
        self._read[path] = read

    def _reading(self, path: str, note: Note, verdicts: Sequence[Verdict]) -> _Read:
        revisions, settled = corrected_entries(path, note, verdicts, today=self.today)
        revised = {revision.span.text for revision in revisions}
        spans = {span_of(path, note, one): one.start for one in note.entries if one.raw in revised}
        by_start = {spans[one.span]: one for one in revisions}
        return _Read(note=note, verdicts=verdicts, revisions=by_start, settled=settled)

    def _symbols(self, path: str, note: Note) -> tuple[Dead, ...]:
        if self.probing is None:
            return ()
        probed = {one.name for one in self.probing.probes}
        recorder = self.probing.recorder
        return dead_symbols(
            path,
            note,
            lambda: [name for name in self.production.repositories(note) if name in probed],
            ask=lambda query: recorder.ask(query).answer,
        )

    def spread(self, probing: Probing) -> list[str]:
        """Put right what else states a value that was put right, and return what is left of that."""
        looks = {path: read.look for path, read in self._read.items() if read.look is not None}
        sameness = Sameness(tree=self.tree, notes=self.notes, probing=probing, others=self._others, today=self.today)
        return list(sameness.spread(looks))

    def conclude(self, path: str, *, is_overdue: bool) -> None:
        """Say what the look at a note comes to."""
        digest = self.tree.blob(path) or ""
        if path in self._left_alone:
            self._items.append(Item(id=path, digest=digest, reason="unreadable"))
            self.findings.append(f"{path} was left alone: {self._left_alone[path]}")
            if digest:  # it had its turn like any other, or a few such files would take all the places of every night
                self._checked.add(path)
                self._unverified.add(path)
            return
        read = self._read[path]
        if read.note.broken:
            self.findings.append(
                f"{path}: its frontmatter cannot be read ({read.note.broken}), so no task edits the note"
            )
        left = read.left()
        self.findings += [finding(path, one) for one in left]
        self.findings += read.look.findings if read.look else []
        operations = read.operations()
        is_waiting = self._is_down(read) and not is_overdue
        (self._waiting if is_waiting else self._checked).add(path)
        unverified = read.is_unverified()
        if unverified:
            self._unverified.add(path)
        reason = "" if operations else self._reason(read, left, unverified=unverified)
        self._items.append(
            Item(
                id=path,
                digest=digest,
                operations=operations,
                reason=reason,
                pending=is_waiting and reason == PROBE_DOWN,
            )
        )

    def plan(self) -> Plan:
        """Return the plan of all notes that were looked at."""
        return Plan(
            items=tuple(self._items),
            findings=(*self.findings, *self._account()),
            checked=frozenset(self._checked),
            unverified=frozenset(self._unverified),
            waiting=frozenset(self._waiting),
        )

    def _is_down(self, read: _Read) -> bool:
        """Whether something that a note needs did not answer."""
        is_untold = any(isinstance(one, Untold) and one.reference.kind in {"path", "command"} for one in read.verdicts)
        return (self.code_is_down and is_untold) or bool(read.look and read.look.down)

    def _reason(self, read: _Read, left: Sequence[Verdict], *, unverified: bool) -> str:
        if left:
            return "dead-reference"
        if self._is_down(read):
            return PROBE_DOWN
        if read.look and (read.look.ends or read.look.findings):
            return "unverified" if unverified else "verified"
        if any(isinstance(one, Alive | Renamed) for one in read.verdicts):
            return "references-alive"
        return "not-resolvable" if read.verdicts else "no-reference"

    def _account(self) -> Iterator[str]:
        """Yield what probes were down, and how many entries ended how, where probes were asked at all."""
        looks = {path: read.look for path, read in self._read.items() if read.look is not None}
        down = {name: why for look in looks.values() for name, why in look.down.items()}
        for name, why in sorted(down.items()):
            held = sum(name in look.down and path in self._waiting for path, look in looks.items())
            notes = "1 note keeps" if held == 1 else f"{held} notes keep"
            yield f"probe {name} is down: {shown(why)}; {notes} the date of the last check"
        ends: Counter[str] = sum((look.ends for look in looks.values()), Counter())
        if ends:
            verified = sum(len(look.verified) for look in looks.values())
            told = ", ".join(f"{count} {end}" for end, count in sorted(ends.items(), key=lambda one: (-one[1], one[0])))
            entries = "entry" if ends.total() == 1 else "entries"
            yield f"production_verification: {verified} of {ends.total()} {entries} verified: {told}"

    def _others(self, path: str) -> tuple[str, ...]:
        return tuple(name for other, names in self._names.items() if other != path for name in names)

    @cached_property
    def _names(self) -> dict[str, tuple[str, ...]]:
        """The stem and the title of every topic note."""
        found: dict[str, tuple[str, ...]] = {}
        for path in filter(is_topic, self.tree.paths()):
            note = self.notes.note(self.tree, path)
            stem = path.rpartition("/")[2].removesuffix(".md")
            found[path] = (stem, note.title) if isinstance(note, Note) and note.title else (stem,)
        return found
