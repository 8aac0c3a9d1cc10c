"""What a web server answered, and what its status says of the server rather than of what was asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dream.sources.production.port import Down, Nothing, Refused

_NOT_ALLOWED = frozenset({401, 403, 407})
_NOT_NOW = frozenset({408, 425, 429})
_SERVER_ERRORS = 500
_ABSENT = frozenset({404, 410})
_NO_CONTENT = frozenset({204, 205})
_WITH_CONTENT = frozenset({200, 201, 202, 203})
_CHARSET = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
_CHARSETS = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "us-ascii": "ascii",
    "ascii": "ascii",
    "iso-8859-1": "latin-1",
    "latin1": "latin-1",
    "windows-1252": "cp1252",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a server said: its status, its headers with names in lower case, its body uncompressed."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """Return the values of a header, one after the other as a proxy may join them, "" where there is none."""
        return ", ".join(value for given, value in self.headers if given == name.lower())

    @property
    def kind(self) -> str:
        """The media type of the body in lower case, "" where it is not said."""
        return self.header("content-type").partition(";")[0].strip().lower()

    def text(self) -> str | None:
        """Return the body as text, None where it is not in the character set that is said of it, else UTF-8."""
        said = _CHARSET.search(self.header("content-type"))
        charset = _CHARSETS.get(said[1].lower()) if said else "utf-8"
        try:
            return self.body.decode(charset) if charset else None
        except UnicodeDecodeError:
            return None


def failure_of(response: Response) -> Down | Refused | None:
    """Return what a status says of who asks or of the server, None for one that says something of what was asked."""
    status = response.status
    if status in _NOT_ALLOWED:
        return Refused(f"it does not let this probe read that (status {status})")
    if status in _NOT_NOW or status >= _SERVER_ERRORS:
        return Down(f"it answers with status {status}")
    return None


def absence_of(response: Response) -> Nothing | Refused | None:
    """Return what a status says of an answer that has nothing to read in it, None for one that has."""
    if response.status in _ABSENT:
        return Nothing(f"there is nothing at this path (status {response.status})")
    if response.status in _NO_CONTENT:
        return Nothing("its answer is empty")
    return None if response.status in _WITH_CONTENT else Refused(f"it answers with status {response.status}")
