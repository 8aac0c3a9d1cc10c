"""YAML files read strictly: bounded, plain values, every key once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, NodeEvent
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from config.complaints import Location, dotted
from dream.errors import UsageError

MAX_BYTES = 100_000
MAX_DEPTH = 20
_WAY_OUT = "correct the file; the example configuration shows every key"


def read_mapping(path: Path) -> Mapping[str, Any]:
    """Return the keys and values of the YAML file at `path`, in YAML 1.2, so that `no` is a word.

    Raises:
        UsageError: it cannot be read, is too large, is not UTF-8 or no mapping, has a key twice, an anchor or a tag;
            no message repeats a value, because one may be a secret.
    """
    text = _read_text(path)
    yaml = YAML(typ="safe", pure=True)
    try:
        _refuse_bombs(yaml, text, path)
        root = yaml.compose(text)
        if not isinstance(root, MappingNode):
            raise _wrong(path, "holds no mapping of keys")
        _refuse_repeated_keys(root, path)
        document: Mapping[str, Any] = yaml.load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise _wrong(path, f"line {line} is no YAML: {error.problem}") from None
    except (YAMLError, ValueError) as error:
        raise _wrong(path, f"is no YAML: {type(error).__name__}") from None
    return document


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _wrong(path, f"cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise _wrong(path, f"is larger than {MAX_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _wrong(path, f"is not UTF-8: byte {error.start}") from None


def _refuse_bombs(yaml: YAML, text: str, path: Path) -> None:
    """Look at the events alone, which cost no more than the text is long, whatever they would expand to."""
    depth = 0
    for event in yaml.parse(text):
        line = event.start_mark.line + 1
        if isinstance(event, AliasEvent) or (isinstance(event, NodeEvent) and event.anchor):
            raise _wrong(path, f"line {line} has an anchor or alias; write the value out")
        if getattr(event, "tag", None):
            raise _wrong(path, f"line {line} has a tag; only plain values are read")
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise _wrong(path, f"line {line} is nested more than {MAX_DEPTH} deep")


def _refuse_repeated_keys(node: Node, path: Path, where: Location = ()) -> None:
    if isinstance(node, SequenceNode):
        for position, item in enumerate(node.value):
            _refuse_repeated_keys(item, path, (*where, position))
    if not isinstance(node, MappingNode):
        return
    seen: dict[str, int] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if isinstance(key, MappingNode | SequenceNode):
            raise _wrong(path, f"line {line} has a key that is no word")
        here = (*where, str(key.value))
        if key.value in seen:
            raise _wrong(path, f"{dotted(here)} stands twice, in lines {seen[key.value]} and {line}")
        seen[key.value] = line
        _refuse_repeated_keys(value, path, here)


def _wrong(path: Path, cause: str) -> UsageError:
    return UsageError(f"{path}: {cause}", way_out=_WAY_OUT, path=str(path))
