"""The commands by which people read what nights did, and take it back."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.commands.edge import say
from flows.commands.options import AnyOrganisation, Json, Night, Organisation

app = typer.Typer(rich_markup_mode=None)


@app.command()
def status(organisation: AnyOrganisation = "", *, json: Json = False) -> int:
    """Tell how nights went, and what they need.

    A retry, a person, or nothing; with what they wrote, took away and spent.
    """
    from flows.commands.reading import status_command  # noqa: PLC0415

    return say(status_command(organisation), as_json=json)


@app.command()
def log(
    organisation: Organisation,
    *,
    night: Night = "",
    operations: Annotated[
        bool, typer.Option("--operations", help="Each operation, with its id, its lines and what became of it.")
    ] = False,
    json: Json = False,
) -> int:
    """List the commits of one night, task by task."""
    from flows.commands.night_log import log_command  # noqa: PLC0415

    return say(log_command(organisation, night=night, operations=operations), as_json=json)


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
    organisation: Annotated[
        str, typer.Argument(metavar="ORG|--all", help="The organisation's name.", show_default=False)
    ] = "",
    *,
    everyone: Annotated[bool, typer.Option("--all", help="All organisations; lands only for a clear yes.")] = False,
    night: Annotated[str, typer.Option("--night", metavar="DATE", help="The night that is taken back.")],
    task: Annotated[
        list[str] | None, typer.Option("--task", metavar="TASK", help="Only this task; without it all of the night.")
    ] = None,
    operation: Annotated[
        list[str] | None,
        typer.Option("--operation", metavar="ID…", help="Only these operations, by the beginning of their ids."),
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Let the next night try again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be taken back, and end.")] = False,
    json: Json = False,
) -> int:
    """Take back a night, a task of it, or single operations.

    It is shown first, and on a terminal asked about; of one organisation it then lands at once. The next night does not
    redo it, unless with --retry. The ids are those of dream log --operations.
    """
    from flows.commands.taking_back import revert_command  # noqa: PLC0415

    answer = revert_command(
        organisation,
        everyone=everyone,
        night=night,
        tasks=tuple(task or ()),
        operations=tuple(operation or ()),
        retry=retry,
        dry_run=dry_run,
        yes=yes,
        as_json=json,
    )
    return say(answer, as_json=json)
