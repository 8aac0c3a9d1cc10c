"""Small changes that people make to agents' work, in a form in which the same change elsewhere is the same. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rapidfuzz.distance import Indel

from dream.memory.similarity import word_set
from dream.sources.pull_requests.values import FileEdit
from tasks.lessons.diffs import Run, runs_of
from tasks.lessons.trivia import is_generated, is_moved, is_trivial

_TOKEN = re.compile(
    r"[^\W\d][\w$]{0,100}(?:(?:\.|::|->)[^\W\d][\w$]{0,100}){0,8}|[0-9][\w.]{0,60}"
    r"|\"[^\"\n]{0,120}\"|'[^'\n]{0,120}'|[=!<>&|?]{2,3}|\S"
)
_HALF = re.compile(r"[^<]*[\w\"'/]>[^>]*<|[^()]*\)|[^\[\]]*\]|[^{}]*\}")
_LONGEST_LINE = 300
_LONGEST_PART = 100
_MOST_PAIRS = 2_000
_MOST_UNPAIRED = 30
_MOST_TOKENS = 10
_ALIKE = 0.5
# Words of languages: one in the place of another is a choice of style, where one name for another is mostly chance.
_KEYWORDS = word_set(
    "any async await assert bool class const def enum final float fn func function immutable int interface internal "
    "let mut never none null number object optional override private protected pub public readonly record required "
    "sealed static string struct type undefined unknown unsafe val var void"
)
_PLAIN_PATH = re.compile(r"[\w.@()\[\]{}+~$=,&%/-]{1,200}")
_GENERIC = re.compile(r"(?:index|main|mod|init|__init__|readme|license|setup|package|config)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """`old` became `new` at `path`; both are as they stood. `new` is empty where the whole file `old` was removed.

    `run` is where it was found, None for a removed file, and `times` how often in this pull request.
    """

    path: str
    old: str
    new: str
    run: Run | None = None
    times: int = 1

    @property
    def key(self) -> str:
        """What the same change elsewhere has as well: of files of one kind, what became what."""
        return f"{suffix_of(self.path)}\n{self.old}\n{self.new}" if self.run else f"removed\n{self.old.lower()}"

    @property
    def opposite(self) -> Change:
        """The same change the other way round."""
        return replace(self, old=self.new, new=self.old)


def changes_in(edits: Sequence[FileEdit], *, most: int, characters: int) -> tuple[Change, ...]:
    """Return what people changed in `edits`, what came often first; trivial changes are left out.

    At most `most` files are looked at, and `characters` of each patch.
    """
    looked_at = [edit for edit in edits[:most] if not is_generated(edit.path)]
    found: dict[str, Change] = {}
    times: Counter[str] = Counter()
    for change in (*_removed(looked_at), *_substitutions(runs_of(looked_at, characters=characters))):
        found.setdefault(change.key, change)
        times[change.key] += 1
    kept = [key for key, change in found.items() if not _is_once_renamed(change, times[key])]
    ordered = sorted(kept, key=lambda key: (-times[key], -len(found[key].old + found[key].new), key))
    return tuple(
        Change(path=one.path, old=one.old, new=one.new, run=one.run, times=times[key])
        for key in ordered
        for one in [found[key]]
    )


def suffix_of(path: str) -> str:
    """Return what kind of file this is: its ending, or its name where it has none."""
    name = path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return f".{ending}" if dot and stem else name


def is_plain_path(path: str) -> bool:
    """Whether a path reads as nothing but a path; whoever names a file could say anything by its name."""
    return _PLAIN_PATH.fullmatch(path) is not None and "[[" not in path


def _removed(edits: Sequence[FileEdit]) -> Iterator[Change]:
    """A file that people took out; one of a name that any folder may have is told by its whole path."""
    for edit in edits:
        if edit.status == "removed" and is_plain_path(edit.path):
            name = edit.path.rpartition("/")[2]
            yield Change(path=edit.path, old=edit.path if _GENERIC.match(name) else name, new="")


def _substitutions(runs: Sequence[Run]) -> Iterator[Change]:
    gone = Counter(line.strip() for run in runs for line in run.gone)
    come = Counter(line.strip() for run in runs for line in run.come)
    pairs = ((run, old, new) for run in runs for old, new in _pairs(run))
    for run, old, new in islice(pairs, _MOST_PAIRS):
        if is_moved(old, come) or is_moved(new, gone):
            continue
        parts = _parts(old, new)
        if parts and not is_trivial(*parts, old=old, new=new):
            yield Change(path=run.path, old=parts[0], new=parts[1], run=run)


def _pairs(run: Run) -> Iterator[tuple[str, str]]:
    """Each line that went with the one that came for it: line by line, else the first that is like it."""
    if len(run.gone) == len(run.come):
        yield from zip(run.gone, run.come, strict=True)
        return
    come = {line: _tokens(line) for line in run.come[:_MOST_UNPAIRED]}
    for old in run.gone[:_MOST_UNPAIRED]:
        tokens = _tokens(old)
        like = next((line for line, other in come.items() if _ratio(tokens, other) > _ALIKE), None)
        if like is not None:
            del come[like]
            yield old, like


def _parts(old: str, new: str) -> tuple[str, str] | None:
    """What of a line became what, from the first difference to the last; None where the line is another altogether."""
    if max(len(old), len(new)) > _LONGEST_LINE:
        return None
    before, after = list(_TOKEN.finditer(old)), list(_TOKEN.finditer(new))
    left, right = [one[0] for one in before], [one[0] for one in after]
    if left == right or _ratio(left, right) <= _ALIKE:
        return None
    same = _common(left, right)
    tail = min(_common(left[::-1], right[::-1]), len(left) - same, len(right) - same)
    low, ends = same, (len(left) - tail, len(right) - tail)
    if low in ends:  # something was put in or taken out: it is told with the word beside it
        low, ends = _widened(left, right, low, ends)
    sizes = (ends[0] - low, ends[1] - low)
    if min(sizes) < 1 or max(sizes) > _MOST_TOKENS:
        return None
    found = old[before[low].start() : before[ends[0] - 1].end()], new[after[low].start() : after[ends[1] - 1].end()]
    holds_other = found[0] in found[1] or found[1] in found[0]
    is_about_nothing = holds_other and not _KEYWORDS.isdisjoint(part.casefold() for part in found)
    return None if is_about_nothing or not all(map(_can_be_told, found)) else found


def _can_be_told(part: str) -> bool:
    """Whether a part of a line can stand in a code span, and is no half of something in brackets or of an element."""
    is_whole = all(part.count(opening) == part.count(closing) for opening, closing in ("()", "[]", "{}"))
    return is_whole and not _HALF.match(part) and len(part) <= _LONGEST_PART and "`" not in part


def _widened(left: Sequence[str], right: Sequence[str], low: int, ends: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    if ends[0] < len(left) and ends[1] < len(right) and any(map(str.isalnum, left[ends[0]])):
        return low, (ends[0] + 1, ends[1] + 1)
    return (low - 1, ends) if low and any(map(str.isalnum, left[low - 1])) else (low, (low, low))


def _is_once_renamed(change: Change, times: int) -> bool:
    """Whether one plain name became another in one line alone: that says nothing of how names are to be."""
    return times == 1 and change.run is not None and _is_plain_name(change.old) and _is_plain_name(change.new)


def _is_plain_name(text: str) -> bool:
    return re.fullmatch(r"[^\W\d][\w$]*", text) is not None and text.casefold() not in _KEYWORDS


def _tokens(line: str) -> list[str]:
    return [one[0] for one in _TOKEN.finditer(line[:_LONGEST_LINE])]


def _ratio(left: Sequence[str], right: Sequence[str]) -> float:
    return Indel.normalized_similarity(left, right)


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    return next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
