"""`dream adopt`: people's prose moved out of an overgrown index, into notes that it links."""

from __future__ import annotations

from dream.report.escaping import visible
from flows.adopting import adopt_index
from flows.clock import system_clock
from flows.commands.answers import Answer
from flows.installation import open_installation, open_workplace


def adopt_command(name: str, *, dry_run: bool) -> Answer:
    """Return the answer of `dream adopt`; raises DreamError where nothing landed."""
    result = adopt_index(open_workplace(open_installation(), name), dry_run=dry_run, clock=system_clock())
    lines = "\n".join([f"{name}: the index", *(f"  {line}" for line in result.lines)])
    return Answer(text=visible(lines), document=result.payload())
