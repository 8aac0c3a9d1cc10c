"""Configuration files as values: JSON, YAML and TOML, of nobody who can be trusted with time or memory. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time

import jiter
from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import Node

from dream.sources.production.fields import read_json
from dream.sources.strict_json import BadJSONError

_LARGEST_YAML = 128_000
_LARGEST = 1_000_000
_MOST_VALUES = 50_000
_MOST_DOCUMENTS = 500
_WRITTEN = ("int", "float", "timestamp")
_NAMED = 200


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a file: `name` tells it from the others of the file, "" where it is the only one."""

    name: str
    value: object


class BadConfigurationError(Exception):
    """A file that is no configuration which can be read; the message says why, in fixed words."""


class _AsWritten(SafeConstructor):
    """Builds plain values only; a number or a date whose value is written otherwise than usual stays as it stands."""


def _as_written(_: SafeConstructor, node: Node) -> object:
    """Return a scalar's value if it reads the same as its text: `1.10` and `0755` are names of something."""
    text = str(node.value)
    for build in (int, float):
        try:
            value = build(text)
        except ValueError:
            continue
        if str(value) == text:
            return value
    return text


for _kind in _WRITTEN:
    _AsWritten.add_constructor(f"tag:yaml.org,2002:{_kind}", _as_written)


def read_configuration(path: str, data: bytes) -> tuple[Document, ...]:
    """Return the documents of a file, by the ending of its name, as JSON-like values.

    A number that is written unusually (`1.10`, `0755`, `1_000`) and every date stays a text. Raises
    BadConfigurationError where the file is none, too large, holds a key twice, refers to itself or is much larger
    than it looks.
    """
    if len(data) > _LARGEST:
        message = f"it holds more than {_LARGEST} bytes"
        raise BadConfigurationError(message)
    ending = path.rpartition("/")[2].rpartition(".")[2].lower()
    try:
        match ending:
            case "json":
                return (Document("", _measured(read_json(data))),)
            case "toml":
                return (Document("", _measured(tomllib.loads(data.decode("utf-8"), parse_float=_number))),)
            case "yaml" | "yml":
                return _yaml(data)
            case _:
                message = "its name is none of JSON, YAML or TOML"
                raise BadConfigurationError(message)
    except (BadJSONError, UnicodeDecodeError, YAMLError, ValueError, TypeError) as error:
        message = f"it cannot be read as {ending.upper()}"
        raise BadConfigurationError(message) from error
    except RecursionError as error:
        message = "it is nested too deep"
        raise BadConfigurationError(message) from error


def _yaml(data: bytes) -> tuple[Document, ...]:
    if len(data) > _LARGEST_YAML:
        message = f"it holds more than {_LARGEST_YAML} bytes of YAML"
        raise BadConfigurationError(message)
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = _AsWritten
    values: list[object] = []
    for value in yaml.load_all(data.decode("utf-8")):
        values.append(_measured(value))
        if len(values) > _MOST_DOCUMENTS:
            message = f"it holds more than {_MOST_DOCUMENTS} documents"
            raise BadConfigurationError(message)
    if len(values) == 1:
        return (Document(_kind_and_name(values[0]), values[0]),)
    return tuple(
        Document(f"#{number}" + (f" {name}" if (name := _kind_and_name(value)) else ""), value)
        for number, value in enumerate(values, start=1)
    )


def _kind_and_name(value: object) -> str:
    """Return `Deployment/orders-api` for a document that says what it is about, as those of Kubernetes do."""
    if not isinstance(value, dict) or not isinstance(value.get("metadata"), dict):
        return ""
    kind, name = value.get("kind"), value["metadata"].get("name")
    told = f"{kind}/{name}"
    return told if isinstance(kind, str) and isinstance(name, str) and len(told) <= _NAMED else ""


def _measured(value: object) -> object:
    """Return a value as JSON has it. Raises BadConfigurationError where aliases make it large or endless."""
    left = _MOST_VALUES

    def plain(held: object, above: frozenset[int]) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            message = f"it holds more than {_MOST_VALUES} values"
            raise BadConfigurationError(message)
        if isinstance(held, Mapping | list | tuple | set):
            if id(held) in above:
                message = "it refers to itself"
                raise BadConfigurationError(message)
            inner = above | {id(held)}
            if isinstance(held, Mapping):
                return {_key(key): plain(item, inner) for key, item in held.items()}
            return [plain(item, inner) for item in held]
        return _scalar(held)

    return plain(value, frozenset())


def _key(key: object) -> str:
    if isinstance(key, bool):
        return str(key).lower()
    return "null" if key is None else str(key)


def _scalar(held: object) -> object:
    match held:
        case None | bool() | int() | float() | str() | jiter.LosslessFloat():
            return held
        case datetime() | date() | time():
            return held.isoformat()
        case _:
            return "(binary)"


def _number(text: str) -> object:
    value = float(text)
    return value if str(value) == text else text
