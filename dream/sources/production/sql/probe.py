"""A PostgreSQL database as a probe: one SELECT, in a read-only transaction, by a role that cannot write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import psycopg

from dream.sources.production.fields import kept_lines, printable
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.networks import allowed_addresses
from dream.sources.production.operations import no_operation
from dream.sources.production.port import Answer, Down, Found, Line, Nothing, Operation, Proof, Refused
from dream.sources.production.sql.cells import Column, cell_values, characters_of, row_lines
from dream.sources.production.sql.proofs import prove
from dream.sources.production.sql.role import Standing, read_standing
from dream.sources.production.sql.selects import Grants
from dream.sources.production.sql.session import Server, SessionError, describe_query, fetch_rows, open_transaction
from dream.sources.production.sql.statements import Objection, Statement, read_statement

_PORT = 5432
_SHOWN = 3
_SHORTEST_SECRET = 8
_SELECT = Operation(
    name="select",
    form="SELECT name, replicas FROM orders.services WHERE name = 'orders-api'",
    meaning="rows of one table: columns, at most one of count, sum, avg, min, max; = in WHERE says whose they are",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlSource:
    """A database and its role, as `url` names them, the functions and tables that a question may use, and its rows."""

    name: str
    url: str
    functions: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    rows: int = 100
    internal: bool = False


class SqlProbe:
    """A database that is only read. What is sent is written anew from what was understood of a question."""

    def __init__(self, source: SqlSource, *, secret: str = "", limits: ProbeLimits | None = None) -> None:
        """Take the database, and the password of its role."""
        self._source = source
        self._secret = secret
        self._limits = limits or ProbeLimits()
        self._grants = Grants(
            functions=frozenset(name.lower() for name in source.functions), tables=source.tables, rows=source.rows
        )

    @property
    def name(self) -> str:
        """How the organisation calls it."""
        return self._source.name

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The one way to ask it."""
        return (_SELECT,)

    def objection(self, operation: str, text: str) -> str:
        """Return why a question may not be put, "" where it may; nothing is asked."""
        if operation != _SELECT.name:
            return no_operation(operation, self.operations)
        read = read_statement(text, self._grants)
        return f"the probe takes no such question: {printable(read.reason)}" if isinstance(read, Objection) else ""

    def ask(self, operation: str, text: str) -> Answer:
        """Return the rows, in a line each, with as many of the first column's cells as values."""
        wrong = self.objection(operation, text)
        statement = read_statement(text, self._grants)
        if wrong or isinstance(statement, Objection):
            return Refused(wrong)
        server = self._server()
        if not isinstance(server, Server):
            return server
        try:
            with open_transaction(server) as connection:
                standing = read_standing(connection)
                return _objection_to_role(standing) or self._answer(connection, statement)
        except SessionError as error:
            return error.answer

    def examine(self) -> tuple[Proof, ...]:
        """Return who asks which server, and what it says to each way of writing; nothing that could write is run."""
        server = self._server()
        if not isinstance(server, Server):
            return (Proof(tried="connect", sound=False, seen=server.reason),)
        return prove(server, self._grants)

    def _server(self) -> Server | Down | Refused:
        try:
            parts = urlsplit(self._source.url)
            host, port = parts.hostname or "", parts.port or _PORT
        except ValueError:
            return Refused("the address of the database is none")
        if not host or parts.query or parts.fragment or parts.password is not None:
            return Refused("the address of the database holds more than a role, a host and a database")
        addresses = allowed_addresses(host, port, internal=self._source.internal, seconds=self._limits.seconds)
        if not isinstance(addresses, tuple):
            return addresses
        role = unquote(parts.username or "")
        if not role:
            return Refused("the address of the database names no role")
        return Server(
            host=host,
            port=port,
            addresses=addresses,
            database=unquote(parts.path.removeprefix("/")) or role,
            role=role,
            password=self._secret,
            encrypted=not self._source.internal,
            seconds=self._limits.seconds,
        )

    def _answer(self, connection: psycopg.Connection, statement: Statement) -> Answer:
        described = describe_query(connection, statement.text)
        keys = statement.keys or tuple(name for name, _ in described)
        columns = [
            Column(name=key, type=kind, computed=key in statement.computed)
            for (_, kind), key in zip(described, keys, strict=True)
        ]
        rows: list[tuple[str | None, ...]] = []
        bytes_left, cut = self._limits.output_bytes, False
        for row in fetch_rows(connection, self._bounded(statement, columns), statement.rows + 1):
            bytes_left -= sum(len(cell.encode()) for cell in row if cell is not None)
            if bytes_left < 0 or len(rows) == statement.rows:
                cut = True
                break
            rows.append(row)
        if len(self._secret) >= _SHORTEST_SECRET and any(self._secret in (cell or "") for row in rows for cell in row):
            return Refused("its answer holds the credential that it was sent")
        if not rows:
            return _nothing(cut=cut, statement=statement)
        if statement.summary and all(cell is None or cell == "0" for row in rows for cell in row):
            return Nothing(f"{statement.table} has nothing of which that could be said")
        lines, more = kept_lines(list(self._lines(statement, columns, rows)), self._limits)
        values = cell_values(columns[0], (row[0] for row in rows), self._limits)
        return Found(lines=lines, values=values[: self._limits.lines], names=statement.names, cut=cut or more)

    def _bounded(self, statement: Statement, columns: list[Column]) -> str:
        """Return the statement with each of its cells as text of no more characters than may be shown."""
        names = [f"c{place}" for place in range(len(columns))]
        cells = ", ".join(
            f'pg_catalog."left"({name}::pg_catalog.text, {characters_of(column, self._limits)})'
            for name, column in zip(names, columns, strict=True)
        )
        places = ", ".join(names)
        return f"SELECT {cells} FROM ({statement.text}) AS answer ({places})"  # noqa: S608  # written by code alone

    def _lines(self, statement: Statement, columns: list[Column], rows: list[tuple[str | None, ...]]) -> Iterator[Line]:
        for row in rows:
            yield from row_lines(statement.table, columns, row, self._limits)


def _nothing(*, cut: bool, statement: Statement) -> Nothing | Refused:
    if cut:
        return Refused(f"a row of {statement.table} is larger than an answer may be")
    return Nothing(f"{statement.table} has no such row")


def _objection_to_role(standing: Standing) -> Refused | None:
    if not standing.read_only:
        return Refused("the server did not begin a read-only transaction")
    if standing.powers:
        more = f" and {len(standing.powers) - _SHOWN} more" if len(standing.powers) > _SHOWN else ""
        shown = "; ".join(printable(power)[:100] for power in standing.powers[:_SHOWN])
        return Refused(f"a role that can write: {standing.role} ({shown}{more})")
    return None
