"""Landing what a person has asked for at once, outside any night."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from dream.night.landing import Published, land_prepared
from dream.night.survey import Survey
from dream.repository.landing import DryLanding, PushLanding
from dream.repository.mirror import Mirror
from flows.clock import Clock
from flows.workplace import Workplace


class Built(Protocol):
    """Commits on top of a head; none where there was nothing to do."""

    @property
    def tip(self) -> str:
        """The last of them, or the head."""
        ...

    @property
    def commits(self) -> tuple[str, ...]:
        """All of them, oldest first."""
        ...


Ready = TypeVar("Ready", bound=Built)


def land_at_once(
    *,
    survey: Callable[[], Survey],
    plant: Callable[[Survey], Ready],
    workplace: Workplace,
    mirror: Mirror,
    dry_run: bool,
    clock: Clock,
) -> Ready:
    """Return what `plant` has built, landed unless there is nothing in it or it is only shown.

    It is built anew on every head that the branch moves to meanwhile.

    Raises:
        DreamError: nothing landed, and why.
    """
    built = plant(survey())
    if not built.commits:
        return built
    outcome = land_prepared(
        head=survey,
        plant=plant,
        stop=lambda _: "",
        landing=DryLanding(mirror) if dry_run else PushLanding(mirror),
        patience=clock.patience(workplace.organisation.limits.landing.seconds),
    )
    return outcome.planted if isinstance(outcome, Published) else built
