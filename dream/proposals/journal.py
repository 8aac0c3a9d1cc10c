"""What a run of a proposal will do to a folder, written down with all that it takes to undo it before it begins.

A snapshot is a folder of its own outside the memory: `journal.json`, the bytes of every file as they stood, and `done`
once the run has ended. It is made aside and renamed, so that it is there whole or not at all.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, auto
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from dream.errors import FatalError
from dream.memory.tree import blob_id
from dream.proposals.folder import Found, Tick

VERSION = 1
_JOURNAL = "journal.json"
_DONE = "done"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FileStep(_Part):
    """One file: its blob, mode and time before (`kept` names the copy; empty where there was none), and its blob after.

    `after` is empty where the file goes; `aside` is the name that it is written under first.
    """

    path: str
    aside: str
    kept: str = ""
    before: str = ""
    mode: int = 0o644
    changed: int | None = None
    after: str = ""


class FolderStep(_Part):
    """A folder that is made or taken away, and its mode bits."""

    path: str
    mode: int = 0o755


class Journal(_Part):
    """Everything that one run does: to which folder, by which proposal and which of its items, file by file."""

    version: int = VERSION
    memory: str
    proposal: str
    items: tuple[str, ...]
    files: tuple[FileStep, ...]
    made: tuple[FolderStep, ...] = ()
    removed: tuple[FolderStep, ...] = ()


class Stage(StrEnum):
    """How far a run has come: there is none, it broke off, or it has ended."""

    NONE = auto()
    BROKEN_OFF = auto()
    DONE = auto()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The folder at `path` that holds, or will hold, what undoes one run."""

    path: Path

    def stage(self) -> Stage:
        """Return how far the run has come that this is the snapshot of."""
        if not (self.path / _JOURNAL).is_file():
            return Stage.NONE
        return Stage.DONE if (self.path / _DONE).exists() else Stage.BROKEN_OFF

    def journal(self) -> Journal:
        """Return what was written down; raises FatalError where it cannot be read."""
        try:
            journal = Journal.model_validate_json((self.path / _JOURNAL).read_bytes())
        except (OSError, ValidationError) as error:
            message = f"the snapshot {self.path} cannot be read: {type(error).__name__}"
            raise FatalError(message, way_out="its copies of the files are in its folder `before`") from error
        if journal.version != VERSION:
            message = f"the snapshot {self.path} has version {journal.version}; this package understands {VERSION}"
            raise FatalError(message, way_out="undo it with the version of this package that made it")
        return journal

    def kept(self, step: FileStep) -> bytes:
        """Return the bytes of a file as they stood; raises FatalError where the copy is missing or damaged."""
        path = self.path / "before" / step.kept
        try:
            data = path.read_bytes()
        except OSError as error:
            message = f"the copy {path} of {step.path} cannot be read: {error.strerror}"
            raise FatalError(message, way_out="nothing was changed") from error
        if blob_id(data) != step.before:
            message = f"the copy {path} of {step.path} is damaged"
            raise FatalError(message, way_out="nothing was changed")
        return data

    def write(self, journal: Journal, before: Mapping[str, Found], *, tick: Tick) -> None:
        """Write everything down to the disk and let it appear in one step; raises OSError."""
        self.forget_partial()
        tick("snapshot")
        partial = self._partial
        (partial / "before").mkdir(mode=0o700, parents=True)
        partial.chmod(0o700)
        for step in journal.files:
            if step.kept:
                _write(partial / "before" / step.kept, before[step.path].data, tick=tick)
        _write(partial / _JOURNAL, journal.model_dump_json(indent=1).encode(), tick=tick)
        _sync(partial / "before")
        _sync(partial)
        tick("snapshot appears")
        partial.rename(self.path)
        _sync(self.path.parent)

    def end(self, *, tick: Tick) -> None:
        """Note that the run has ended; raises OSError."""
        _write(self.path / _DONE, b"", tick=tick)
        _sync(self.path)

    def forget(self, *, tick: Tick) -> None:
        """Take the snapshot away: what it would undo is undone."""
        self.forget_partial()
        tick("forget")
        self.path.rename(self._partial)
        self.forget_partial()

    def forget_partial(self) -> None:
        """Take away what a run left that ended before its snapshot was whole, when nothing had been changed yet."""
        if self._partial.is_dir() and not self._partial.is_symlink():
            shutil.rmtree(self._partial)

    @property
    def _partial(self) -> Path:
        return self.path.with_name(f"{self.path.name}.partial")


def _write(path: Path, data: bytes, *, tick: Tick) -> None:
    tick(f"keep {path.name}")
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
