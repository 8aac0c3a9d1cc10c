"""The note of one day as it stands, and what telling it more comes to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from dream.memory.notes import Entry, Note, NoteCache, Unreadable
from dream.memory.operations import Add, Basis, Operation, Revise, Span
from dream.memory.outcomes import Item
from dream.memory.tree import Tree
from tasks.daily_threads import looks_like_thread
from tasks.entries import chunks_of, dated_entry, key_of, span_of
from tasks.titles import number_of

MOST_ENTRIES = 40
ELSEWHERE = "elsewhere"

_FOLDED = re.compile(r"[0-9]+ more (thread|pull request)s? in (.{1,100}), with less to tell\.?")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s<>()\[\]\"'`]{1,2000}")
_CLOSED = re.compile(r'[^ ]+#[0-9]{1,9}(?: "|: )')


def daily_path(day: date) -> str:
    """Return the path of a day's note."""
    return f"daily/{day.isoformat()}.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One input and the statements that the day's note is to make of it.

    `is_ours` says whether the key of an entry with its source is a line of ours about it; None where nothing can tell.
    `activity` orders what is told one by one while there is room; `resource` is empty where it is not known;
    `tentative` marks what was seen once.
    """

    id: str
    digest: str
    day: date
    first: datetime
    last: datetime
    resource: str
    source: str
    statements: tuple[str, ...]
    is_ours: Callable[[str], bool] | None
    noun: str
    activity: tuple[int, int]
    tentative: bool = False

    @property
    def order(self) -> tuple[bool, str, datetime, str]:
        """Where it stands in the note: by resource, the unknown last, then by first instant, then by id."""
        return not self.resource, self.resource, self.first, self.id

    def item(self, *operations: Operation, reason: str = "") -> Item:
        """Return what became of this input."""
        return Item(id=self.id, digest=self.digest, last=self.last, operations=operations, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The note of `day`: its entries as they stand, or why it cannot be read."""

    day: date
    path: str
    entries: tuple[Entry, ...] = ()
    note: Note | None = None
    unreadable: bool = False

    @classmethod
    def of(cls, tree: Tree, notes: NoteCache, *, day: date) -> Page:
        """Return the note of `day` in `tree`, which may not be there yet."""
        path = daily_path(day)
        if path in tree.oddities():
            return cls(day=day, path=path, unreadable=True)
        if tree.blob(path) is None:
            return cls(day=day, path=path)
        note = notes.note(tree, path)
        if isinstance(note, Unreadable):
            return cls(day=day, path=path, unreadable=True)
        return cls(day=day, path=path, entries=note.entries, note=note)

    def items(self, lines: Sequence[Told], *, known: Mapping[str, str], most: int) -> list[Item]:
        """Return an item for each of `lines`, which are in order; those of `known` have landed before.

        Threads that are told in one line, because it would read the same or counts them, share one operation, which is
        applied once and stands for each.
        """
        settled: dict[str, Item] = {}
        waiting: list[Told] = []
        for told in lines:
            item = self._settled(told, is_known=told.id in known)
            if item is None:
                waiting.append(told)
            else:
                settled[told.id] = item
        single = self._told_singly(waiting, most=most)
        folds = self._folds([told for told in waiting if told.id not in single])
        together = self._told_together([told for told in waiting if told.id in single])
        for told in waiting:
            shared = folds.get(told.id) or together.get(told.id)
            settled[told.id] = told.item(*((shared,) if shared else self._additions(told)))
        return [settled[told.id] for told in lines]

    def _settled(self, told: Told, *, is_known: bool) -> Item | None:
        """What becomes of `told` where the note speaks of it already or cannot be written; None where it is new."""
        if self.unreadable or not told.statements:
            return told.item(reason="note-unreadable" if self.unreadable else "nothing-to-say")
        mine = [entry for entry in self.entries if told.source in entry.sources]
        if any(_FOLDED.fullmatch(entry.key) for entry in mine) or not self._additions(told):
            return told.item(reason="already-there")
        if told.is_ours is None:
            return None
        ours = next((entry for entry in mine if told.is_ours(entry.key)), None)
        if ours is None:
            return told.item(reason="taken-over") if mine and is_known else None
        text = self._entry(told.statements[0], (told.source,), tentative=told.tentative)
        basis = self._basis(told.source, quoted=text)
        others = tuple(source for source in ours.sources if source != told.source)
        if not others:
            return told.item(Revise(span=self._span(ours), new=text, basis=basis))
        left = Revise(span=self._span(ours), new=self._entry(ours.key, others, tentative=ours.tentative), basis=basis)
        return told.item(left, self._add(told, text, told.source))

    def _additions(self, told: Told) -> tuple[Add, ...]:
        standing = {entry.key for entry in self.entries if told.source in entry.sources}
        texts = [self._entry(one, (told.source,), tentative=told.tentative) for one in told.statements]
        return tuple(self._add(told, text, told.source) for text in texts if key_of(text) not in standing)

    def _told_singly(self, waiting: Sequence[Told], *, most: int) -> frozenset[str]:
        """The ids of those of `waiting` that get lines of their own: the most active ones that there is room for."""
        ours = sum(map(_is_ours, self.entries))
        ranked = sorted(waiting, key=lambda told: (told.activity, told.first, told.id), reverse=True)
        size = sum(len(self._additions(told)) for told in ranked)
        counted: set[tuple[str, str]] = set()
        while ranked and ours + size + len(counted) > most:
            last = ranked.pop()
            size -= len(self._additions(last))
            if self._fold_of(_group(last)) is None:
                counted.add(_group(last))
        return frozenset(told.id for told in ranked)

    def _told_together(self, singly: Sequence[Told]) -> dict[str, Operation]:
        """The operation for each thread whose line reads as another's does, in the note or tonight."""
        alike: dict[str, list[Told]] = {}
        for told in singly:
            if told.is_ours is not None and told.noun == "thread":
                alike.setdefault(key_of(self._entry(told.statements[0], (told.source,))), []).append(told)
        operations: dict[str, Operation] = {}
        for key, members in alike.items():
            standing = next((entry for entry in self.entries if entry.key == key), None)
            fresh = tuple(told.source for told in members)
            sources = (*(standing.sources if standing else ()), *fresh)
            if len(sources) == 1 or len(list(chunks_of(sources))) > 1:
                continue
            tentative = any(told.tentative for told in members)
            text = self._entry(members[0].statements[0], sources, tentative=tentative)
            operation: Operation = self._add(members[0], text, *fresh)
            if standing:
                operation = Revise(span=self._span(standing), new=text, basis=self._basis(*fresh, quoted=text))
            operations |= dict.fromkeys((told.id for told in members), operation)
        return operations

    def _folds(self, folded: Sequence[Told]) -> dict[str, Operation]:
        """The operation for each id of `folded`: more sources in a counted line that is there, else a new one."""
        groups: dict[tuple[str, str], list[Told]] = {}
        for told in folded:
            groups.setdefault(_group(told), []).append(told)
        operations: dict[str, Operation] = {}
        for group, members in groups.items():
            standing = self._fold_of(group)
            before = standing.sources if standing else ()
            for chunk in chunks_of(dict.fromkeys((*before, *(told.source for told in members)))):
                fresh = [told for told in members if told.source in chunk]
                if fresh:
                    extends = standing if standing and standing.sources[0] in chunk else None
                    operation = self._fold(group, chunk, fresh, extends)
                    operations |= dict.fromkeys((told.id for told in fresh), operation)
        return operations

    def _fold(
        self, group: tuple[str, str], sources: tuple[str, ...], fresh: Sequence[Told], standing: Entry | None
    ) -> Operation:
        resource, noun = group
        count = number_of(len(sources), f"more {noun}", f"more {noun}s")
        text = self._entry(f"{count} in {resource}, with less to tell", sources)
        cited = tuple(told.source for told in fresh)
        if standing is None:
            return self._add(fresh[0], text, *cited)
        return Revise(span=self._span(standing), new=text, basis=self._basis(*cited))

    def _fold_of(self, group: tuple[str, str]) -> Entry | None:
        """The last counted line of a resource, which has room where there are several."""
        resource, noun = group
        for entry in reversed(self.entries):
            match = _FOLDED.fullmatch(entry.key)
            if match and (match[2], match[1]) == (resource, noun):
                return entry
        return None

    def _add(self, told: Told, text: str, *sources: str) -> Add:
        return Add(
            path=self.path,
            text=text,
            under=f"## {told.resource or ELSEWHERE}",
            opening=f"# {self.day.isoformat()}\n",
            basis=self._basis(*sources, quoted=text),
        )

    def _span(self, entry: Entry) -> Span:
        if self.note is None:
            message = "a note that is not there has no entries"
            raise ValueError(message)
        return span_of(self.path, self.note, entry)

    def _entry(self, statement: str, sources: tuple[str, ...], *, tentative: bool = False) -> str:
        return dated_entry(self.note, statement, dated=self.day, sources=sources, tentative=tentative)

    def _basis(self, *sources: str, quoted: str = "") -> Basis:
        """An address in a title stands in what was read, which the evidence says; it was screened with the title."""
        return Basis(sources=sources, dated=self.day, evidence=tuple(_ADDRESS.findall(quoted)))


def _group(told: Told) -> tuple[str, str]:
    return told.resource or ELSEWHERE, told.noun


def _is_ours(entry: Entry) -> bool:
    key = entry.key
    return looks_like_thread(key) or bool(_FOLDED.fullmatch(key)) or bool(_CLOSED.match(key))
