"""What an operation writes, and what stood there before: the two texts that most rules compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dream.memory.operations import Add, Merge, Move, Operation, Remove, Revise, Shorten, Span
from dream.memory.tree import Tree


def written_text(operation: Operation) -> str:
    """Return the text that `operation` puts into the memory; empty where it only takes away or moves."""
    match operation:
        case Add(text=text, opening=opening, under=under):
            return "\n".join(part for part in (opening, under, text) if part)
        case Revise(new=new) | Shorten(new=new):
            return new
        case Merge(new=new):
            return new or ""
        case Move(opening=opening):
            return opening
        case Remove():
            return ""
        case _ as unreachable:
            assert_never(unreachable)


def spans_of(operation: Operation) -> tuple[Span, ...]:
    """Return the spans that `operation` replaces, absorbs, moves or removes."""
    match operation:
        case Add():
            return ()
        case Revise(span=span) | Shorten(span=span) | Remove(span=span) | Move(span=span):
            return (span,)
        case Merge(into=into, absorbed=absorbed):
            return (into, *absorbed)
        case _ as unreachable:
            assert_never(unreachable)


def span_text(span: Span, tree: Tree) -> str:
    """Return the lines of `span`; for a whole file what `tree` holds, and nothing where that is not UTF-8."""
    if span.text is not None:
        return span.text
    try:
        return (tree.read(span.path) or b"").decode()
    except UnicodeDecodeError:
        return ""


def replaced_text(operation: Operation, before: Tree) -> str:
    """Return everything that `operation` takes from where it stands, one span after the other."""
    return "\n".join(span_text(span, before) for span in spans_of(operation))


def fresh_lines(operation: Operation, before: Tree) -> Iterator[str]:
    """Yield the written lines that do not stand verbatim in what the operation replaces."""
    standing = {line.rstrip("\r") for line in replaced_text(operation, before).split("\n")}
    for line in written_text(operation).split("\n"):
        if line.rstrip("\r") not in standing:
            yield line
