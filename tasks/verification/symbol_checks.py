"""Functions, classes and constants that a note names in code, and that a commit took out of its repository."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dream.memory.logbooks import is_logbook
from dream.memory.notes import Entry, Note
from dream.memory.pinned import check_lines
from dream.memory.references import Reference
from dream.sources.production.port import Answer, Found, Query
from tasks.verification.past import speaks_of_the_past
from tasks.verification.reference_checks import Dead

MOST = 5
"""How many names of one note are looked for: each takes a search through a repository."""

_SPAN = re.compile(r"(?<!`)`([A-Za-z_][A-Za-z0-9_]{2,79})(\(\))?`(?!`)")
_FENCE = re.compile(r"[ \t]*(?:[-+*][ \t]+)?(?:`{3}|~{3})")
_COMPOUND = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z0-9][A-Z]")


@dataclass(frozen=True, slots=True)
class _Symbol:
    name: str
    line: int


def dead_symbols(
    path: str, note: Note, repositories: Callable[[], Sequence[str]], *, ask: Callable[[Query], Answer]
) -> tuple[Dead, ...]:
    """Return the names in code of the note at `path` that one of its `repositories` had until a commit that is known.

    One that any of them has is alive, and where one does not answer nothing is said. What speaks of the past may name
    what is gone.
    """
    symbols = () if is_logbook(path) else _symbols(note)
    known = repositories() if symbols else ()
    if not known:
        return ()
    found = (_dead(symbol, known, ask) for symbol in symbols)
    return tuple(one for one in found if one is not None)


def _symbols(note: Note) -> Sequence[_Symbol]:
    """Return the names of a note that can only be such of code, each with the first line that it stands on."""
    names: dict[str, int] = {}
    for entry in note.entries:
        if _FENCE.match(entry.raw) or speaks_of_the_past(entry):
            continue
        for name, line in _in_entry(entry):
            names.setdefault(name, line)
    return [_Symbol(name, line) for name, line in names.items()][:MOST]


def _in_entry(entry: Entry) -> Iterator[tuple[str, int]]:
    lines = entry.raw.split("\n")
    pinned = check_lines(lines)
    for number, line in enumerate(lines):
        for match in _SPAN.finditer(line):
            if number not in pinned and (match[2] or _COMPOUND.search(match[1])):
                yield match[1], entry.start + number


def _dead(symbol: _Symbol, repositories: Sequence[str], ask: Callable[[Query], Answer]) -> Dead | None:
    commits: dict[str, str] = {}
    for name in repositories:
        answer = ask(Query(probe=name, operation="symbol", text=symbol.name))
        if not isinstance(answer, Found) or answer.values != ("absent",):
            return None
        fields = dict(answer.lines[0].fields) if answer.lines else {}
        commits[name] = fields.get("deleted_in", "")
    gone = [name for name, commit in commits.items() if commit]
    if len(gone) != 1:
        return None
    reference = Reference(kind="symbol", text=symbol.name, line=symbol.line)
    return Dead(reference=reference, holder=gone[0], commit=commits[gone[0]])
