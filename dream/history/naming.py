"""The names under which sessions are kept: readable where a session's own name is plain, and never two for one."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from hashlib import sha256

_DIGITS = 16
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_OBJECT = re.compile(
    rf"(?P<month>[0-9]{{4}}-[0-9]{{2}})/(?P<name>(?:[A-Za-z0-9][A-Za-z0-9_-]{{0,79}})\.(?P<key>[0-9a-f]{{{_DIGITS}}}))"
    r"(?P<suffix>\.json|\.txt|\.jsonl\.gz)"
)
_LEFTOVER = re.compile(r"[0-9]{4}-[0-9]{2}/[^/\n]{1,200}\.new")

RECORD, CONDENSED, FULL = ".json", ".txt", ".jsonl.gz"
"""The three objects of a session: its line, what is worth reading of it, all of it."""


def key_of(organisation: str, tool: str, session: str) -> str:
    """Return what tells a session from every other one, of whatever organisation; a ready summary is not its session.

    The ids of two tools never meet, nor do ids that differ in case where names of files do not.
    """
    kind = "summary" if tool == "summary" else "session"
    told = f"{organisation}\0{kind}\0{session}".encode("utf-8", "surrogatepass")
    return sha256(told).hexdigest()[:_DIGITS]


def place_of(source: str, key: str, started: datetime) -> str:
    """Return the folder and name under which a session is first kept; what nobody should have as a name is not used."""
    stem = source if _PLAIN.fullmatch(source) else "thread"
    day = started.astimezone(UTC)
    return f"{day.year:04d}-{day.month:02d}/{stem}.{key}"


def parse_object(name: str) -> tuple[str, str] | None:
    """Return place and key of an object's name; None for what no session is kept under."""
    found = _OBJECT.fullmatch(name)
    return (f"{found['month']}/{found['name']}", found["key"]) if found else None


def is_leftover(name: str) -> bool:
    """Whether an object is one that a run had not wholly written when it died."""
    return _LEFTOVER.fullmatch(name) is not None


def key_in(place: str) -> str:
    """Return the key that a place ends with."""
    return place.rpartition(".")[2]


def stem_of(place: str) -> str:
    """Return the readable part of a place's name, which is the source of most sessions."""
    return place.rpartition("/")[2].rpartition(".")[0]
