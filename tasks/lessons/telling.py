"""How a lesson that code alone found is told: in the third person, with what it rests on as it stood. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dream.memory.similarity import word_set
from tasks.lessons.direction import goes_against
from tasks.lessons.edits import Change, is_plain_path, suffix_of

_QUOTED = re.compile(r"(?P<who>[^\s\"“”]{1,100}) says of agents' pull requests: “(?P<words>[^”]{1,400})”")
_CHANGED = re.compile(r"In `[^`]{1,4096}` people changed `(?P<old>[^`]{1,200})` to `(?P<new>[^`]{1,200})` in agents'.*")
_SPAN = re.compile(r"`([^`\n]{1,200})`")


def told_change(change: Change, place: str) -> str:
    """Return a change as a sentence without a full stop; `place` is where it was seen."""
    if change.run is None:
        return f"People took `{change.old}` out of agents' pull requests"
    return told_change_in(place, old=change.old, new=change.new)


def told_change_in(place: str, *, old: str, new: str) -> str:
    """Return as a sentence that people changed `old` to `new` in a place, or in several of one kind."""
    return f"In `{place}` people changed `{old}` to `{new}` in agents' pull requests"


def told_words(login: str, words: str) -> str:
    """Return what somebody said as a sentence, quoted."""
    return f"{login} says of agents' pull requests: “{words}”"


def words_of(statement: str) -> tuple[str, str]:
    """Return who is quoted in a statement and with which words, both empty where nobody is."""
    match = _QUOTED.fullmatch(statement.rstrip("."))
    return (match["who"], match["words"]) if match else ("", "")


def tells_change(statement: str, *, old: str, new: str) -> bool:
    """Whether a statement, in whatever words, is about this becoming that, and not about the other way round.

    Code spans are compared to the letter; where a person wrote none, the parts stand in it as words. One that does not
    tell which way is about both.
    """
    ours = _CHANGED.fullmatch(statement)
    if ours:
        return (ours["old"], ours["new"]) == (old, new)
    is_against = goes_against(statement, gone=[old], come=[new])
    return _names_both(statement, old=old, new=new) and (
        not is_against or bool(goes_against(statement, gone=[new], come=[old]))
    )


def _names_both(statement: str, *, old: str, new: str) -> bool:
    spans = _SPAN.findall(statement)
    if {old, *([new] if new else [])} <= {*spans}:
        return True
    parts = [part for part in (old, new) if part]
    words = word_set(statement)
    return not spans and all(part in statement and word_set(part) <= words for part in parts)


def place_of(paths: Sequence[str]) -> str:
    """Return the narrowest place that holds all of `paths`: a path, else the files of one kind, in a folder or not.

    A path that reads as more than a path is told by its kind alone.
    """
    distinct = list(dict.fromkeys(paths))
    if not all(map(is_plain_path, distinct)):
        kind = suffix_of(distinct[0])
        return f"*{kind}" if kind.startswith(".") and is_plain_path(kind) else "*"
    if len(distinct) == 1:
        return distinct[0]
    folders = {path.rpartition("/")[0] for path in distinct}
    suffix = suffix_of(distinct[0])
    name = f"*{suffix}" if suffix.startswith(".") else suffix
    folder = folders.pop() if len(folders) == 1 else ""
    return f"{folder}/{name}" if folder else name
