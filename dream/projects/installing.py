"""Learnings written where a project's agents look, and nothing touched there that was not written by this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from dream.errors import FatalError
from dream.projects.folder import OddPathError, ProjectFolder
from dream.projects.places import Place

LEDGER = ".dream-learnings.json"
"""What was written into a project, and by which organisation: a file of that project, which its people may share."""

VERSION = 1
_MOST_BYTES = 1_000_000
_WAY_OUT = "see what it should say, or take it away: then everything that stands is left alone"


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    organisation: str
    digest: str


class _Ledger(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: int
    files: dict[str, _Entry]


@dataclass(frozen=True, slots=True)
class Left:
    """A file that was left alone, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """What installing came to, by path; of a dry run what it would come to."""

    written: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    left: tuple[Left, ...] = ()


def install_learnings(
    project: Path,
    learnings: Mapping[str, bytes],
    *,
    organisation: str,
    places: Sequence[Place],
    dry_run: bool = False,
) -> Installation:
    """Write `learnings` (bytes by name) of `organisation` into `project` at every one of `places`.

    A file is overwritten only as long as it is what was written here before, and one whose learning is gone is then
    taken away. Whatever somebody changed, or was there before, is left alone and named.

    Raises:
        UsageError: there is no such folder.
        FatalError: the project's ledger cannot be read.
        TransientError: something cannot be written; what was written until then is in the ledger.
    """
    work = _Work(ProjectFolder(project), organisation, dry_run=dry_run)
    wanted = {place.path(name): data for place in places for name, data in sorted(learnings.items())}
    try:
        for path, data in wanted.items():
            work.bring(path, data)
        for place in places:
            for path in work.own(place):
                if path not in wanted:
                    work.take_away(path, with_folder=place.has_own_folder)
    finally:
        work.close()
    return work.result()


class _Work:
    """One installation: what the ledger said before, and what it says after each step."""

    def __init__(self, folder: ProjectFolder, organisation: str, *, dry_run: bool) -> None:
        self._folder = folder
        self._organisation = organisation
        self._dry_run = dry_run
        self._before = _read_ledger(folder)
        self._files = dict(self._before)
        self._done: dict[str, list[str]] = {"written": [], "updated": [], "removed": [], "unchanged": []}
        self._left: list[Left] = []

    def own(self, place: Place) -> list[str]:
        """Return what this organisation wrote at `place`; what else a ledger names is not looked at."""
        found = ((path, entry) for path, entry in sorted(self._files.items()) if place.holds(path))
        return [path for path, entry in found if entry.organisation == self._organisation]

    def bring(self, path: str, data: bytes) -> None:
        """Make the file at `path` hold `data`, if that is this organisation's to say."""
        known = self._files.get(path)
        try:
            standing = self._folder.read(path, most_bytes=_MOST_BYTES)
            reason = "" if standing is None or standing == data else self._reason(known, standing)
            if reason:
                self._left.append(Left(path, reason))
                return
            if standing != data and not self._dry_run:
                self._folder.write(path, data)
        except OddPathError:
            self._left.append(Left(path, "its way leads through a link, or something else that is no folder or file"))
            return
        self._done["unchanged" if standing == data else "written" if standing is None else "updated"].append(path)
        if standing == data and (known is None or known.organisation != self._organisation):
            return
        self._files[path] = _Entry(organisation=self._organisation, digest=_digest(data))

    def take_away(self, path: str, *, with_folder: bool) -> None:
        """Take away the file at `path`, whose learning is gone, unless somebody has changed it."""
        try:
            standing = self._folder.read(path, most_bytes=_MOST_BYTES)
            if standing is not None and _digest(standing) != self._files[path].digest:
                self._left.append(Left(path, "its learning is gone, and somebody changed it"))
                return
            if standing is not None and not self._dry_run:
                self._folder.remove(path, with_folder=with_folder)
        except OddPathError:
            self._left.append(Left(path, "its learning is gone, and its way leads through a link"))
            return
        if standing is not None:
            self._done["removed"].append(path)
        del self._files[path]

    def close(self) -> None:
        """Write down what was done, also where something broke off."""
        if self._dry_run or self._files == self._before:
            return
        ledger = _Ledger(version=VERSION, files=dict(sorted(self._files.items())))
        try:
            if self._files:
                self._folder.write(LEDGER, (ledger.model_dump_json(indent=1) + "\n").encode())
            else:
                self._folder.remove(LEDGER)
        except OddPathError as error:
            message = f"{LEDGER} in {self._folder.root} is no file any more"
            raise FatalError(message, way_out=_WAY_OUT) from error

    def result(self) -> Installation:
        """Return what was done."""
        return Installation(**{name: tuple(paths) for name, paths in self._done.items()}, left=tuple(self._left))

    def _reason(self, known: _Entry | None, standing: bytes) -> str:
        """Return why a file that reads otherwise is not overwritten; empty where it is what was written here."""
        if known is None:
            return "it was there before"
        if known.organisation != self._organisation:
            return f"it is of {known.organisation}"
        return "" if known.digest == _digest(standing) else "somebody changed it"


def _read_ledger(folder: ProjectFolder) -> dict[str, _Entry]:
    try:
        data = folder.read(LEDGER, most_bytes=_MOST_BYTES)
        ledger = _Ledger.model_validate_json(data) if data is not None else _Ledger(version=VERSION, files={})
    except (OddPathError, ValidationError) as error:
        message = f"{LEDGER} in {folder.root} cannot be read, so that nothing is written there"
        raise FatalError(message, way_out=_WAY_OUT) from error
    if ledger.version > VERSION:
        message = f"{LEDGER} in {folder.root} is of version {ledger.version}; this package understands {VERSION}"
        raise FatalError(message, way_out="upgrade this package")
    return dict(ledger.files)


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
