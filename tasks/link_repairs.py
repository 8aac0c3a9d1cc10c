"""Links that a rename or a merge left behind, pointed at where their note stands now."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dream.memory.links.notation import (
    Link,
    PathLookup,
    candidates,
    loose_name,
    names_linked_to,
    resolve,
    retarget,
    scan_links,
    target_to,
)
from dream.memory.notes import Note
from dream.memory.operations import Basis, Revise, Span
from tasks.tidying.links.moved_anchors import Aim, MovedAnchors

_MOST_MOVES = 20
_FIRST_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What notes call themselves in their frontmatter, each name with a path: those here, and those that are gone."""

    now: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)


NOBODY = Called()


class Moves:
    """Which notes stand elsewhere now, and how links to where they stood are read."""

    def __init__(
        self,
        paths: Collection[str],
        renames: Mapping[str, str],
        *,
        moved: bool = True,
        absorbed: Mapping[str, str] | None = None,
        called: Called = NOBODY,
        anchors: MovedAnchors | None = None,
    ) -> None:
        """Take the `paths` that there are, and `renames` from older paths to newer ones, also over several steps.

        `moved` says that what stood at the old path is at the new one, so that its own links count from the old place.
        `absorbed` are notes that are gone, each with the one that says what it said; `called` what notes call
        themselves; `anchors` finds what moved inside of notes.
        """
        self._here = frozenset(paths)
        self._renames = {**(absorbed or {}), **renames}
        self._gone = frozenset(old for old in self._renames if old not in self._here and self._end(old) in self._here)
        self._origins = {self._end(old): old for old in sorted(self._gone & renames.keys())} if moved else {}
        names = {_stem(path) for path in (*self._gone, *(anchors.lost if anchors else ()))}
        names |= {name.casefold() for name in (*called.before, *(anchors.called if anchors else ()))}
        self._first_words = [_FIRST_WORD.search(name) for name in sorted(names)]
        self._forms = frozenset(map(loose_name, names))
        self._anchors = anchors
        self.now = PathLookup(self._here, names=called.now)
        self._before = PathLookup(self._here | self._gone, names={**called.before, **called.now})

    def _end(self, path: str) -> str:
        for _ in range(_MOST_MOVES):
            if path not in self._renames or path in self._here:
                break
            path = self._renames[path]
        return path

    def target(self, path: str, link: Link) -> str | None:
        """Return where `link` in the note at `path` should point; None if it leads somewhere or nobody can tell."""
        old = None if candidates(path, link, self.now) else self._old(path, link)
        return None if old is None else self._end(old)

    def aim(self, path: str, link: Link) -> Aim | None:
        """Return the note, and where that moved the place in it, that `link` in the note at `path` should lead to."""
        found = candidates(path, link, self.now)
        if found:
            here = found[0] if self._anchors and len(found) == 1 else ""
            is_broken = here and self._anchors and not self._anchors.leads(here, link)
            return self._anchors.find(here, link) if self._anchors and is_broken else None
        old = self._old(path, link)
        if old is None:
            return None
        to = self._end(old)
        if self._anchors is None or self._anchors.leads(to, link):
            return Aim(to)
        return self._anchors.find(to, link, origin=old)

    def arrives(self, path: str, link: Link, aim: Aim) -> bool:
        """Whether `link` in the note at `path`, as it is written now, leads where it was aimed at."""
        if resolve(path, link, self.now) != aim.path:
            return False
        return self._anchors is None or self._anchors.leads(aim.path, link)

    def _old(self, path: str, link: Link) -> str | None:
        """Return the note that is gone and that `link` alone can have meant."""
        for origin in dict.fromkeys((self._origins.get(path, path), path)):
            found = candidates(origin, link, self._before)
            if len(found) == 1 and self._end(found[0]) in self.now:
                return found[0]
        return None

    def meant(self, path: str, link: Link) -> tuple[str, ...]:
        """Return the several notes, as they stand now, that `link` may have meant, one of which is not where it was."""
        found = candidates(path, link, self._before)
        if len(found) < 2 or not any(old in self._gone for old in found):  # noqa: PLR2004
            return ()
        return tuple(sorted({self._end(old) for old in found}))

    def concerns(self, path: str, text: str) -> bool:
        """Whether anything in the note at `path` can be about a rename, decided without reading its links."""
        if path in self._origins or (self._anchors is not None and path in self._anchors.lost):
            return True
        folded = text.casefold()
        if any(word is None or word[0] in folded for word in self._first_words):
            return not self._forms.isdisjoint(names_linked_to(text))
        return False


def repairs(path: str, note: Note, moves: Moves, *, why: str, taken: Collection[int] = ()) -> Iterator[Revise]:
    """Yield a revision for each line of `note` with links to repair; lines in `taken` are left for another night.

    The last line comes first, so that equal lines above are still counted as they were read. A line whose links do not
    lead where they should when they are read back is left as it stands.
    """
    by_line: dict[int, list[tuple[Link, Aim]]] = {}
    for link in scan_links(note.text):
        aim = moves.aim(path, link)
        if aim is not None and link.line not in taken:
            by_line.setdefault(link.line, []).append((link, aim))
    for number, found in sorted(by_line.items(), reverse=True):
        links = found if len(found) < 2 else [one for one in found if _mended(path, note, number, [one], moves)]  # noqa: PLR2004
        line = _mended(path, note, number, links, moves)
        if not line:
            continue
        occurrence = note.lines[:number].count(note.lines[number])
        span = Span(path=path, text=note.lines[number], occurrence=occurrence)
        meant = sorted({aim.path if aim.anchor is None else f"{aim.path}#{aim.anchor}" for _, aim in links})
        yield Revise(span=span, new=line, basis=Basis(why=why, evidence=tuple(meant)))


def _mended(path: str, note: Note, number: int, links: Sequence[tuple[Link, Aim]], moves: Moves) -> str:
    """Return a line with `links` of it led to their aims; nothing where one of them would not lead there.

    A name with a bracket in it cannot be written in double ones: such a link keeps no other of its line from its aim.
    """
    line = note.lines[number]
    for link, aim in reversed(links):
        line = retarget(line, link, _written(path, link, aim.path, moves), anchor=aim.anchor)
    text = "\n".join([*note.lines[:number], line, *note.lines[number + 1 :]])
    again = [link for link in scan_links(text) if link.line == number]
    led = [_written_as(link) for link, _ in links]
    for standing in scan_links(note.text):
        if standing.line == number and _written_as(standing) not in led:
            again = _without(again, standing)
    return line if line != note.lines[number] and _arrive(path, again, [aim for _, aim in links], moves) else ""


def _written_as(link: Link) -> tuple[str, str, str]:
    return link.kind, link.target, link.anchor


def _without(links: Sequence[Link], one: Link) -> list[Link]:
    """Return `links` without the first that is written as `one` is."""
    place = next((n for n, link in enumerate(links) if _written_as(link) == _written_as(one)), len(links))
    return [*links[:place], *links[place + 1 :]]


def _arrive(path: str, links: Sequence[Link], aims: Sequence[Aim], moves: Moves) -> bool:
    """Whether each of `aims` is led to by a link of its own."""
    left = list(links)
    for aim in aims:
        arrived = next((link for link in left if moves.arrives(path, link, aim)), None)
        if arrived is None:
            return False
        left.remove(arrived)
    return True


def ambiguous_links(path: str, note: Note, moves: Moves) -> Iterator[tuple[Link, tuple[str, ...]]]:
    """Yield the links of `note` that were left behind, but that may have meant several notes, with those."""
    for link in scan_links(note.text):
        meant = moves.meant(path, link) if len(candidates(path, link, moves.now)) != 1 else ()
        if meant:
            yield link, meant


def _written(path: str, link: Link, to: str, moves: Moves) -> str:
    """How `link` is written to point at `to`; by its whole path where its name alone means several notes."""
    if resolve(path, link, moves.now) == to:
        return link.target
    written = target_to(path, link, to)
    if link.kind == "wiki" and "/" not in written and moves.now.named(written) != (to,):
        return to.removesuffix(".md")
    return written


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md").casefold()
