"""One input that a task cannot digest does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import structlog

from dream.memory.outcomes import Item, Plan

T = TypeVar("T")

FAILED = "failed"
"""What an input is called that a task could not digest; after too many such nights it is set aside."""

log = structlog.get_logger()


def failed_on(cause: str) -> str:
    """Return the reason of an input that is pending because of what it is, such as `failed-truncated`."""
    return f"{FAILED}-{cause}"


def is_failure(reason: str) -> bool:
    """Whether an input is pending because of what it is, and not because of what the night could not reach."""
    return reason == FAILED or reason.startswith(f"{FAILED}-")


def propose_isolated(inputs: Sequence[T], propose: Callable[[Sequence[T]], Plan], *, name: Callable[[T], str]) -> Plan:
    """Return what `propose` makes of `inputs`; where that breaks off, of those that it can digest.

    Each of the others is an item that is pending with the reason `failed`. An error that no single input explains is
    raised as it came.
    """
    try:
        return propose(inputs)
    except Exception:
        broken = {name(one): cause for one in inputs if (cause := _cause(propose, one))}
        if not broken:
            raise
    plan = propose([one for one in inputs if name(one) not in broken])
    return replace(
        plan,
        items=(*plan.items, *(Item(id=known, reason=FAILED, pending=True) for known in sorted(broken))),
        findings=(*plan.findings, *(f"{known} could not be read: {cause}" for known, cause in sorted(broken.items()))),
    )


def _cause(propose: Callable[[Sequence[T]], Plan], one: T) -> str:
    try:
        propose([one])
    except Exception as error:  # noqa: BLE001  # whatever an input does to a task is that input's failure
        log.warning("input.failed", error=type(error).__name__)
        return f"{type(error).__name__}: {error}"
    return ""
