"""A Prometheus server, or what speaks its query API, as a probe: seven addresses, and GET alone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dream.sources.production.fields import kept_lines, printable
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.operations import no_operation
from dream.sources.production.port import Answer, Down, Found, Nothing, Operation, Proof, Refused
from dream.sources.production.prometheus.expressions import Expression, Objection, read_expression
from dream.sources.production.prometheus.responses import (
    Asked,
    Reading,
    Said,
    read_alerts,
    read_envelope,
    read_rules,
    read_series,
    read_targets,
)
from dream.sources.production.prometheus.tokens import duration_seconds
from dream.sources.production.responses import failure_of
from dream.sources.production.web import Web

_RANGE = re.compile(r"\s*(?P<expression>.*\S)\s*\[(?P<length>[0-9a-z]{1,20}):(?P<step>[0-9a-z]{1,20})\]\s*", re.DOTALL)
_DURATION = re.compile(r"(?:[0-9]{1,6}(?:ms|[smhdwy]))+")
_LONGEST = 2_000
_MOST_SAMPLES = 1_000
_LONGEST_SECONDS = 31 * 86_400
_LONGEST_NAME = 200
_LEAST_SECONDS = 0.1
_STEPS_MISSED = 2
_ABSENT = 404
_OPERATIONS = (
    Operation(
        name="instant",
        form='kube_deployment_spec_replicas{deployment="orders-api"}',
        meaning="the samples as they are now; labels fixed with = say whose they are",
    ),
    Operation(
        name="range",
        form='up{job="orders-api"} [1h:1m]',
        meaning="the samples of so long, so far apart: the last, the least and the greatest of each series",
    ),
    Operation(name="alerts", form="HighLatency", meaning="what is pending or firing, of that name or all"),
    Operation(
        name="rules", form="HighLatency", meaning="the expressions of alerts and recordings, of that name or all"
    ),
    Operation(name="targets", form="orders-api", meaning="what is scraped and whether it answers, of that job or all"),
)
_LISTS = {
    "alerts": ("/api/v1/alerts", (), read_alerts, "no alert{} is pending or firing"),
    "rules": ("/api/v1/rules", (), read_rules, "no rule{} is evaluated"),
    "targets": ("/api/v1/targets", (("state", "active"),), read_targets, "no target{} is scraped"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PrometheusSource:
    """A server, by the address that its `/api/v1` stands below."""

    name: str
    url: str
    internal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    expression: Expression
    length: float
    step: float


class PrometheusProbe:
    """A Prometheus that is only read; what is sent of an expression is written anew from what was understood."""

    def __init__(
        self,
        source: PrometheusSource,
        *,
        secret: str = "",
        limits: ProbeLimits | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Take the server, its bearer token where it wants one, and the clock by which a range ends."""
        self._source = source
        self._limits = limits or ProbeLimits()
        self._now = now
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        self._web = Web(source.url, headers=headers, internal=source.internal, limits=self._limits)

    @property
    def name(self) -> str:
        """How the organisation calls it."""
        return self._source.name

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The ways to ask it."""
        return _OPERATIONS

    def objection(self, operation: str, text: str) -> str:
        """Return why a question may not be put, "" where it may; nothing is asked."""
        if operation in {"instant", "range"}:
            read = read_expression(text) if operation == "instant" else _read_range(text)
            return f"the probe takes no such question: {printable(read.reason)}" if isinstance(read, Objection) else ""
        if operation not in _LISTS:
            return no_operation(operation, _OPERATIONS)
        known = len(text) <= _LONGEST_NAME and text.isprintable()
        return "" if known else f"the probe takes no such question: no name of {operation}"

    def ask(self, operation: str, text: str) -> Answer:
        """Return what the server says, with a line for each series, alert, rule or target."""
        wrong = self.objection(operation, text)
        if wrong:
            return Refused(wrong)
        if operation in _LISTS:
            return self._list(operation, text.strip())
        return self._instant(text) if operation == "instant" else self._range(text)

    def examine(self) -> tuple[Proof, ...]:
        """Return which server answers, how much it knows, and what is ever sent to it."""
        said = self._get("/api/v1/status/buildinfo")
        if not isinstance(said, Said):
            return (Proof(tried="connect", sound=False, seen=said.reason),)
        version = said.data.get("version", "?") if isinstance(said.data, dict) else "?"
        names = self._get("/api/v1/label/__name__/values")
        if isinstance(names, Said):
            count = f"{len(names.data)} metrics" if isinstance(names.data, list) else "no metrics"
        else:
            count = f"how many metrics there are was not to be had: {names.reason}"
        return (
            Proof(tried="connect", sound=True, seen=printable(f"Prometheus {version} at {self._source.url}")[:200]),
            Proof(tried="metrics", sound=not isinstance(names, Down), seen=count),
            Proof(
                tried="write",
                sound=True,
                seen="nothing but GET is ever sent, to query, query_range, alerts, rules, targets, buildinfo and the"
                " names of metrics: no address of the admin or lifecycle API is one that a question can lead to",
            ),
        )

    def _get(self, path: str, query: Iterable[tuple[str, str]] = ()) -> Said | Down | Refused:
        response = self._web.get(path, query)
        if isinstance(response, (Down, Refused)):
            return response
        said = failure_of(response) or read_envelope(response)
        if response.status == _ABSENT and self._source.url.rstrip("/").endswith("/api/v1"):
            return Refused(f"there is no {path} below its url (status {_ABSENT}); leave /api/v1 off the url")
        return said

    def _instant(self, text: str) -> Answer:
        read = read_expression(text)
        if isinstance(read, Objection):
            return Refused(read.reason)
        return self._series("/api/v1/query", read, [], Asked(shape=read.shape, plain=read.plain))

    def _range(self, text: str) -> Answer:
        span = _read_range(text)
        if isinstance(span, Objection):
            return Refused(span.reason)
        read, end = span.expression, self._now()
        query = [("start", f"{end - span.length:.3f}"), ("end", f"{end:.3f}"), ("step", f"{span.step:g}")]
        asked = Asked(shape=read.shape, plain=read.plain, not_before=end - span.step * _STEPS_MISSED)
        return self._series("/api/v1/query_range", read, query, asked)

    def _series(self, path: str, expression: Expression, query: Sequence[tuple[str, str]], asked: Asked) -> Answer:
        seconds = f"{max(_LEAST_SECONDS, self._limits.seconds):g}s"
        said = self._get(path, [("query", expression.text), ("timeout", seconds), *query])
        if not isinstance(said, Said):
            return said
        if said.warnings and not expression.plain:
            return Nothing(f"a part of the series may be missing: {said.warnings[0]}")
        readings = read_series(said.data, asked, self._limits)
        if isinstance(readings, Refused):
            return readings
        none = "no series with a number matches" + (f" ({said.warnings[0]})" if said.warnings else "")
        return self._found(list(readings), expression.names, none, partial=bool(said.warnings))

    def _list(self, operation: str, name: str) -> Answer:
        path, query, read, none = _LISTS[operation]
        said = self._get(path, query)
        if not isinstance(said, Said):
            return said
        readings = list(read(said.data, name, self._limits))
        called = f" {name}" if name else ""
        return self._found(
            readings, (name,) if name else (), printable(none.format(called)), partial=bool(said.warnings)
        )

    def _found(self, readings: Sequence[Reading], names: tuple[str, ...], none: str, *, partial: bool) -> Answer:
        if not readings:
            return Nothing(none)
        lines, more = kept_lines([reading.line for reading in readings], self._limits)
        values = [value for reading in readings[: len(lines)] for value in reading.values]
        return Found(lines=lines, values=tuple(values), names=names, cut=more or partial)


def _read_range(text: str) -> _Span | Objection:
    found = _RANGE.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None or not (_DURATION.fullmatch(found["length"]) and _DURATION.fullmatch(found["step"])):
        return Objection("no range such as [1h:1m] at its end")
    length, step = duration_seconds(found["length"]), duration_seconds(found["step"])
    if not (1 <= step <= length <= _LONGEST_SECONDS and length / step <= _MOST_SAMPLES):
        return Objection(f"a range of more than {_MOST_SAMPLES} samples or 31 days, or of less than a second's step")
    read = read_expression(found["expression"])
    return read if isinstance(read, Objection) else _Span(expression=read, length=length, step=step)
