"""How a step of a night is run: by Prefect, or right here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Call(Protocol):
    """Runs one step of a night under its name: as a task run of Prefect, or right here."""

    async def __call__(self, name: str, step: Callable[[], T]) -> T:
        """Return what `step` returns."""
        ...


async def call_here(name: str, step: Callable[[], T]) -> T:
    """Run `step` in this very thread."""
    del name
    return step()
