"""The file that a person reads and marks: a box for each item, and at its end what `dream apply` reads."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from dream.errors import UsageError
from dream.proposals.diffs import FileDiff
from dream.proposals.values import VERSION, Consolidation, ProposedItem, digest_of
from dream.report.escaping import code, fenced, inline

_BLOCK = "```json dream-consolidation"
_BOX = re.compile(r"- \[(?P<mark>[ xX])\] (?P<rest>.*)")
_AGAIN = "make it again: dream consolidate PATH"
_DIFF_LINES = 60
_WHY_LINES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What a person is shown of an item beside its title: why, on what evidence, and the difference it makes."""

    item: ProposedItem
    why: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    diffs: tuple[FileDiff, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A proposal as it was read back: all of it, and the items that a person marked."""

    consolidation: Consolidation
    items: tuple[ProposedItem, ...]


class _Item(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: str
    title: str
    files: dict[str, str | None]
    steps: list[dict[str, Any]]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: int
    made: str
    memory: str
    organisation: str
    items: list[_Item]
    digest: str


def render_proposal(
    consolidation: Consolidation, sheets: Sequence[Sheet], *, name: str, summary: Sequence[str], left: Sequence[str]
) -> str:
    """Return the document, no box marked; what others wrote stands in blocks that it cannot break out of.

    `summary` and `left` (what could not be proposed, and why) are lines of Markdown that are safe as they are.
    """
    lines = [
        f"# Consolidation of {inline(name)}, {consolidation.made.isoformat()}",
        "",
        "Nothing is changed yet. Mark what should be done, `[x]`, and leave the rest as it is; then",
        "`dream apply FILE` shows what that does, `dream apply FILE --yes` does it, and",
        "`dream apply FILE --undo` takes it back.",
        "",
        *summary,
        "",
    ]
    for number, sheet in enumerate(sheets, 1):
        lines += [_box(number, sheet.item), *_indented(_body(sheet)), ""]
    if left:
        lines += ["## Not proposed", "", *(f"* {line}" for line in left), ""]
    data = json.dumps({**consolidation.payload, "digest": consolidation.digest}, sort_keys=True, indent=1)
    lines += ["## For `dream apply`: leave it as it is", "", _BLOCK, *data.split("\n"), "```"]
    return "\n".join(lines) + "\n"


def _box(number: int, item: ProposedItem, mark: str = " ") -> str:
    return f"- [{mark}] {_line(number, item)}"


def _line(number: int, item: ProposedItem) -> str:
    return f"**{number}.** {item.title} `{item.id}`"


def _body(sheet: Sheet) -> list[str]:
    lines = [""]
    lines += [f"{inline(why)}  " for why in sheet.why[:_WHY_LINES]]
    if sheet.evidence:
        lines += ["", "Evidence:", "", *(f"* {inline(one)}" for one in sheet.evidence[:_WHY_LINES])]
    for diff in sheet.diffs:
        lines += ["", code(diff.heading), ""]
        lines += fenced(diff.lines, language="diff", most_lines=_DIFF_LINES) if diff.lines else ["no line changes"]
    return lines


def _indented(lines: Sequence[str]) -> list[str]:
    """Set lines into the list item of a box: nothing of them begins at the margin, where boxes and the data stand."""
    return [f"  {line}" if line else "" for line in lines]


def read_proposal(text: str) -> Marked:
    """Return what a document proposes, and which of its items are marked.

    Raises:
        UsageError: it is no proposal, its data was edited, or a box is missing, edited, or there twice.
    """
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    consolidation = _read_data(lines)
    wanted = {_line(number, item): item for number, item in enumerate(consolidation.items, 1)}
    found: dict[str, str] = {}
    for line in lines:
        box = _BOX.fullmatch(line.rstrip())
        if box is None:
            continue
        rest = box["rest"]
        if rest not in wanted:
            continue  # a box of the reader's own
        if rest in found:
            message = f"a box of the proposal is there twice: {rest[:80]!a}"
            raise UsageError(message, way_out=f"leave each once, or {_AGAIN}")
        found[rest] = box["mark"]
    missing = [item for rest, item in wanted.items() if rest not in found]
    if missing:
        message = f"the box of {missing[0].id} is missing, or more of its line was changed than the mark"
        raise UsageError(message, way_out=f"write [ ] or [x] and the line as it was, or {_AGAIN}")
    marked = tuple(item for rest, item in wanted.items() if found[rest] in "xX")
    return Marked(consolidation=consolidation, items=marked)


def _read_data(lines: Sequence[str]) -> Consolidation:
    starts = [number for number, line in enumerate(lines) if line.rstrip() == _BLOCK]
    if len(starts) != 1:
        message = "it is no proposal of dream consolidate, or what `dream apply` reads is missing or twice there"
        raise UsageError(message, way_out=_AGAIN)
    end = next((number for number in range(starts[0] + 1, len(lines)) if lines[number].rstrip() == "```"), len(lines))
    try:
        payload = json.loads("\n".join(lines[starts[0] + 1 : end]))
        _know_version(payload)
        data = _Data.model_validate(payload)
        made = date.fromisoformat(data.made)
    except (ValueError, ValidationError, RecursionError) as error:
        raise _edited() from error
    consolidation = Consolidation(
        made=made,
        memory=data.memory,
        organisation=data.organisation,
        items=tuple(ProposedItem(title=item.title, steps=tuple(item.steps), files=item.files) for item in data.items),
    )
    names = [item.id for item in consolidation.items]
    is_whole = digest_of({name: value for name, value in payload.items() if name != "digest"}) == data.digest
    if not is_whole or names != [item.id for item in data.items]:
        raise _edited()
    return consolidation


def _know_version(payload: Mapping[str, Any]) -> None:
    version = payload.get("version") if isinstance(payload, dict) else None
    if isinstance(version, int) and version > VERSION:
        message = f"the proposal has version {version}; this package understands up to {VERSION}"
        raise UsageError(message, way_out="upgrade this package, or make the proposal again")


def _edited() -> UsageError:
    return UsageError("what `dream apply` reads of the proposal was edited or is damaged", way_out=_AGAIN)
