"""Files of a folder written over, each as a whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from dream.errors import FatalError
from dream.memory.tree import blob_id

_NEW = 0o644


def write_files(folder: Path, files: Mapping[str, bytes | None], *, known: Mapping[str, str | None]) -> None:
    """Write `files` into `folder` where they are still the blobs that are `known` of them; None takes one away.

    Raises:
        FatalError: a file has changed meanwhile, or cannot be written; those before it, by path, are written.
    """
    for path, data in sorted(files.items()):
        target = folder / path
        try:
            if _blob(target) != known[path]:
                message = f"{path} has changed meanwhile"
                raise FatalError(message, way_out="run again", path=path)
            if data is None:
                target.unlink()
            else:
                _write(target, data)
        except OSError as error:
            message = f"{path} cannot be written: {error.strerror}"
            raise FatalError(message, way_out="make it writable and run again", path=path) from error


def _blob(target: Path) -> str | None:
    try:
        return None if target.is_symlink() else blob_id(target.read_bytes())
    except FileNotFoundError:
        return None


def _write(target: Path, data: bytes) -> None:
    """Write aside and replace, so that whoever reads meanwhile sees the old file or the new one, with its old mode."""
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else _NEW
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".dream-", delete=False) as aside:
        try:
            aside.write(data)
            aside.flush()
            Path(aside.name).chmod(mode)
            Path(aside.name).replace(target)
        except BaseException:
            Path(aside.name).unlink(missing_ok=True)
            raise
