"""`dream history …`: what its four commands take.

Nothing heavy is imported before one of them needs it.
"""

from __future__ import annotations

from typing import Annotated

import typer

from flows.commands.edge import say
from flows.commands.options import Json, Organisation

app = typer.Typer(
    help="List, show and search past sessions. Exits 1 where nothing is found or something kept is damaged.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

Session = Annotated[str, typer.Argument(metavar="ID", help="A session as the last field of its line names it.")]
Since = Annotated[str, typer.Option("--since", metavar="DATE", help="Those that ended on this day or later.")]
Until = Annotated[str, typer.Option("--until", metavar="DATE", help="Those that began on this day or earlier.")]
Person = Annotated[str, typer.Option("--person", metavar="NAME", help="Those in which this person took part.")]
Repository = Annotated[
    str, typer.Option("--repository", metavar="NAME", help="Those in this repository, or whose name ends so.")
]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="At most so many.")]


@app.command("list")
def list_sessions(
    organisation: Organisation,
    *,
    since: Since = "",
    until: Until = "",
    person: Person = "",
    repository: Repository = "",
    limit: Limit = None,
    json: Json = False,
) -> int:
    """List past sessions, the latest first, a line each.

    When and how long, who, where, what got done, its pull requests, and its name; two blanks part them.
    """
    from flows.commands.past import Filters, list_command  # noqa: PLC0415

    filters = Filters(since=since, until=until, person=person, repository=repository)
    return say(list_command(organisation, filters, limit=limit or 0), as_json=json)


@app.command("show")
def show_session(organisation: Organisation, session: Session, *, json: Json = False) -> int:
    """Print a session's line and what is worth reading of it."""
    from flows.commands.past import show_command  # noqa: PLC0415

    return say(show_command(organisation, session), as_json=json)


@app.command("transcript")
def show_transcript(organisation: Organisation, session: Session, *, json: Json = False) -> int:
    """Print all of a session."""
    from flows.commands.past import transcript_command  # noqa: PLC0415

    return say(transcript_command(organisation, session), as_json=json)


@app.command("search")
def search_sessions(
    organisation: Organisation,
    words: Annotated[list[str] | None, typer.Argument(metavar="WORD…", help="All of them, in whatever case.")] = None,
    *,
    regex: Annotated[str, typer.Option("--regex", metavar="PATTERN", help="Lines that this is found in.")] = "",
    full: Annotated[
        bool, typer.Option("--full", help="Search all that was said, and not what is worth reading.")
    ] = False,
    since: Since = "",
    until: Until = "",
    person: Person = "",
    repository: Repository = "",
    limit: Limit = None,
    json: Json = False,
) -> int:
    """Search past sessions, the latest first.

    Prints the lines that hold what is looked for, up to 200 of them unless told otherwise, as `session:message: line`;
    without a message it is the session's own line.
    """
    from flows.commands.past import Filters, search_command  # noqa: PLC0415

    filters = Filters(since=since, until=until, person=person, repository=repository)
    answer = search_command(organisation, words or (), filters, regex=regex, full=full, limit=limit or 0)
    return say(answer, as_json=json)
