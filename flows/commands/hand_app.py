"""The commands by which a person puts a memory in order by hand, and looks before writing into one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.commands.edge import say
from flows.commands.options import Json

app = typer.Typer(rich_markup_mode=None)

Text = Annotated[
    str, typer.Argument(metavar="TEXT", help="An entry as it would be written; - reads it from standard input.")
]


@app.command()
def consolidate(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The folder that is the memory; it is only read.")],
    *,
    organisation: Annotated[
        str, typer.Option("--org", metavar="ORG", help="Let the models of this organisation rule, within its budget.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where the proposal is written, outside of the memory.")
    ] = None,
    json: Json = False,
) -> int:
    """Propose what would put a memory in order, in one file to mark.

    Nothing else is written: dream apply does what is marked there.
    """
    from flows.commands.consolidating import consolidate_command  # noqa: PLC0415

    return say(consolidate_command(path, organisation=organisation, out=out), as_json=json)


@app.command()
def apply(
    proposal: Annotated[Path, typer.Argument(metavar="PROPOSAL", help="The file that dream consolidate wrote.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do what is marked; without it that is shown.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take the run back, every byte of it.")] = False,
    over_budget: Annotated[
        bool, typer.Option("--over-budget", help="Also where it takes away more than a night may.")
    ] = False,
    memory: Annotated[
        Path | None, typer.Option("--memory", metavar="PATH", help="Where the memory stands now, if it was moved.")
    ] = None,
    json: Json = False,
) -> int:
    """Show, do or undo what is marked in a proposal.

    Exit 3 where the memory moved under it or a rule refuses; nothing is changed then.
    """
    from flows.commands.applying import Wish, apply_command  # noqa: PLC0415

    wish = Wish(do=yes, undo=undo, over_budget=over_budget, memory=memory)
    return say(apply_command(proposal, wish), as_json=json)


@app.command(context_settings={"ignore_unknown_options": True})  # an entry begins with a dash
def similar(
    target: Annotated[str, typer.Argument(metavar="PATH|ORG", help="A folder, or an organisation.")],
    text: Text,
    *,
    most: Annotated[int, typer.Option("--most", metavar="N", min=1, max=50, help="Lines at most.")] = 5,
    within: Annotated[
        str, typer.Option("--within", metavar="NOTE", help="The note it goes into: what stands there already is left.")
    ] = "",
    json: Json = False,
) -> int:
    """List what a memory says already that is like a text.

    Exit 1 where the same stands there, or another value of the same thing; 0 otherwise.
    """
    from flows.commands.similar import similar_command  # noqa: PLC0415

    return say(similar_command(target, text, most=most, within=within), as_json=json)
