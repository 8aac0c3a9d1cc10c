"""What a memory's own `.dreamcheck.yaml` waives: findings by rule and path, severities, paths that nobody checks.

Who can write a note can write this file, an agent too. So what protects a memory's readers is not waived by a pattern:
a credential or an instruction is waived for one line as it stands, and what is under `.dream/` and this file itself
not at all. What is waived is counted and shown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatchcase
from functools import cache, lru_cache

from dream.checker.finding import Finding, find, shown
from dream.checker.rules import RULES, Severity, Waiving

FILE = ".dreamcheck.yaml"
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """One waiver on `line` of the file: of a rule, for paths like `pattern`, or for the line that `mark` names.

    It holds up to and on the day `until`.
    """

    rule: str
    pattern: str
    line: int
    mark: str = ""
    until: date | None = None

    def covers(self, finding: Finding) -> bool:
        """Whether it is for this finding."""
        if self.rule != finding.rule:
            return False
        return (
            (self.pattern, self.mark) == (finding.path, finding.mark)
            if self.mark
            else _is_like(finding.path, self.pattern)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Waivers:
    """What a memory waives; None as a severity turns a rule off."""

    ignored: tuple[Waiver, ...] = ()
    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenWaivers:
    """Why the file cannot be relied on, and on which line (from 1); it waives nothing then."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The findings that stay, at the severities that the memory gives them, and how many of each rule are waived."""

    findings: tuple[Finding, ...]
    waived: Mapping[str, int]


def judge(findings: Iterable[Finding], waivers: Waivers | BrokenWaivers, *, today: date | None) -> Judged:
    """Return what is left of `findings`, with what is wrong with the waivers themselves."""
    if isinstance(waivers, BrokenWaivers):
        broken = find("waivers-invalid", FILE, shown(waivers.reason), line=waivers.line)
        return Judged(findings=tuple(sorted([*findings, broken])), waived={})
    kept: list[Finding] = []
    waived: Counter[str] = Counter()
    used: set[Waiver] = set()
    holding = [waiver for waiver in waivers.ignored if not _is_over(waiver, today)]
    for finding in findings:
        covering = [waiver for waiver in holding if waiver.covers(finding)]
        used.update(covering)
        severity = waivers.severities.get(finding.rule, finding.severity)
        if covering or severity is None or _is_excluded(finding, waivers.excluded):
            waived[finding.rule] += 1
        else:
            kept.append(replace(finding, severity=severity))
    kept += _unused(waivers, used, today)
    return Judged(findings=tuple(sorted(kept)), waived=dict(sorted(waived.items())))


def _unused(waivers: Waivers, used: set[Waiver], today: date | None) -> Iterator[Finding]:
    severity = waivers.severities.get("waiver-unused", RULES["waiver-unused"].severity)
    if severity is None:
        return
    for waiver in waivers.ignored:
        if waiver not in used:
            ended = f"it ended on {waiver.until}" if _is_over(waiver, today) else f"it waives no {waiver.rule}"
            told = f"{shown(waiver.pattern)}: {ended}"
            yield replace(find("waiver-unused", FILE, told, line=waiver.line), severity=severity)


def _is_over(waiver: Waiver, today: date | None) -> bool:
    return waiver.until is not None and today is not None and today > waiver.until


def _is_excluded(finding: Finding, patterns: Iterable[str]) -> bool:
    is_waivable = RULES[finding.rule].waiving is Waiving.BY_PATTERN
    return is_waivable and any(_is_like(finding.path, pattern) for pattern in patterns)


@lru_cache(maxsize=4_096)
def _is_like(path: str, pattern: str) -> bool:
    """Whether `pattern` covers `path`: `*` and `?` within one name, `**` any folders, a last `/` all below.

    Findings come by path, so that those of one note are asked about together.
    """
    literal = _WILD.split(pattern, maxsplit=1)[0].rstrip("/")
    if not path.startswith(literal):
        return False
    names, parts = path.split("/"), (f"{pattern}**" if pattern.endswith("/") else pattern).split("/")
    if "**" not in parts:
        return len(names) == len(parts) and all(map(fnmatchcase, names, parts))

    @cache
    def fits(at: int, part: int) -> bool:
        if part == len(parts):
            return at == len(names)
        if parts[part] == "**":
            return fits(at, part + 1) or (at < len(names) and fits(at + 1, part))
        return at < len(names) and fnmatchcase(names[at], parts[part]) and fits(at + 1, part + 1)

    return fits(0, 0)
