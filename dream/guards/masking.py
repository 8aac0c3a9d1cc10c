"""Credentials made unreadable where they stand, so that every offset into what is kept still holds."""

from __future__ import annotations

import re

from dream.guards.secrets import secret_spans

MASK = "*"
_COVERED = re.compile(r"[^\n]")


def mask_secrets(text: str) -> str:
    """Return `text` with each character of a credential as `*`: as long as before, its line breaks where they were."""
    parts, position = [], 0
    for start, end in secret_spans(text):
        parts += [text[position:start], _COVERED.sub(MASK, text[start:end])]
        position = end
    return "".join(parts) + text[position:]
