"""What a change does to each file, line by line, as a person is shown it: visible, bounded, and screened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from itertools import groupby

from dream.guards.screen import screen_line, withheld_marker
from dream.memory.applying import Files
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.report.escaping import visible

_PREVIEW = 12
_ARCHIVE = "archive/"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDiff:
    """What becomes of one file: `path`, where it stands afterwards if elsewhere, and the lines of the difference."""

    path: str
    to: str = ""
    gone: bool = False
    lines: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The file, and where it goes."""
        return f"{self.path} → {self.to}" if self.to else f"{self.path} (goes)" if self.gone else self.path


def file_diffs(before: Tree, files: Files) -> tuple[FileDiff, ...]:
    """Return the difference that writing `files` over `before` makes, file by file.

    Lines that the screen withholds are replaced by a mark that says how much and why.
    """
    moved = {path: f"{_ARCHIVE}{path}" for path, data in files.items() if _is_retired(path, data, files)}
    arrived = set(moved.values())
    diffs = []
    for path, data in sorted(files.items()):
        if path in arrived and before.read(path) is None:
            continue
        new = files[moved[path]] if path in moved else data
        old_lines, new_lines = _lines(before.read(path)), _lines(new)
        lines = tuple(_difference(old_lines, new_lines))
        if path in moved:
            lines = (*_preview(old_lines), *lines)
        diffs.append(FileDiff(path=path, to=moved.get(path, ""), gone=data is None, lines=lines))
    return tuple(diffs)


def _is_retired(path: str, data: bytes | None, files: Files) -> bool:
    return data is None and files.get(f"{_ARCHIVE}{path}") is not None


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode(errors="replace")
    return text.removesuffix("\n").split("\n") if text else []


def _preview(lines: Sequence[str]) -> Iterator[str]:
    """Yield how a note begins that goes as it is."""
    yield from _shown(" ", lines[:_PREVIEW])
    if len(lines) > _PREVIEW:
        yield f"  … and {len(lines) - _PREVIEW} more lines"


def _difference(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    hunk: list[str] = []
    for line in [*list(unified_diff(old, new, lineterm="", n=1))[2:], "@@"]:
        if line.startswith("@@"):
            yield from _hunk(hunk)
            hunk = []
            if line != "@@":
                yield line
        else:
            hunk.append(line)


def _hunk(lines: Sequence[str]) -> Iterator[str]:
    groups = [(sign, [line[1:] for line in group]) for sign, group in groupby(lines, key=lambda line: line[:1])]
    parts = [list(_shown(sign, group)) for sign, group in groups]
    told_apart = [line for part in parts for line in part]
    split = screen_line("\n".join(line[1:] for line in lines), Origin.AGENT)
    if split and not any(_is_mark(part, sign) for part, (sign, _) in zip(parts, groups, strict=True)):
        for sign, group in groups:
            yield f"{sign}{_mark(group, split.reason)}"
        return
    yield from told_apart


def _shown(sign: str, lines: Sequence[str]) -> Iterator[str]:
    withheld = screen_line("\n".join(line.removesuffix("\r") for line in lines), Origin.AGENT)
    if withheld:
        yield f"{sign}{_mark(lines, withheld.reason)}"
        return
    for line in lines:
        yield f"{sign}{visible(line)}"


def _is_mark(part: Sequence[str], sign: str) -> bool:
    return len(part) == 1 and part[0].startswith(f"{sign}[withheld: ")


def _mark(lines: Sequence[str], reason: str) -> str:
    return withheld_marker("\n".join(lines).encode(errors="surrogatepass"), reason)
