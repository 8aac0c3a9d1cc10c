"""`.dreamcheck.yaml` read strictly: bounded, plain values, every key once, nothing that nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, NodeEvent
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from dream.checker.rules import RULES, Severity, Waiving
from dream.checker.waivers import BrokenWaivers, Waiver, Waivers
from dream.memory.sources import parse_date

MOST_BYTES = 32_000
_MOST_WAIVERS = 500
_DEEPEST = 6
_LONGEST_PATTERN = 300
_MOST_STARS = 12
_MARKED = re.compile(r"(?P<path>[^#]{1,4000})#(?P<mark>[0-9a-f]{12})")
_KEYS = ("ignore", "severity", "exclude")
_OF_A_WAIVER = ("path", "until", "reason")


class _BrokenError(Exception):
    """The file says what nobody can rely on, on `line`."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


def read_waivers(data: bytes) -> Waivers | BrokenWaivers:
    """Return what the file waives, or the first thing that is wrong with it; an empty file waives nothing."""
    try:
        return _read(data)
    except _BrokenError as error:
        return BrokenWaivers(line=error.line, reason=error.reason)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        return BrokenWaivers(line=mark.line + 1 if mark else 1, reason=f"no YAML: {error.problem}")
    except (YAMLError, ValueError) as error:
        return BrokenWaivers(line=1, reason=f"no YAML: {type(error).__name__}")


def _read(data: bytes) -> Waivers:
    if len(data) > MOST_BYTES:
        raise _BrokenError(1, f"over {MOST_BYTES // 1000} kB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _BrokenError(1, "not UTF-8") from None
    yaml = YAML(typ="safe", pure=True)
    _refuse_bombs(yaml, text)
    root = yaml.compose(text)
    keys = {} if root is None or _is_empty(root) else _mapping(root, "the file")
    _refuse_unknown(keys, _KEYS)
    return Waivers(
        ignored=_ignored(keys["ignore"]) if "ignore" in keys else (),
        severities=_severities(keys["severity"]) if "severity" in keys else {},
        excluded=_excluded(keys["exclude"]) if "exclude" in keys else (),
    )


def _refuse_bombs(yaml: YAML, text: str) -> None:
    """Look at the events alone, which cost no more than the text is long, whatever they would expand to."""
    depth = 0
    for event in yaml.parse(text):
        line = event.start_mark.line + 1
        if isinstance(event, AliasEvent) or (isinstance(event, NodeEvent) and event.anchor):
            raise _BrokenError(line, "an anchor or alias: write the value out")
        if getattr(event, "tag", None):
            raise _BrokenError(line, "a tag: only plain values are read")
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
        if depth > _DEEPEST:
            raise _BrokenError(line, f"nested more than {_DEEPEST} deep")


def _ignored(node: Node) -> tuple[Waiver, ...]:
    found = tuple(
        waiver
        for rule, listed in _rules(node, "ignore").items()
        for item in _sequence(listed, f"what ignore says of {rule}")
        for waiver in _waivers(rule, item)
    )
    if len(found) > _MOST_WAIVERS:
        raise _BrokenError(_line(node), f"more than {_MOST_WAIVERS} waivers")
    return found


def _waivers(rule: str, item: Node) -> Iterator[Waiver]:
    until, path = None, item
    if isinstance(item, MappingNode):
        keys = _mapping(item, "a waiver")
        _refuse_unknown(keys, _OF_A_WAIVER)
        if "path" not in keys:
            raise _BrokenError(_line(item), "a waiver without a path")
        path = keys["path"]
        if "until" in keys:
            until = parse_date(_text(keys["until"], "until"))
            if until is None:
                raise _BrokenError(_line(keys["until"]), "until is no day written as YYYY-MM-DD")
        if "reason" in keys:
            _text(keys["reason"], "reason")
    written = _text(path, "a path")
    if RULES[rule].waiving is Waiving.BY_PATTERN:
        yield Waiver(rule=rule, pattern=_pattern(written, path), line=_line(path), until=until)
        return
    marked = _MARKED.fullmatch(written)
    if marked is None:
        raise _BrokenError(_line(path), f"{rule} is waived for one line, as PATH#MARK; the finding shows its mark")
    yield Waiver(rule=rule, pattern=marked["path"], mark=marked["mark"], line=_line(path), until=until)


def _severities(node: Node) -> Mapping[str, Severity | None]:
    found: dict[str, Severity | None] = {}
    for rule, value in _rules(node, "severity").items():
        written = _text(value, f"the severity of {rule}")
        if written not in {"off", *Severity}:
            raise _BrokenError(_line(value), "a severity is one of error, warning, info, off")
        if RULES[rule].waiving is not Waiving.BY_PATTERN and written != Severity.ERROR:
            raise _BrokenError(_line(value), f"{rule} stays an error")
        found[rule] = None if written == "off" else Severity(written)
    return found


def _excluded(node: Node) -> tuple[str, ...]:
    found = tuple(_pattern(_text(item, "a path"), item) for item in _sequence(node, "exclude"))
    if len(found) > _MOST_WAIVERS:
        raise _BrokenError(_line(node), f"more than {_MOST_WAIVERS} paths")
    return found


def _rules(node: Node, where: str) -> Mapping[str, Node]:
    """Return what stands by each rule, none of which is unknown or waived by nobody."""
    keys = _mapping(node, where)
    for rule, value in keys.items():
        if rule not in RULES:
            raise _BrokenError(_line(value), f"{where} names no rule: {rule}")
        if RULES[rule].waiving is Waiving.NEVER:
            raise _BrokenError(_line(value), f"{rule} is waived by nobody")
    return keys


def _refuse_unknown(keys: Mapping[str, Node], known: tuple[str, ...]) -> None:
    for key, value in keys.items():
        if key not in known:
            raise _BrokenError(_line(value), f"unknown key {key}: {', '.join(known)} are known")


def _mapping(node: Node, what: str) -> dict[str, Node]:
    if not isinstance(node, MappingNode):
        raise _BrokenError(_line(node), f"{what} is no mapping of keys")
    found: dict[str, Node] = {}
    for key, value in node.value:
        name = _text(key, "a key")
        if name in found:
            raise _BrokenError(_line(key), f"{name} stands twice")
        found[name] = value
    return found


def _sequence(node: Node, what: str) -> list[Node]:
    if not isinstance(node, SequenceNode):
        raise _BrokenError(_line(node), f"{what} is no list")
    return list(node.value)


def _text(node: Node, what: str) -> str:
    if not isinstance(node, ScalarNode) or not node.value.strip():
        raise _BrokenError(_line(node), f"{what} is no text")
    return str(node.value)


def _pattern(written: str, node: Node) -> str:
    if len(written) > _LONGEST_PATTERN or written.count("*") > _MOST_STARS:
        raise _BrokenError(_line(node), f"a pattern over {_LONGEST_PATTERN} characters or {_MOST_STARS} stars")
    if written.startswith("/") or ".." in written.split("/"):
        raise _BrokenError(_line(node), "a pattern is relative to the memory")
    return written


def _is_empty(node: Node) -> bool:
    return isinstance(node, ScalarNode) and not node.value


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1
