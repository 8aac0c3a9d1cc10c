"""The git program, asked to read: no configuration of this machine, no prompt, no hook, bounded time and output."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Timer
from typing import IO

from dream.errors import RemoteError

_CHUNK = 1 << 16
_TOLD = 500
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.askPass=",
    "credential.helper=",
    "protocol.ext.allow=never",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "gc.autoDetach=false",
    "maintenance.auto=false",
    "diff.renameLimit=2000",
    "log.showSignature=false",
)
_FIXED = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes -o ConnectTimeout=30",
    "HOME": "/dev/null",
    "LC_ALL": "C",
    "TZ": "UTC",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
}
_LOGIN = re.compile(rb"://[^/@\s]{1,1000}@")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """A bare repository to ask; `seconds` and `most` (bytes) bound each answer.

    `environment` is given to git as it is, over settings that read nothing of this machine: credentials come with it,
    and nothing of it is ever repeated.
    """

    repository: Path
    seconds: float
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    most: int = 64_000_000

    def ask(self, *arguments: str, given: bytes = b"") -> bytes:
        """Return what git prints. Raises RemoteError where it fails, takes too long or prints too much."""
        with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as told:
            asked.write(given)
            asked.seek(0)
            process = self._start(arguments, asked, told)
            expired = Event()
            timer = Timer(self.seconds, _expire, (process.pid, expired))
            timer.start()
            try:
                output = self._read(process, arguments[0])
                status = process.wait()
            finally:
                timer.cancel()
                if process.poll() is None:
                    _kill(process.pid)
                    process.wait()
            if expired.is_set():
                message = f"git {arguments[0]} took more than {self.seconds:g} seconds"
                raise RemoteError(message, way_out="see that the server answers, or allow more time")
            if status != 0:
                message = f"git {arguments[0]}: {_last_words(told)}"
                raise RemoteError(message, way_out="see that the address is right")
        return output

    def _start(self, arguments: tuple[str, ...], asked: IO[bytes], told: IO[bytes]) -> subprocess.Popen[bytes]:
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        try:
            return subprocess.Popen(
                ["git", *settings, f"--git-dir={self.repository}", *arguments],
                stdin=asked,
                stdout=subprocess.PIPE,
                stderr=told,
                env={**_FIXED, **self.environment},
                start_new_session=True,
            )
        except OSError as error:
            message = f"git cannot be run: {error.strerror}"
            raise RemoteError(message, way_out="install git where PATH finds it") from error

    def _read(self, process: subprocess.Popen[bytes], asked: str) -> bytes:
        output = bytearray()
        if process.stdout is not None:
            with process.stdout as printed:
                while chunk := printed.read(_CHUNK):
                    output += chunk
                    if len(output) > self.most:
                        message = f"git {asked} printed more than {self.most} bytes"
                        raise RemoteError(message, way_out="the repository is too large to be read whole")
        return bytes(output)


def _expire(group: int, expired: Event) -> None:
    expired.set()
    _kill(group)


def _kill(group: int) -> None:
    """End git and the programs that it started to reach the server."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _last_words(told: IO[bytes]) -> str:
    """Return the end of what git said, on one line and without a login."""
    told.seek(0)
    said = _LOGIN.sub(b"://", told.read(_CHUNK)).decode("utf-8", "replace")
    lines = [line.strip() for line in said.split("\n") if line.strip()]
    return _CONTROL.sub(" ", " / ".join(lines[-2:]))[-_TOLD:] or "it failed without a word"
