"""One run at a time per organisation; it only saves work, since landing alone decides what counts."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dream.repository.failures import LockedError, write_failure, writing
from dream.repository.kept_files import private_folder

_RETRY_SECONDS = 0.05


@contextmanager
def lock(home: Path, *, wait_seconds: float = 0) -> Iterator[None]:
    """Hold the lock of the organisation that works in `home`; the kernel releases it when this process dies.

    Raises LockedError where another run still holds it after `wait_seconds`.
    """
    private_folder(home)
    with writing(home, "the lock"):
        descriptor = os.open(home / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _acquire(descriptor, home, wait_seconds)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, home: Path, wait_seconds: float) -> None:
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            if time.monotonic() >= deadline:
                holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip() or "unknown"
                message = f"another run (process {holder}) works in {home}"
                raise LockedError(
                    message,
                    way_out="wait until it ends, or end it",
                    path=str(home),
                    holder=holder,
                ) from held
            time.sleep(_RETRY_SECONDS)
        except OSError as failure:
            raise write_failure(home, "the lock", failure) from failure
        else:
            break
    with writing(home, "the lock"):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
