"""Credentials made unreadable where they stand, so that every offset into what is kept still holds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dream.guards.secrets import secret_spans

MASK = "*"
_COVERED = re.compile(r"[^\n]")
_BLANK = re.compile(r"\s")
_LONGEST_WORD = 4_000


def mask_secrets(text: str) -> str:
    """Return `text` with each character of a credential as `*`: as long as before, its line breaks where they were."""
    return _masked(text, secret_spans(text))


def mask_cut_secrets(text: str) -> str:
    """Return `text`, whose end was cut off, as `mask_secrets` does, without its last word.

    It may be the beginning of a credential, of which too little is left to tell.
    """
    last = text[-_LONGEST_WORD:]
    blanks = [blank.end() for blank in _BLANK.finditer(last)]
    start = len(text) - len(last) + (blanks[-1] if blanks else 0)
    return _masked(text, [*((first, min(end, start)) for first, end in secret_spans(text)), (start, len(text))])


def _masked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts, position = [], 0
    for start, end in spans:
        if start < end:
            parts += [text[position:start], _COVERED.sub(MASK, text[start:end])]
            position = end
    return "".join(parts) + text[position:]
