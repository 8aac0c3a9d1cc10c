"""Whether a value of an entry is the value of a key, exactly and in the same unit."""

from __future__ import annotations

from enum import Enum, auto

from dream.guards.verdicts.bindings import Key
from dream.guards.verdicts.quantities import is_near, quantity_of

_YES = frozenset({"true", "yes", "on", "enabled", "1", "active"})
_NO = frozenset({"false", "no", "off", "disabled", "0", "inactive"})
_PAIRS = frozenset(map(frozenset, (("enabled", "disabled"), ("on", "off"), ("true", "false"), ("yes", "no"))))
_SWITCHES = frozenset({"enabled", "disabled", "on", "off", "true", "false", "yes", "no"})


class Match(Enum):
    """How a value stands to that of a key."""

    SAME = auto()
    OTHER = auto()
    OTHER_UNIT = auto()


def compare(text: str, unit: str, key: Key) -> Match:
    """Return whether `text` in `unit` is what `key` says; amounts of different things cannot be compared."""
    ours = quantity_of(text, unit)
    theirs = quantity_of(key.value, key.unit)
    if ours is not None and theirs is not None:
        if ours.dimension != theirs.dimension:
            return Match.OTHER_UNIT
        return Match.SAME if ours == theirs or is_near(text, unit, theirs) else Match.OTHER
    if ours is not None:
        return Match.OTHER_UNIT
    if text.lower() in _SWITCHES and key.value.lower() in _YES | _NO:
        return Match.SAME if (text.lower() in _YES) == (key.value.lower() in _YES) else Match.OTHER
    if theirs is not None and text.lower() not in _SWITCHES and not text[:1].isdigit() and text[:1] not in "vV":
        return Match.OTHER_UNIT
    return Match.SAME if _plain(text) == _plain(key.value) else Match.OTHER


def is_exact(text: str, unit: str, key: Key) -> bool:
    """Whether `text` may be written for what `key` says: not only near it."""
    ours, theirs = quantity_of(text, unit), quantity_of(key.value, key.unit)
    if ours is not None and theirs is not None:
        return ours == theirs
    if text.lower() in _SWITCHES:
        return compare(text, unit, key) is Match.SAME
    return text in {key.value, f"v{key.value}"} or (text == key.value.removeprefix("v") and text[:1].isdigit())


def is_same_switch(old: str, new: str) -> bool:
    """Whether a switch stays in the words that it was told in: what was `disabled` becomes `enabled`, never `true`."""
    if old.lower() not in _SWITCHES:
        return True
    return frozenset({old.lower(), new.lower()}) in _PAIRS


def _plain(text: str) -> str:
    lower = text.lower()
    return lower[1:] if lower[:1] == "v" and lower[1:2].isdigit() else lower
