"""What a database says to each way of writing, tried so that nothing changes even where it is allowed.

A statement is only declared as a cursor, which the server reads and does not run; of functions and programs it is asked
who may use them. The one statement that is run makes a temporary table in a transaction that is rolled back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import psycopg
from psycopg import sql

from dream.sources.production.fields import printable
from dream.sources.production.port import Proof
from dream.sources.production.sql.role import Standing, read_standing
from dream.sources.production.sql.selects import Grants
from dream.sources.production.sql.session import Server, SessionError, describe_query, open_transaction
from dream.sources.production.sql.statements import Objection, read_statement

_TOLD = 120
_TABLE = """
SELECT n.nspname, c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
ORDER BY 1, 2 LIMIT 1
"""
_ALLOWED = "SELECT pg_catalog.has_function_privilege(session_user, %s::pg_catalog.regprocedure, 'EXECUTE')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A way of writing: a `statement`, the `powers` of a role that would let it through, and what it may call."""

    tried: str
    statement: str
    powers: tuple[str, ...] = ()
    function: str = ""


_SUPERUSER = "it is a superuser"
_ATTEMPTS = (
    Attempt(tried="insert a row", statement="INSERT INTO {table} DEFAULT VALUES"),
    Attempt(
        tried="delete in a WITH of a SELECT",
        statement="WITH gone AS (DELETE FROM {table} RETURNING *) SELECT * FROM gone",
    ),
    Attempt(
        tried="copy to a program",
        statement="COPY (SELECT 1) TO PROGRAM 'true'",
        powers=(_SUPERUSER, "it is a member of pg_execute_server_program"),
    ),
    Attempt(
        tried="end the session of another",
        statement="SELECT pg_terminate_backend(0) FROM {table}",
        powers=(_SUPERUSER, "it is a member of pg_signal_backend"),
    ),
    Attempt(
        tried="import a large object",
        statement="SELECT lo_import('/etc/hostname') FROM {table}",
        function="pg_catalog.lo_import(text)",
    ),
)


def prove(server: Server, grants: Grants) -> tuple[Proof, ...]:
    """Return what can be reached as whom, and how each attempt to write ended; the first is whether it answers."""
    try:
        with open_transaction(server) as connection:
            return tuple(_proofs(connection, server, grants))
    except SessionError as error:
        return (Proof(tried="connect", sound=False, seen=printable(error.answer.reason)),)


def _proofs(connection: psycopg.Connection, server: Server, grants: Grants) -> Iterator[Proof]:
    standing = read_standing(connection)
    where = f"PostgreSQL {standing.version} at {server.host}:{server.port}, {server.database}, as {standing.role}"
    yield Proof(tried="connect", sound=True, seen=printable(where))
    powers = "; ".join(standing.powers) or "it may change nothing: no table, sequence, schema, role or file"
    yield Proof(tried="privileges of the role", sound=not standing.powers, seen=printable(powers))
    refused = _refusal_of_temporary_table(connection)
    yield Proof(
        tried="write in the transaction of a question",
        sound=bool(refused) and standing.read_only,
        seen=refused or "a temporary table was made, and taken back with the transaction",
    )
    row = connection.execute(_TABLE).fetchone() or ("public", "services")
    table = sql.Identifier(*row).as_string(connection)
    for attempt in _ATTEMPTS:
        yield _try(connection, attempt, table, standing, grants)


def _try(connection: psycopg.Connection, attempt: Attempt, table: str, standing: Standing, grants: Grants) -> Proof:
    statement = attempt.statement.format(table=table)
    read = read_statement(statement, grants)
    by_reading = read.reason if isinstance(read, Objection) else ""
    by_server = _refusal_of_cursor(connection, statement)
    if attempt.powers:
        held = [power for power in attempt.powers if power in standing.powers]
        by_server = "" if held else "the role has no privilege for it"
    if attempt.function:
        (allowed,) = connection.execute(_ALLOWED, (attempt.function,)).fetchone() or (True,)
        by_server = "" if allowed else "the role may not call it"
    seen = f"not sent: {by_reading or 'IT WOULD BE SENT'}; the server: {by_server or 'WOULD DO IT'}"
    return Proof(tried=attempt.tried, sound=bool(by_reading and by_server), seen=printable(seen))


def _refusal_of_cursor(connection: psycopg.Connection, statement: str) -> str:
    try:
        with connection.transaction(force_rollback=True):
            describe_query(connection, statement)
    except psycopg.Error as error:
        return (error.diag.message_primary or type(error).__name__)[:_TOLD]
    return ""


def _refusal_of_temporary_table(connection: psycopg.Connection) -> str:
    with suppress(psycopg.errors.ReadOnlySqlTransaction), connection.transaction(force_rollback=True):
        connection.execute("CREATE TEMPORARY TABLE nightly_dreaming ()")
        return ""
    return "the server: this transaction is read-only"
