"""How much of a session file is read, so that one of them cannot take the night's memory or time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """Bounds of one reading: bytes for lines and files, characters for texts.

    `spoken` bounds what a person or an agent says, `printed` what a shell command printed, whose last lines count most,
    `captured` what any other tool gave or was given or the harness added, `path` a file's name.
    """

    line_bytes: int = 4_000_000
    file_bytes: int = 256_000_000
    spoken: int = 200_000
    printed: int = 200_000
    captured: int = 20_000
    path: int = 1_000
