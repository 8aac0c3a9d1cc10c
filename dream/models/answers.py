"""Answers that were paid for, kept so that a night which is resumed or run again does not pay for them twice."""

from __future__ import annotations

import re
import threading
from dataclasses import asdict, dataclass
from datetime import date
from hashlib import sha256

import structlog
from pydantic import BaseModel, ConfigDict, ValidationError

from dream.models.port import Usage
from dream.object_store import Objects, StoreDownError

log = structlog.get_logger()

VERSION = 1
FOLDER = "answers"
_NIGHT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PLACE = re.compile(rf"{_NIGHT.pattern}/(?P<name>[0-9a-f]{{64}})\.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """A reply that fitted its type, as JSON, and what it took."""

    reply: str
    usage: Usage


class _Count(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    input: int
    cached: int
    cache_written: int
    output: int
    calls: int


class _Entry(BaseModel):
    """A file of the store; it says whose it is and what it holds, so that no other is taken for it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: int
    organisation: str
    key: str
    digest: str
    usage: _Count
    reply: str


class AnswerStore:
    """One organisation's kept answers: `<address>/answers/<night>/<key>.json`, found whichever night kept them.

    A file that is damaged, of another organisation or of another question is no answer. A store that cannot be reached
    never stops a night: `troubles` counts what could not be read or kept.
    """

    def __init__(self, address: str, *, organisation: str, night: date) -> None:
        """Keep tonight's answers at `address`, a path or an address that fsspec knows; nothing is opened yet."""
        self._objects = Objects(address, FOLDER)
        self._organisation = organisation
        self._night = night.isoformat()
        self._places: dict[str, str] | None = None
        self._lock = threading.Lock()
        self.troubles = 0

    def connect(self) -> None:
        """Open the store.

        Raises:
            UsageError: there is no such kind of store here, or it cannot be reached.
        """
        self._objects.connect()

    def get(self, key: str) -> KeptAnswer | None:
        """Return what was kept under `key`, or None."""
        name = self._name(key)
        with self._lock:
            place = self._found().get(name)
        if place is None:
            return None
        try:
            data = self._objects.read(place)
            entry = None if data is None else _Entry.model_validate_json(data)
        except ValidationError:
            return None
        except StoreDownError as error:
            self._trouble("answer.not_read", error)
            return None
        if entry is None:
            return None
        whose = (entry.version, entry.organisation, entry.key, entry.digest)
        if whose != (VERSION, self._organisation, name, _digest(entry.reply)):
            return None
        return KeptAnswer(reply=entry.reply, usage=Usage(**entry.usage.model_dump()))

    def put(self, key: str, answer: KeptAnswer) -> None:
        """Keep `answer` under `key`: there whole, or not at all."""
        name = self._name(key)
        entry = _Entry(
            version=VERSION,
            organisation=self._organisation,
            key=name,
            digest=_digest(answer.reply),
            usage=_Count(**asdict(answer.usage)),
            reply=answer.reply,
        )
        place = f"{self._night}/{name}.json"
        try:
            self._objects.write(place, entry.model_dump_json().encode())
        except StoreDownError as error:
            self._trouble("answer.not_kept", error)
            return
        with self._lock:
            self._found()[name] = place

    def forget(self, before: date) -> None:
        """Take away what nights older than `before` kept."""
        nights = {name.partition("/")[0] for name in self._listed()}
        for night in sorted(nights):
            if _NIGHT.fullmatch(night) and night < before.isoformat():
                try:
                    self._objects.remove_folder(night)
                except StoreDownError as error:
                    self._trouble("answers.not_forgotten", error)

    def _name(self, key: str) -> str:
        """Return the name of a file: equal questions of two organisations never meet in one."""
        return sha256(f"{self._organisation}\0{key}".encode()).hexdigest()

    def _found(self) -> dict[str, str]:
        """Return where each kept answer lies; listed once, before the first question."""
        if self._places is None:
            self._places = {match["name"]: place for place in self._listed() if (match := _PLACE.fullmatch(place))}
        return self._places

    def _listed(self) -> list[str]:
        try:
            return self._objects.names()
        except StoreDownError as error:
            self._trouble("answers.not_listed", error)
            return []

    def _trouble(self, event: str, error: StoreDownError) -> None:
        self.troubles += 1
        log.warning(event, error=type(error.__cause__).__name__)


def _digest(reply: str) -> str:
    return sha256(reply.encode(errors="surrogatepass")).hexdigest()
