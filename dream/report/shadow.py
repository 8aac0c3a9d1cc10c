"""Shadow nights: how it is told that they landed nowhere, and how nights are let land."""

from __future__ import annotations

from datetime import date

LANDED_NOWHERE = "shadow: landed nowhere"

LET_LAND = "to let nights land, once you have read some"


def turn_on(organisation: str) -> str:
    """Return what is to be written where so that nights land."""
    return f"shadow: false in {organisation}.yaml"


def shadow_way_out(organisation: str, night: date) -> str:
    """Return how a person reads a shadow night and then lets nights land."""
    return f"dream report {organisation} --night {night.isoformat()}; {LET_LAND}: {turn_on(organisation)}"
