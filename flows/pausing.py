"""What people have paused: kept in the store, so that every worker knows, and read by each night that begins.

Where two people change the pauses of one organisation in the same moment, those of the later one stand.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from config.settings import Settings
from dream.errors import DreamError, FatalError
from dream.memory.windows import current_night
from dream.object_store import Objects, StoreDownError
from dream.report.escaping import one_line
from dream.report.pauses import Pause

VERSION = 1
FOLDER = "pauses"
EVERYONE = "_everyone"
"""Under which name the pauses of all organisations are kept; none of them can be called that."""

_NO_FILE = (errno.EISDIR, errno.ELOOP)


class BrokenPausesError(FatalError):
    """What is kept of pauses cannot be understood, so that nobody knows whether nights may go on."""


class ForeignPausesError(FatalError):
    """What stands where pauses are kept is a newer release's, or no file, and not for this one to take away."""


class PauseFile(BaseModel):
    """The pauses of one organisation, or of everyone, as they are kept.

    `forgiven` is, by task, the last night whose being taken back no longer counts against it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    version: Literal[1] = 1
    pauses: tuple[Pause, ...] = ()
    forgiven: dict[str, date] = Field(default_factory=dict)

    def holding(self, due: date) -> tuple[Pause, ...]:
        """Return the pauses that hold while `due` is the newest night that is due."""
        return tuple(one for one in self.pauses if one.holds(due))

    def without(self, tasks: Collection[str]) -> PauseFile:
        """Return what is left where `tasks` go on, or for no tasks whole nights."""
        if not tasks:
            return self.model_copy(update={"pauses": tuple(one for one in self.pauses if one.tasks)})
        fewer = (
            one.model_copy(update={"tasks": tuple(name for name in one.tasks if name not in tasks)})
            for one in self.pauses
            if not one.tasks or not set(one.tasks) <= set(tasks)
        )
        return self.model_copy(update={"pauses": tuple(fewer)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pauses:
    """What holds now for one organisation: its own pauses before those of everyone, and what is forgiven, by task."""

    holding: tuple[Pause, ...] = ()
    forgiven: Mapping[str, date] = field(default_factory=dict)

    @property
    def whole(self) -> Pause | None:
        """The pause of whole nights; None where they go on."""
        return next((one for one in self.holding if not one.tasks), None)

    def of_task(self, task: str) -> Pause | None:
        """Return the pause of one task, None where it goes on."""
        return next((one for one in self.holding if task in one.tasks), None)


def read_pause(settings: Settings, organisation: str, *, now: datetime) -> Pause | None:
    """Return what pauses the nights of an organisation, its own pause before everyone's; None where they go on.

    Raises what read_pauses raises.
    """
    return read_pauses(settings, organisation, now=now).whole


def read_pauses(settings: Settings, organisation: str, *, now: datetime) -> Pauses:
    """Return everything that is paused for an organisation at `now`, and what is forgiven.

    Raises:
        StoreDownError: the store cannot be read, so that nobody knows; trying again can help.
        BrokenPausesError: what is kept there cannot be understood.
        ForeignPausesError: a newer release has written it, or it is no file.
    """
    due = current_night(now)
    own, everyone = read_file(settings, organisation), read_file(settings, EVERYONE)
    forgiven = {
        task: max(night for kept in (own, everyone) if (night := kept.forgiven.get(task)) is not None)
        for task in {*own.forgiven, *everyone.forgiven}
    }
    return Pauses(holding=(*own.holding(due), *everyone.holding(due)), forgiven=forgiven)


def pauses_of_each(
    settings: Settings, names: Sequence[str], *, now: datetime
) -> Iterator[tuple[str, tuple[Pause, ...] | DreamError]]:
    """Yield the pauses that each organisation has of its own, or why they are not known.

    Raises StoreDownError.
    """
    due = current_night(now)
    for file, data in _objects(settings).read_many([_file(name) for name in names]):
        name = file.removesuffix(".json")
        try:
            yield name, _parsed(settings, name, data).holding(due)
        except (BrokenPausesError, ForeignPausesError) as error:
            yield name, error


def add_pause(settings: Settings, name: str, pause: Pause, *, now: datetime) -> tuple[Pause, ...]:
    """Keep `pause` for the organisation called `name`, or EVERYONE, and return those of the same that it replaces.

    Those that have ended are kept until one of the same replaces them: by whose clock they have ended is not known.
    Raises what read_pauses raises.
    """
    kept = read_file(settings, name)
    left = kept.without(pause.tasks)
    _write_file(settings, name, left.model_copy(update={"pauses": (*left.pauses, pause)}))
    return tuple(one for one in kept.holding(current_night(now)) if _meet(one, pause.tasks))


def end_pauses(settings: Settings, name: str, tasks: Collection[str], *, now: datetime) -> tuple[Pause, ...]:
    """Let `tasks`, or for no tasks whole nights, of `name` or EVERYONE go on, and return the pauses that this ends.

    Of each of `tasks` everything is forgiven that was taken back up to the newest night that is due. A broken file is
    taken away, or with `tasks` replaced. Raises StoreDownError and ForeignPausesError.
    """
    due = current_night(now)
    try:
        kept = read_file(settings, name)
    except BrokenPausesError:
        kept = PauseFile()
        _objects(settings).remove(_file(name))
    left = kept.without(tasks)
    left = left.model_copy(update={"forgiven": {**left.forgiven, **dict.fromkeys(tasks, due)}})
    if left != kept:
        _write_file(settings, name, left)
    return tuple(one for one in kept.holding(due) if _meet(one, tasks))


def read_file(settings: Settings, name: str) -> PauseFile:
    """Return what is kept for the organisation called `name`, or for EVERYONE; raises what read_pauses raises."""
    objects = _objects(settings)
    objects.connect()
    try:
        data = objects.read(_file(name))
    except StoreDownError as error:
        cause = error.__cause__
        if not (isinstance(cause, OSError) and cause.errno in _NO_FILE):
            raise
        place = place_of(settings, name)
        message = f"what is paused is not known: {place} is no file"
        raise ForeignPausesError(message, way_out=f"see what it is and move it away: ls -ld {place}") from error
    return _parsed(settings, name, data)


def _parsed(settings: Settings, name: str, data: bytes | None) -> PauseFile:
    if data is None:
        return PauseFile()
    try:
        return PauseFile.model_validate_json(data)
    except ValidationError as error:
        newer = _newer_version(data)
        if newer:
            message = (
                f"what is paused is not known: {place_of(settings, name)} is of version {newer}, newer than {VERSION}"
            )
            way_out = "bring this machine to the release that wrote it; until then no night begins here"
            raise ForeignPausesError(message, way_out=way_out) from error
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        why = one_line(f"{where}: {first['msg']}" if where else first["msg"])
        message = f"what is paused is not known: {place_of(settings, name)}: {why}"
        command = "dream resume --all" if name == EVERYONE else f"dream resume {name}"
        raise BrokenPausesError(message, way_out=f"mend the file, or take it away with: {command}") from error


def _newer_version(data: bytes) -> int:
    """Return the version of a newer release's file, 0 for whatever else it is."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return 0
    version = document.get("version") if isinstance(document, dict) else None
    return version if isinstance(version, int) and version > VERSION else 0


def place_of(settings: Settings, name: str) -> str:
    """Return where the pauses of `name` are kept, as far as it may be told: an address can hold a key."""
    protocol, remote, _ = settings.store.partition("://")
    if remote:
        return f"{FOLDER}/{_file(name)} in the store at {protocol}"
    return str(Path(settings.store or settings.home) / FOLDER / _file(name))


def _meet(pause: Pause, tasks: Collection[str]) -> bool:
    return bool(set(pause.tasks) & set(tasks)) if tasks else not pause.tasks


def _write_file(settings: Settings, name: str, kept: PauseFile) -> None:
    _objects(settings).write(_file(name), f"{kept.model_dump_json(indent=1)}\n".encode())


def _objects(settings: Settings) -> Objects:
    return Objects(settings.store or str(settings.home), FOLDER)


def _file(name: str) -> str:
    return f"{name}.json"
