"""The real systems of an organisation that claims are checked against, read-only, and how much each may be asked."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from config.addresses import Address, Branch, PlacedPath
from config.credentials import Reference
from config.quantities import AtLeastOne, Frozen

_LONGEST_NAME = 63
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CONTROL = re.compile(r"[\x00-\x20\x7f]")
_HEADER = re.compile(r"[A-Za-z0-9-]{1,100}")


def _slug(name: str) -> str:
    if len(name) > _LONGEST_NAME or not _SLUG.fullmatch(name):
        message = f"must be at most {_LONGEST_NAME} of a-z, 0-9 and single hyphens, such as orders-db"
        raise ValueError(message)
    return name


def _server(url: str, schemes: tuple[str, ...], example: str) -> str:
    """Return `url` if it names a server of one of `schemes` and holds no password."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if _CONTROL.search(url) or not host or parts.scheme not in schemes:
        message = f"must be an address such as {example}"
        raise ValueError(message)
    if parts.password is not None or (parts.username is not None and "postgresql" not in schemes):
        message = "holds a login; write `credential: env:NAME` or `credential: file:PATH` beside it"
        raise ValueError(message)
    if parts.fragment or parts.query:
        message = "holds more than an address"
        raise ValueError(message)
    return url


def _web(url: str) -> str:
    return _server(url, ("http", "https"), "https://status.acme.example/api")


def _database(url: str) -> str:
    return _server(url, ("postgresql",), "postgresql://dream_reader@db.acme.example:5432/orders")


def _header(name: str) -> str:
    if not _HEADER.fullmatch(name):
        message = "is no name of a header"
        raise ValueError(message)
    return name


Name = Annotated[str, AfterValidator(_slug)]
WebAddress = Annotated[str, AfterValidator(_web)]
DatabaseAddress = Annotated[str, AfterValidator(_database)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Header = Annotated[str, AfterValidator(_header)]


class _Probe(Frozen):
    """What every probe has: its name, where its secret is, and what one question may take and give.

    `seconds` of waiting, `output_bytes` of an answer, `lines` of it that are kept, questions a minute. With `internal`
    it may be in the network of this machine (private, loopback or link-local addresses); without, it is refused there.
    """

    name: Name
    credential: Reference = ""
    internal: bool = False
    seconds: Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)] = 10
    output_bytes: AtLeastOne = 1_000_000
    lines: AtLeastOne = 200
    line_characters: Annotated[int, Field(ge=80)] = 500
    calls_per_minute: AtLeastOne = 60


class CodeProbe(_Probe):
    """Code in a git repository; an empty branch is the repository's own choice."""

    kind: Literal["code"]
    url: Address
    branch: Branch = ""


class HttpProbe(_Probe):
    """A server that answers GET below `url`; `paths` are patterns of what may be asked (`/services/*`).

    The credential is sent as a bearer token, or in the header `credential_header`. Of an answer's headers only
    `headers` are shown.
    """

    kind: Literal["http"]
    url: WebAddress
    paths: tuple[Text, ...] = ("/*",)
    headers: tuple[Header, ...] = ()
    credential_header: Header = "Authorization"


class PrometheusProbe(_Probe):
    """A Prometheus server, or what speaks its query API; the credential is a bearer token."""

    kind: Literal["prometheus"]
    url: WebAddress


class SqlProbe(_Probe):
    """A PostgreSQL database, its address with the role: `postgresql://dream_reader@db/orders`.

    The credential is the role's password. A query may use the `functions` named here beside those that are known to be
    harmless, and reads no table outside `tables` (`public.orders`, `reporting.*`), where any are named.
    """

    kind: Literal["sql"]
    url: DatabaseAddress
    functions: tuple[Text, ...] = ()
    tables: tuple[Text, ...] = ()
    rows: AtLeastOne = 100


class McpProbe(_Probe):
    """An MCP server, by its `url` (streamable HTTP) or the `command` that starts it.

    `tools` are those that may be called, and of them only those that the server marks read-only. The credential is a
    bearer token, or goes into the variable `credential_variable` of the command, which is given the variables that
    `environment` names and no other of this process. After so many `deaths` of sessions in a row it is asked no more.
    """

    kind: Literal["mcp"]
    url: WebAddress | Literal[""] = ""
    command: tuple[Text, ...] = ()
    credential_variable: str = ""
    environment: tuple[Text, ...] = ()
    tools: tuple[Text, ...] = ()
    deaths: AtLeastOne = 3

    @model_validator(mode="after")
    def _one_way_in(self) -> Self:
        if bool(self.url) == bool(self.command):
            message = "must have either a url or a command"
            raise ValueError(message)
        return self


class RecordedProbe(_Probe):
    """Answers that were recorded in a file, for rehearsals: what is not in it is not known."""

    kind: Literal["recorded"]
    path: PlacedPath


Production = Annotated[
    CodeProbe | HttpProbe | PrometheusProbe | SqlProbe | McpProbe | RecordedProbe, Field(discriminator="kind")
]
