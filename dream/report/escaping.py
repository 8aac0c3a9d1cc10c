"""Text that others wrote, made safe to show: on a terminal, and in Markdown that it cannot break out of."""

from __future__ import annotations

import re
from collections.abc import Sequence

WIDTH = 300
"""Characters of one line that are shown."""

# Controls, direction marks, separators that some readers take for a line's end, what has no width, and halves of pairs.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e0fff\ud800-\udfff]"
)
_PICTURES = 0x2400
_UNKNOWN = "\ufffd"
_MARKUP = re.compile(r"[\\`*_\[\]<>|~]")
_BLOCK_START = re.compile(r"[#+=-]|[0-9]{1,9}[.)]")
_BACKTICKS = re.compile(r"`+")


def visible(text: str) -> str:
    r"""Return `text` with everything that acts on a terminal or cannot be seen as escapes; `\n` and `\t` stay."""
    return _UNSEEN.sub(lambda match: match[0].encode("unicode_escape", "backslashreplace").decode("ascii"), text)


def pictured(text: str) -> str:
    r"""Return `text` as `visible` does, but each such character as one that stands for it, so that positions hold."""
    return _UNSEEN.sub(lambda match: chr(_PICTURES + ord(match[0])) if match[0] < " " else _UNKNOWN, text)


def one_line(text: str, *, most: int = WIDTH) -> str:
    """Return `text` visible, on one line of at most `most` characters, blanks collapsed."""
    return shortened(" ".join(visible(text).split()), most=most)


def shortened(line: str, *, most: int = WIDTH) -> str:
    """Return `line` with what is beyond `most` characters left out, saying so with an ellipsis."""
    return line if len(line) <= most else line[: most - 1] + "…"


def inline(text: str, *, most: int = WIDTH) -> str:
    """Return `text` as one line of Markdown that reads as it stands, in a list item or a table's cell as well."""
    line = _MARKUP.sub(r"\\\g<0>", one_line(text, most=most)).replace("&", "&amp;")
    start = _BLOCK_START.match(line)
    return line if start is None else f"{line[: start.end() - 1]}\\{line[start.end() - 1 :]}"


def code(text: str, *, most: int = WIDTH) -> str:
    """Return `text` as a code span on one line; not for a table, where a bar would end the cell."""
    line = one_line(text, most=most) or "(nothing)"
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if "`" in (line[0], line[-1]) else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fenced(lines: Sequence[str], *, language: str = "text", most_lines: int, most: int = WIDTH) -> list[str]:
    """Return `lines` as a code block of at most `most_lines`, which says how many it left out."""
    kept = [shortened(visible(line).replace("\n", "\\n"), most=most) for line in lines[:most_lines]]
    left = len(lines) - len(kept)
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in kept), 3)
    return [f"{fence}{language}", *kept, fence, *([f"… and {left} more lines"] if left else [])]


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)
