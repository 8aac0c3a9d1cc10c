"""A PostgreSQL server of its own on loopback, in a folder of its own, for as long as a test session lasts."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.support.guardian import guard
from tests.support.served import free_port

_PLACES = ("/usr/lib/postgresql", "/usr/local/lib/postgresql", "/opt/homebrew/opt")
_PATIENCE_SECONDS = 60
PASSWORD = "invented"
"""Of every role but the superuser, which needs none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Postgres:
    """A running server; `process` is the one that all others of it are children of."""

    port: int
    folder: Path
    process: subprocess.Popen[bytes]

    def url(self, role: str, database: str = "postgres") -> str:
        """The address of a database for a role, without a password."""
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"

    def connect(self, role: str = "postgres", database: str = "postgres") -> psycopg.Connection:
        """Return a connection that commits each statement."""
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user=role, password=PASSWORD, dbname=database, autocommit=True
        )

    def run(self, *statements: str, database: str = "postgres") -> None:
        """Run statements as the superuser."""
        with self.connect(database=database) as connection:
            for statement in statements:
                connection.execute(statement.encode())


def find_postgres() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest where there are several."""
    on_path = shutil.which("initdb")
    if on_path and (Path(on_path).resolve().parent / "postgres").exists():
        return Path(on_path).resolve().parent
    found = [path.parent for place in _PLACES for path in Path(place).glob("*/bin/initdb")]
    return max(found, key=lambda path: int("".join(filter(str.isdigit, path.parent.name)) or 0), default=None)


@contextmanager
def run_postgres(programs: Path) -> Iterator[Postgres]:
    """Run a server for as long as the context lasts; passwords count for every role but its superuser."""
    folder = Path(tempfile.mkdtemp(prefix="dream-test-postgres-"))
    try:
        user = _other_user()
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
        data = folder / "data"
        _run_as(user, [programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"])
        (data / "pg_hba.conf").write_text(
            "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n", encoding="utf-8"
        )
        port = free_port()
        settings = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": "", "fsync": "off"}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [programs / "postgres", "-D", data, *options],
                stdout=log,
                stderr=log,
                cwd=folder,
                env=_environment(),
                user=None if user is None else user.pw_uid,
                group=None if user is None else user.pw_gid,
            )
        try:
            running = Postgres(port=port, folder=folder, process=process)
            with guard(process, folder):
                _wait_for(running)
                yield running
        finally:
            _stop(process)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _other_user() -> pwd.struct_passwd | None:
    """Return whom a server runs as where this is root, as whom PostgreSQL refuses to run."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    message = "there is no user to run PostgreSQL as"
    raise RuntimeError(message)


def _environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": "/nonexistent"}


def _run_as(user: pwd.struct_passwd | None, command: list[str | Path]) -> None:
    subprocess.run(
        command,
        check=True,
        capture_output=True,
        cwd="/",
        env=_environment(),
        user=None if user is None else user.pw_uid,
        group=None if user is None else user.pw_gid,
    )


def _wait_for(server: Postgres) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            server.connect().close()
        except psycopg.OperationalError:
            if server.process.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


def _stop(process: subprocess.Popen[bytes]) -> None:
    for order in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        process.send_signal(signal.SIGCONT)
        process.send_signal(order)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            continue
        return
