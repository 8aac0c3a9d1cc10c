"""The git program as a process, bounded in time and in what it may say."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from dream.errors import FatalError, TransientError


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Seconds until it is ended, bytes that are kept of each output, and seconds that it has for ending itself."""

    seconds: float
    output_bytes: int
    kill_grace_seconds: float = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a process ended; of its errors the end is kept, of its output the beginning."""

    status: int
    output: bytes
    errors: bytes
    timed_out: bool


def run_bounded(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    stdin: bytes,
    bounds: Bounds,
) -> Ended:
    """Run a program with exactly this environment; after its time its whole process group is ended.

    Raises FatalError where there is no such program, and TransientError where the machine cannot start it now.
    """
    return _Watch(_start(command, environment, fed=bool(stdin)), bounds).wait(stdin)


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
        timed_out = False
        try:
            self._process.wait(timeout=self._bounds.seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
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
