"""Links that a rename left behind, pointed at where their note stands now."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from dream.memory.links import Link, PathLookup, candidates, resolve, retarget, scan_links, target_to
from dream.memory.notes import Note
from dream.memory.operations import Basis, Revise, Span

_MOST_MOVES = 20
_FIRST_WORD = re.compile(r"[^\W_]+")


class Moves:
    """Which notes stand elsewhere now, and how links to where they stood are read."""

    def __init__(self, paths: Collection[str], renames: Mapping[str, str], *, moved: bool = True) -> None:
        """Take the `paths` that there are, and `renames` from older paths to newer ones, also over several steps.

        `moved` says that what stood at the old path is at the new one, so that its own links count from the old place.
        """
        self._here = frozenset(paths)
        self._renames = renames
        self._gone = frozenset(old for old in renames if old not in self._here and self._end(old) in self._here)
        self._origins = {self._end(old): old for old in sorted(self._gone)} if moved else {}
        self._first_words = [_FIRST_WORD.search(_stem(old)) for old in self._gone]
        self.now = PathLookup(self._here)
        self._before = PathLookup(self._here | self._gone)

    def _end(self, path: str) -> str:
        for _ in range(_MOST_MOVES):
            if path not in self._renames or path in self._here:
                break
            path = self._renames[path]
        return path

    def target(self, path: str, link: Link) -> str | None:
        """Return where `link` in the note at `path` should point; None if it leads somewhere or nobody can tell."""
        if candidates(path, link, self.now):
            return None
        for origin in dict.fromkeys((self._origins.get(path, path), path)):
            found = candidates(origin, link, self._before)
            if len(found) == 1 and self._end(found[0]) in self.now:
                return self._end(found[0])
        return None

    def is_ambiguous(self, path: str, link: Link) -> bool:
        """Whether `link` may have meant several notes, one of which was renamed."""
        found = candidates(path, link, self._before)
        return len(found) > 1 and any(old in self._gone for old in found)

    def concerns(self, path: str, text: str) -> bool:
        """Whether anything in the note at `path` can be about a rename, decided without reading its links."""
        if path in self._origins:
            return True
        folded = text.casefold()
        return any(word is None or word[0] in folded for word in self._first_words)


def repairs(path: str, note: Note, moves: Moves, *, why: str, taken: Collection[int] = ()) -> Iterator[Revise]:
    """Yield a revision for each line of `note` with links to repair; lines in `taken` are left for another night.

    A line whose links do not lead where they should when they are read back is left as it stands.
    """
    by_line: dict[int, list[tuple[Link, str]]] = {}
    for link in scan_links(note.text):
        to = moves.target(path, link)
        if to is not None and link.line not in taken:
            by_line.setdefault(link.line, []).append((link, to))
    for number, links in by_line.items():
        line = note.lines[number]
        for link, to in reversed(links):
            line = retarget(line, link, _written(path, link, to, moves))
        text = "\n".join([*note.lines[:number], line, *note.lines[number + 1 :]])
        meant = Counter(to for _, to in links)
        found = Counter(resolve(path, link, moves.now) for link in scan_links(text) if link.line == number)
        if line == note.lines[number] or not all(found[to] >= count for to, count in meant.items()):
            continue
        occurrence = note.lines[:number].count(note.lines[number])
        span = Span(path=path, text=note.lines[number], occurrence=occurrence)
        yield Revise(span=span, new=line, basis=Basis(why=why, evidence=tuple(sorted(meant))))


def ambiguous_links(path: str, note: Note, moves: Moves) -> Iterator[Link]:
    """Yield the links of `note` that a rename may have left behind, but that nobody can tell apart."""
    for link in scan_links(note.text):
        if len(candidates(path, link, moves.now)) != 1 and moves.is_ambiguous(path, link):
            yield link


def _written(path: str, link: Link, to: str, moves: Moves) -> str:
    """How `link` is written to point at `to`; by its whole path where its name alone means several notes."""
    written = target_to(path, link, to)
    if link.kind == "wiki" and "/" not in written and moves.now.named(written) != (to,):
        return to.removesuffix(".md")
    return written


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md").casefold()
