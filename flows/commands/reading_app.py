"""The commands by which people read what nights did, and take it back."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.commands.edge import say
from flows.commands.options import AnyOrganisation, DryRun, Json, Night, Organisation

app = typer.Typer(rich_markup_mode=None)


@app.command()
def status(organisation: AnyOrganisation = "", *, json: Json = False) -> int:
    """Tell how nights went, and what they need.

    A retry, a person, or nothing; with what they wrote, took away and spent.
    """
    from flows.commands.reading import status_command  # noqa: PLC0415

    return say(status_command(organisation), as_json=json)


@app.command()
def log(organisation: Organisation, *, night: Night = "", json: Json = False) -> int:
    """List the commits of one night, task by task."""
    from flows.commands.reading import log_command  # noqa: PLC0415

    return say(log_command(organisation, night=night), as_json=json)


@app.command()
def report(
    organisation: Organisation,
    *,
    night: Night = "",
    html: Annotated[
        str, typer.Option("--html", metavar="FILE", help="As one page for a browser, into FILE or, with -, printed.")
    ] = "",
) -> int:
    """Print what a night did, as Markdown.

    With its diffs and evidence, what was refused, and how to take each of it back.
    """
    if html:
        from flows.commands.report_page import page_command  # noqa: PLC0415

        return say(page_command(organisation, html, night=night))
    from flows.commands.reading import report_command  # noqa: PLC0415

    return say(report_command(organisation, night=night))


@app.command()
def revert(
    organisation: Organisation,
    *,
    night: Annotated[str, typer.Option("--night", metavar="DATE", help="The night that is taken back.")],
    task: Annotated[
        str, typer.Option("--task", metavar="TASK", help="Only this task; without it all of the night.")
    ] = "",
    retry: Annotated[bool, typer.Option("--retry", help="Let the next night try again.")] = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> int:
    """Take back a task of a night, or all of it.

    That lands at once, and the next night does not redo it, unless with --retry.
    """
    from flows.commands.taking_back import revert_command  # noqa: PLC0415

    return say(revert_command(organisation, night=night, task=task, retry=retry, dry_run=dry_run), as_json=json)
