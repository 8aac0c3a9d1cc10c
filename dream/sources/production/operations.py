"""What is said to a question by an operation that a probe has not."""

from __future__ import annotations

from collections.abc import Iterable

from dream.sources.production.fields import printable
from dream.sources.production.port import Operation

_LONGEST = 60


def no_operation(wanted: str, known: Iterable[Operation]) -> str:
    """Return that there is no operation `wanted`, with the names of those that there are."""
    return f"there is no operation {printable(wanted)[:_LONGEST]}; it has {', '.join(one.name for one in known)}"
