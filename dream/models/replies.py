"""Strict reading of a reply: JSON without surprises that fits its type, or what is wrong with it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from dream.models.limits import REPLY_BYTES, REPLY_DEPTH
from dream.models.port import Reason, Unanswered

R = TypeVar("R", bound=BaseModel)

_MOST_DIGITS = 18
_MOST_PROBLEMS = 5


class _RefusedError(ValueError):
    """Valid to a lenient parser and refused here; `str()` is a complaint that quotes nothing of the reply."""


def read_reply(
    text: str, reply: type[R], *, most_bytes: int = REPLY_BYTES, most_depth: int = REPLY_DEPTH
) -> R | Unanswered:
    """Return `text` as a `reply`, or an Unanswered whose `detail` can be told to the model that wrote it.

    The text is one JSON object and nothing else: no prose and no fence around it, no key twice, no NaN or number past
    what a float holds, no integer over 18 digits, no lone surrogate, no nesting past `most_depth`. The type is applied
    strictly: nothing is coerced and no key is ignored. No exception escapes, and a detail never quotes the reply.
    """
    try:
        _check_json(text, most_bytes=most_bytes, most_depth=most_depth)
        return reply.model_validate_json(text, strict=True, extra="forbid")
    except _RefusedError as error:
        return _invalid(str(error))
    except ValidationError as error:
        return _invalid(_problems(error))
    except Exception as error:  # noqa: BLE001 a reply type's own validator may raise anything
        return _invalid(f"the reply could not be read: {type(error).__name__}")


def _invalid(detail: str) -> Unanswered:
    return Unanswered(reason=Reason.INVALID, detail=detail)


def _refuse(complaint: str) -> NoReturn:
    raise _RefusedError(complaint)


def _check_json(text: str, *, most_bytes: int, most_depth: int) -> None:
    if not text.strip():
        _refuse("the reply is empty")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        _refuse("the reply holds half a surrogate pair, which is no character")
    if size > most_bytes:
        _refuse(f"the reply is longer than {most_bytes} bytes")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_int=_number(int),
            parse_float=_number(float),
        )
    except json.JSONDecodeError as error:
        _refuse(f"the reply is not one JSON object and nothing else (at character {error.pos})")
    except RecursionError:
        _refuse(f"the reply is nested deeper than {most_depth}")
    _walk(value, most_depth)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        _refuse("the reply holds one key twice in one object")
    return found


def _refuse_constant(_constant: str) -> NoReturn:
    _refuse("the reply holds NaN or Infinity, which JSON does not know")


def _number(convert: Callable[[str], float]) -> Callable[[str], float]:
    def parse(digits: str) -> float:
        if convert is int and len(digits.lstrip("-")) > _MOST_DIGITS:
            _refuse(f"the reply holds a number of more than {_MOST_DIGITS} digits")
        value = convert(digits)
        if not math.isfinite(value):
            _refuse("the reply holds a number that is too large")
        return value

    return parse


def _walk(value: object, most_depth: int) -> None:
    level: list[object] = [value]
    depth = 0
    while level:
        depth += any(isinstance(item, dict | list) for item in level)
        if depth > most_depth:
            _refuse(f"the reply is nested deeper than {most_depth}")
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                below += [*item, *item.values()]
            elif isinstance(item, list):
                below += item
            elif isinstance(item, str) and not _is_text(item):
                _refuse("the reply holds half a surrogate pair, which is no character")
        level = below


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _problems(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    told = [_problem(detail["type"], detail["loc"], detail["msg"]) for detail in found[:_MOST_PROBLEMS]]
    if len(found) > _MOST_PROBLEMS:
        told.append(f"and {len(found) - _MOST_PROBLEMS} more")
    return "; ".join(told)


def _problem(kind: str, loc: tuple[int | str, ...], message: str) -> str:
    # An unknown key and the text of a type's own check are the model's words or may quote them.
    if kind == "extra_forbidden":
        return f"{_place(loc[:-1])}: a key that was not asked for"
    if kind in {"value_error", "assertion_error"}:
        return f"{_place(loc)}: refused by a check of its own"
    return f"{_place(loc)}: {message}"


def _place(loc: tuple[int | str, ...]) -> str:
    return ".".join(map(str, loc)) or "the reply"
