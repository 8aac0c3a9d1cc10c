"""Answers of probes as JSON: written down and read back, so that what was said can be said again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, assert_never

from pydantic import BaseModel, ConfigDict, ValidationError

from dream.sources.production.port import Answer, Down, Found, Line, Nothing, Refused


class BadAnswersError(Exception):
    """What should hold answers holds something else; the message says what, in few words and none of it."""


class StrictModel(BaseModel):
    """JSON with no key more and no value of another kind."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Line(StrictModel):
    text: str
    fields: tuple[tuple[str, str], ...] = ()


class _Found(StrictModel):
    lines: tuple[_Line, ...]
    values: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    cut: bool = False


class AnswerJson(StrictModel):
    """An answer as it is written: under one of the four keys that say which it is."""

    found: _Found | None = None
    nothing: str | None = None
    down: str | None = None
    refused: str | None = None

    def answer(self) -> Answer:
        """Return the answer. Raises BadAnswersError where it is none of the four, or several."""
        match self.found, self.nothing, self.down, self.refused:
            case _Found() as found, None, None, None:
                lines = tuple(Line(text=line.text, fields=line.fields) for line in found.lines)
                return Found(lines=lines, values=found.values, names=found.names, cut=found.cut)
            case None, str() as reason, None, None:
                return Nothing(reason)
            case None, None, str() as reason, None:
                return Down(reason)
            case None, None, None, str() as reason:
                return Refused(reason)
            case _:
                message = "an answer is not one of found, nothing, down and refused"
                raise BadAnswersError(message)


def answer_json(answer: Answer) -> Mapping[str, Any]:
    """Return an answer as AnswerJson reads it."""
    match answer:
        case Found():
            lines = [{"text": line.text, "fields": [list(field) for field in line.fields]} for line in answer.lines]
            rest = {"values": list(answer.values), "names": list(answer.names), "cut": answer.cut}
            return {"found": {"lines": lines, **rest}}
        case Nothing():
            return {"nothing": answer.reason}
        case Down():
            return {"down": answer.reason}
        case Refused():
            return {"refused": answer.reason}
        case _:
            assert_never(answer)


def explain_mismatch(error: ValidationError) -> str:
    """Return where JSON is not what it should be, without its values."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"] if isinstance(part, int) or part.isidentifier())
    return f"{place[:100] or 'it'}: {first['type']}"


def to_bytes(value: Any, *, indent: int | None = None) -> bytes:
    """Return JSON that shows on a screen as it is, with nothing hidden in it."""
    return json.dumps(value, indent=indent).encode("ascii")
