"""The command line: which commands there are and what they take.

Nothing heavy is imported before a command needs it, so that `dream --help` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from flows.commands.arguments import spread
from flows.commands.edge import WRONG_USAGE, guarded, say
from flows.commands.fleet_app import app as fleet
from flows.commands.hand_app import app as by_hand
from flows.commands.history_app import app as history
from flows.commands.learnings_app import app as learnings
from flows.commands.options import AnyOrganisation, DryRun, Json, Night, Organisation
from flows.commands.reading_app import app as reading

app = typer.Typer(
    help="Keep the shared memory of AI agents true, one night at a time.",
    epilog="Exits: 0 done, 1 a task failed or there are findings, 2 wrong usage or configuration, 3 nothing landed.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(reading)
app.add_typer(fleet)
app.add_typer(by_hand)
app.add_typer(history, name="history")
app.add_typer(learnings, name="learnings")

Tasks = Annotated[list[str] | None, typer.Option(metavar="TASK…", help="Only these tasks.")]
Again = Annotated[list[str] | None, typer.Option(metavar="TASK…", help="These again, though they have landed.")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    asked = spread(words) or ["--help"]
    code = guarded(lambda: app(args=asked, prog_name="dream", standalone_mode=False), words)
    return code if words else WRONG_USAGE


@app.callback(invoke_without_command=True)
def _about(*, version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False) -> None:
    if version:
        from importlib.metadata import version as version_of  # noqa: PLC0415

        typer.echo(f"dream {version_of('nightly-dreaming')}")


@app.command()
def run(
    organisation: Organisation,
    *,
    night: Night = "",
    only: Tasks = None,
    redo: Again = None,
    dry_run: DryRun = False,
    prefect: Annotated[bool, typer.Option("--prefect", help="Run as a flow of Prefect.")] = False,
    accept_history: Annotated[
        bool, typer.Option("--accept-history", help="Take a rewritten history for good.")
    ] = False,
    json: Json = False,
) -> int:
    """Dream the night of one organisation.

    Without a date it is the newest that is due; what has landed is not done again.
    """
    from flows.commands.running import run_command  # noqa: PLC0415

    answer = run_command(
        organisation,
        night=night,
        only=only or (),
        redo=redo or (),
        dry_run=dry_run,
        use_prefect=prefect,
        accept_history=accept_history,
    )
    return say(answer, as_json=json)


@app.command()
def nightly(
    *,
    night: Night = "",
    all_rings: Annotated[
        bool, typer.Option("--all-rings", help="Dream every ring, whether or not those before it are sound.")
    ] = False,
    json: Json = False,
) -> int:
    """Dream the night of all organisations."""
    from flows.commands.running import nightly_command  # noqa: PLC0415

    return say(nightly_command(night=night, all_rings=all_rings), as_json=json)


@app.command()
def adopt(organisation: Organisation, *, dry_run: DryRun = False, json: Json = False) -> int:
    """Move prose out of an index that has outgrown what agents load.

    Into notes that it links, byte for byte and never a list of links, until there is room for the night's links. As
    with dream revert that lands at once, unless with --dry-run; one git revert takes it back.
    """
    from flows.commands.adopting import adopt_command  # noqa: PLC0415

    return say(adopt_command(organisation, dry_run=dry_run), as_json=json)


@app.command()
def check(
    target: Annotated[
        str, typer.Argument(metavar="[PATH|ORG]", help="A folder, a bare repository, or an organisation; this folder.")
    ] = ".",
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]…", help="Tell what is in these files alone.")
    ] = None,
    *,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what has one answer, in a folder.")] = False,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules and end.")] = False,
    json: Json = False,
) -> int:
    """Tell what is to be mended in a memory.

    Exit 1 on errors and warnings. An organisation goes before a folder of the same name: write ./NAME for that.
    """
    from flows.commands.checking import check_memory, list_rules  # noqa: PLC0415

    return say(list_rules() if rules else check_memory(target, files=files or (), fix=fix), as_json=json)


@app.command()
def manifest(
    organisation: Organisation,
    *,
    budget: Annotated[
        int,
        typer.Option(
            "--budget",
            metavar="TOKENS",
            help="How long it may get, 300 or more; without it as configured.",
            show_default=False,
        ),
    ] = 0,
    query: Annotated[
        str, typer.Option("--query", metavar="TEXT", help="Only notes with a word of it, best first.")
    ] = "",
    json: Json = False,
) -> int:
    """Print the notes that an agent is to see first.

    The most relevant first: what nobody changed, checked or read fades. Each with what is near it and why.
    """
    from flows.commands.manifest import manifest_command  # noqa: PLC0415

    return say(manifest_command(organisation, budget=budget, query=query), as_json=json)


@app.command()
def condense(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript, of whatever tool.")], *, json: Json = False
) -> int:
    """Print what is worth reading of a transcript.

    Of each session in it. Exit 1 if the file is refused.
    """
    from flows.commands.condensing import condense_command  # noqa: PLC0415

    return say(condense_command(path), as_json=json)


@app.command()
def init(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="Where the bare repository is made.")],
    *,
    branch: Annotated[str, typer.Option("--branch", metavar="NAME", help="The branch that is the memory.")] = "main",
    folder: Annotated[
        str, typer.Option("--folder", metavar="FOLDER", help="The folder that is the memory, where it is not all.")
    ] = "",
    push_bytes: Annotated[
        int, typer.Option("--push-bytes", metavar="BYTES", min=1, help="How much one push may hold.")
    ] = 100_000_000,
    json: Json = False,
) -> int:
    """Make a new memory, with its hook and what it refuses of a push.

    A bare repository that is there already gets the hook that guards .dream/ and what it is missing of the settings.
    """
    from flows.commands.hosting import init_command  # noqa: PLC0415

    return say(init_command(path, branch=branch, folder=folder, push_bytes=push_bytes), as_json=json)


@app.command()
def doctor(organisation: AnyOrganisation = "") -> int:
    """Look whether nights can go on.

    Writes nothing to a memory. Exit 1 if something fails.
    """
    from flows.commands.doctor import doctor_command  # noqa: PLC0415

    return say(doctor_command(organisation))


@app.command()
def probe(
    organisation: Organisation,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A system; all of them without one.")] = "",
    operation: Annotated[
        str, typer.Argument(metavar="[OPERATION]", help="What is asked; without one, what can be.")
    ] = "",
    text: Annotated[list[str] | None, typer.Argument(metavar="[TEXT]", help="What the operation takes.")] = None,
    *,
    json: Json = False,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Append the answer to a file of recorded ones.")
    ] = None,
) -> int:
    """List the systems that claims are checked against, or ask one.

    Read-only. Exit 0 if it answers, 1 if it has nothing, is down or refuses. Where the answer comes to one value, the
    check that an entry can be given is printed with it.
    """
    from flows.commands.probing import probe_command  # noqa: PLC0415

    answer = probe_command(organisation, name, operation, " ".join(text or ()), record=record)
    return say(answer, as_json=json)


@app.command()
def source(
    organisation: Organisation,
    source: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE", help="As an entry, a record or a commit has it: thread_x, thread_x/m12, o3@DATE."
        ),
    ],
    *,
    json: Json = False,
) -> int:
    """Tell where an entry comes from.

    Down to the lines that were said: of a quote's mark its words, of a thread the entries that rest on it and what
    nights kept of it, of o3@2026-10-22 what a system answered that night. Exit 1 where nothing is found.
    """
    from flows.commands.sources import source_command  # noqa: PLC0415

    return say(source_command(organisation, " ".join(source)), as_json=json)
