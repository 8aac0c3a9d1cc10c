"""What a tool's result says, as lines and values; a picture or a file in it is named and not read. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dream.sources.production.fields import json_lines, kept_lines, printable, read_json, text_lines, value_text
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Answer, Found, Line, Nothing, Refused
from dream.sources.strict_json import BadJSONError

_TOLD = 300
_MISTAKEN = re.compile(
    r"\A(?:unknown tool|tool \S{1,100} not found|input validation error|invalid arguments"
    r"|error executing tool \S{1,200}: \d{1,4} validation errors?)",
    re.IGNORECASE,
)
_WRAPPED = {"result"}


def read_result(result: Mapping[str, Any], arguments: Mapping[str, Any], limits: ProbeLimits) -> Answer:
    """Return what a tool answered: the structured content if there is any, else its texts, as JSON where they are.

    What the tool calls an error is Nothing, and Refused where it says that the question was wrong. `names` are the
    arguments that are strings.
    """
    blocks = [block for block in _list(result.get("content")) if isinstance(block, Mapping)]
    texts = [block["text"] for block in blocks if block.get("type") == "text" and isinstance(block.get("text"), str)]
    if result.get("isError"):
        return _failure(" ".join(texts))
    if sum(len(text.encode("utf-8", "replace")) for text in texts) > limits.output_bytes:
        return Refused(f"its answer is longer than {limits.output_bytes} bytes")
    structured = result.get("structuredContent")
    if structured is not None:
        lines, values = _read_value(structured, limits)
    else:
        lines, values = _read_texts(texts, limits)
    unread = [_named(block) for block in blocks if block.get("type") != "text"]
    if not lines:
        return Nothing(f"it answered with {', '.join(unread[:5])}" if unread else "it answered with nothing")
    kept, cut = kept_lines([*lines, *(Line(text=name) for name in unread)], limits)
    names = tuple(value for value in arguments.values() if isinstance(value, str) and value)
    return Found(lines=kept, values=tuple(values[: limits.lines]), names=names, cut=cut or len(values) > limits.lines)


def _failure(told: str) -> Nothing | Refused:
    said = printable(told)[:_TOLD] or "nothing more"
    if _MISTAKEN.match(told):
        return Refused(f"the tool was asked wrongly: {said}")
    return Nothing(f"the tool says that it failed: {said}")


def _read_value(value: Any, limits: ProbeLimits) -> tuple[list[Line], list[str]]:
    if isinstance(value, Mapping) and set(value) == _WRAPPED:  # how servers pass on what is no object
        value = value["result"]
    lines = list(json_lines(value, limits=limits)) if value not in ({}, [], None, "") else []
    return lines, _scalars(value) if lines else []


def _read_texts(texts: Sequence[str], limits: ProbeLimits) -> tuple[list[Line], list[str]]:
    lines: list[Line] = []
    values: list[str] = []
    for text in texts:
        value = _json(text)
        if isinstance(value, Mapping | list):
            inner, scalars = _read_value(value, limits)
            lines += inner
            values += scalars
        else:
            read = text_lines(text, limits=limits)
            lines += read
            values += [printable(text.strip())] if len(read) == 1 else []
    return lines, values if len(texts) == 1 else []


def _json(text: str) -> Any:
    if text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        return read_json(text.encode("utf-8", "replace"))
    except BadJSONError:
        return None


def _scalars(value: Any) -> list[str]:
    """Return a scalar, those of a list, or the only one of an object: of several nobody says which was asked for."""
    if isinstance(value, Mapping):
        held = list(value.values())
        return [value_text(held[0])] if len(held) == 1 and not isinstance(held[0], Mapping | list) else []
    if isinstance(value, list):
        return [value_text(item) for item in value if not isinstance(item, Mapping | list)]
    return [value_text(value)]


def _named(block: Mapping[str, Any]) -> str:
    kind = printable(str(block.get("type", "something unnamed")))[:40]
    media = block.get("mimeType")
    return f"({kind} {printable(media)[:80]}, not read)" if isinstance(media, str) else f"({kind}, not read)"


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
