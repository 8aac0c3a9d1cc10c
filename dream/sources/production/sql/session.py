"""One read-only transaction with a database, of a bounded length, that is always rolled back."""

from __future__ import annotations

import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import psycopg
from psycopg.conninfo import make_conninfo

from dream.sources.production.fields import printable
from dream.sources.production.port import Down, Refused

_TOLD = 300
_LEAST = 0.1
_BLANKS = re.compile(r"\s+")
_WHERE = re.compile(r"\A(?:connection failed: )?connection to server at .{1,300}? failed: ")
_AT_ONCE = 20
_MOST_TRIED = 3
_NO_ENTRY = ("28", "3D")
"""SQLSTATEs of a server that answers and will not have this role: another night changes nothing."""
_STATEMENT = ("42", "0A")
"""SQLSTATEs whose message names what a question is wrong in, and nothing that stands in the tables."""
_AWAY = ("08", "53", "57", "58")
_LOGIN = re.compile(
    r"password authentication failed|no password supplied|no pg_hba\.conf entry|role .{1,200} (?:does not exist|is not"
    r" permitted)|database .{1,200} does not exist|permission denied for database|does not support SSL|certificate"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where a database is and who asks it: `addresses` are those of `host`, and `seconds` bound a transaction."""

    host: str
    port: int
    addresses: tuple[str, ...]
    database: str
    role: str
    password: str = field(default="", repr=False)
    encrypted: bool = True
    seconds: float = 10


class SessionError(Exception):
    """A transaction that came to nothing, with the `answer` that says why."""

    def __init__(self, answer: Down | Refused) -> None:
        """Keep the answer."""
        super().__init__(answer.reason)
        self.answer = answer


@contextmanager
def open_transaction(server: Server) -> Iterator[psycopg.Connection]:
    """Yield a connection within a read-only transaction, which is rolled back at the end whatever happens.

    Raises SessionError for whatever the server says against it, and when it takes longer than it may.
    """
    late = threading.Event()
    started = time.monotonic()
    try:
        connection = psycopg.connect(make_conninfo("", **_parameters(server)))
    except (psycopg.Error, OSError, ValueError) as error:
        raise SessionError(_answer(error, server, late=False)) from None
    timer = threading.Timer(
        max(_LEAST, server.seconds - time.monotonic() + started), _hang_up, (connection.pgconn.socket, late)
    )
    timer.daemon = True
    timer.start()
    try:
        connection.read_only = True
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        with connection.transaction(force_rollback=True):
            for setting in _settings(server).items():
                connection.execute("SELECT pg_catalog.set_config(%s, %s, true)", setting)
            yield connection
    except (psycopg.Error, OSError, ValueError) as error:
        raise SessionError(_answer(error, server, late=late.is_set())) from None
    finally:
        timer.cancel()
        timer.join()
        with suppress(psycopg.Error, OSError):
            connection.close()


def describe_query(connection: psycopg.Connection, query: str) -> list[tuple[str, int]]:
    """Return the columns of a SELECT, each with the number of its type; it is not run.

    The server declares it as a cursor, which nothing but a query can be, and none that changes anything.
    """
    with psycopg.ServerCursor(connection, "columns") as cursor:
        cursor.execute(query.encode())
        return [(column.name, column.type_code) for column in cursor.description or ()]


def fetch_rows(connection: psycopg.Connection, query: str, most: int) -> Iterator[tuple[str | None, ...]]:
    """Yield up to `most` rows of a SELECT of texts, a few at a time."""
    with psycopg.ServerCursor(connection, "question") as cursor:
        cursor.execute(query.encode())
        left = most
        while left > 0 and (rows := cursor.fetchmany(min(left, _AT_ONCE))):
            left -= len(rows)
            yield from rows


def _parameters(server: Server) -> dict[str, str]:
    tries = server.addresses[:_MOST_TRIED]
    return {
        "host": ",".join([server.host] * len(tries)),
        "hostaddr": ",".join(tries),
        "port": ",".join([str(server.port)] * len(tries)),
        "dbname": server.database,
        "user": server.role,
        "password": server.password,
        "passfile": os.devnull,
        "sslmode": "require" if server.encrypted else "prefer",
        "gssencmode": "disable",
        "client_encoding": "utf8",
        "connect_timeout": str(max(2, int(server.seconds / len(tries)))),
        "application_name": "nightly-dreaming",
    }


def _settings(server: Server) -> dict[str, str]:
    """Return what holds for one transaction, set within it: a pooler lets no other way through."""
    milliseconds = str(max(1, int(server.seconds * 1000)))
    return {
        "default_transaction_read_only": "on",
        "statement_timeout": milliseconds,
        "lock_timeout": milliseconds,
        "idle_in_transaction_session_timeout": milliseconds,
        "search_path": "pg_catalog",
        "standard_conforming_strings": "on",
        "datestyle": "ISO",
        "intervalstyle": "iso_8601",
        "timezone": "UTC",
        "extra_float_digits": "1",
        "bytea_output": "hex",
        "max_parallel_workers_per_gather": "0",
    }


def _hang_up(descriptor: int, late: threading.Event) -> None:
    """End a conversation from another thread: whoever waits for an answer finds the line dead."""
    late.set()
    with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as line:
        line.shutdown(socket.SHUT_RDWR)


def _answer(error: Exception, server: Server, *, late: bool) -> Down | Refused:
    where = f"{server.host}:{server.port}"
    state = getattr(error, "sqlstate", None) or ""
    slow = (psycopg.errors.QueryCanceled, psycopg.errors.LockNotAvailable, psycopg.errors.ConnectionTimeout)
    if late or isinstance(error, slow):
        return Down(f"{where} took more than {server.seconds:g} seconds")
    if isinstance(error, ValueError):
        return Refused(f"{where}: an answer that cannot be read")
    said = _said(error, server.password)
    if state.startswith(_NO_ENTRY) or (not state and _LOGIN.search(said)):
        return Refused(f"{where} does not let the role {server.role} in: {said}")
    if state.startswith(_STATEMENT):
        return Refused(f"{where}: {said}")
    if not state or state.startswith(_AWAY):
        return Down(f"{where}: {said}")
    return Refused(f"{where}: {type(error).__name__} ({state})")


def _said(error: Exception, password: str) -> str:
    """Return the first words of a server's message: neither what it adds to them nor what it must not have repeated."""
    diagnosis = getattr(error, "diag", None)
    said = (diagnosis.message_primary if diagnosis else None) or _WHERE.sub("", str(error))
    if password:
        said = said.replace(password, "***")
    return printable(_BLANKS.sub(" ", said))[:_TOLD].strip() or type(error).__name__
