"""How a night's findings tell of a system that gave no answer, so that later nights and people find it in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_DOWN = re.compile(r"probe ([a-z0-9-]{1,63}) is down: (.*?)(?:; [0-9]+ notes? keeps? the date of the last check)?")
_REFUSED = re.compile(r"probe ([a-z0-9-]{1,63}) refused every question: (.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """A system of which a night had no answer, and why."""

    name: str
    how: Literal["down", "refused"]
    why: str


def refusal_of(name: str, why: str) -> str:
    """Return the finding of a system that refused whatever it was asked, of which `why` is the last reason."""
    return f"probe {name} refused every question: {why}"


def is_down(finding: str) -> bool:
    """Whether a finding says that a system did not answer."""
    return _DOWN.fullmatch(finding) is not None


def unanswered_in(finding: str) -> Unanswered | None:
    """Return the system that a finding is about, None for a finding about anything else."""
    if down := _DOWN.fullmatch(finding):
        return Unanswered(name=down[1], how="down", why=down[2])
    if refused := _REFUSED.fullmatch(finding):
        return Unanswered(name=refused[1], how="refused", why=refused[2])
    return None
