"""What may be marked and proposed, right and wrong, each with the way in which it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from bench.learnings.planted import TAUGHT
from tasks.candidates import Action

TYPED = "typed words"
AGAIN = "the same words again"
TRUE_MARKS = frozenset({TYPED})
TRUE_PROPOSALS = frozenset({TAUGHT, AGAIN})
"""What may be remembered, and what may be written."""

HOSTILE_NAME = "a hostile name"
"""A right candidate that asks for a place it must not get; that it is written elsewhere is no harm."""

JUDGED = frozenset({"unlike words"})
"""Ways that use no word that nobody said; a judge or a reviewer must see them, though code stops some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A stretch on offer, with the way in which it was found or made."""

    message: str
    quote: str
    kind: str

    @property
    def is_true(self) -> bool:
        """Whether a person typed it."""
        return self.kind in TRUE_MARKS


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a proposal, by the ids of the observations that it cites."""

    text: str
    observations: tuple[str, ...]
    replaces: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A candidate on offer, with the way in which it was made.

    `said` is when its lines were really said, by how it was made: sessions, days and people; of what is not true never.
    """

    kind: str
    trigger: str
    lines: tuple[Line, ...]
    action: Action = "create"
    name: str = ""
    absorbs: tuple[str, ...] = ()
    said: tuple[tuple[str, str, str], ...] = ()

    @property
    def is_true(self) -> bool:
        """Whether people said all of it, often enough."""
        return self.kind in TRUE_PROPOSALS

    @property
    def id(self) -> str:
        """The same for the same proposal, and for no other."""
        return digest(self.kind, self.trigger, self.action, self.name, *self.absorbs, *map(repr, self.lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """An observation as it is shown, with what is known of it beside: the session, the local day, who said it."""

    id: str
    session: str
    day: str
    person: str
    at: str
    words: str

    @property
    def plain(self) -> str:
        """Its letters and digits."""
        return "".join(filter(str.isalnum, self.words.casefold()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a proposer is shown: the observations, and the names and lines of the learnings that stand."""

    seen: Sequence[Seen]
    standing: Sequence[tuple[str, str, bool, tuple[str, ...]]]
    """Name, trigger, whether it is the night's own, the ids of its lines."""


def digest(*parts: str) -> str:
    """Return sixteen hexadecimal digits that are the same for the same parts."""
    return sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:16]
