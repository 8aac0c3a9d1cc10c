"""What a Prometheus API said, out of its envelope; and its samples, alerts, rules and targets as lines. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from dream.sources.production.fields import cut_text, printable, read_json
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Line, Refused
from dream.sources.production.responses import Response
from dream.sources.strict_json import BadJSONError

_NUMBER = re.compile(r"-?[0-9]{1,400}(?:\.[0-9]{1,400})?(?:e[+-]?[0-9]{1,3})?")
_TOLD = 300
_OF_A_RULE = ("type", "query", "duration", "state", "health", "lastError")
_NAME = "__name__"
_OK, _BAD_REQUEST, _UNPROCESSABLE = 200, 400, 422


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The `data` of an answer, and the warnings that it may be of a part of the truth only."""

    data: Any
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One line, and the values that it holds for a check."""

    line: Line
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the series of an answer are of: an expression's `shape`, whether it is `plain`, and when they must go on."""

    shape: str
    plain: bool
    not_before: float = 0


def read_envelope(response: Response) -> Said | Refused:
    """Return what an answer holds, or why it is none that a Prometheus gives."""
    try:
        body = read_json(response.body)
    except BadJSONError:
        return Refused(f"an answer that no Prometheus gives (status {response.status}, {_kind(response)})")
    if not isinstance(body, dict):
        return Refused(f"an answer that no Prometheus gives (status {response.status})")
    if body.get("status") == "error" and response.status in {_BAD_REQUEST, _UNPROCESSABLE}:
        said = f"{body.get('errorType', 'error')}: {body.get('error', '')}"
        return Refused(printable(said)[:_TOLD])
    if response.status != _OK or body.get("status") != "success" or "data" not in body:
        return Refused(f"an answer that no Prometheus gives (status {response.status})")
    warnings = body.get("warnings")
    told = tuple(printable(str(each))[:_TOLD] for each in warnings[:5]) if isinstance(warnings, list) else ()
    return Said(data=body["data"], warnings=told)


def read_series(data: Any, series: Asked, limits: ProbeLimits) -> Iterator[Reading] | Refused:
    """Yield the samples of each series that has any: of an instant its one, of a range the last, least and greatest.

    Where a series ended within the range, its last sample is no `value`, and nothing that a check may compare.
    """
    result = data.get("result") if isinstance(data, dict) else None
    if not isinstance(result, list) or data.get("resultType") not in {"vector", "matrix"}:
        return Refused("an answer that holds no series")
    return _readings(result, series, limits)


def _readings(result: Sequence[Any], asked: Asked, limits: ProbeLimits) -> Iterator[Reading]:
    for series in result:
        labels = _labels(series.get("metric")) if isinstance(series, dict) else None
        if labels is None:
            continue
        samples = [series["value"]] if "value" in series else series.get("values")
        read = [sample for sample in map(_sample, samples if isinstance(samples, list) else ()) if sample]
        if not read:
            continue
        metric = labels.pop(_NAME, "")
        name = (metric or asked.shape) if asked.plain else asked.shape
        last_at, last = read[-1]
        ended = last_at < asked.not_before
        values = [value for _, value in read]
        told = [("last" if ended else "value", last)]
        if len(values) > 1:
            told += [("min", min(values, key=Decimal)), ("max", max(values, key=Decimal))]
        if ended:
            told.append(("ended", datetime.fromtimestamp(last_at, UTC).isoformat(timespec="seconds")))
        known = [(name, last)] if asked.plain and name and not ended else []
        line = _line(name, labels, told, known, limits)
        yield Reading(line=line, values=() if ended else tuple(dict.fromkeys(values)))


def read_alerts(data: Any, name: str, limits: ProbeLimits) -> Iterator[Reading]:
    """Yield the alerts that are pending or firing, of one name where it is given."""
    for alert in _list_of(data, "alerts"):
        labels = _labels(alert.get("labels")) or {}
        called = labels.pop("alertname", "")
        state = alert.get("state")
        if not called or not isinstance(state, str) or name not in {"", called}:
            continue
        told = [("state", state), ("since", _text(alert.get("activeAt")))]
        yield Reading(line=_line(f"alert {called}", labels, told, [], limits), values=(state,))


def read_rules(data: Any, name: str, limits: ProbeLimits) -> Iterator[Reading]:
    """Yield the rules that are evaluated, of one name where it is given; the value of each is its expression."""
    for group in _list_of(data, "groups"):
        for rule in _list_of(group, "rules"):
            called, query = _text(rule.get("name")), _text(rule.get("query"))
            if not called or not query or name not in {"", called}:
                continue
            given = [(key, _text(rule.get(key))) for key in _OF_A_RULE]
            told = [*((key, value) for key, value in given if value), ("group", _text(group.get("name")))]
            line = _line(f"rule {called}", _labels(rule.get("labels")) or {}, told, [], limits)
            yield Reading(line=line, values=(query,))


def read_targets(data: Any, job: str, limits: ProbeLimits) -> Iterator[Reading]:
    """Yield the targets that are scraped, of one job where it is given; the value of each is its health."""
    for target in _list_of(data, "activeTargets"):
        labels = _labels(target.get("labels")) or {}
        health = _text(target.get("health"))
        if not health or job not in {"", labels.get("job", "")}:
            continue
        error = _text(target.get("lastError"))
        told = [("health", health), *([("lastError", error)] if error else [])]
        yield Reading(line=_line("target", labels, told, [], limits), values=(health,))


def _line(
    name: str,
    labels: Mapping[str, str],
    told: Sequence[tuple[str, str]],
    known: Sequence[tuple[str, str]],
    limits: ProbeLimits,
) -> Line:
    """Return `name{label="x"}: value=5`; one that is too long is cut and has no fields."""
    inside = ",".join(f"{label}={json.dumps(value, ensure_ascii=False)}" for label, value in labels.items())
    shown = " ".join(f"{key}={_shown(value)}" for key, value in told)
    text = printable(f"{name}{{{inside}}}: {shown}")
    if len(text) > limits.line_characters:
        return Line(text=cut_text(text, limits.line_characters))
    return Line(text=text, fields=(*labels.items(), *told, *known))


def _shown(value: str) -> str:
    return value if _NUMBER.fullmatch(value) else json.dumps(value, ensure_ascii=False)


def _sample(sample: Any) -> tuple[float, str] | None:
    """Return when a sample is of and its digits; None for what is no number, as NaN, infinities and stale markers."""
    match sample:
        case [moment, str(written)] if _NUMBER.fullmatch(str(moment)) and _NUMBER.fullmatch(written.lower()):
            number = written.lower()
            return float(str(moment)), f"{Decimal(number):f}" if "e" in number else number
        case _:
            return None


def _labels(held: Any) -> dict[str, str] | None:
    if not isinstance(held, dict):
        return None
    return {key: value for key, value in sorted(held.items()) if isinstance(value, str)}


def _list_of(data: Any, key: str) -> list[dict[str, Any]]:
    held = data.get(key) if isinstance(data, dict) else None
    return [each for each in held if isinstance(each, dict)] if isinstance(held, list) else []


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, dict | list) else str(value)


def _kind(response: Response) -> str:
    return printable(response.kind)[:60] or "no media type"
