"""Files that outlive a run: in folders for their owner alone, and there whole or not at all."""

from __future__ import annotations

from pathlib import Path

from dream.repository.failures import writing


def private_folder(path: Path) -> None:
    """Make sure that a folder exists and that nobody else may enter it."""
    with writing(path, "the folder"):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.stat().st_mode & 0o077:
            path.chmod(0o700)


def replace_file(path: Path, data: bytes, what: str, *, mode: int | None = None) -> None:
    """Write `data` aside and put it in the place of `path`, with `mode` where one is given.

    Raises the error that tells a full disk from missing rights where `what` cannot be written.
    """
    aside = path.with_name(f"{path.name}.new")
    with writing(path.parent, what):
        try:
            aside.write_bytes(data)
            if mode is not None:
                aside.chmod(mode)
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
