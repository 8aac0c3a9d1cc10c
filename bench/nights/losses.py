"""The loss of a night by section 7 of the design, counted the slow and plain way.

Shares nothing with the product. Entries are found by simple rules (a list item, a paragraph, a fenced block; the body
of a note with frontmatter; nothing but dated bullets where there are any), so that small differences to the product's
own count are to be expected where Markdown is intricate; the budget is taken from the same units as the loss.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_APART = frozenset({"CATALOG", "daily", "preferences", "learnings", "archive"})
_DATED = re.compile(r"[-+*] +(?:\*\*)?[0-9]{4}-[0-9]{2}-[0-9]{2}(?:\*\*)?:")
_DATE = re.compile(r"(?:\*\*)?[0-9]{4}-[0-9]{2}-[0-9]{2}(?::\*\*|\*\*:|:)\s")
_MARKER = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:\s+|$)")
_CITED = re.compile(r"\s*(?:\[[^\[\]]*\]|\(tentative\))\s*$")
_BOX = re.compile(r"(\s*)(?:[-*+]|[0-9]+[.)])\s+\[(.)\]\s")
_LARGEST = 256_000
_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class Units:
    """The statements of one note and its other lines."""

    statements: frozenset[str]
    other: frozenset[str]

    @property
    def count(self) -> int:
        """How many units there are."""
        return len(self.statements) + len(self.other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What went, and of how much."""

    notes: int = 0
    statements: int = 0
    topic_notes: int = 0
    statement_count: int = 0


def is_topic(path: str) -> bool:
    """Whether a path of a memory is a topic note."""
    parts = path.split("/")
    if any(part.startswith(".") for part in parts) or not path.lower().endswith(".md"):
        return False
    return path not in {"MEMORY.md", "CATALOG.md", "index.md"} and not (len(parts) > 1 and parts[0] in _APART)


def units_of(data: bytes, *, path: str = "") -> Units:
    """Return the units of a note; what cannot be read is one unit, its bytes."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return Units(frozenset(), frozenset({repr(data)}))
    if b"\0" in data or len(data) > _LARGEST:
        return Units(frozenset(), frozenset({repr(data)}))
    lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
    if path.rpartition("/")[2] == "tasks.md":
        lines = _without_done(lines)
    front = _frontmatter(lines)
    head, body = lines[:front], lines[front:]
    if any(_DATED.match(line) for line in body):
        blocks = [block for block in _blocks(body) if _DATED.match(block[0])]
    elif any(line.startswith("name:") for line in head) and any(
        line.startswith(("description:", "type:")) for line in head
    ):
        blocks = [[line for line in body if line.strip()]]
    else:
        blocks = [block for block in _blocks(body) if not block[0].lstrip().startswith("#")]
    statements = frozenset(filter(_tells, (_key(block) for block in blocks if block)))
    inside = [line for block in blocks for line in block]
    other = list(filter(_tells, (line.strip() for line in lines)))
    for line in inside:
        if line.strip() in other:
            other.remove(line.strip())
    return Units(statements, frozenset(other))


def loss_of(base: Mapping[str, bytes], tip: Mapping[str, bytes], *, last_landed: frozenset[str] | None = None) -> Loss:
    """Return what the topic notes of `tip` have lost of those of `base`.

    `last_landed` are the paths that the night before left; a note that is not among them and was absorbed without a
    lost statement costs nothing.
    """
    before = {path: units_of(data, path=path) for path, data in base.items() if is_topic(path)}
    after = {path: units_of(data) for path, data in tip.items() if is_topic(path)}
    count = sum(len(units.statements) for units in before.values())
    if all(tip.get(path) == base[path] for path in before):
        return Loss(topic_notes=len(before), statement_count=count)
    owned: dict[str, list[Units]] = {path: [] for path in before}
    for path, units in after.items():
        owner = path if base.get(path) == tip[path] else _owner(path, units, before, tip.keys())
        if owner:
            owned[owner].append(units)
    texts = {path: _flat(data) for path, data in tip.items() if is_topic(path)}
    standing = frozenset().union(*(units.statements for units in after.values()))
    known = frozenset().union(*(units.statements for units in before.values()))
    notes = statements = 0
    for path, units in before.items():
        if tip.get(path) == base[path]:
            continue
        new = frozenset().union(*(mine.statements for mine in owned[path])) - known
        found = {one for one in units.statements if any(one in mine.statements for mine in owned[path])}
        found |= _revised(units.statements - found, new)
        lost = [
            one
            for one in units.statements - found
            if one not in standing and not any(one in text for text in texts.values())
        ]
        statements += len(lost)
        here = [line for line in units.other if any(line in mine.other | mine.statements for mine in owned[path])]
        kept = 2 * len(found) >= len(units.statements) and 2 * len(here) >= len(units.other)
        newcomer = last_landed is not None and path not in last_landed and units.statements and not lost
        notes += not kept and not newcomer
    return Loss(notes=notes, statements=statements, topic_notes=len(before), statement_count=count)


def night_budget(loss: Loss) -> tuple[int, int]:
    """Return how many notes and statements a night may take of such a base."""
    notes = min(max(3, loss.topic_notes * 15 // 100), loss.topic_notes // 2)
    return notes, max(5, loss.statement_count * 15 // 100)


def month_budget(loss: Loss) -> tuple[int, int]:
    """Return how many notes and statements thirty nights may take of such a base."""
    notes = min(max(3, loss.topic_notes * 25 // 100), loss.topic_notes // 2)
    return notes, max(15, loss.statement_count * 25 // 100)


def _owner(path: str, units: Units, before: Mapping[str, Units], there: Iterable[str]) -> str:
    own = before.get(path)
    if own is not None and own.count:
        revised = _revised(own.statements - units.statements, units.statements - own.statements)
        if 2 * (_shared(own, units) + len(revised)) >= own.count:
            return path
    gone = before.keys() - set(there)
    most = max((_shared(one, units) for one in before.values()), default=0)
    closest = {name for name, one in before.items() if _shared(one, units) == most}
    return min(closest & gone or closest) if most else ""


def _shared(one: Units, other: Units) -> int:
    return len(one.statements & other.statements) + len(one.other & other.other)


def _revised(missing: Iterable[str], new: Iterable[str]) -> set[str]:
    left = sorted(new)
    found = set()
    for one in sorted(missing):
        for other in left:
            if 2 * len(other) < len(one):
                continue
            matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
            if all(ratio() >= _ALIKE for ratio in (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)):
                found.add(one)
                left.remove(other)
                break
    return found


def _without_done(lines: list[str]) -> list[str]:
    """Leave out tasks that are ticked, each with what is indented deeper under it, unless that holds an open box."""
    kept: list[str] = []
    skipped = 0
    for number, line in enumerate(lines):
        if number < skipped:
            continue
        box = _BOX.match(line + " ")
        if box is None or box[2] not in "xX":
            kept.append(line)
            continue
        end = number + 1
        while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > _indent(line)):
            end += 1
        under = [_BOX.match(one + " ") for one in lines[number + 1 : end]]
        if any(one is not None and one[2] not in "xX" for one in under):
            kept.append(line)
        else:
            skipped = end
    return kept


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def _frontmatter(lines: list[str]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((n + 1 for n, line in enumerate(lines[1:], start=1) if line.rstrip() == "---"), 0)


def _blocks(lines: Iterable[str]) -> list[list[str]]:
    """Split lines at blank ones, headings and the beginnings of top-level items; fences stay whole."""
    blocks: list[list[str]] = []
    open_fence, is_new = "", True
    for line in lines:
        mark = line.strip()[:3]
        if open_fence:
            blocks[-1].append(line)
            open_fence = "" if mark == open_fence else open_fence
            continue
        if not line.strip():
            is_new = True
            continue
        is_item = bool(_MARKER.match(line))
        goes_on = line.startswith(("  ", "\t")) and bool(blocks) and bool(_MARKER.match(blocks[-1][0]))
        if (is_new or is_item or line.startswith("#") or mark in {"```", "~~~"}) and not (goes_on and not is_new):
            blocks.append([])
        blocks[-1].append(line)
        is_new = line.startswith("#")
        open_fence = mark if mark in {"```", "~~~"} else ""
    return blocks


def _key(block: list[str]) -> str:
    kept = []
    for number, line in enumerate(block):
        rest = _MARKER.sub("", line, count=1) if number == 0 else line
        rest = _DATE.sub("", rest, count=1) if number == 0 else rest
        while (shorter := _CITED.sub("", rest)) != rest:
            rest = shorter
        kept.append(rest)
    return unicodedata.normalize("NFC", " ".join(" ".join(kept).split()))


def _flat(data: bytes) -> str:
    return unicodedata.normalize("NFC", " ".join(data.decode("utf-8", "replace").split()))


def _tells(text: str) -> bool:
    return any(map(str.isalnum, text))
