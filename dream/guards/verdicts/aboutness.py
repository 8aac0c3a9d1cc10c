"""Whether a cited line is about the thing that an entry is about, and nothing else is in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dream.guards.verdicts.environments import differs, environments_in, regions_in
from dream.guards.verdicts.outputs import CitedLine, Output, OutputLine
from dream.guards.verdicts.questions import is_fixed_as_identity, objection_to_question
from dream.guards.verdicts.readings import Reading, is_generic, is_naming, is_not_now, read_line
from dream.guards.verdicts.subjects import Subjects, kinds_in, same_name, same_subject
from dream.guards.verdicts.words import parts_of
from dream.memory.operations import Refusal

_OTHER = "other-resource"
_HOLDING = frozenset({"job", "host"})
_INSTANCES = frozenset({"pod", "shard", "partition", "pid", "container", "replica_id", "worker_id"})


def is_about(cited: CitedLine, subjects: Subjects) -> Refusal | None:
    """Return why the line is no evidence on `subjects`, None where it is about just that.

    The line itself names the thing, or the question fixed it by equality and the line names no other; every name that
    the entry states is there as a whole; environments and regions agree; and the question picks nothing out of what
    the thing has. Reasons: `other-resource`, `narrowed`.
    """
    reading = read_line(cited.line, cited.output)
    named = identity_of(reading, cited.output, subjects)
    if not named:
        return Refusal(_OTHER, _shown(reading.identity or "the line names nothing as its own"))
    missing = next((name for name in subjects.stated if not _is_named(name, named, reading)), "")
    if missing:
        return Refusal(_OTHER, f"{_shown(missing)} is not named")
    return (
        _check_kind(reading, named, subjects)
        or _check_places(reading, cited.output, subjects, named)
        or _check_parts(reading, named, subjects)
        or _check_question(cited.output, reading, subjects)
    )


def identity_of(reading: Reading, output: Output, subjects: Subjects) -> str:
    """Return the name by which a line, or else its question, names the subject as what it is about; "" if neither."""
    if reading.identity is None:
        return ""
    if reading.identity:
        return reading.identity if is_subject(reading.identity, subjects) else ""
    for name in subjects.stated[:1] or subjects.own:
        for one in output.names:
            bare = one.rsplit("/", 1)[-1]
            said = next((form for form in (one, bare, bare.partition(".")[0]) if _is_called(name, form, subjects)), "")
            if said and (is_fixed_as_identity(one, output) or is_fixed_as_identity(said, output)):
                return said
    return ""


def is_subject(name: str, subjects: Subjects) -> bool:
    """Whether `name` is what the entry is about: the first name that it states, else, or beside it, its note's."""
    if subjects.stated and same_name(subjects.stated[0], name):
        return True
    return any(same_subject(own, name) for own in subjects.own)


def lines_about(outputs: Sequence[Output], subjects: Subjects) -> Iterator[tuple[Output, OutputLine, Reading]]:
    """Yield every line of every output that names the subject as what it is about, whatever else holds of it."""
    for output in outputs:
        for line in output.lines:
            reading = read_line(line, output)
            if identity_of(reading, output, subjects):
                yield output, line, reading


def _is_called(name: str, said: str, subjects: Subjects) -> bool:
    return same_name(name, said) if name in subjects.stated else same_subject(name, said)


def _is_named(name: str, identity: str, reading: Reading) -> bool:
    return same_name(name, identity) or any(same_name(name, said) for said in reading.mentions)


def _check_kind(reading: Reading, named: str, subjects: Subjects) -> Refusal | None:
    """Refuse a line about a thing of another kind that has the same name, where both say of which kind they are."""
    keys = [key for key, value in reading.fields if value == named and is_naming(key) and key not in _HOLDING]
    kinds = kinds_in((*reading.before, *(part for key in keys for part in parts_of(key)))) - {"cluster", "repository"}
    if kinds and subjects.kinds and kinds.isdisjoint(subjects.kinds):
        return Refusal(_OTHER, f"a {'/'.join(sorted(kinds))}")
    return None


def _check_places(reading: Reading, output: Output, subjects: Subjects, named: str) -> Refusal | None:
    led = (*reading.before, *reading.within, reading.file, reading.metric, *output.names, output.asked)
    values = tuple(value for _, value in reading.fields)
    said = environments_in((*led, *values, named))
    if differs(subjects.environments | environments_in([named]), said):
        return Refusal(_OTHER, "another environment")
    fixed = regions_in((*led, named))
    if fixed - subjects.regions - regions_in([named]):
        return Refusal(_OTHER, "another region")
    if subjects.regions - fixed - regions_in(values):
        return Refusal(_OTHER, "the region is not named")
    return None


def _check_parts(reading: Reading, named: str, subjects: Subjects) -> Refusal | None:
    """Refuse a line about a part of the thing, or one that another thing's name leads to."""
    for part in (*reading.before, *reading.file.split("/")[:-1]):
        if is_not_now(part) or (not is_generic(part) and not _is_harmless(part, subjects)):
            return Refusal(_OTHER, _shown(part))
    if reading.is_comment or is_not_now(reading.file.rsplit("/", 1)[-1]):
        return Refusal(_OTHER, "not what is in force")
    for key, value in reading.fields:
        if key.lower() in _INSTANCES and not same_name(named, value) and value not in subjects.stated:
            return Refusal(_OTHER, f"one {key} of it")
    return None


def _is_harmless(part: str, subjects: Subjects) -> bool:
    """Whether a part of a path stands for nothing but what holds the thing."""
    words = parts_of(part)
    return is_subject(part, subjects) or len(words) == 1 or all(is_generic(word) for word in words)


def _check_question(output: Output, reading: Reading, subjects: Subjects) -> Refusal | None:
    word = objection_to_question(output, reading, subjects)
    return Refusal("narrowed", _shown(word)) if word else None


def _shown(text: str) -> str:
    return ascii(text[:80])[1:-1]
