"""The notes that an agent is shown first: ranked, within a budget of tokens, each with its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from dream.guards.screen import screen_line
from dream.memory.listing.lines import shown_path, shown_text
from dream.memory.notes import NoteCache, Unreadable
from dream.memory.ranking.edges import Edge
from dream.memory.ranking.relevance import Ranked, Signs
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.models.usage import BYTES_PER_TOKEN, estimated_tokens

_LONGEST_TITLE = 160
_LONGEST_PATH = 200
_LONGEST_REASON = 80
_UNQUOTED = str.maketrans({"“": "\N{LEFT SINGLE QUOTATION MARK}", "”": "\N{RIGHT SINGLE QUOTATION MARK}"})

Near = Callable[[Sequence[str]], Mapping[str, tuple[Edge, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """What a note says it is about, or the `mark` that stands for it: withheld, empty, without a title, left alone.

    `cut` is how many characters it has where not all are shown.
    """

    text: str = ""
    mark: str = ""
    cut: int = 0

    def __str__(self) -> str:
        """The title in quotation marks that nothing in it can close, or the mark."""
        return self.mark or f"“{self.text}”{f' [cut: {self.cut} characters]' if self.cut else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A note of the list; its `near` are those neighbours for which there was room."""

    path: str
    title: Title
    signs: Signs
    is_unverified: bool
    ranked: Ranked
    near: tuple[Edge, ...] = ()

    def lines(self, today: date) -> list[str]:
        """Return its line, and one of its neighbours; the title stands last, so that none can pass for a fact."""
        line = f"- {screened_path(self.path)} ({', '.join(self._facts(today))}): {self.title}"
        near = "; ".join(f"{screened_path(edge.path)} ({', '.join(_reasons(edge))})" for edge in self.near)
        return [line, f"  near: {near}"] if near else [line]

    def payload(self) -> dict[str, Any]:
        """Return the values of the line."""
        return {
            "path": screened_path(self.path),
            "title": self.title.text or None,
            "mark": self.title.mark or None,
            "cut": self.title.cut or None,
            "changed": _iso(self.signs.changed),
            "checked": _iso(self.signs.checked),
            "read": _iso(self.signs.read),
            "shown": _iso(self.signs.shown),
            "unverified": self.is_unverified,
            "relevance": round(self.ranked.relevance, 6),
            "freshness": round(self.ranked.freshness, 6),
            "near": [{"path": screened_path(edge.path), "why": _reasons(edge)} for edge in self.near],
        }

    def _facts(self, today: date) -> Iterator[str]:
        yield f"changed {_ago(self.signs.changed, today)}" if self.signs.changed else "never dated"
        yield f"checked {self.signs.checked.isoformat()}" if self.signs.checked else "never checked"
        if self.signs.read:
            yield f"read {_ago(self.signs.read, today)}"
        if self.is_unverified:
            yield "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteList:
    """The list: `text` takes `tokens`, and `left_out` notes found no room in it."""

    text: str
    notes: tuple[Listed, ...]
    left_out: int
    tokens: int


def list_notes(
    tree: Tree,
    notes: NoteCache,
    *,
    ranked: Sequence[Ranked],
    signs: Mapping[str, Signs],
    unverified: frozenset[str],
    near: Near,
    today: date,
    budget: int,
    opening: Sequence[str],
    closing: Callable[[int], Sequence[str]],
) -> NoteList:
    """Return as many of `ranked` as fit in `budget` tokens, whole lines only, between `opening` and `closing`.

    `closing` says what is told where so many notes are left out. `near` gives the neighbours of the notes that are
    shown; where there is room for the last note alone its neighbours are left out.
    """
    around = sum(map(_size, [*opening, *closing(len(ranked))])) + len(str(len(ranked)))
    room = budget * BYTES_PER_TOKEN - around
    listed = list(_fitting(_listed(tree, notes, ranked, signs, unverified), today, room))
    neighbours = near([one.path for one in listed])
    shown, lines = list[Listed](), list[str]()
    for one in listed:
        whole = replace(one, near=neighbours.get(one.path, ()))
        told = whole.lines(today)
        if sum(map(_size, told)) > room and whole.near:
            whole, told = one, one.lines(today)
        room -= sum(map(_size, told))
        if room < 0:
            break
        shown.append(whole)
        lines += told
    left_out = len(ranked) - len(shown)
    text = "".join(f"{line}\n" for line in (*opening, *lines, *closing(left_out)))
    return NoteList(text=text, notes=tuple(shown), left_out=left_out, tokens=estimated_tokens(text))


def title_shown(tree: Tree, notes: NoteCache, path: str) -> Title:
    """Return what may be shown of what the note at `path` says it is about."""
    note = notes.note(tree, path)
    if isinstance(note, Unreadable):
        return Title(mark=f"[left alone: {note.reason}]")
    if not note.text.strip("\ufeff \t\r\n"):
        return Title(mark="[empty]")
    withheld = screen_line(note.title, Origin.AGENT)
    if withheld:
        return Title(mark=f"[withheld: {len(note.title.encode())} bytes, {withheld.reason}]")
    whole = shown_text(note.title.translate(_UNQUOTED), longest=len(note.title) + 1)
    if not any(char.isalnum() or not char.isascii() for char in whole):
        return Title(mark="[no title]")
    cut = len(whole) if len(whole) > _LONGEST_TITLE else 0
    return Title(text=shown_text(whole, longest=_LONGEST_TITLE), cut=cut)


def screened_path(path: str) -> str:
    """Return a path as one word, or the mark of what the screen withholds."""
    withheld = screen_line(path, Origin.AGENT)
    if withheld:
        return f"[withheld: {len(path.encode(errors='surrogatepass'))} bytes, {withheld.reason}]"
    return shown_path(path, longest=_LONGEST_PATH) or "[no name]"


def _reasons(edge: Edge) -> list[str]:
    """Return why a note is near; of a name that may not be shown only its kind."""
    told = []
    for reason in edge.why:
        kind, _, name = reason.partition(" ")
        name = shown_text(name, longest=_LONGEST_REASON)
        told.append(kind if screen_line(name, Origin.AGENT) else f"{kind} {name}".rstrip())
    return list(dict.fromkeys(told))


def _listed(
    tree: Tree,
    notes: NoteCache,
    ranked: Sequence[Ranked],
    signs: Mapping[str, Signs],
    unverified: frozenset[str],
) -> Iterator[Listed]:
    for one in ranked:
        yield Listed(
            path=one.path,
            title=title_shown(tree, notes, one.path),
            signs=signs[one.path],
            is_unverified=one.path in unverified,
            ranked=one,
        )


def _fitting(listed: Iterator[Listed], today: date, room: int) -> Iterator[Listed]:
    for one in listed:
        room -= sum(map(_size, one.lines(today)))
        if room < 0:
            return
        yield one


def _size(line: str) -> int:
    return len(line.encode(errors="surrogatepass")) + 1


def _ago(day: date, today: date) -> str:
    days = max((today - day).days, 0)
    return "today" if not days else "yesterday" if days == 1 else f"{days} days ago"


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
