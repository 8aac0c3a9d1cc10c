"""Where lines go whose reader may die before the night does: they are lost then, and the night goes on.

A flow run writes to a pipe that its worker reads. When the worker is killed, the next line would raise, and rich, which
writes Prefect's own, would end the process.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, TextIO, cast

from flows.telling.run_logs import prefect_consoles


@dataclass(frozen=True, slots=True, weakref_slot=True)
class LastingStream:
    """A stream to which writing never fails because nobody reads it any more."""

    stream: TextIO

    def write(self, text: str) -> int:
        """Write `text`, or nothing where nobody reads; return how much there was to write."""
        with suppress(BrokenPipeError):
            self.stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Let what is written be read, where anybody reads."""
        with suppress(BrokenPipeError):
            self.stream.flush()


@lru_cache(maxsize=4)
def lasting(stream: TextIO) -> TextIO:
    """Return `stream` as one that outlives its reader, the same each time: whoever writes locks it."""
    return cast("TextIO", LastingStream(stream))


def let_prefect_outlive_its_reader() -> None:
    """Have Prefect's consoles in this process fall silent, and not end it, once nobody reads them."""
    if "prefect" not in sys.modules:
        return
    for handler in prefect_consoles():
        console: Any = getattr(handler, "console", None)
        if console is not None:
            console.on_broken_pipe = partial(_fall_silent, console)  # where rich raises SystemExit


def _fall_silent(console: Any) -> None:
    console.quiet = True
