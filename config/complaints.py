"""What is wrong with a configuration value, said with its key and without repeating the value."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

Location = tuple[int | str, ...]

MOST_COMPLAINTS = 10
_LONGEST_KEY = 60

_CAUSES = {
    "missing": "is missing",
    "string_type": "must be text; put it in quotes",
    "tuple_type": "must be a list",
    "model_type": "must be a mapping of keys",
    "string_pattern_mismatch": "has a character that cannot stand there",
    "string_too_short": "is empty",
    "string_too_long": "is longer than {max_length} characters",
    "path_type": "must be a path, as text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "decimal_type": "must be a number",
    "decimal_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "date_from_datetime_parsing": "must be a date such as 2026-10-22",
    "finite_number": "must be a finite number",
    "literal_error": "must be {expected}",
    "union_tag_invalid": "its kind must be one of {expected_tags}",
    "union_tag_not_found": "its kind is missing",
    "too_short": "must name at least {min_length}",
    "greater_than": "must be greater than {gt:g}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
}


def complaints(error: ValidationError, model: type[BaseModel]) -> tuple[tuple[Location, str], ...]:
    """Return the first keys of `model` that are wrong, with why; values are left out, because one may be a secret.

    An unknown key comes with the nearest one that is known.
    """
    found = error.errors(include_url=False)
    places = [problem["loc"] for problem in found]
    problems = [one for one in found if not _follows(one, places)][:MOST_COMPLAINTS]
    return tuple((problem["loc"], _cause(problem["type"], problem, model)) for problem in problems)


def nearest(word: str, known: Sequence[str]) -> str:
    """Return the question that names the known word most like `word`, or else all that are known."""
    alike = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f"did you mean {alike[0]}?" if alike else f"known: {', '.join(known)}"


def dotted(location: Location) -> str:
    """Return a key as people write it: `production[0].url`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{_shown(part)}" for part in location)
    return text.removeprefix(".")


def _shown(key: str) -> str:
    """Return what a line of text can hold of a key, which may be as long and as odd as its file."""
    shown = "".join(character if character.isprintable() else "?" for character in key[:_LONGEST_KEY])
    return shown if len(key) <= _LONGEST_KEY else f"{shown}…"


def _cause(kind: str, problem: Any, model: type[BaseModel]) -> str:
    if kind == "extra_forbidden":
        *parents, key = problem["loc"]
        return f"unknown key; {nearest(str(key)[:_LONGEST_KEY], _known_keys(model, parents))}"
    if kind in _CAUSES:
        return _CAUSES[kind].format(**problem.get("ctx", {}))
    message: str = problem["msg"]
    return message.removeprefix("Value error, ")


def _follows(problem: Any, places: Sequence[Location]) -> bool:
    """Whether a list is only too short because what stands in it is wrong."""
    place = problem["loc"]
    return problem["type"] == "too_short" and any(
        len(one) > len(place) and one[: len(place)] == place for one in places
    )


def _known_keys(model: type[BaseModel], parents: Sequence[int | str]) -> list[str]:
    models = [model]
    for part in parents:
        if isinstance(part, str):
            field = models[0].model_fields.get(part)
            models = (list(_models_in(field.annotation)) or models) if field else _tagged(models, part)
    return list(models[0].model_fields)


def _tagged(models: Sequence[type[BaseModel]], tag: str) -> list[type[BaseModel]]:
    """Return those of a union that `tag` chooses, all where it chooses none."""
    kinds = [(one, one.model_fields.get("kind")) for one in models]
    return [one for one, kind in kinds if kind and tag in get_args(kind.annotation)] or list(models)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)
