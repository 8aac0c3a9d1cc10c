"""Notes, outputs and citations as tests of verdicts need them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from dream.guards.verdicts.outputs import Citation, Output, OutputLine
from dream.guards.verdicts.rulings import Target
from dream.memory.notes import Note, parse_note

AT = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)

Value = str | int | float | bool


def target(text: str, *, path: str = "services/orders-api.md", place: int = 0, others: tuple[str, ...] = ()) -> Target:
    """Return the entry at `place` of a note of that text."""
    note = parse_note(text.encode())
    assert isinstance(note, Note)
    return Target(path=path, note=note, entry=note.entries[place], others=others)


def record(prefix: str = "", /, **fields: Value) -> OutputLine:
    """Return a line as JSON and rows are read."""
    shown = " ".join(f"{key}={json.dumps(value)}" for key, value in fields.items())
    return OutputLine(
        text=f"{prefix}: {shown}" if prefix else shown,
        fields=tuple((key, _plain(value)) for key, value in fields.items()),
    )


def sample(metric: str, value: float, **labels: str) -> OutputLine:
    """Return a line as the samples of metrics are read."""
    shown = ",".join(f'{key}="{label}"' for key, label in labels.items())
    return OutputLine(
        text=f"{metric}{{{shown}}}: value={value:g}",
        fields=(*labels.items(), ("value", f"{value:g}"), (metric, f"{value:g}")),
    )


def output(
    *lines: OutputLine, asked: str = "/services", names: tuple[str, ...] = (), name: str = "o1", cut: bool = False
) -> Output:
    """Return an answer with these lines."""
    return Output(
        id=name,
        probe="inventory",
        question=f"inventory get `{asked}`",
        asked=asked,
        at=AT,
        lines=lines,
        names=names,
        cut=cut,
    )


def cite(line: OutputLine, name: str = "o1") -> tuple[Citation, ...]:
    """Return a citation of the whole line."""
    return (Citation(output=name, quote=line.text),)


def _plain(value: Value) -> str:
    return value if isinstance(value, str) else json.dumps(value)
