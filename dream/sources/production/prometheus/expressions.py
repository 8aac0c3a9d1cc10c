"""The part of PromQL that a question may be written in: one selector, and functions of what it selects. Pure.

Left out is whatever lets a question say something itself or mixes series: numbers and strings as values, operators,
`absent`, `vector`, `label_replace`, `count_values`, and functions whose result hangs on the question alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from dream.sources.production.prometheus.tokens import Token, duration_seconds, tokens_of

_LONGEST = 1_000
_MOST_NAMES = 20
_LONGEST_PATTERN = 200
_DEEPEST = 8
_LONGEST_RANGE = 31 * 86_400

_OF_RANGES = frozenset(
    {
        *("rate", "irate", "increase", "delta", "idelta", "deriv", "changes", "resets"),
        *("avg_over_time", "min_over_time", "max_over_time", "last_over_time", "quantile_over_time"),
    }
)
_OF_VECTORS = frozenset({"abs", "ceil", "floor", "histogram_quantile"})
_OVER_SERIES = frozenset({"sum", "avg", "min", "max", "count", "quantile", "topk", "bottomk"})
_SHARES = frozenset({"quantile", "quantile_over_time", "histogram_quantile"})
_COUNTS = frozenset({"topk", "bottomk"})
_RESERVED = frozenset(
    {
        *("inf", "nan", "and", "or", "unless", "atan2", "bool", "on", "ignoring", "group_left", "group_right"),
        *("by", "without", "offset", "start", "end"),
    }
)
_MATCHES = frozenset({"=", "!=", "=~", "!~"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """A question that may be put: `text` is sent, `shape` is the same without its matchers.

    `names` are the values that its selector fixes by equality. `plain` is a selector of samples as they are now.
    """

    text: str
    shape: str
    names: tuple[str, ...]
    plain: bool


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a text is no question that may be put."""

    reason: str


class _UnreadableError(Exception):
    """Something stands where something else has to; the message says what and where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    text: str
    shape: str
    metric: str = ""
    names: tuple[str, ...] = ()
    plain: bool = False
    ranged: bool = False


def read_expression(text: str) -> Expression | Objection:
    """Return what may be sent for a text, or why nothing may: the first thing in it that is not known."""
    if len(text) > _LONGEST:
        return Objection(f"an expression of more than {_LONGEST} characters")
    tokens = tokens_of(text)
    if isinstance(tokens, str):
        return Objection(tokens)
    reader = _Reader(tokens)
    try:
        read = reader.expression(0)
        reader.expect("", "end of the expression")
    except _UnreadableError as error:
        return Objection(str(error))
    if read.ranged:
        return Objection("a range, which a function has to be of")
    if not read.plain and not read.metric:
        return Objection("an expression over series of several names")
    return Expression(text=read.text, shape=read.shape, names=tuple(dict.fromkeys(read.names)), plain=read.plain)


class _Reader:
    """Goes through the tokens of one expression once."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._place = 0

    def _next(self) -> Token:
        return self._tokens[self._place]

    def _take(self) -> Token:
        token = self._tokens[self._place]
        self._place += token.kind != "end"
        return token

    def _meets(self, text: str) -> bool:
        token = self._next()
        met = token.text == text and token.kind in {"sign", "word"}
        self._place += met
        return met

    def expect(self, text: str, meaning: str = "") -> None:
        token = self._take()
        if token.text != text or token.kind not in {"sign", "end"}:
            message = f"{token} where {meaning or text} has to stand"
            raise _UnreadableError(message)

    def expression(self, depth: int) -> _Read:
        if depth > _DEEPEST:
            message = f"more than {_DEEPEST} expressions in one another"
            raise _UnreadableError(message)
        if self._meets("("):
            inner = self.expression(depth + 1)
            self.expect(")")
            return inner
        token = self._next()
        if token.kind != "word":
            return self._selector()
        follows = self._tokens[self._place + 1].text
        if token.text in _OVER_SERIES and follows in {"(", "by", "without"}:
            return self._aggregation(depth)
        if follows == "(":
            return self._function(depth)
        return self._selector()

    def _aggregation(self, depth: int) -> _Read:
        name = self._take().text
        grouping = self._grouping()
        self.expect("(")
        parameter = self._parameter(name)
        inner = self.expression(depth + 1)
        if inner.ranged:
            message = f"{name} of {inner.shape}"
            raise _UnreadableError(message)
        self.expect(")")
        grouping = grouping or self._grouping()
        before = f"{name}{grouping}({parameter}"
        return _Read(
            text=f"{before}{inner.text})", shape=f"{before}{inner.shape})", metric=inner.metric, names=inner.names
        )

    def _grouping(self) -> str:
        token = self._next()
        if token.text not in {"by", "without"}:
            return ""
        self._take()
        self.expect("(")
        labels: list[str] = []
        while not self._meets(")"):
            labels.append(self._word("a label"))
            if len(labels) > _MOST_NAMES:
                message = f"more than {_MOST_NAMES} labels"
                raise _UnreadableError(message)
            if not self._meets(","):
                self.expect(")")
                break
        return f" {token.text} ({', '.join(labels)}) "

    def _function(self, depth: int) -> _Read:
        token = self._take()
        if token.text not in _OF_RANGES | _OF_VECTORS:
            message = f"the function {token.text}"
            raise _UnreadableError(message)
        self.expect("(")
        parameter = self._parameter(token.text)
        inner = self._selector() if token.text in _OF_RANGES else self.expression(depth + 1)
        if inner.ranged is not (token.text in _OF_RANGES):
            message = f"{token.text} of {inner.shape}"
            raise _UnreadableError(message)
        self.expect(")")
        before = f"{token.text}({parameter}"
        return _Read(
            text=f"{before}{inner.text})", shape=f"{before}{inner.shape})", metric=inner.metric, names=inner.names
        )

    def _parameter(self, name: str) -> str:
        if name not in _SHARES | _COUNTS:
            return ""
        token = self._take()
        whole = token.text.isdigit()
        if token.kind != "number" or not (whole or name in _SHARES):
            message = f"{token} where a number has to stand"
            raise _UnreadableError(message)
        if not (0 < int(token.text) <= _LONGEST if name in _COUNTS else 0 <= float(token.text) <= 1):
            message = f"{token} where a number within its bounds has to stand"
            raise _UnreadableError(message)
        self.expect(",")
        return f"{token.text}, "

    def _selector(self) -> _Read:
        metric = self._word("a metric", colons=True) if self._next().kind == "word" else ""
        matchers, names, fixed = self._matchers() if self._meets("{") else ([], [], "")
        if not metric and not matchers:
            message = f"{self._next()} where a metric has to stand"
            raise _UnreadableError(message)
        written = "{" + ", ".join(matchers) + "}" if matchers else ""
        suffix = ""
        if self._meets("["):
            suffix = f"[{self._duration()}]"
            self.expect("]")
        ranged = suffix != ""
        if self._meets("offset"):
            suffix += f" offset {self._duration()}"
        known = metric or fixed
        return _Read(
            text=f"{metric}{written}{suffix}",
            shape=f"{known}{suffix}",
            metric=known,
            names=tuple(names),
            plain=not suffix,
            ranged=ranged,
        )

    def _matchers(self) -> tuple[list[str], list[str], str]:
        matchers: list[str] = []
        names: list[str] = []
        fixed = ""
        while not self._meets("}"):
            label = self._word("a label")
            sign, value = self._take(), self._take()
            if sign.text not in _MATCHES or value.kind != "string":
                message = f"{sign}{value} where a matcher has to stand"
                raise _UnreadableError(message)
            if len(value.text) > _LONGEST_PATTERN or len(matchers) == _MOST_NAMES:
                message = f"more than {_MOST_NAMES} matchers or one of {_LONGEST_PATTERN} characters"
                raise _UnreadableError(message)
            matchers.append(f"{label}{sign.text}{json.dumps(value.text, ensure_ascii=False)}")
            if sign.text == "=" and value.text:
                fixed = value.text if label == "__name__" else fixed
                names += [value.text] if label != "__name__" else []
            if not self._meets(","):
                self.expect("}")
                break
        return matchers, names, fixed

    def _word(self, meaning: str, *, colons: bool = False) -> str:
        token = self._take()
        reserved = colons and token.text.lower() in _RESERVED
        if token.kind != "word" or (":" in token.text and not colons) or reserved:
            message = f"{token} where {meaning} has to stand"
            raise _UnreadableError(message)
        return token.text

    def _duration(self) -> str:
        token = self._take()
        if token.kind != "duration" or not 0 < duration_seconds(token.text) <= _LONGEST_RANGE:
            message = f"{token} where a time of at most {_LONGEST_RANGE // 86_400} days has to stand"
            raise _UnreadableError(message)
        return token.text
