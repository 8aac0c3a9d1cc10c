"""What `dream doctor` tells of whether nights go on at all, and whether they land."""

from __future__ import annotations

from collections.abc import Iterator

from dream.report.checks import Check, ok, warn
from dream.report.shadow import LET_LAND, turn_on
from flows.clock import Clock
from flows.pausing import read_pauses
from flows.workplace import Workplace


def check_nights(workplace: Workplace, clock: Clock) -> Iterator[Check]:
    """Yield what people have paused, and whether nights are let land; raises what read_pauses raises."""
    name = workplace.name
    thing = f"{name} nights"
    pauses = read_pauses(workplace.settings, name, now=clock.now()).holding
    yield from (warn(thing, pause.what, pause.way_out(name)) for pause in pauses)
    if workplace.organisation.shadow:
        yield warn(thing, "in shadow, where they land nowhere", f"{LET_LAND}: {turn_on(name)}")
    elif not pauses:
        yield ok(thing, "they go on, and land")
