"""Each layer between a question and a change to a database, with the other layers taken out."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dream.sources.production.port import Down, Refused
from dream.sources.production.sql.probe import SqlProbe, SqlSource
from dream.sources.production.sql.role import read_standing
from dream.sources.production.sql.selects import Grants
from dream.sources.production.sql.session import Server, SessionError, describe_query, fetch_rows, open_transaction
from dream.sources.production.sql.statements import Objection, Statement, read_statement
from tests.support.postgres import PASSWORD, Postgres

TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'"
IMPORT = "SELECT lo_import('/etc/hostname')"
MAKE_OBJECT = "SELECT lo_create(0)"
PROGRAM = "COPY (SELECT 1) TO PROGRAM 'true'"
CTE = "WITH gone AS (DELETE FROM orders.services RETURNING name) SELECT name FROM gone"
INSERT = "INSERT INTO orders.services (name) VALUES ('planted')"
NUMBER = "SELECT nextval('orders.numbers')"
WAYS = {
    "terminate backend": TERMINATE,
    "import a large object": IMPORT,
    "make a large object": MAKE_OBJECT,
    "copy to a program": PROGRAM,
    "data-changing CTE": CTE,
    "insert": INSERT,
    "take a number": NUMBER,
}


@pytest.fixture
def victim(postgres: Postgres) -> Iterator[psycopg.Connection]:
    """A session of the superuser, for others to end."""
    with psycopg.connect(
        host="127.0.0.1", port=postgres.port, user="postgres", dbname="postgres", application_name="victim"
    ) as connection:
        yield connection


def server(postgres: Postgres, role: str, *, seconds: float = 10) -> Server:
    return Server(
        host="127.0.0.1",
        port=postgres.port,
        addresses=("127.0.0.1",),
        database="postgres",
        role=role,
        password=PASSWORD,
        encrypted=False,
        seconds=seconds,
    )


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_reading_of_a_statement_alone_refuses_it(way: str) -> None:
    assert isinstance(read_statement(way, Grants()), Objection)


PIECES = (
    *("name", "replicas", "*", "max(replicas)", "count(*)", "services", "nextval('orders.numbers')", "lo_create(0)"),
    *("(SELECT lo_create(0))", "orders.weight(replicas)", "name::text", "replicas + 1", "services.lo_create"),
)
CONDITIONS = (
    *("true", "name = 'orders-api'", "replicas > nextval('orders.numbers')", "lo_create(0) IS NOT NULL"),
    "name IN (SELECT name FROM orders.services)",
    "name IN (WITH gone AS (DELETE FROM orders.services RETURNING name) SELECT name FROM gone)",
    "name IN (DELETE FROM orders.services RETURNING name)",
    "coalesce(lo_create(0), 1) = 1",
    "name = (SELECT set_config('default_transaction_read_only', 'off', false))",
)
ENDS = ("", "FOR UPDATE", "LIMIT 1", "; DELETE FROM orders.services", "ORDER BY lo_create(0)", "GROUP BY name", "/* */")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=2), st.sampled_from(CONDITIONS), st.sampled_from(ENDS))
def test_what_the_reading_lets_through_changes_nothing_even_for_a_superuser(
    postgres: Postgres, pieces: list[str], condition: str, end: str
) -> None:
    text = f"SELECT {', '.join(pieces)} FROM orders.services WHERE {condition} {end}"  # noqa: S608
    read = read_statement(text, Grants())

    if isinstance(read, Statement):
        with postgres.connect() as anything_goes, suppress(psycopg.errors.ProgrammingError):
            anything_goes.execute(read.text.encode())
        assert state_of(postgres) == ((3, 0, 1, False),)


def state_of(postgres: Postgres) -> tuple[tuple[object, ...], ...]:
    with postgres.connect() as connection:
        return tuple(
            connection.execute(
                "SELECT (SELECT count(*) FROM orders.services), (SELECT count(*) FROM pg_largeobject_metadata),"
                " last_value, is_called FROM orders.numbers"
            ).fetchall()
        )


@pytest.mark.parametrize(
    ("way", "error"),
    [
        (TERMINATE, psycopg.errors.InsufficientPrivilege),
        (IMPORT, psycopg.errors.InsufficientPrivilege),
        (PROGRAM, psycopg.errors.InsufficientPrivilege),
        (CTE, psycopg.errors.InsufficientPrivilege),
        (INSERT, psycopg.errors.InsufficientPrivilege),
        (NUMBER, psycopg.errors.InsufficientPrivilege),
        ("CREATE TABLE public.planted ()", psycopg.errors.InsufficientPrivilege),
    ],
)
@pytest.mark.usefixtures("victim")
def test_the_role_alone_refuses_it(postgres: Postgres, way: str, error: type[Exception]) -> None:
    with postgres.connect("reader") as anything_goes, pytest.raises(error):
        anything_goes.execute(way.encode())


@pytest.mark.parametrize(
    ("way", "error"),
    [
        (INSERT, psycopg.errors.ReadOnlySqlTransaction),
        (CTE, psycopg.errors.ReadOnlySqlTransaction),
        (NUMBER, psycopg.errors.ReadOnlySqlTransaction),
        ("CREATE TABLE public.planted ()", psycopg.errors.ReadOnlySqlTransaction),
        ("CREATE TEMPORARY TABLE planted ()", psycopg.errors.ReadOnlySqlTransaction),
        ("SET TRANSACTION READ WRITE", psycopg.errors.ActiveSqlTransaction),
    ],
)
def test_the_transaction_alone_refuses_it_even_to_a_superuser(
    postgres: Postgres, way: str, error: type[Exception]
) -> None:
    with (
        open_transaction(server(postgres, "postgres")) as connection,
        pytest.raises(error),
        connection.transaction(),
    ):
        connection.execute(way.encode())


@pytest.mark.parametrize("way", [INSERT, CTE, PROGRAM, f"{NUMBER}; {INSERT}"])
def test_a_cursor_alone_takes_nothing_but_a_query_even_of_a_superuser(postgres: Postgres, way: str) -> None:
    with (
        postgres.connect() as anything_goes,
        anything_goes.transaction(force_rollback=True),
        pytest.raises((psycopg.errors.SyntaxError, psycopg.errors.FeatureNotSupported)),
    ):
        describe_query(anything_goes, way)


def test_what_a_superuser_makes_in_a_transaction_is_taken_back(postgres: Postgres) -> None:
    with suppress(SessionError), open_transaction(server(postgres, "postgres")) as connection:  # refused from 16 on
        assert len(list(fetch_rows(connection, MAKE_OBJECT, 5))) == 1

    with postgres.connect() as other:
        assert other.execute("SELECT count(*) FROM pg_largeobject_metadata").fetchone() == (0,)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("transaction_read_only", "on"),
        ("default_transaction_read_only", "on"),
        ("transaction_isolation", "repeatable read"),
        ("statement_timeout", "10s"),
        ("lock_timeout", "10s"),
        ("idle_in_transaction_session_timeout", "10s"),
        ("search_path", "pg_catalog"),
        ("standard_conforming_strings", "on"),
        ("TimeZone", "UTC"),
    ],
)
def test_a_transaction_has_its_own_settings_whatever_the_role_has(postgres: Postgres, setting: str, value: str) -> None:
    postgres.run(
        "ALTER ROLE writer SET default_transaction_read_only = off",
        "ALTER ROLE writer SET search_path = orders, public",
        "ALTER ROLE writer SET standard_conforming_strings = off",
        "ALTER ROLE writer SET statement_timeout = 0",
    )

    with open_transaction(server(postgres, "writer")) as connection:
        assert connection.execute("SELECT current_setting(%s)", (setting,)).fetchone() == (value,)


def test_a_slow_statement_is_ended_by_the_server(postgres: Postgres) -> None:
    slow = server(postgres, "reader", seconds=30)

    with open_transaction(slow) as connection:
        connection.execute("SELECT pg_catalog.set_config('statement_timeout', '50', true)")
        with pytest.raises(psycopg.errors.QueryCanceled), connection.transaction():
            list(fetch_rows(connection, "SELECT pg_sleep(60)", 1))


POWERS = {
    "GRANT INSERT ON orders.services TO {}": ("write on the table orders.services",),
    "GRANT UPDATE (env) ON orders.services TO {}": ("write on the table orders.services",),
    "GRANT TRUNCATE ON public.plain TO {}": ("write on the table public.plain",),
    "GRANT USAGE ON SEQUENCE orders.numbers TO {}": ("USAGE or UPDATE on the sequence orders.numbers",),
    "GRANT CREATE ON SCHEMA orders TO {}": ("CREATE on the schema orders",),
    "GRANT CREATE ON DATABASE postgres TO {}": ("CREATE on the database postgres",),
    "GRANT EXECUTE ON FUNCTION lo_import(text) TO {}": ("EXECUTE on the function lo_import",),
    "GRANT pg_signal_backend TO {}": ("it is a member of pg_signal_backend",),
    "GRANT pg_execute_server_program TO {}": ("it is a member of pg_execute_server_program",),
    "GRANT pg_read_server_files TO {}": ("it is a member of pg_read_server_files",),
    "GRANT pg_write_server_files TO {}": ("it is a member of pg_write_server_files",),
    "ALTER ROLE {} CREATEDB": ("it has CREATEDB",),
    "ALTER ROLE {} CREATEROLE": ("it has CREATEROLE",),
    "ALTER ROLE {} REPLICATION": ("it has REPLICATION",),
    "ALTER ROLE {} BYPASSRLS": ("it has BYPASSRLS",),
    "GRANT writer TO {}; ALTER ROLE {} NOINHERIT": ("write on the table orders.services",),
    "GRANT pg_read_all_data TO {}": (),
    "SELECT 1": (),
}


@pytest.mark.parametrize(("grant", "powers"), POWERS.items(), ids=POWERS)
def test_whatever_a_role_could_change_is_named_and_ends_every_question(
    postgres: Postgres, grant: str, powers: tuple[str, ...]
) -> None:
    postgres.run(f"CREATE ROLE suspect LOGIN PASSWORD '{PASSWORD}'", "GRANT USAGE ON SCHEMA orders TO suspect")
    postgres.run("GRANT SELECT ON orders.many TO suspect", grant.replace("{}", "suspect"))
    probe = SqlProbe(SqlSource(name="orders-db", url=postgres.url("suspect"), internal=True), secret=PASSWORD)
    try:
        with open_transaction(server(postgres, "suspect")) as connection:
            standing = read_standing(connection)
        asked = probe.ask("select", "SELECT id FROM orders.many LIMIT 1")
    finally:
        postgres.run(
            "DROP OWNED BY suspect", "REVOKE ALL ON FUNCTION lo_import(text) FROM suspect", "DROP ROLE suspect"
        )

    assert standing.powers == powers
    reason = getattr(asked, "reason", "")
    assert reason == (f"a role that can write: suspect ({powers[0]})" if powers else "")


def ask_while_silent(connection: psycopg.Connection) -> None:
    silenced = connection.info.backend_pid
    os.kill(silenced, signal.SIGSTOP)
    try:
        connection.execute("SELECT 1")
    finally:
        os.kill(silenced, signal.SIGCONT)


def test_a_server_that_falls_silent_in_the_middle_is_left_in_time(postgres: Postgres) -> None:
    with pytest.raises(SessionError) as raised, open_transaction(server(postgres, "reader", seconds=1)) as connection:
        ask_while_silent(connection)

    assert raised.value.answer == Down(f"127.0.0.1:{postgres.port} took more than 1 seconds")


def test_a_session_that_is_ended_by_somebody_is_down(postgres: Postgres) -> None:
    with pytest.raises(SessionError) as raised, open_transaction(server(postgres, "reader")) as connection:
        connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    assert raised.value.answer == Down(
        f"127.0.0.1:{postgres.port}: terminating connection due to administrator command"
    )


def test_what_must_be_encrypted_is_not_sent_in_the_open(postgres: Postgres) -> None:
    outside = replace(server(postgres, "reader"), encrypted=True)

    with pytest.raises(SessionError) as raised, open_transaction(outside):
        pytest.fail("it began")

    assert raised.value.answer == Refused(
        f"127.0.0.1:{postgres.port} does not let the role reader in: server does not support SSL, but SSL was required"
    )


def test_a_superuser_is_never_asked_anything(postgres: Postgres) -> None:
    probe = SqlProbe(SqlSource(name="orders-db", url=postgres.url("postgres"), internal=True))

    assert str(probe.ask("select", "SELECT name FROM orders.services")).startswith(
        "Refused(reason='a role that can write: postgres (it is a superuser; "
    )


def test_a_transaction_that_is_not_there_is_no_error_of_the_caller(postgres: Postgres) -> None:
    nobody = server(postgres, "nobody-of-that-name")

    with pytest.raises(SessionError), open_transaction(nobody):
        pytest.fail("it began")
