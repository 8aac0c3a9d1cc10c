"""What a missing answer means for an input: that it cannot be digested, or that nobody could be asked."""

from __future__ import annotations

from dream.models.port import CONSEQUENCES as FOLLOWS
from dream.models.port import Consequence, Reason
from dream.night.isolating import FAILED, failed_on

UNSURE = "judge-unsure"
_OF_THE_INPUT = frozenset({Consequence.SKIP, Consequence.SPLIT, Consequence.ASK_AGAIN})


def waits_for(whom: str, reason: str) -> str:
    """Return the reason of an input that `whom` (`model`, `judge`) gave no answer on, such as `model-outage`.

    Where the input itself is the cause, as far as one can tell, it counts as a failure of the input.
    """
    named = f"{whom}-{reason}"
    causes = {known.value for known in Reason if FOLLOWS[known] in _OF_THE_INPUT}
    return failed_on(named) if reason in causes else named


def is_unjudged(reason: str) -> bool:
    """Whether a statement was refused for want of a ruling, and not by one."""
    return reason.startswith("judge-") and reason != UNSURE


def blamed_on_whom(reason: str) -> str:
    """Return `reason` without a failure of the input: who answers on none of several fails, and not what was said."""
    return reason.removeprefix(f"{FAILED}-")
