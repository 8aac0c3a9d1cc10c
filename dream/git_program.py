"""The git program, run so that nothing of the machine's or a repository's configuration, hooks or attributes acts."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dream.errors import FatalError, TransientError


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a run may take: `output_bytes` are kept of each of its two outputs, the rest is read and dropped."""

    seconds: float
    output_bytes: int
    stall_seconds: int = 60
    """An http transfer that moves less than one byte a second for so long is given up."""
    kill_grace_seconds: float = 2
    """What it has for ending itself after it was asked to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a process ended; of its errors the end is kept, of its output the beginning."""

    status: int
    output: bytes
    errors: bytes
    timed_out: bool


_HARDENED = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.askPass=",
    "credential.helper=",
    "maintenance.auto=false",
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "submodule.recurse=false",
    "http.lowSpeedLimit=1",
)

_FIXED_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes -o ConnectTimeout=30",
    "HOME": "/dev/null",  # nothing can ever be in it
    "LC_ALL": "C",
    "TZ": "UTC",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
}

_PASSED_ON = (
    "PATH",
    "TMPDIR",
    "GIT_SSH_COMMAND",
    "GIT_SSL_CAINFO",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "SSH_AUTH_SOCK",
    "ALL_PROXY",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
)
_CREDENTIALS = "GIT_CONFIG_COUNT"


def passed_on(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what of a process's environment git may see: search path, proxies, certificates and ssh settings."""
    return {name: environment[name] for name in _PASSED_ON if name in environment}


def run_git(
    arguments: Sequence[str],
    *,
    repository: Path | None,
    environment: Mapping[str, str],
    bounds: Bounds,
    settings: Sequence[str] = (),
    stdin: bytes = b"",
) -> Ended:
    """Run git on a bare repository (None: on none) with `settings` (`name=value`) beside those that are always set.

    It sees `environment` and nothing else of this process's. After its time its whole process group is ended.

    Raises FatalError where there is no git program, and TransientError where the machine cannot start it now.
    """
    chosen = (
        *_HARDENED,
        f"http.lowSpeedTime={bounds.stall_seconds}",
        # a credential is for the configured host, never for where that host sends git
        f"http.followRedirects={'false' if _CREDENTIALS in environment else 'initial'}",
        *settings,
    )
    command = ["git", *(part for setting in chosen for part in ("-c", setting))]
    if repository is not None:
        command.append(f"--git-dir={repository}")
    process = _start([*command, *arguments], {**_FIXED_ENVIRONMENT, **environment}, fed=bool(stdin))
    return _Watch(process, bounds).wait(stdin)


def _start(command: Sequence[str], environment: Mapping[str, str], *, fed: bool) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            env=environment,
            cwd="/",
            stdin=subprocess.PIPE if fed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as failure:
        if failure.errno in {errno.ENOENT, errno.EACCES}:
            message = f"the git program cannot be run: {failure.strerror}"
            raise FatalError(
                message,
                way_out=f"install git where PATH finds it ({environment['PATH']})",
            ) from failure
        message = f"git cannot be started now: {failure.strerror}"
        raise TransientError(message, way_out="run again") from failure


class _Watch:
    """Wait for a process within a time limit, keeping a bounded part of what it says."""

    def __init__(self, process: subprocess.Popen[bytes], bounds: Bounds) -> None:
        self._process = process
        self._bounds = bounds
        self._output = bytearray()
        self._errors = bytearray()

    def wait(self, stdin: bytes) -> Ended:
        """Return how it ended; no process of its group is left, whatever happens."""
        threads = [
            threading.Thread(target=work, args=arguments, daemon=True)
            for work, *arguments in (
                (_feed, self._process.stdin, stdin),
                (self._drain, self._process.stdout, self._output, False),
                (self._drain, self._process.stderr, self._errors, True),
            )
            if arguments[0] is not None
        ]
        for thread in threads:
            thread.start()
        # a wait with a timeout looks every 50 ms, which for most runs of git is longer than they take
        end = threading.Thread(target=self._process.wait, daemon=True)
        end.start()
        try:
            end.join(timeout=self._bounds.seconds)
            timed_out = end.is_alive()
            if timed_out:
                self._kill()
        except BaseException:
            self._kill()
            raise
        for thread in threads:
            thread.join(timeout=self._bounds.kill_grace_seconds)
        code = self._process.returncode
        return Ended(
            status=-signal.SIGKILL if code is None else code,
            output=bytes(self._output),
            errors=bytes(self._errors),
            timed_out=timed_out,
        )

    def _drain(self, stream: IO[bytes], kept: bytearray, last: bool) -> None:  # noqa: FBT001 - a thread's target
        most = self._bounds.output_bytes
        with stream:
            while chunk := os.read(stream.fileno(), 65_536):
                kept += chunk
                if len(kept) > most:
                    del kept[slice(len(kept) - most) if last else slice(most, None)]

    def _kill(self) -> None:
        """Ask the whole group to end, so that git removes its locks, then end what is left of it."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(self._process.pid, number)
                self._process.wait(timeout=self._bounds.kill_grace_seconds)


def _feed(stream: IO[bytes], data: bytes) -> None:
    with suppress(OSError), stream:  # git does not have to read what it is told
        stream.write(data)
