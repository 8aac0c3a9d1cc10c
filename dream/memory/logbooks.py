"""Which notes are by their paths of what happened, so that names and values in them stay as they were. Pure."""

from __future__ import annotations

import re

_STEMS = (
    *("archiv", "changelog", "decision", "handoff", "histor", "incident", "journal", "meeting", "migrat", "minutes"),
    *("postmortem", "releas", "retro", "session", "timeline"),
)
_WORDS = frozenset({"adr", "adrs", "changes", "diary", "log", "logs", "logbook", "mortem"})
_WORD = re.compile(r"[a-z]+")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}")


def is_logbook(path: str) -> bool:
    """Whether a note is by any word of its path, or by a date in it, one of what happened."""
    return is_dated(path) or any(map(is_logbook_word, words_of(path)))


def is_logbook_word(word: str) -> bool:
    """Whether a word in lower case says of the note that is called by it that it keeps what happened."""
    return word in _WORDS or word.startswith(_STEMS)


def is_dated(path: str) -> bool:
    """Whether a path holds a month, such as `2026-10`."""
    return _DATE.search(path) is not None


def words_of(path: str) -> list[str]:
    """Return the words of a path in lower case, letters alone."""
    return _WORD.findall(path.casefold())
