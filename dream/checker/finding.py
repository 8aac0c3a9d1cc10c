"""One thing to mend in a memory, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from dream.checker.rules import RULES, Severity

_LONGEST = 200


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing to mend: where (`line` counts from 1, 0 is the whole file), which rule, how bad, and what helps.

    `mark` is the digest that a waiver names the line by, for rules that are waived line by line.
    """

    path: str
    line: int
    rule: str
    severity: Severity
    message: str
    way_out: str
    mark: str = ""

    def __str__(self) -> str:
        """Read `path:line: rule: message; way out`, on one line, whatever the path holds."""
        place = ascii(self.path)[1:-1] + (f":{self.line}" if self.line else "")
        mark = f" (#{self.mark})" if self.mark else ""
        return f"{place}: {self.rule}: {self.message}{mark}; {self.way_out}"


def find(rule: str, path: str, message: str, *, line: int = 0, way_out: str = "", mark: str = "") -> Finding:
    """Return a finding of `rule` with the rule's severity and, where no other is given, its way out."""
    known = RULES[rule]
    return Finding(path, line, rule, known.severity, message, way_out or known.way_out, mark)


def at_most(findings: Iterable[Finding], most: int) -> Iterator[Finding]:
    """Yield the first `most` of the findings of one rule in one note, and one more that counts the others."""
    waiting = iter(findings)
    yield from islice(waiting, most)
    others = list(waiting)
    if len(others) == 1:
        yield others[0]
    elif others:
        first = others[0]
        yield find(first.rule, first.path, f"and {len(others)} more below", line=first.line)


def shown(text: str) -> str:
    """Return `text` on one line of ASCII, cut where it is long."""
    return ascii(text[:_LONGEST])[1:-1]
