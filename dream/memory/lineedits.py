"""Edits of whole lines that leave every other byte of a text as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dream.memory.frontmatter import frontmatter_end
from dream.memory.lines import flat, interrupts, underlined_level
from dream.memory.scan import Block, scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dream.memory.operations import Span

_BOM = "\ufeff"


def find_span(text: str, span: Span) -> tuple[int, int] | None:
    """Return the lines (from, up to) that `span` names in `text`; None where they do not stand there as they were read.

    A span of the whole file is all lines.
    """
    if span.text is None:
        return 0, text.count("\n") + 1
    among, wanted = f"\n{text}\n", f"\n{span.text}\n"
    at = -1
    for _ in range(span.occurrence + 1):
        at = among.find(wanted, at + 1)
        if at < 0:
            return None
    start = among.count("\n", 0, at)
    return start, start + wanted.count("\n") - 1


def replace_lines(text: str, start: int, end: int, new: str | None) -> str:
    """Return `text` with lines `start` up to `end` replaced by `new`, put in (where `end` is `start`), or gone (None).

    New lines end as the text's lines do; a line that stood in what is replaced keeps its own end, and the text its byte
    order mark and whether it ends in a newline. Where taking lines away would leave one blank line above and one below,
    one of them goes too; where it would run what stands above and below into one, a blank line comes between.
    """
    bom = _BOM if text.startswith(_BOM) else ""
    lines = text.removeprefix(bom).split("\n")
    if new is None:
        return bom + "\n".join(_without(lines, start, end, _carriage(text)))
    return bom + "\n".join(_with(lines, start, end, new.removeprefix(_BOM if start == 0 else ""), _carriage(text)))


def _carriage(text: str) -> str:
    return "\r" if "\r\n" in text and 2 * text.count("\r\n") > text.count("\n") else ""


def _with(lines: list[str], start: int, end: int, new: str, carriage: str) -> list[str]:
    wanted = new.split("\n")
    old = lines[start:end]
    if wanted == old:
        return lines
    if start == len(lines) and not lines[-1]:
        start = end = start - 1
    endings = {line.removesuffix("\r"): line for line in old}
    contents = (line.removesuffix("\r") for line in wanted)
    made = [endings.get(content, content + carriage) for content in contents]
    above, below = lines[:start], lines[end:]
    if not below:
        made[-1] = made[-1].removesuffix("\r")
        if start == end:
            above[-1] = above[-1].removesuffix("\r") + carriage
    return [*above, *made, *below]


def _without(lines: list[str], start: int, end: int, carriage: str) -> list[str]:
    above, below = lines[:start], lines[end:]
    if above and not above[-1].strip() and not (below and below[0].strip()):
        above.pop()
    elif not above and len(below) > 1 and not below[0].strip():
        below.pop(0)
    elif above and below and above[-1].strip() and below[0].strip() and _runs_together(lines, start, end):
        above.append(carriage)
    if above and not below:
        above[-1] = above[-1].removesuffix("\r")
    return [*above, *below] or [""]


def _runs_together(lines: Sequence[str], start: int, end: int) -> bool:
    """Whether a blank line in place of lines `start` up to `end` keeps blocks apart that would be one without it."""
    (first,) = flat(lines[end : end + 1])
    if interrupts(first, any_item=False) and not underlined_level(first):
        return False
    kept = [block for block in _blocks(lines) if block.end <= start or block.start >= end]
    apart = [_moved(block, 0 if block.end <= start else start + 1 - end) for block in kept]
    close = [_moved(block, 0 if block.end <= start else start - end) for block in kept]
    return _blocks([*lines[:start], *lines[end:]]) != close and _blocks([*lines[:start], "", *lines[end:]]) == apart


def _moved(block: Block, by: int) -> Block:
    return block._replace(start=block.start + by, end=block.end + by)


def _blocks(lines: Sequence[str]) -> list[Block]:
    return list(scan(lines, frontmatter_end(lines)).blocks)
