"""When a name in an entry may become another: a system states both, the old and the new, of one thing."""

from __future__ import annotations

from collections.abc import Sequence

from dream.guards.verdicts.currency import is_past
from dream.guards.verdicts.differences import Differences
from dream.guards.verdicts.environments import environments_in
from dream.guards.verdicts.outputs import CitedLine, Output
from dream.guards.verdicts.readings import Reading, is_not_now, read_line
from dream.guards.verdicts.rulings import Change
from dream.guards.verdicts.subjects import Subjects, names_in
from dream.guards.verdicts.words import listed, parts_of
from dream.memory.notes import Entry
from dream.memory.operations import Refusal

_OLD = listed("renamedfrom movedfrom formername formerly previousname previouslyknownas oldname oldpath previouspath")
_NEW = listed("renamedto movedto newname newpath becamename now")


def rename_of(
    entry: Entry, changes: Differences, subjects: Subjects, cited: Sequence[CitedLine], outputs: Sequence[Output]
) -> tuple[Change, ...] | Refusal | None:
    """Return the change of a name by a line that says what it was called before, None where no name changes so.

    Every place in the entry where it stands changes, and nothing else. Reasons: `conflict` where the old name is still
    one that a system uses, `says-more`.
    """
    pairs = {(one.old, one.new) for one in changes.values}
    if len(pairs) != 1:
        return None
    old, new = next(iter(pairs))
    key = next((found for one in cited if (found := _renaming(one, old, new))), "")
    if not key:
        return None
    is_whole = sum(name == old for name in _words(entry.key)) == len(changes.values)
    if old not in subjects.stated or new in subjects.stated or not names_in(new) or not is_whole:
        return Refusal("says-more", ascii(new[:80])[1:-1])
    if environments_in([old]) != environments_in([new]):
        return Refusal("other-resource", "another environment")
    for output in outputs:
        for line in output.lines:
            if _is_alive(read_line(line, output), old, output):
                return Refusal("conflict", output.id)
    return (Change(old=old, new=new, key=key),)


def _words(text: str) -> list[str]:
    return [word.strip("`*\"'.,;:()[]!?") for word in text.split()]


def _renaming(cited: CitedLine, old: str, new: str) -> str:
    reading = read_line(cited.line, cited.output)
    if is_past(reading, cited.output.at) or any(is_not_now(part) for part in reading.before):
        return ""
    for key, value in reading.fields:
        word = "".join(parts_of(key))
        if word in _OLD and value == old and _is_called(reading, cited.output, new):
            return key
        if word in _NEW and value == new and _is_called(reading, cited.output, old):
            return key
    return ""


def _is_called(reading: Reading, output: Output, name: str) -> bool:
    if reading.identity:
        return reading.identity == name
    said = [value for key, value in reading.fields if "".join(parts_of(key)) in _OLD | _NEW]
    return reading.identity == "" and name in {*output.names, reading.file, *said}


def _is_alive(reading: Reading, old: str, output: Output) -> bool:
    """Whether a line is about a thing that is called `old`, and says neither that it ended nor what it became."""
    if reading.identity != old or is_past(reading, output.at):
        return False
    return not any("".join(parts_of(key)) in _NEW for key, _ in reading.fields)
