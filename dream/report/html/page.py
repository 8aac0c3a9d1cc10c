"""The report of a night as one HTML file: nothing is loaded from anywhere, and no script but our own runs."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from dream.report.accounts import counted, many, night_account, spoken
from dream.report.commands import command, spelled
from dream.report.escaping import visible
from dream.report.html.figures import charts_of
from dream.report.html.room import Room, fitting
from dream.report.html.series import COVERED_NIGHTS
from dream.report.html.tasks import parts_of
from dream.report.losses import loss_lately, loss_tonight
from dream.report.night import MOST_RUNS
from dream.report.shadow import LET_LAND, turn_on
from dream.report.spend import shown_dollars
from dream.report.story import UNDONE, Story

if TYPE_CHECKING:
    from jinja2 import Environment

ROOM_FOR_FINDINGS = 120_000
ROOM_FOR_INDEX = 120_000
"""Bytes of a page."""


def render_html(story: Story) -> str:
    """Return the report of a night as one page, of less than 2 MB whatever the night did.

    Nothing in it that others wrote is markup, acts on a reader, or cannot be seen; its policy forbids every request.
    """
    style, script = _text("style.css"), _text("keys.js")
    return (
        _environment()
        .get_template("page.html")
        .render(
            story=story,
            style=style,
            script=script,
            policy=_policy(style, script),
            parts=parts_of(story),
            charts=charts_of(story),
            glance=_glance(story),
            lists=_lists(story),
            index=_index(story),
            runs=list(reversed(story.attempts[-MOST_RUNS:])),
            earlier_runs=max(len(story.attempts) - MOST_RUNS, 0),
        )
    )


def _policy(style: str, script: str) -> str:
    """Return the content security policy: this style, this script, and no request of any kind."""
    own = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii") for text in (style, script))
    styles, scripts = (f"'sha256-{digest}'" for digest in own)
    return f"default-src 'none'; style-src {styles}; script-src {scripts}; base-uri 'none'; form-action 'none'"


def _glance(story: Story) -> list[tuple[str, str, str]]:
    """Return the few figures of a night that are read first: a name, a value, and what explains it."""
    record, standing = story.record, story.standing
    if record is None:
        return []
    account = night_account(record)
    refused = sum(account.refusals.values())
    lost, lately = loss_tonight(record, story.limits), loss_lately(story.records, story.night, story.limits)
    found = [
        ("Inputs", f"{account.inputs:,}", str(account)),
        ("Edits", f"{len(record.effects):,}", many(len(story.commits), "commit")),
        ("Refused by rules", f"{refused:,}", counted(account.refusals) or "nothing"),
        ("Taken away", f"{lost.notes + lost.statements:,}", f"{lost}; in {story.limits.month_nights} nights {lately}"),
        ("Tokens", f"{story.spend.tokens:,}", str(story.spend)),
    ]
    if standing and standing.checked:
        seen, notes = standing.looked_at(story.night, COVERED_NIGHTS), len(standing.checked)
        told = (
            f"{seen:,} of {notes:,} topic notes within {COVERED_NIGHTS} nights; {len(standing.unverified):,} unverified"
        )
        found.append(("Looked at", f"{100 * seen // notes} %", told))
    return found


def _lists(story: Story) -> list[tuple[str, list[str], int]]:
    """Return what else was found, under its titles, and how much of each there was no room for."""
    of_tasks = {finding for task in story.tasks.values() for finding in task.findings}
    others = [one for one in story.found if not one.startswith(UNDONE) and one not in of_tasks]
    titled = [
        ("Undone by people, and not done again", story.undone),
        ("Findings", others),
        ("Arrived from others while this night was planned", list(story.record.arrived if story.record else ())),
        ("Set aside after too many failed nights", story.set_aside),
    ]
    room = Room(ROOM_FOR_FINDINGS)
    found = []
    for at, (title, lines) in enumerate(titled):
        share = room.part(len(titled) - at)
        kept, left = fitting(lines, share)
        room.give(share)
        if lines:
            found.append((title, kept, left))
    return found


def _index(story: Story) -> list[str]:
    if story.standing is None:
        return []
    kept, left = fitting(story.standing.index.split("\n"), Room(ROOM_FOR_INDEX))
    return [*kept, *([f"… and {many(left, 'more line')}"] if left else [])]


def _text(name: str) -> str:
    return resources.files("dream.report.html").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415  # the command line starts without it

    environment = Environment(
        loader=FunctionLoader(_text),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(command=command, spelled=spelled, counted=counted, many=many, spoken=spoken)
    environment.globals.update(dollars=shown_dollars, let_land=LET_LAND, turn_on=turn_on)
    return environment


def _shown(value: Any) -> Any:
    """Return what a template writes: of every text, whoever wrote it, what acts or hides as escapes."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
