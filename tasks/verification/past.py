"""What tells of how things were, where old names and values are right: notes that keep a record, and entries."""

from __future__ import annotations

import re
from collections.abc import Collection

from dream.memory.notes import Entry
from dream.memory.references import Reference

_RECORDS = (
    *("archiv", "changelog", "decision", "handoff", "histor", "incident", "journal", "meeting", "migrat", "minutes"),
    *("postmortem", "releas", "retro", "session", "timeline"),
)
_RECORD_WORDS = frozenset({"adr", "adrs", "changes", "diary", "log", "logs", "logbook", "mortem"})
_WORD = re.compile(r"[a-z]+")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}")
_CODE_WORD = re.compile(r"`[^`\s]{1,200}`")
_PAST = re.compile(
    r"\b(?:mov(?:e|es|ed|ing)|renam(?:e|es|ed|ing)|was|were|been|had|did|former|formerly|previous|previously|used to"
    r"|delet(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|deprecat(?:e|es|ed|ing)|old|older|legacy|originally|initially"
    r"|migrat(?:e|es|ed|ing|ion)|replac(?:e|es|ed|ing)|anymore|no longer|until|till|ago|gone|dropped|split|merged"
    r"|refactor(?:ed|ing)?|introduced|added|created|fixed|changed|landed|shipped|released|became|superseded|history"
    r"|yesterday|last (?:week|month|year))\b",
    re.IGNORECASE,
)
_DONE = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\[[xX]\]|[ \t]*(?:[-*+][ \t]+)?~~")


def keeps_a_record(path: str) -> bool:
    """Whether a note is by its path one of what happened, in which names stay as they were."""
    words = _WORD.findall(path.casefold())
    is_named = any(word in _RECORD_WORDS or word.startswith(_RECORDS) for word in words)
    return is_named or _DATE.search(path) is not None


def speaks_of_the_past(entry: Entry, names: Collection[Reference] = ()) -> bool:
    """Whether an entry may be about a change or about how things were: then old names are right.

    Its `names` are left out, and what stands in code as one word: `till-api` says nothing of the past.
    """
    words = _CODE_WORD.sub("", entry.key)
    for name in names:
        words = words.replace(name.text, "")
    return _PAST.search(words) is not None or _DONE.match(entry.raw) is not None
