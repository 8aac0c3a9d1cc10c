"""The model port: one question, one reply of a given type, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from dream.models.prompt import Prompt

Reply = TypeVar("Reply", bound=BaseModel)


class Role(StrEnum):
    """Who is asked: who proposes, who sums up, who says whether evidence supports a claim, who approves a learning."""

    DREAMER = "dreamer"
    SUMMARISER = "summariser"
    JUDGE = "judge"
    REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens that a vendor counted; `input` holds the `cached` and `cache_written` ones, `calls` counts requests."""

    input: int = 0
    cached: int = 0
    cache_written: int = 0
    output: int = 0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Return the sum."""
        return Usage(
            input=self.input + other.input,
            cached=self.cached + other.cached,
            cache_written=self.cache_written + other.cache_written,
            output=self.output + other.output,
            calls=self.calls + other.calls,
        )

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.input + self.output


class Reason(StrEnum):
    """Why a question has no reply."""

    REFUSED = "refused"
    FILTERED = "filtered"
    TRUNCATED = "truncated"
    INVALID = "invalid"
    TOO_LONG = "too-long"
    RATE_LIMITED = "rate-limited"
    QUOTA = "quota"
    OUTAGE = "outage"
    UNAUTHORISED = "unauthorised"
    MISCONFIGURED = "misconfigured"
    OVER_BUDGET = "over-budget"
    NO_MODEL = "no-model"
    STOPPED = "stopped"


class Consequence(StrEnum):
    """What follows from a reason: for the question (retry, ask again, split, skip) or for the night (stop)."""

    RETRY = "retry"
    ASK_AGAIN = "ask-again"
    SPLIT = "split"
    SKIP = "skip"
    STOP = "stop"


CONSEQUENCES = {
    Reason.REFUSED: Consequence.SKIP,
    Reason.FILTERED: Consequence.SKIP,
    Reason.TRUNCATED: Consequence.SPLIT,
    Reason.INVALID: Consequence.ASK_AGAIN,
    Reason.TOO_LONG: Consequence.SPLIT,
    Reason.RATE_LIMITED: Consequence.RETRY,
    Reason.OUTAGE: Consequence.RETRY,
    Reason.QUOTA: Consequence.STOP,
    Reason.UNAUTHORISED: Consequence.STOP,
    Reason.MISCONFIGURED: Consequence.STOP,
    Reason.OVER_BUDGET: Consequence.STOP,
    Reason.NO_MODEL: Consequence.STOP,
    Reason.STOPPED: Consequence.STOP,
}
"""What follows from each reason, in one place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied(Generic[Reply]):
    """A reply that fits its type, and what it took, the tries before it included."""

    reply: Reply
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """No reply: why, in one escaped line, what was paid all the same, and how many seconds the vendor asks to wait."""

    reason: Reason
    detail: str = ""
    usage: Usage = field(default_factory=Usage)
    retry_after: float | None = None

    @property
    def consequence(self) -> Consequence:
        """What follows."""
        return CONSEQUENCES[self.reason]


class Model(Protocol):
    """Answers questions; an adapter, or something around one that waits, counts or remembers."""

    @property
    def name(self) -> str:
        """Who answers, `openai/<model>`: part of the key of every kept answer, and shown in commits."""
        ...

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        """Return the reply to `prompt` as a `reply`; whatever goes wrong is an Unanswered and never an exception."""
        ...
