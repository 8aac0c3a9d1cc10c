"""Where the paths of a code repository went: renames and deletions, oldest first. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from dream.sources.production.code.values import Deletion, Rename

LOG_FORMAT = "--format=%x01%H %cs"
_HEADER = b"\x01"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One path that became another; `order` grows with time."""

    order: int
    to: str
    commit: str
    on: date


@dataclass(slots=True, kw_only=True)
class History:
    """Every path that ever went away: the moves of each in the order of time, and its last deletion."""

    moves: dict[str, list[Move]] = field(default_factory=dict)
    deletions: dict[str, Deletion] = field(default_factory=dict)

    def where(self, path: str, here: Mapping[str, object] | frozenset[str]) -> Rename | None:
        """Return where the content of a path went, through every later move, if it stands among the paths `here`."""
        moves = self.moves.get(path)
        move = moves[-1] if moves else None
        while move is not None and move.to not in here:
            after = move.order
            move = next((later for later in self.moves.get(move.to, ()) if later.order > after), None)
        return None if move is None else Rename(to=move.to, commit=move.commit, on=move.on)


def read_history(printed: bytes) -> History:
    """Return what `git log -z --name-status` with LOG_FORMAT printed, newest commit first; odd names are left out."""
    history = History()
    changes = list(_changes(printed))
    for order, (commit, on, status, paths) in enumerate(reversed(changes)):
        gone = paths[0]
        if status == "R":
            history.moves.setdefault(gone, []).append(Move(order=order, to=paths[1], commit=commit, on=on))
        history.deletions[gone] = Deletion(commit=commit, on=on)
    return history


def _changes(printed: bytes) -> Iterator[tuple[str, date, str, tuple[str, ...]]]:
    tokens = iter(printed.split(b"\0"))
    commit, on = "", date.min
    for token in tokens:
        if token.startswith(_HEADER):
            commit, _, day = token[1:].decode("ascii", "replace").partition(" ")
            on = date.fromisoformat(day)
            continue
        status = token.strip(b"\n")[:1].decode("ascii", "replace")
        if status not in {"R", "D"}:
            continue
        try:
            paths = tuple(next(tokens).decode("utf-8") for _ in range(2 if status == "R" else 1))
        except (UnicodeDecodeError, StopIteration, RuntimeError):
            continue
        yield commit, on, status, paths
