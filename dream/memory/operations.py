"""The typed edits that tasks propose, and what guards answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, assert_never

from dream.memory.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """Why an operation is proposed: it goes into the commit, the record and the undone check.

    `reads` are spans beyond those the operation changes that it rests on: it is dropped when one of them changed.
    `quotes` say where the words stand that it cites: thread, message, offsets and a digest, never the words.
    """

    sources: tuple[str, ...] = ()
    dated: date | None = None
    evidence: tuple[str, ...] = ()
    why: str = ""
    quotes: tuple[str, ...] = ()
    reads: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Exact lines of one file as they were read: `text` without its final newline, or None for the whole file.

    `occurrence` counts from 0 where the same lines stand more than once; `blob` is set for whole files.
    """

    path: str
    text: str | None
    occurrence: int = 0
    blob: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """A new entry (`text`, no final newline) in `path`, after the last entry under the heading line `under`.

    `under` None is the end of the note. `opening` is what stands before the entry if the note has to be made; empty
    means that the note must exist.
    """

    path: str
    text: str
    under: str | None = None
    opening: str = ""
    basis: Basis = field(default_factory=Basis)
    kind: Literal["add"] = "add"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revise:
    """`span` reads `new` instead."""

    span: Span
    new: str
    basis: Basis = field(default_factory=Basis)
    kind: Literal["revise"] = "revise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """`span` goes: an entry with its continuation lines, or a whole note."""

    span: Span
    basis: Basis = field(default_factory=Basis)
    kind: Literal["remove"] = "remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """`into` reads `new` (or stays, where `new` is None) and everything in `absorbed` goes."""

    into: Span
    new: str | None
    absorbed: tuple[Span, ...]
    basis: Basis = field(default_factory=Basis)
    kind: Literal["merge"] = "merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """`span` stands at `to` instead: a whole note at a new path, or lines of one at the end of another.

    `opening` is what stands before the lines if their new note has to be made; empty means that it must exist. `under`
    is the heading line under whose last entry they go, None the end of the note.
    """

    span: Span
    to: str
    opening: str = ""
    under: str | None = None
    basis: Basis = field(default_factory=Basis)
    kind: Literal["move"] = "move"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shorten:
    """`span` reads the shorter `new`, with nothing in it that was not there."""

    span: Span
    new: str
    basis: Basis = field(default_factory=Basis)
    kind: Literal["shorten"] = "shorten"


Operation = Add | Revise | Remove | Merge | Move | Shorten


def touched_by(operation: Operation) -> frozenset[str]:
    """Return the paths that `operation` makes, changes or takes away."""
    match operation:
        case Add(path=path):
            return frozenset({path})
        case Revise(span=span) | Remove(span=span) | Shorten(span=span):
            return frozenset({span.path})
        case Merge(into=into, absorbed=absorbed):
            return frozenset({into.path, *(span.path for span in absorbed)})
        case Move(span=span, to=to):
            return frozenset({span.path, to})
        case _ as unreachable:
            assert_never(unreachable)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A guard's no: a stable kebab-case `reason` that is counted, and a `detail` for the report."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An operation as a guard sees it: who proposes it, and the tree before and after it.

    `following` is what its item does after it, in order: links that are pointed elsewhere, say.
    """

    task: str
    operation: Operation
    before: Tree
    after: Tree
    touched: frozenset[str]
    following: tuple[Operation, ...] = ()


Guard = Callable[[Proposal], Refusal | None]
