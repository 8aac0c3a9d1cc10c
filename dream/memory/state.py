"""`.dream/state.json`: what the flow knows from one night to the next."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dream.errors import NewerStateError
from dream.memory.documents import UnreadableDocumentError, parse_document, render_document
from dream.memory.paths import FLOW_FOLDER

STATE_PATH = f"{FLOW_FOLDER}state.json"
STATE_VERSION = 1


class Tombstone(BaseModel):
    """An effect that somebody undid; operations like it are refused until its notes are gone or its sources too old."""

    model_config = ConfigDict(frozen=True, extra="allow")

    effect: str
    kind: str
    task: str
    paths: tuple[str, ...]
    keys: tuple[str, ...]
    sources: tuple[str, ...] = ()
    dated: date | None = None
    undone: date


class PendingInput(BaseModel):
    """An input that a task could not finish; after the configured number of failed nights it is set aside by id.

    `night` is the last that failed on it.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    task: str
    input: str
    nights: int = 1
    night: date | None = None
    set_aside: bool = False


class Waiting(BaseModel):
    """Why a note keeps the date of its check: a probe was down `since` that night, and in that of its last look."""

    model_config = ConfigDict(frozen=True, extra="allow")

    since: date
    night: date


class State(BaseModel):
    """The whole of `state.json`; unknown keys are kept.

    `learnings` are the blobs of those that the night wrote: one that reads otherwise is a person's. `waiting` are notes
    that could not be checked because a probe was down, by path. `read` is the day on which a note was last read, as a
    transcript shows or somebody reported, `shown` the first night whose index listed it; neither checks or changes it.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    began: datetime | None = None
    checked: dict[str, date] = Field(default_factory=dict)
    covered: dict[str, datetime] = Field(default_factory=dict)
    declined: tuple[dict[str, Any], ...] = ()
    lastCommit: str = ""  # noqa: N815  # the key that agents read
    lastRun: datetime | None = None  # noqa: N815  # the key that agents read
    learnings: dict[str, str] = Field(default_factory=dict)
    observations: tuple[dict[str, Any], ...] = ()
    pending: tuple[PendingInput, ...] = ()
    read: dict[str, date] = Field(default_factory=dict)
    seal: str = ""
    shown: dict[str, date] = Field(default_factory=dict)
    tentative: tuple[dict[str, Any], ...] = ()
    undone: tuple[Tombstone, ...] = ()
    unverified: tuple[str, ...] = ()
    version: int = STATE_VERSION
    waiting: dict[str, Waiting] = Field(default_factory=dict)


def parse_state(data: bytes) -> State:
    """Return the state in `data`.

    Raises:
        NewerStateError: its version is above STATE_VERSION.
        UnreadableDocumentError: it is no state.
    """
    payload = parse_document(data)
    version = payload.get("version", 0)
    if isinstance(version, int) and version > STATE_VERSION:
        message = f"{STATE_PATH} has version {version}; this package understands up to {STATE_VERSION}"
        raise NewerStateError(message, way_out="upgrade this package on the machine that runs the nights")
    try:
        return State.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        message = f"{place}: {first['msg']}"
        raise UnreadableDocumentError(message) from error


def render_state(state: State) -> bytes:
    """Return the bytes of `state`, sorted and one item a line."""
    return render_document(state_payload(state))


def state_payload(state: State) -> dict[str, Any]:
    """Return the JSON values of `state`, unknown keys included; what the seal is taken over, `seal` left out."""
    payload = state.model_dump(mode="json")
    if state.began is None:
        payload.pop("began")
    for name in ("learnings", "read", "shown", "waiting"):
        if not payload[name]:
            payload.pop(name)
    return payload
