"""Whether a model can be asked at all, found out before a night depends on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict

from dream.models.port import Consequence, Model, Reason, Unanswered
from dream.models.prompt import Prompt


class Echo(BaseModel):
    """The smallest reply."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    word: str


ECHO = Prompt(name="preflight/echo", version="1", system="Answer with one word.", parts=("Say ready.",))
"""The smallest question."""

_IS_REACHED = frozenset({Reason.INVALID, Reason.TRUNCATED})
_IS_OURS = frozenset({Reason.REFUSED, Reason.FILTERED, Reason.TOO_LONG})


@runtime_checkable
class Checkable(Protocol):
    """A model that can tell whether it is fit to be asked without being asked."""

    def check(self) -> Unanswered | None:
        """Return why it is not, None if it is."""
        ...


def check_credential(model: Model) -> Unanswered | None:
    """Return why `model` cannot be asked tonight (key, address, model, money), None if it can.

    Costs no tokens where the vendor has a list of its models, and one smallest question elsewhere.
    """
    return model.check() if isinstance(model, Checkable) else ask_echo(model)


def ask_echo(model: Model) -> Unanswered | None:
    """Return why `model` does not answer the smallest question, None if it says anything in reply.

    Whoever refuses that, or finds it too long, was not asked rightly.
    """
    answer = model.ask(ECHO, Echo)
    if not isinstance(answer, Unanswered) or answer.reason in _IS_REACHED:
        return None
    return replace(answer, reason=Reason.MISCONFIGURED) if answer.reason in _IS_OURS else answer


def settle(found: Unanswered | None, model: Model) -> Unanswered | None:
    """Return what was `found` of a model without asking it, or else what it says to the smallest question.

    A key may be good for questions and for nothing else, and a server may have models and no list of them. Who is down,
    or out of money, is so for questions too.
    """
    is_settled = found is None or found.consequence is Consequence.RETRY or found.reason is Reason.QUOTA
    return found if is_settled else ask_echo(model)
