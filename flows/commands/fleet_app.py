"""The commands by which people stop nights, of one organisation or of all, and let them go on."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.commands.edge import say
from flows.commands.options import Json

app = typer.Typer(rich_markup_mode=None)

OneOrAll = Annotated[str, typer.Argument(metavar="ORG|--all", help="The organisation's name.", show_default=False)]
All = Annotated[bool, typer.Option("--all", help="All organisations.")]
Tasks = Annotated[list[str] | None, typer.Option("--task", metavar="TASK…", help="Only these tasks.")]


@app.command()
def pause(
    organisation: OneOrAll = "",
    *,
    everyone: All = False,
    task: Tasks = None,
    until: Annotated[
        str, typer.Option("--until", metavar="DATE", help="The night that goes on by itself; without one, none does.")
    ] = "",
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, for whoever finds it paused.")] = "",
    json: Json = False,
) -> int:
    """Let no night of an organisation land, or leave tasks out of its nights, until dream resume.

    One that is at work now lands nothing either. Kept in DREAM_STORE, so that it holds on every machine.
    """
    from flows.commands.pausing import pause_command  # noqa: PLC0415

    answer = pause_command(organisation, everyone=everyone, tasks=task or (), until=until, reason=reason)
    return say(answer, as_json=json)


@app.command()
def resume(organisation: OneOrAll = "", *, everyone: All = False, task: Tasks = None, json: Json = False) -> int:
    """Let nights go on that were paused, or tasks that were, be it by themselves.

    The next night takes up what waits. Exit 1 where something else keeps it paused.
    """
    from flows.commands.pausing import resume_command  # noqa: PLC0415

    return say(resume_command(organisation, everyone=everyone, tasks=task or ()), as_json=json)
