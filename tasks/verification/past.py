"""Which entries tell of how things were, where old names and values are right."""

from __future__ import annotations

import re
from collections.abc import Collection

from dream.memory.notes import Entry
from dream.memory.references import Reference

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


def speaks_of_the_past(entry: Entry, names: Collection[Reference] = ()) -> bool:
    """Whether an entry may be about a change or about how things were: then old names are right.

    Its `names` are left out, and what stands in code as one word: `till-api` says nothing of the past.
    """
    words = _CODE_WORD.sub("", entry.key)
    for name in names:
        words = words.replace(name.text, "")
    return _PAST.search(words) is not None or _DONE.match(entry.raw) is not None
