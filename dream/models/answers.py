"""Answers that were paid for, kept so that a night which is resumed or run again does not pay for them twice."""

from __future__ import annotations

import re
import threading
from dataclasses import asdict, dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import structlog
from pydantic import BaseModel, ConfigDict, ValidationError

from dream.errors import UsageError
from dream.models.port import Usage

log = structlog.get_logger()

VERSION = 1
_NIGHT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NAME = re.compile(r"([0-9a-f]{64})\.json")


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
        self._address = address
        self._store: tuple[Any, str] | None = None
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
        try:
            self._opened()
        except Exception as error:
            kind = self._address.partition("://")[0] if "://" in self._address else self._address
            message = f"answers cannot be kept at {kind}: {type(error).__name__}"
            raise UsageError(message, way_out="set DREAM_STORE to a path, or install what it needs") from error

    def get(self, key: str) -> KeptAnswer | None:
        """Return what was kept under `key`, or None."""
        name = self._name(key)
        with self._lock:
            path = self._found().get(name)
        if path is None:
            return None
        try:
            files, _ = self._opened()
            entry = _Entry.model_validate_json(files.cat_file(path))
        except ValidationError:
            return None
        except Exception as error:  # noqa: BLE001  # every kind of store fails in its own way
            self._trouble("answer.not_read", error)
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
        try:
            files, root = self._opened()
            folder = f"{root}/{self._night}"
            path, aside = f"{folder}/{name}.json", f"{folder}/{name}.{threading.get_ident()}.new"
            _make(files, root, folder)
            files.pipe_file(aside, entry.model_dump_json().encode())
            files.mv(aside, path)
        except Exception as error:  # noqa: BLE001  # every kind of store fails in its own way
            self._trouble("answer.not_kept", error)
            return
        with self._lock:
            self._found()[name] = path

    def forget(self, before: date) -> None:
        """Take away what nights older than `before` kept."""
        for night, folder in self._nights():
            if night < before.isoformat():
                try:
                    files, _ = self._opened()
                    files.rm(folder, recursive=True)
                except Exception as error:  # noqa: BLE001  # every kind of store fails in its own way
                    self._trouble("answers.not_forgotten", error)

    def _name(self, key: str) -> str:
        """Return the name of a file: equal questions of two organisations never meet in one."""
        return sha256(f"{self._organisation}\0{key}".encode()).hexdigest()

    def _found(self) -> dict[str, str]:
        """Return where each kept answer lies; listed once, before the first question."""
        if self._places is None:
            self._places = {
                match[1]: path
                for _, folder in sorted(self._nights())
                for path in self._listed(folder)
                if (match := _NAME.fullmatch(_last(path)))
            }
        return self._places

    def _opened(self) -> tuple[Any, str]:
        """Return the store and the folder of answers in it; whatever this raises is for the caller to count."""
        if self._store is None:
            from fsspec.core import url_to_fs  # noqa: PLC0415  # only nights with a model need it

            files, root = url_to_fs(self._address)
            self._store = files, f"{root.rstrip('/')}/answers"
        return self._store

    def _nights(self) -> list[tuple[str, str]]:
        return [(_last(path), path) for path in self._listed() if _NIGHT.fullmatch(_last(path))]

    def _listed(self, folder: str = "") -> list[str]:
        try:
            files, root = self._opened()
            return [str(path) for path in files.ls(folder or root, detail=False)]
        except FileNotFoundError:
            return []
        except Exception as error:  # noqa: BLE001  # every kind of store fails in its own way
            self._trouble("answers.not_listed", error)
            return []

    def _trouble(self, event: str, error: Exception) -> None:
        self.troubles += 1
        log.warning(event, error=type(error).__name__)


def _make(files: Any, root: str, folder: str) -> None:
    if "file" in _protocols(files):  # replies speak of what people said: for their owner alone
        Path(root).mkdir(mode=0o700, parents=True, exist_ok=True)
    files.makedirs(folder, exist_ok=True)


def _protocols(files: Any) -> tuple[str, ...]:
    protocol = files.protocol
    return (protocol,) if isinstance(protocol, str) else tuple(protocol)


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _digest(reply: str) -> str:
    return sha256(reply.encode(errors="surrogatepass")).hexdigest()
