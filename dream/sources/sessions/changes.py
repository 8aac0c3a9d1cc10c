"""What an edit changed, as lines of a unified diff without a file's header; pure, and linear.

Lines begin with a blank, `-` or `+`, heads of hunks with `@@`. Each function keeps at most `most` characters, whole
lines of them where one fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

_SHAPE = ("oldStart", "oldLines", "newStart", "newLines")
_AROUND = 3


def patch_of_hunks(hunks: object, *, most: int) -> str:
    """Return the diff of hunks that a tool recorded with `lines` and where they stood, "" where they are none."""
    return bounded_patch(_lines_of_hunks(hunks), most=most) if isinstance(hunks, list) else ""


def patch_of_replacement(old: str, new: str, *, most: int) -> str:
    """Return the diff of a text that took another's place; what is equal at both ends is shown for three lines."""
    removed, added = _lines(old, most), _lines(new, most)
    same = _equal(removed, added)
    tail = _equal(removed[same:][::-1], added[same:][::-1])
    if same == len(removed) == len(added):
        return ""
    return bounded_patch(
        [
            *(" " + line for line in removed[max(same - _AROUND, 0) : same]),
            *("-" + line for line in removed[same : len(removed) - tail]),
            *("+" + line for line in added[same : len(added) - tail]),
            *(" " + line for line in removed[len(removed) - tail :][:_AROUND]),
        ],
        most=most,
    )


def patch_of_text(text: str, *, most: int) -> str:
    """Return the diff of a file that was written anew."""
    return bounded_patch(("+" + line for line in _lines(text, most)), most=most)


def bounded_patch(lines: Iterable[str], *, most: int) -> str:
    """Return the lines of a diff as one text."""
    text = "\n".join(lines)
    if len(text) <= most:
        return text
    cut = text.rfind("\n", 0, most + 1)
    return text[: cut if cut > 0 else most]


def _equal(some: Sequence[str], others: Sequence[str]) -> int:
    """Return how many lines are equal from the beginning on."""
    pairs = zip(some, others, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(some), len(others)))


def _lines_of_hunks(hunks: Sequence[object]) -> Iterator[str]:
    for hunk in hunks:
        if isinstance(hunk, dict) and isinstance(hunk.get("lines"), list):
            yield _head_of(hunk)
            yield from filter(_is_text, hunk["lines"])


def _is_text(line: object) -> bool:
    return isinstance(line, str)


def _head_of(hunk: Mapping[str, object]) -> str:
    places = [hunk.get(key) for key in _SHAPE]
    stands = all(isinstance(place, int) for place in places)
    return "@@ -{},{} +{},{} @@".format(*places) if stands else "@@"


def _lines(text: str, most: int) -> list[str]:
    """Return the lines of what is looked at of a text: never more than can be kept."""
    if not text:
        return []
    lines = text[: most + 1].split("\n")
    return lines[:-1] if lines[-1] == "" else lines
