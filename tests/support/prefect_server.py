"""A Prefect server on a PostgreSQL of its own, with workers, in one folder; all of it ends with the context."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.support.postgres import Postgres, find_postgres, run_postgres
from tests.support.prefect_api import PrefectApi
from tests.support.served import free_port

ROOT = Path(__file__).resolve().parents[2]
POOL = "dreaming"
_PROGRAMS = Path(sys.executable).parent
_PATIENCE_SECONDS = 180
_GUARDIAN = (
    'read -r _; for end in 1 2 3; do for one in /proc/[0-9]*; do grep -qsF "$1" "$one/environ" && '
    'kill -KILL "${one#/proc/}"; done; sleep 1; done; rm -rf -- "$2"'
)


@dataclass(kw_only=True)
class PrefectStack:
    """A server, its database and its workers; what runs of it has the folder in its environment."""

    folder: Path
    database: Postgres
    port: int
    told: Mapping[str, str] = field(default_factory=dict)
    """What every process of it is told besides, such as the `DREAM_…` variables."""
    server: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    revived: subprocess.Popen[bytes] | None = None
    """PostgreSQL, where it was stopped and started again."""
    _stopped: Sequence[bytes] = ()
    _started: int = 0

    @property
    def url(self) -> str:
        """The address of the server's API."""
        return f"http://127.0.0.1:{self.port}/api"

    @property
    def api(self) -> PrefectApi:
        """The server's API."""
        return PrefectApi(url=self.url)

    @property
    def marker(self) -> str:
        """What stands in the environment of every process of this stack, and of no other."""
        return f"PREFECT_HOME={self.folder / 'prefect'}"

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment of its processes: nothing of who started them but the path."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        address = f"postgresql+asyncpg://postgres@127.0.0.1:{self.database.port}/prefect"
        return {
            "PATH": f"{_PROGRAMS}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "GIT_CONFIG_NOSYSTEM": "1",
            "DO_NOT_TRACK": "1",
            "PREFECT_HOME": str(self.folder / "prefect"),
            "PREFECT_API_URL": self.url,
            "PREFECT_API_DATABASE_CONNECTION_URL": address,
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_SERVER_UI_ENABLED": "false",
            "PREFECT_CLI_PROMPT": "false",
            "PREFECT_WORKER_QUERY_SECONDS": "2",
            **self.told,
        }

    def start_server(self) -> None:
        """Start the server and return once it answers; raises RuntimeError where it never does."""
        self.server = self._start("server", ["server", "start", "--host", "127.0.0.1", "--port", str(self.port)])
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < deadline and self.server.poll() is None:
            with suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/health", timeout=5, trust_env=False).status_code == httpx.codes.OK:
                    return
            time.sleep(0.1)
        message = f"the Prefect server never answered: {self.said('server')}"
        raise RuntimeError(message)

    def kill_server(self) -> None:
        """Kill the server, as a machine that loses power does."""
        if self.server is not None:
            end_group(self.server)
            self.server = None

    def stop_database(self) -> None:
        """Stop PostgreSQL as its operator would in a hurry: whoever was connected is cut off."""
        process = self.revived or self.database.process
        command = _read(process.pid, "cmdline").split(b"\0")[:-1]
        process.send_signal(signal.SIGINT)
        process.wait(60)
        self._stopped = command

    def start_database(self) -> None:
        """Start PostgreSQL again on what it had."""
        owner = (self.database.folder / "data").stat()
        with (self.database.folder / "log").open("ab") as log:
            self.revived = subprocess.Popen(
                self._stopped,
                stdout=log,
                stderr=log,
                cwd=self.database.folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": "/nonexistent"},
                user=owner.st_uid if os.getuid() == 0 else None,
                group=owner.st_gid if os.getuid() == 0 else None,
            )

    def start_worker(
        self, *, limit: int | None = None, told: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a worker that runs at most `limit` flow runs at once; `told` is its environment besides."""
        self._started += 1
        name = f"worker-{self._started}"
        words = ["worker", "start", "--pool", POOL, "--name", name, "--type", "process"]
        worker = self._start(name, [*words, *(["--limit", str(limit)] if limit else [])], told)
        self.workers.append(worker)
        return worker

    def prefect(self, *arguments: str) -> str:
        """Run Prefect's own command line and return what it prints; raises RuntimeError with what it said."""
        done = subprocess.run(
            [str(_PROGRAMS / "prefect"), *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            message = f"prefect {' '.join(arguments)}: {done.stdout}{done.stderr}"
            raise RuntimeError(message)
        return done.stdout

    def deploy(self, file: Path = ROOT / "deploy" / "prefect.yaml", *, names: Sequence[str] = ()) -> None:
        """Make the pool and the deployments of a file, all unless `names` are given, as the operator's guide says."""
        if not any(pool["name"] == POOL for pool in self.api.post("/work_pools/filter", {})):
            self.prefect("work-pool", "create", POOL, "--type", "process")
        which = [word for name in names for word in ("--name", name)] or ["--all"]
        self.prefect("--no-prompt", "deploy", *which, "--prefect-file", str(file))

    def said(self, name: str, *, characters: int = 3000) -> str:
        """Return the end of what a process of this stack said."""
        log = self.folder / f"{name}.log"
        return log.read_text(encoding="utf-8", errors="replace")[-characters:] if log.exists() else ""

    def processes(self, word: str = "") -> list[int]:
        """Return every process of this stack whose command line holds `word`, oldest first."""
        return sorted(pid for pid in marked(self.marker) if word.encode() in _read(pid, "cmdline"))

    def owns(self, pid: int) -> bool:
        """Whether a process is of this stack."""
        return self.marker.encode() in _read(pid, "environ").split(b"\0")

    def end(self) -> None:
        """Kill what runs of this stack: the server, the workers, and every flow run that they started."""
        for _ in range(50):
            left = marked(self.marker)
            if not left:
                break
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.1)
        if self.revived is not None:
            self.revived.send_signal(signal.SIGQUIT)
        for process in [
            *self.workers,
            *([self.revived] if self.revived else []),
            *([self.server] if self.server else []),
        ]:
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)

    def _start(self, name: str, words: Sequence[str], told: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [str(_PROGRAMS / "prefect"), *words],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd=self.folder,
                env={**self.environment, **(told or {})},
                start_new_session=True,
            )


@contextmanager
def prefect_stack(told: Mapping[str, str] | None = None) -> Iterator[PrefectStack]:
    """Run a Prefect server on a PostgreSQL of its own for as long as the context lasts; about twelve seconds."""
    programs = find_postgres()
    if programs is None:
        message = "PostgreSQL is not installed: apt-get install postgresql"
        raise RuntimeError(message)
    with (
        tempfile.TemporaryDirectory(prefix="dream-prefect-", ignore_cleanup_errors=True) as folder,
        run_postgres(programs) as database,
    ):
        database.run("CREATE DATABASE prefect")
        stack = PrefectStack(folder=Path(folder), database=database, port=free_port(), told=told or {})
        watching = subprocess.Popen(  # it reads from a pipe of which only this process has the other end
            ["sh", "-c", _GUARDIAN, "guardian", stack.marker, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            stack.start_server()
            yield stack
        finally:
            stack.end()
            watching.kill()
            watching.communicate()


def marked(marker: str) -> list[int]:
    """Return every process that was started with `marker` in its environment."""
    wanted = marker.encode()
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [pid for pid in pids if wanted in _read(pid, "environ").split(b"\0")]


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with all that it started in its session, and wait for it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""
