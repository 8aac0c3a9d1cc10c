"""Files that outlive a run: in folders for their owner alone, and there whole or not at all."""

from __future__ import annotations

from pathlib import Path

from dream.private_folders import FILE_MODE, make_private, write_private
from dream.repository.failures import writing


def private_folder(path: Path) -> None:
    """Make sure that a folder exists and that nobody else may enter it; raises DreamError where it is another's."""
    with writing(path, "the folder"):
        make_private(path)


def replace_file(path: Path, data: bytes, what: str, *, mode: int = FILE_MODE) -> None:
    """Write `data` aside and put it in the place of `path`, for its owner alone unless `mode` says otherwise.

    Raises the error that tells a full disk from missing rights where `what` cannot be written.
    """
    aside = path.with_name(f"{path.name}.new")
    with writing(path.parent, what):
        try:
            write_private(aside, data, mode=mode)
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
