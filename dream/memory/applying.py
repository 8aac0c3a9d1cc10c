"""Applying an operation to a tree: the bytes it changes, or why it no longer applies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import SequenceMatcher

from dream.memory.notes import find_span, replace_lines
from dream.memory.operations import Add, Merge, Move, Operation, Refusal, Remove, Revise, Shorten, Span
from dream.memory.records import Change
from dream.memory.tree import Tree

NOTE_MISSING = Refusal("note-missing")
DISPLACED = Refusal("displaced", "what it rests on changed since it was read")
TARGET_EXISTS = Refusal("target-exists")
NOT_TEXT = Refusal("not-text")

_HEADING = re.compile(r"(#{1,6})[ \t]")

Files = Mapping[str, bytes | None]


def apply_operation(tree: Tree, operation: Operation) -> Files | Refusal:
    """Return the files that `operation` changes (None takes one away), or why it does not apply to `tree`.

    Only the lines that the operation is about differ. Refusals: `note-missing`, `displaced` (a span that it changes
    or reads is not there any more as it was read), `target-exists`, `not-text`.
    """
    if any(not _stands(tree, span) for span in operation.basis.reads):
        return DISPLACED
    match operation:
        case Add():
            return _add(tree, operation)
        case Revise(span=span, new=new) | Shorten(span=span, new=new):
            return _replace(tree, {span: new})
        case Remove(span=span):
            return _replace(tree, {span: None})
        case Merge():
            return _merge(tree, operation)
        case Move(span=span, to=to):
            return _move(tree, span, to) if span.text is None else _move_lines(tree, operation, span.text)


def changes_between(before: Tree, files: Files) -> tuple[tuple[Change, ...], tuple[str, ...], dict[str, str]]:
    """Return what writing `files` over `before` does: lines changed, paths made, paths taken away with their blobs."""
    changes: list[Change] = []
    created: list[str] = []
    deleted: dict[str, str] = {}
    for path, data in sorted(files.items()):
        old = before.read(path)
        if data is None:
            deleted[path] = before.blob(path) or ""
            continue
        if old is None:
            created.append(path)
        changes.extend(_line_changes(path, old or b"", data))
    return tuple(changes), tuple(created), deleted


def _stands(tree: Tree, span: Span) -> bool:
    if span.text is None:
        return bool(span.blob) and tree.blob(span.path) == span.blob
    text = _text(tree, span.path)
    return text is not None and find_span(text, span) is not None


def _text(tree: Tree, path: str) -> str | None:
    data = tree.read(path)
    if data is None:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _replace(tree: Tree, edits: Mapping[Span, str | None]) -> Files | Refusal:
    files: dict[str, bytes | None] = {}
    for path in sorted({span.path for span in edits}):
        spans = [span for span in edits if span.path == path]
        if any(span.text is None for span in spans):
            if len(spans) > 1 or not _stands(tree, spans[0]):
                return DISPLACED
            replacement = edits[spans[0]]
            files[path] = None if replacement is None else replacement.encode()
            continue
        text = _text(tree, path)
        if text is None:
            return DISPLACED
        located = [(find_span(text, span), edits[span]) for span in spans]
        for place, new in sorted(located, key=lambda item: item[0] or (0, 0), reverse=True):
            if place is None:
                return DISPLACED
            text = replace_lines(text, place[0], place[1], new)
        files[path] = text.encode()
    return files


def _merge(tree: Tree, operation: Merge) -> Files | Refusal:
    if not _stands(tree, operation.into):
        return DISPLACED
    edits: dict[Span, str | None] = dict.fromkeys(operation.absorbed)
    if operation.new is not None:
        edits[operation.into] = operation.new
    return _replace(tree, edits)


def _move(tree: Tree, span: Span, to: str) -> Files | Refusal:
    if not _stands(tree, span):
        return DISPLACED
    if tree.blob(to) is not None:
        return TARGET_EXISTS
    return {span.path: None, to: tree.read(span.path)}


def _move_lines(tree: Tree, operation: Move, text: str) -> Files | Refusal:
    if operation.to == operation.span.path:
        return TARGET_EXISTS
    there = _put(tree, operation.to, text.replace("\r", ""), under=operation.under, opening=operation.opening)
    here = _replace(tree, {operation.span: None})
    if isinstance(there, Refusal) or isinstance(here, Refusal):
        return here if isinstance(here, Refusal) else there
    return {**here, **there}


def _add(tree: Tree, operation: Add) -> Files | Refusal:
    return _put(tree, operation.path, operation.text, under=operation.under, opening=operation.opening)


def _put(tree: Tree, path: str, lines: str, *, under: str | None, opening: str) -> Files | Refusal:
    if tree.blob(path) is None:
        if not opening:
            return NOTE_MISSING
        text = opening.rstrip("\n") + "\n"
    else:
        found = _text(tree, path)
        if found is None:
            return NOT_TEXT
        text = found
    return {path: insert_entry(text, lines, under=under).encode()}


def insert_entry(text: str, entry: str, *, under: str | None) -> str:
    """Return `text` with `entry` after the last line of the section under the heading line `under`.

    Where there is no such heading it is put at the end first; None is the end of the note. Everything else stays byte
    for byte.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [line.rstrip("\r") for line in text.split("\n")]
    if under is not None and under not in [line.rstrip() for line in lines]:
        entry = f"{under}\n\n{entry}"
        under = None
    start, end = (0, len(lines)) if under is None else _section(lines, under)
    while end > start and not lines[end - 1].strip():
        end -= 1
    block = entry.split("\n")
    if end and not _continues(lines[end - 1], block[0]):
        block = ["", *block]
    kept = text.split("\n")
    if end == len(kept):
        joined = newline.join(block)
        return f"{text}{newline}{joined}{newline}" if text else f"{joined}{newline}"
    if end == 0:
        return newline.join(block) + newline + "\n".join(kept[1:] if not kept[0].strip() else kept)
    return "\n".join([*kept[:end], *(_ended(line, newline) for line in block), *kept[end:]])


def _ended(line: str, newline: str) -> str:
    return line + newline[:-1]


def _section(lines: list[str], heading: str) -> tuple[int, int]:
    start = [line.rstrip() for line in lines].index(heading) + 1
    match = _HEADING.match(heading)
    level = len(match[1]) if match else 1
    for number in range(start, len(lines)):
        other = _HEADING.match(lines[number])
        if other and len(other[1]) <= level:
            return start, number
    return start, len(lines)


def _continues(above: str, first: str) -> bool:
    """Whether an entry can stand directly under `above`: a list item after a list item or its continuation."""
    return first[:2] in ("- ", "* ") and (above[:2] in ("- ", "* ") or above[:1] in (" ", "\t"))


def _line_changes(path: str, old: bytes, new: bytes) -> list[Change]:
    before, after = (data.decode(errors="replace").split("\n") if data else [] for data in (old, new))
    head, tail = _common_ends(before, after)
    inner_before, inner_after = before[head : len(before) - tail], after[head : len(after) - tail]
    changes = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, inner_before, inner_after, autojunk=False).get_opcodes():
        if tag != "equal":
            changes.append(
                Change(
                    path=path,
                    line=head + j1,
                    above=after[head + j1 - 1] if head + j1 else "",
                    below=after[head + j2] if head + j2 < len(after) else "",
                    removed=tuple(inner_before[i1:i2]),
                    added=tuple(inner_after[j1:j2]),
                )
            )
    return changes


def _common_ends(before: list[str], after: list[str]) -> tuple[int, int]:
    """Return how many lines are the same at the start and at the end, so that the costly comparison stays small."""
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return head, tail
