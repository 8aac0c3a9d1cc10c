"""Servers that tests start end with the tests, also where those are killed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_WATCH = 'read -r _; kill -QUIT "$1"; sleep 1; kill -KILL "$1"; rm -rf -- "$2"'


@contextmanager
def guard(process: subprocess.Popen[bytes], folder: Path) -> Iterator[None]:
    """End a process and remove its folder if this process dies within the context, by whatever."""
    watching = subprocess.Popen(  # it reads from a pipe of which only this process has the other end
        ["sh", "-c", _WATCH, "guardian", str(process.pid), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        watching.kill()
        watching.communicate()
