"""What the vendors' protocols have in common: how text goes out, and what is taken from what comes back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from dream.models.port import Reason, Usage

_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")
_NAME_CHARACTERS = 64
_MOST_TOKENS = 10**9


class Wire(BaseModel):
    """A part of a vendor's answer: what is read of it is validated, all else is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ModelCard(Wire):
    """What a vendor says of a model that it has."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What an answer says under any protocol: its text, its usage if it was counted, and why the text is no reply."""

    text: str = ""
    usage: Usage | None = None
    stopped: Reason | None = None
    detail: str = ""


def sendable(text: str) -> str:
    """Return `text` with a question mark for each half of a surrogate pair, which no request can carry."""
    return text.encode("utf-8", "replace").decode()


def wire_name(reply: type[BaseModel]) -> str:
    """Return the name that a schema goes by on the wire."""
    return _NO_NAME.sub("_", reply.__name__)[:_NAME_CHARACTERS]


def counted(usage: object, *path: str) -> int | None:
    """Return the count at `path` in a vendor's usage, None where there is none that can be one."""
    for step in path:
        usage = usage.get(step) if isinstance(usage, Mapping) else None
    if isinstance(usage, int) and not isinstance(usage, bool) and 0 <= usage <= _MOST_TOKENS:
        return usage
    return None
