"""Servers that are away, slow, or let nobody in; and what a person is shown who sets a probe up."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Answer, Down, Found, Proof, Refused
from dream.sources.production.sql.probe import SqlProbe, SqlSource
from tests.support.postgres import PASSWORD, Postgres, find_postgres, run_postgres
from tests.support.served import free_port

QUESTION = "SELECT name FROM orders.services"


def ask(
    url: str, *, secret: str = PASSWORD, internal: bool = True, seconds: float = 10, text: str = QUESTION
) -> Answer:
    source = SqlSource(name="orders-db", url=url, internal=internal)
    return SqlProbe(source, secret=secret, limits=ProbeLimits(seconds=seconds)).ask("select", text)


def test_a_wrong_password_is_refused_and_not_repeated(postgres: Postgres) -> None:
    where = f"127.0.0.1:{postgres.port} does not let the role reader in"

    assert ask(postgres.url("reader"), secret="mistyped") == Refused(
        f'{where}: FATAL: password authentication failed for user "reader"'
    )
    assert ask(postgres.url("reader", "nowhere")) == Refused(f'{where}: FATAL: database "nowhere" does not exist')


def test_a_password_shows_nowhere(postgres: Postgres) -> None:
    postgres.run("CREATE ROLE mistyped_secret LOGIN PASSWORD 'other'")
    try:
        asked = ask(postgres.url("mistyped_secret"), secret="mistyped_secret")
    finally:
        postgres.run("DROP ROLE mistyped_secret")

    assert 'user "***"' in str(asked)
    assert "hunter2" not in repr(SqlProbe(SqlSource(name="a", url=postgres.url("a")), secret="hunter2"))


def test_an_answer_that_holds_the_password_is_refused(postgres: Postgres) -> None:
    postgres.run(f"CREATE TABLE public.keys AS SELECT 'postgresql://reader:{PASSWORD}@db' AS url")
    postgres.run("GRANT SELECT ON public.keys TO reader")
    try:
        asked = ask(postgres.url("reader"), text="SELECT url FROM keys")
    finally:
        postgres.run("DROP TABLE public.keys")

    assert asked == Refused("its answer holds the credential that it was sent")


def test_a_server_within_the_network_is_refused_unless_it_is_said_to_be_there(postgres: Postgres) -> None:
    assert ask(postgres.url("reader"), internal=False) == Refused(
        "127.0.0.1 is inside a network (127.0.0.1), which only `internal: true` allows"
    )


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (
            "postgresql://reader:secret@127.0.0.1/x",
            "the address of the database holds more than a role, a host and a database",
        ),
        (
            "postgresql://reader@127.0.0.1/x?sslmode=disable",
            "the address of the database holds more than a role, a host and a database",
        ),
        ("postgresql://127.0.0.1/x", "the address of the database names no role"),
        ("postgresql://reader@127.0.0.1:port/x", "the address of the database is none"),
    ],
)
def test_an_address_with_a_password_or_options_is_refused(url: str, reason: str) -> None:
    assert ask(url) == Refused(reason)


def test_a_server_that_is_not_there_is_down() -> None:
    port = free_port()

    asked = ask(f"postgresql://reader@127.0.0.1:{port}/orders")

    assert isinstance(asked, Down)
    assert asked.reason.startswith(f"127.0.0.1:{port}: Connection refused")


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of something that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_a_server_that_never_says_a_word_is_down_in_time(silent: int) -> None:
    assert ask(f"postgresql://reader@127.0.0.1:{silent}/orders", seconds=2) == Down(
        f"127.0.0.1:{silent} took more than 2 seconds"
    )


def test_something_that_is_no_database_is_down() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def answer() -> None:
            with suppress(OSError):  # the test may end, and close this, before a second one comes
                for _ in range(2):
                    connection, _ = listening.accept()
                    with connection:
                        connection.recv(1000)
                        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        asked = ask(f"postgresql://reader@127.0.0.1:{port}/orders", seconds=2)

    assert isinstance(asked, Down)


def test_a_slow_query_is_down_with_the_time_that_it_had(postgres: Postgres) -> None:
    asked = ask(postgres.url("reader"), seconds=1, text="SELECT name, waited FROM orders.slow")

    assert asked == Down(f"127.0.0.1:{postgres.port} took more than 1 seconds")


def test_a_server_that_stops_answering_is_down_then_gone_and_back(postgres: Postgres) -> None:
    """A whole server of its own: it is halted, ended and started again."""
    programs = find_postgres()
    assert programs is not None
    with run_postgres(programs) as own:
        own.run(
            "CREATE SCHEMA orders",
            "CREATE TABLE orders.services (name text)",
            "INSERT INTO orders.services VALUES ('orders-api')",
            f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'",
            "GRANT USAGE ON SCHEMA orders TO reader",
            "GRANT SELECT ON orders.services TO reader",
        )
        assert isinstance(ask(own.url("reader")), Found)
        own.process.send_signal(signal.SIGSTOP)
        halted = ask(own.url("reader"), seconds=2)
        own.process.send_signal(signal.SIGCONT)
        again = ask(own.url("reader"))
        own.process.send_signal(signal.SIGINT)
        own.process.wait(timeout=30)
        gone = ask(own.url("reader"))

    assert halted == Down(f"127.0.0.1:{own.port} took more than 2 seconds")
    assert isinstance(again, Found)
    assert isinstance(gone, Down)
    assert own.port != postgres.port


def examine(postgres: Postgres, role: str) -> tuple[Proof, ...]:
    source = SqlSource(name="orders-db", url=postgres.url(role), internal=True)
    return SqlProbe(source, secret=PASSWORD).examine()


def test_a_reader_is_shown_to_be_unable_to_write(postgres: Postgres) -> None:
    proofs = examine(postgres, "reader")

    assert [(proof.tried, proof.sound) for proof in proofs] == [
        ("connect", True),
        ("privileges of the role", True),
        ("write in the transaction of a question", True),
        ("insert a row", True),
        ("delete in a WITH of a SELECT", True),
        ("copy to a program", True),
        ("end the session of another", True),
        ("import a large object", True),
    ]
    assert proofs[0].seen.endswith(f"at 127.0.0.1:{postgres.port}, postgres, as reader")
    assert proofs[4].seen == (
        "not sent: a statement that begins with WITH; the server: DECLARE CURSOR must not contain data-modifying"
        " statements in WITH"
    )


def test_a_role_that_can_write_is_told_by_which_privilege(postgres: Postgres) -> None:
    proofs = examine(postgres, "writer")

    assert [proof for proof in proofs if not proof.sound] == [
        Proof(tried="privileges of the role", sound=False, seen="write on the table orders.services")
    ]


def test_of_a_superuser_it_is_said_what_only_the_reading_of_statements_would_stop(postgres: Postgres) -> None:
    before = rows(postgres)

    assert {proof.tried for proof in examine(postgres, "postgres") if not proof.sound} == {
        "privileges of the role",
        "copy to a program",
        "end the session of another",
        "import a large object",
    }
    assert rows(postgres) == before


def rows(postgres: Postgres) -> list[tuple[object, ...]]:
    with postgres.connect() as connection:
        return connection.execute(
            "SELECT (SELECT count(*) FROM orders.services), (SELECT count(*) FROM pg_largeobject_metadata),"
            " (SELECT count(*) FROM pg_class)"
        ).fetchall()


def test_a_server_that_is_not_there_is_no_proof() -> None:
    source = SqlSource(name="orders-db", url=f"postgresql://reader@127.0.0.1:{free_port()}/orders", internal=True)

    (proof,) = SqlProbe(source).examine()

    assert (proof.tried, proof.sound) == ("connect", False)
