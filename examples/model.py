"""The model that a demonstration dreams with, where one is named."""

from __future__ import annotations

from collections.abc import Mapping

MODEL_VARIABLE = "DREAM_DEMO_MODEL"
"""An address, a name and the reference of a key, with blanks between them."""

_PARTS = (2, 3)


class UnreadableModelError(Exception):
    """The variable names no model."""


def demo_model(text: str) -> Mapping[str, str] | None:
    """Return the dreamer that `text` names as an organisation's file does, None where it is empty.

    Raises:
        UnreadableModelError: it is not an address, a name and (if a key is needed) its reference.
    """
    parts = text.split()
    if not parts:
        return None
    if len(parts) not in _PARTS or "://" not in parts[0]:
        message = (
            f'{MODEL_VARIABLE} should read "http://127.0.0.1:8080/v1 MODEL" or "ADDRESS MODEL env:NAME_OF_THE_KEY"'
        )
        raise UnreadableModelError(message)
    address, name, *key = parts
    return {"provider": "openai", "model": name, "base_url": address, **({"credential": key[0]} if key else {})}
