"""What most commands take."""

from __future__ import annotations

from typing import Annotated

import typer

Organisation = Annotated[str, typer.Argument(metavar="ORG", help="The organisation's name.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
AnyOrganisation = Annotated[str, typer.Argument(metavar="[ORG]", help="The organisation's name; all without one.")]
Night = Annotated[str, typer.Option("--night", metavar="DATE", help="The night, such as 2026-10-22.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Do everything but push.")]
