"""`dream learnings …`: the commands by which people see, decide on and hand out what was learned.

Nothing heavy is imported before a command needs it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.commands.edge import say
from flows.commands.options import Json, Organisation

app = typer.Typer(
    help="See what was learned, decide what waits for a person, and hand it to agents.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

Id = Annotated[str, typer.Argument(metavar="ID", help="The suggestion, as `dream learnings list` names it.")]
Person = Annotated[str, typer.Option("--by", metavar="NAME", help='The person who decides: "Ana" or "Ana <MAIL>".')]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="Why, for whoever asks later.")]


@app.command("list")
def list_learnings(organisation: Organisation, *, json: Json = False) -> int:
    """List the learnings at the branch's head, and the suggestions that wait."""
    from flows.commands.teaching import list_command  # noqa: PLC0415

    return say(list_command(organisation), as_json=json)


@app.command()
def show(
    organisation: Organisation,
    name: Annotated[str, typer.Argument(metavar="NAME|ID", help="A learning, or a suggestion.")],
    *,
    json: Json = False,
) -> int:
    """Print a learning with the words that it rests on, or a suggestion."""
    from flows.commands.teaching import show_command  # noqa: PLC0415

    return say(show_command(organisation, name), as_json=json)


@app.command()
def suggest(
    organisation: Organisation,
    body: Annotated[str, typer.Argument(metavar="[FILE]", help="Its text; standard input without one.")] = "-",
    *,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What it is called: a-z, 0-9, single hyphens.")],
    trigger: Annotated[str, typer.Option("--trigger", metavar="TEXT", help="When it is used, in about 20 words.")],
    by: Annotated[str, typer.Option("--by", metavar="WHO", help="Who suggests it.")] = "",
    json: Json = False,
) -> int:
    """Suggest a learning, or another text for one.

    It is checked and waits until a person accepts it. Exit 1 with the reasons where it cannot be one.
    """
    from flows.commands.teaching import suggest_command  # noqa: PLC0415

    return say(suggest_command(organisation, body, learning=name, trigger=trigger, by=by), as_json=json)


@app.command()
def accept(organisation: Organisation, suggestion: Id, *, by: Person, json: Json = False) -> int:
    """Accept a suggestion.

    It lands at once as one commit in that person's name; accepting it twice changes nothing.
    """
    from flows.commands.deciding import accept_command  # noqa: PLC0415

    return say(accept_command(organisation, suggestion, by=by), as_json=json)


@app.command()
def reject(organisation: Organisation, suggestion: Id, *, by: Person = "", why: Why = "", json: Json = False) -> int:
    """Turn a suggestion down; the same one is not taken again."""
    from flows.commands.deciding import reject_command  # noqa: PLC0415

    return say(reject_command(organisation, suggestion, by=by, why=why), as_json=json)


@app.command()
def undo(
    organisation: Organisation,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The learning.")],
    *,
    by: Person,
    why: Why = "",
    json: Json = False,
) -> int:
    """Take a learning away.

    That lands at once as one commit in that person's name, and no night makes it again.
    """
    from flows.commands.deciding import undo_command  # noqa: PLC0415

    return say(undo_command(organisation, name, by=by, why=why), as_json=json)


@app.command()
def install(
    organisation: Organisation,
    project: Annotated[Path, typer.Argument(metavar="PATH", help="The folder of a project.")],
    *,
    tools: Annotated[
        list[str] | None, typer.Option("--for", metavar="TOOL", help="Where this tool looks; all known without one.")
    ] = None,
    template: Annotated[
        str, typer.Option("--template", metavar="PATH", help="Another place in the project: '.tool/{name}/SKILL.md'.")
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be done, and do nothing.")] = False,
    json: Json = False,
) -> int:
    """Write the learnings where the agents of a project look.

    Only what was written by this is ever overwritten or taken away. Exit 1 where something was left alone.
    """
    from flows.commands.installing import install_command  # noqa: PLC0415

    answer = install_command(organisation, project, tools=tools or (), template=template, dry_run=dry_run)
    return say(answer, as_json=json)
