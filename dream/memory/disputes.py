"""The line at the top of a note that says that two statements of it are at odds: the night's own, and no statement."""

from __future__ import annotations

import re
from dataclasses import dataclass

MARK = "> Disputed: "
_LONGEST = 120
_LINE = re.compile(
    r'> Disputed: here "(?P<here>[^"\n]{1,130})"; in (?P<path>[^"\n]{1,300}) "(?P<there>[^"\n]{1,130})"\.\r?'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """What a note says `here`, and what the note at `path` (it may be the same) says `there`, both cut short."""

    here: str
    path: str
    there: str

    @property
    def line(self) -> str:
        """The line that tells it."""
        return f'{MARK}here "{self.here}"; in {self.path} "{self.there}".'


def dispute(here: str, path: str, there: str) -> Dispute:
    """Return the dispute between two statements by their keys, the second in the note at `path`."""
    return Dispute(here=in_short(here), path=path, there=in_short(there))


def read_dispute(line: str) -> Dispute | None:
    """Return what a line tells, None where it is no line of the night's."""
    match = _LINE.fullmatch(line)
    return Dispute(here=match["here"], path=match["path"], there=match["there"]) if match else None


def is_dispute(line: str) -> bool:
    """Whether a line is such a line: it is neither a statement nor text that could be lost."""
    return line.startswith(MARK) and _LINE.fullmatch(line) is not None


def in_short(key: str) -> str:
    """Return a statement as it is quoted in such a line."""
    plain = key.replace('"', "'")
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"
