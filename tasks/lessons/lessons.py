"""What people did to agents' pull requests, where it repeats: one lesson, with all the pull requests that found it.

One pull request never makes a lesson, however often it says a thing, and neither do two that are one piece of work. A
lesson that a further pull request bears out is revised and not repeated, and so is one of which people do the opposite
now: of the two only the newer stands. What a person wrote is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from dream.guards.duplicates import STRONG_MATCH
from dream.memory.notes import Entry, Note, NoteCache, Unreadable
from dream.memory.operations import Add, Basis, Operation, Revise
from dream.memory.outcomes import Item, Plan
from dream.memory.similarity import similarity
from dream.memory.tree import Tree
from dream.memory.windows import Window
from dream.sources.pull_requests.values import Classification, PullRequest
from tasks.entries import chunks_of, dated_entry, key_of, span_of
from tasks.lessons.candidates import Candidate, candidate_item, lessons_id
from tasks.lessons.finding import TEACHES, Waits
from tasks.lessons.limits import LessonLimits
from tasks.lessons.lineage import independent, is_again
from tasks.lessons.standing import contradicts, is_same, is_told
from tasks.lessons.telling import place_of, told_change_in
from tasks.pr_outcomes import conventions_path

_TENTATIVE = "tentative"
_NO_ROOM = "too-many-lessons"
_OPPOSED = "contradicts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What earlier nights left: what they found once, the keys of what they wrote, what is done, and what is set aside.

    Only entries of which the key is `written` are ever revised, and what reads like a key that somebody has `undone` is
    not written again.
    """

    tentative: Sequence[Candidate] = ()
    written: Collection[str] = ()
    undone: Collection[str] = ()
    done: Mapping[str, str] = field(default_factory=dict)
    aside: Collection[str] = ()


def propose(
    *,
    tree: Tree,
    notes: NoteCache,
    pull_requests: Sequence[PullRequest],
    classify: Callable[[PullRequest], Classification],
    find: Callable[[PullRequest], tuple[Candidate, ...] | Waits],
    past: Past,
    window: Window,
    night: date,
    limits: LessonLimits,
) -> Plan:
    """Return an item for each pull request that ended in `window` in a way that can teach and is not done yet.

    `find` says what one teaches, or why nobody can say so tonight: then it waits. What was found and is no lesson yet
    is to be remembered.
    """
    found: dict[str, tuple[Candidate, ...]] = {}
    items: dict[str, Item] = {}
    waiting = [one for one in pull_requests if one.settled_at and window.start <= one.settled_at < window.end]
    for one in sorted(waiting, key=lambda one: (one.settled_at, one.source)):
        name = lessons_id(one)
        if name in past.aside or past.done.get(name) == one.digest or classify(one).fate not in TEACHES:
            continue
        candidates = find(one)
        if isinstance(candidates, Waits):
            items[name] = _item(one, reason=candidates.reason, pending=True)
        else:
            found[one.source] = candidates
    books = _Books(tree, notes, past=past, limits=limits)
    results = books.results(found, past.tentative)
    for one in waiting:
        if one.source in found and lessons_id(one) not in items:
            items[lessons_id(one)] = _settled(one, [results[candidate.key] for candidate in found[one.source]])
    observed = [
        candidate_item(candidate, night=night)
        for one in waiting
        if one.source in found and not items[lessons_id(one)].pending
        for candidate in found[one.source]
    ]
    return Plan(items=tuple(items[name] for name in sorted(items)), observed=tuple(observed))


def _settled(pull_request: PullRequest, results: Sequence[Operation | str]) -> Item:
    operations = tuple(dict.fromkeys(one for one in results if not isinstance(one, str)))
    reasons = [one for one in results if isinstance(one, str)]
    if operations:
        return _item(pull_request, *operations)
    if _NO_ROOM in reasons:
        return _item(pull_request, reason=_NO_ROOM, pending=True)
    return _item(pull_request, reason=min(reasons, key=_weight) if reasons else "nothing-to-teach")


def _weight(reason: str) -> bool:
    return reason == _TENTATIVE


@dataclass(kw_only=True)
class _Group:
    """Everything that founds one statement: of earlier nights and of tonight, each pull request once."""

    earlier: list[Candidate] = field(default_factory=list)
    tonight: list[Candidate] = field(default_factory=list)

    def counted(self, *, after: date) -> list[Candidate]:
        """One candidate of each piece of work, oldest first, of what ended later than on the day `after`."""
        by_name: dict[str, Candidate] = {}
        for one in sorted([*self.earlier, *self.tonight], key=lambda one: (one.day, one.pull_request)):
            if one.day <= after:
                continue
            by_name.setdefault(one.pull_request, one)
        names = independent({name: one.marks for name, one in by_name.items()})
        return [by_name[name] for name in names]


class _Books:
    """The conventions of each repository as they stand, and what the night adds to them."""

    def __init__(self, tree: Tree, notes: NoteCache, *, past: Past, limits: LessonLimits) -> None:
        self._tree = tree
        self._notes = notes
        self._written = frozenset(past.written)
        self._undone = frozenset(past.undone)
        self._limits = limits
        self._new = 0
        self._last: dict[str, date] = {}

    def results(
        self, found: Mapping[str, Sequence[Candidate]], tentative: Sequence[Candidate]
    ) -> Mapping[str, Operation | str]:
        """Return what becomes of each key that tonight's pull requests have found: an operation, or why none."""
        groups: dict[str, _Group] = {}
        tonight = [one for candidates in found.values() for one in candidates]
        for one in tonight:
            groups.setdefault(one.key, _Group()).tonight.append(one)
        for one in (*tentative, *tonight):
            self._last[one.key] = max(one.day, self._last.get(one.key, one.day))
        for one in tentative:
            if one.key in groups and one.pull_request not in found:
                groups[one.key].earlier.append(one)
        results: dict[str, Operation | str] = {}
        for key in sorted(groups, key=lambda key: (groups[key].tonight[0].kind != "stated", *_order(groups[key]))):
            if key in results:
                continue
            result = self._result(groups[key])
            covered = {} if isinstance(result, str) else _covered_by(groups[key], groups)
            if covered and isinstance(result, Add | Revise):
                result = _resting_on(result, covered.values())
            results |= dict.fromkeys((key, *covered), result)
        return results

    def _result(self, group: _Group) -> Operation | str:
        first = group.tonight[0]
        path = conventions_path(self._tree, first.repository)
        note = self._notes.note(self._tree, path) if self._tree.blob(path) is not None else None
        if isinstance(note, Unreadable) or path in self._tree.oddities():
            return "note-unreadable"
        entries = note.entries if note else ()
        standing = next((entry for entry in entries if is_told(entry, first, alike=self._limits.alike)), None)
        if standing is not None and note is not None:
            return self._revision(path, note, standing, group)
        against = next((entry for entry in entries if contradicts(entry, first)), None)
        opposed = max((against and against.date) or date.min, self._last.get(first.opposite, date.min))
        counted = group.counted(after=opposed)
        if (against and against.key not in self._written) or len(counted) < self._limits.pull_requests:
            return _OPPOSED if against or opposed > date.min else _TENTATIVE
        added = self._addition(path, note, counted, group)
        refused = self._refused(added, first)
        if refused:
            return refused
        self._new += 1
        if against is not None and note is not None:
            return Revise(span=span_of(path, note, against), new=added.text, basis=added.basis)
        return added

    def _refused(self, added: Add, first: Candidate) -> str:
        if first.kind != "words" and self._is_undone(added):
            return "undone"
        return _NO_ROOM if self._new == self._limits.new else ""

    def _is_undone(self, added: Add) -> bool:
        """Whether somebody has undone a lesson like this: a further edit does not ask for it again, as words would."""
        key = key_of(added.text)
        return any(similarity(key, other, cutoff=STRONG_MATCH) for other in self._undone)

    def _revision(self, path: str, note: Note, standing: Entry, group: _Group) -> Operation | str:
        """More sources for a lesson of the night's own; a person's entry has said it, and stays as it is."""
        known = {source.rpartition("@")[2] for source in standing.sources}
        fresh = [one for one in group.tonight if one.pull_request not in known and not is_again(one.marks, known)]
        if standing.key not in self._written or not fresh or not is_same(standing, group.tonight[0]):
            return "already-written"
        sources = _newest((*standing.sources, *(source for one in fresh for source in one.sources)))
        dated = max([one.day for one in fresh] + ([standing.date] if standing.date else []))
        text = dated_entry(note, standing.key, dated=dated, sources=sources)
        return Revise(span=span_of(path, note, standing), new=text, basis=_basis(fresh, dated=dated))

    def _addition(self, path: str, note: Note | None, counted: Sequence[Candidate], group: _Group) -> Add:
        first = group.tonight[0]
        statement = counted[0].statement
        if first.kind == "edit":
            statement = told_change_in(place_of([one.place for one in counted]), old=first.old, new=first.new)
        dated = max(one.day for one in counted)
        sources = _newest(source for one in counted for source in one.sources)
        return Add(
            path=path,
            text=dated_entry(note, statement, dated=dated, sources=sources),
            opening=f"# Conventions of {first.repository}\n",
            basis=_basis(counted, dated=dated, fresh=group.tonight),
        )


def own_lines(lines: Iterable[str]) -> frozenset[str]:
    """Return the keys of the entries that nights wrote as `lines`."""
    return frozenset(key_of(line) for line in lines)


def _covered_by(stated: _Group, groups: Mapping[str, _Group]) -> dict[str, _Group]:
    """What code sees in the very lines of which a model has stated a lesson tonight: that is told once."""
    if stated.tonight[0].kind != "stated":
        return {}
    return {key: group for key, group in groups.items() if _is_covered(group, stated)}


def _resting_on(operation: Add | Revise, groups: Iterable[_Group]) -> Operation:
    """Return `operation` so that its record says of what stands in these groups, too, that it has become a lesson."""
    quotes = [quote for group in groups for one in (*group.earlier, *group.tonight) for quote in one.quotes]
    basis = replace(operation.basis, quotes=tuple(dict.fromkeys((*operation.basis.quotes, *quotes))))
    return replace(operation, basis=basis)


def _is_covered(group: _Group, stated: _Group) -> bool:
    return group.tonight[0].kind != "stated" and any(
        one.covers and one.pull_request == other.pull_request and {*one.covers} <= {*other.covers}
        for one in group.tonight
        for other in stated.tonight
    )


def _order(group: _Group) -> tuple[date, str, str]:
    first = group.tonight[0]
    return first.day, first.pull_request, first.key


def _newest(sources: Iterable[str]) -> tuple[str, ...]:
    """The newest that fit into one bracket, oldest first."""
    distinct = dict.fromkeys(sources)
    return next(chunks_of(reversed(distinct)), ())[::-1]


def _basis(cited: Sequence[Candidate], *, dated: date, fresh: Sequence[Candidate] = ()) -> Basis:
    lines = dict.fromkeys(line for one in (*cited, *fresh) for line in one.evidence)
    return Basis(
        sources=tuple(dict.fromkeys(source for one in cited for source in one.sources)),
        dated=dated,
        evidence=tuple(_printable(line) for line in lines if line.strip()),
        why="; ".join(dict.fromkeys(one.kind for one in cited)),
        quotes=tuple(dict.fromkeys(quote for one in cited for quote in one.quotes)),
    )


def _printable(line: str) -> str:
    return "".join(character if character.isprintable() else " " for character in line)[:4_000]


def _item(pull_request: PullRequest, *operations: Operation, reason: str = "", pending: bool = False) -> Item:
    return Item(
        id=lessons_id(pull_request),
        digest=pull_request.digest,
        last=pull_request.settled_at,
        operations=operations,
        reason=reason,
        pending=pending,
    )
