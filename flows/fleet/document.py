"""What all the nights of one run came to, as one JSON document, and why that is a failure where it is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from config.loading import Organisations
from dream.report.accounts import many
from flows.fleet.fan_out import Document, broken_document
from flows.fleet.rings import RingEnd, named

ALL_RINGS = "dream nightly --all-rings"


def fleet_document(
    found: Organisations, night: date, documents: Mapping[str, Document], rings: Sequence[RingEnd]
) -> dict[str, Any]:
    """Return the document of a run: every organisation by name, who failed, how the rings ended, who was not begun."""
    ring_of = {one.organisation: one.ring for one in found.organisations}
    held = next((f"ring {one.ring} is not sound: {one.why}" for one in rings if one.why), "the run ended before")
    begun = {name for name, one in documents.items() if one["status"] != "not-started"}
    rows: list[dict[str, Any]] = [
        {**documents.get(name, _held_back(name, held)), "ring": ring} for name, ring in ring_of.items()
    ]
    rows += [
        broken_document(one.name, str(one.error), one.error.way_out, exit_code=one.error.exit_code)
        for one in found.broken
    ]
    rows.sort(key=lambda one: str(one["organisation"]))
    failed = [str(one["organisation"]) for one in rows if one["exit"] and one["status"] != "not-started"]
    return {
        "night": night.isoformat(),
        "organisations": rows,
        "failed": failed,
        "not_started": sorted(set(ring_of) - begun),
        "rings": [one.payload() for one in rings],
    }


def fleet_failure(document: Mapping[str, Any], *, failed_percent: int, gated: bool) -> str:
    """Return why a run has failed, with the next step; empty where it has not.

    It has where more than `failed_percent` of the organisations failed, or where it was `gated` and a ring was not
    sound; a last one whose organisations are all paused is as people want it.
    """
    rows, failed, left = document["organisations"], document["failed"], document["not_started"]
    unsound = next((one for one in document["rings"] if not one["sound"]), None) if gated else None
    if unsound is not None and not left and _is_paused(unsound["ring"], rows):
        unsound = None
    too_many = len(failed) * 100 > len(rows) * failed_percent
    told = []
    if unsound is not None and (left or not too_many):
        rest = f"; not begun: {many(len(left), 'organisation')}" if left else ""
        told.append(f"ring {unsound['ring']} is not sound: {unsound['why']}{rest}")
    if too_many:
        told.append(f"{len(failed)} of {len(rows)} failed: {named(failed)}")
    if not told:
        return ""
    if never := [one for one in rows if one.get("began") is False]:  # no night of it says why
        return f"{'; '.join(told)}; {never[0]['reason']}; {never[0]['way_out']}"
    way_out = f"dream status shows why; to dream the rest all the same: {ALL_RINGS}" if left else "dream status"
    return f"{'; '.join(told)}; {way_out}"


def fleet_told(document: Mapping[str, Any]) -> str:
    """Read `3 organisations, 1 failed: birch`."""
    return told_counts(len(document["organisations"]), document["failed"])


def told_counts(count: int, failed: Sequence[str]) -> str:
    """Read `3 organisations, 1 failed: birch`."""
    told = f"{many(count, 'organisation')}, {len(failed)} failed"
    return f"{told}: {named(failed)}" if failed else told


def _is_paused(ring: int, rows: Sequence[Mapping[str, Any]]) -> bool:
    return all(one["status"] == "paused" for one in rows if one.get("ring") == ring)


def _held_back(name: str, why: str) -> dict[str, Any]:
    return {**broken_document(name, why, ALL_RINGS), "status": "not-started", "attempts": 0}
