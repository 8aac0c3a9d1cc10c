"""What most commands take."""

from __future__ import annotations

from typing import Annotated

import typer

Organisation = Annotated[str, typer.Argument(metavar="ORG", help="The organisation's name.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
