"""Disks of a few megabytes, so that they can be filled."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class MountRefusedError(RuntimeError):
    """This machine does not let this user mount anything."""


@contextmanager
def small_disk(folder: Path, *, megabytes: float) -> Iterator[Path]:
    """Mount a file system in memory of that size at `folder`, which is made; raises MountRefusedError."""
    folder.mkdir(parents=True, exist_ok=True)
    size = f"size={int(megabytes * 1024)}k"
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise MountRefusedError(done.stderr.strip() or "mount is not permitted")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)
