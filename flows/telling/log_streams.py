"""Where lines go whose reader may die before the night does: they are lost then, and the night goes on.

A flow run writes to a pipe that its worker reads. When the worker is killed, the next line would raise, and rich, which
writes Prefect's own, would end the process. So would a line to a terminal that was closed, or to a disk that is full.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TextIO, cast

from flows.telling.run_logs import prefect_consoles


@dataclass(frozen=True, slots=True, weakref_slot=True)
class LastingStream:
    """A stream to which writing never fails because nobody reads it any more, or nothing can be written there."""

    stream: TextIO

    def write(self, text: str) -> int:
        """Write `text`, or nothing where nobody reads; return how much there was to write."""
        with suppress(OSError):
            self.stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Let what is written be read, where anybody reads."""
        with suppress(OSError):
            self.stream.flush()

    def isatty(self) -> bool:
        """Whether a person may be reading it."""
        return self.stream.isatty()


@lru_cache(maxsize=4)
def lasting(stream: TextIO) -> TextIO:
    """Return `stream` as one that outlives its reader, the same each time: whoever writes locks it."""
    return cast("TextIO", LastingStream(stream))


def let_prefect_outlive_its_reader() -> None:
    """Have Prefect's consoles in this process lose lines, and not end it, once nobody reads them."""
    if "prefect" not in sys.modules:
        return
    for handler in prefect_consoles():
        console: Any = getattr(handler, "console", None)
        if console is not None and not isinstance(console.file, LastingStream):
            console.file = lasting(console.file)  # rich raises SystemExit where nobody reads a pipe
