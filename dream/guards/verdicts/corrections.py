"""When the lines that a verdict cites may change values of an entry, and what the entry says then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dream.guards.verdicts.aboutness import identity_of, is_about, lines_about
from dream.guards.verdicts.bindings import Key, Statement, is_value, keys_for, keys_of, value_width
from dream.guards.verdicts.checkable import objection_to_entry
from dream.guards.verdicts.comparing import Match, compare, is_exact, is_same_switch
from dream.guards.verdicts.currency import is_past
from dream.guards.verdicts.differences import (
    Difference,
    Differences,
    differences,
    place_values,
    read_proposal,
    tokens_in,
)
from dream.guards.verdicts.environments import environments_in, regions_in
from dream.guards.verdicts.leftovers import unexplained
from dream.guards.verdicts.outputs import Citation, CitedLine, Output
from dream.guards.verdicts.phrases import unit_before
from dream.guards.verdicts.quantities import quantity_of
from dream.guards.verdicts.questions import echoes, locate_all
from dream.guards.verdicts.readings import Reading, read_line
from dream.guards.verdicts.renames import rename_of
from dream.guards.verdicts.rulings import Change, Correction, Target
from dream.guards.verdicts.subjects import Subjects, subjects_of
from dream.memory.notes import Entry, entries_in
from dream.memory.operations import Refusal
from dream.memory.sources import Origin, weakest


def check_correction(
    target: Target, statement: str, citations: Sequence[Citation], outputs: Sequence[Output]
) -> Correction | Refusal:
    """Return the entry with the values that the cited lines give for the same attributes of the same thing.

    `statement` may differ from what the entry says in values alone, and code writes them into the entry's own lines.
    Each is what a key says whose words the entry has beside the old one, in the same unit, of now, and stands in no
    question; no line of any output says otherwise. Reasons: those of `locate` and `is_about`, `no-citation`,
    `not-checkable`, `says-more`, `no-change`, `no-such-value`, `other-attribute`, `other-unit`, `still-true`,
    `conflict`, `echoed`, `cut-off`, `not-current`, `not-placed`.
    """
    cited = objection_to_entry(target) or locate_all(citations, outputs)
    if isinstance(cited, Refusal):
        return cited
    entry = target.entry
    changes = differences(entry.key, read_proposal(statement, entry))
    if isinstance(changes, Refusal):
        return changes
    subjects = subjects_of(target)
    renamed = rename_of(entry, changes, subjects, cited, outputs)
    if renamed is not None:
        return renamed if isinstance(renamed, Refusal) else _written(target, changes, renamed, cited)
    found = _checked(entry, changes, subjects, cited, outputs)
    return found if isinstance(found, Refusal) else _written(target, changes, found, cited)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """What the checks of one value need to see."""

    statement: Statement
    subjects: Subjects
    cited: tuple[CitedLine, ...]
    outputs: Sequence[Output]


def _checked(
    entry: Entry, changes: Differences, subjects: Subjects, cited: tuple[CitedLine, ...], outputs: Sequence[Output]
) -> tuple[Change, ...] | Refusal:
    olds = [one.old for one in changes.values]
    names = [old for old in olds if old in subjects.stated or regions_in([old]) or environments_in([old])]
    if names and len(changes.values) > 1:
        return Refusal("says-more", "a place or a name changes with something else")
    subjects = subjects.without(names)
    case = _Case(
        statement=Statement(tokens=tokens_in(entry), subjects=subjects), subjects=subjects, cited=cited, outputs=outputs
    )
    found: list[Change] = []
    for one in changes.values:
        change = _check_value(case, _measured(case.statement, one), is_name=bool(names))
        if isinstance(change, Refusal):
            return change
        found.append(change)
    return tuple(found)


def _check_value(case: _Case, one: Difference, *, is_name: bool) -> Change | Refusal:
    token = case.statement.tokens[one.place]
    if token.is_date:
        return Refusal("not-checkable", "a day")
    refusal: Refusal | None = None
    for cited in case.cited:
        ruling = _check_line(case, one, cited, is_name=is_name)
        if not isinstance(ruling, Refusal):
            change, key = ruling
            return _check_others(case, one, change, key)
        refusal = refusal or ruling
    return refusal or Refusal("no-citation")


def _measured(statement: Statement, one: Difference) -> Difference:
    """Return a change of bare numbers in the unit that a word before them says."""
    new = quantity_of(one.new)
    if one.unit or one.new_unit or new is None or new.dimension:
        return one
    around = (*statement.leading(one.place), *statement.segment(one.place))
    return replace(one, implied=unit_before(statement.tokens, around, one.place))


def _check_line(case: _Case, one: Difference, cited: CitedLine, *, is_name: bool) -> tuple[Change, Key] | Refusal:
    refusal = is_about(cited, case.subjects)
    reading = read_line(cited.line, cited.output)
    if refusal is None and is_past(reading, cited.output.at):
        refusal = Refusal("not-current", cited.output.id)
    key = refusal or _key_for(case, one, reading, cited.output)
    if isinstance(key, Refusal):
        return key
    if not is_value(case.statement, one.place, key):
        return Refusal("says-more", ascii(one.old[:80])[1:-1])
    word = unexplained(case.statement, one.place, key, reading, width=one.width)
    if word:
        return Refusal("other-attribute", ascii(word[:80])[1:-1])
    if is_name and _contradicts(case, one, reading, cited.output):
        return Refusal("says-more", "what stands beside the name is not borne out")
    refusal = _check_key(one, key, cited.output)
    return refusal or (Change(old=_text(one.old, one.unit), new=one.new_text, key=key.name), key)


def _check_key(one: Difference, key: Key, output: Output) -> Refusal | None:
    how = compare(one.old, one.measure, key)
    if Match.OTHER_UNIT in {how, compare(one.new, one.new_measure, key)}:
        return Refusal("other-unit", key.name)
    if how is Match.SAME:
        return Refusal("still-true", key.name)
    if not is_exact(one.new, one.new_measure, key) or not is_same_switch(one.old, one.new):
        return Refusal("no-such-value", key.name)
    if echoes(one.new, one.new_measure, output.asked) or echoes(key.value, key.unit, output.asked):
        return Refusal("echoed", output.id)
    return None


def _key_for(case: _Case, one: Difference, reading: Reading, output: Output) -> Key | Refusal:
    named = identity_of(reading, output, case.subjects)
    keys = keys_for(case.statement, one.place, keys_of(reading, named), width=one.width)
    values = {(key.value, key.unit) for key in keys}
    if not keys:
        return Refusal("other-attribute", ascii(one.old[:80])[1:-1])
    return keys[0] if len(values) == 1 else Refusal("conflict", "the line has two such values")


def _check_others(case: _Case, one: Difference, change: Change, said: Key) -> Change | Refusal:
    """Refuse where any line of any output, about the same thing, gives the attribute another value.

    A key that has only some of the words of the one that said it is another attribute's: the replicas that there are
    say nothing against the most that there may be.
    """
    for output, _, reading in lines_about(case.outputs, case.subjects):
        if is_past(reading, output.at):
            continue
        places = environments_in(value for _, value in reading.fields) - {"production"}
        if places - case.subjects.environments:
            continue
        named = identity_of(reading, output, case.subjects)
        for key in keys_for(case.statement, one.place, keys_of(reading, named), width=one.width):
            if not key.words < said.words and not is_exact(one.new, one.new_measure, key):
                return Refusal("conflict", output.id)
    return change


def _contradicts(case: _Case, one: Difference, reading: Reading, output: Output) -> bool:
    """Whether the sentence has another value that the line does not bear out: a name alone may change, or nothing."""
    tokens = case.statement.tokens
    keys = keys_of(reading, identity_of(reading, output, case.subjects))
    for place, token in enumerate(tokens):
        if place == one.place or not token.is_number or token.sentence != tokens[one.place].sentence:
            continue
        unit = tokens[place + 1].text if value_width(tokens, place) > 1 else ""
        borne = keys_for(case.statement, place, keys, width=value_width(tokens, place))
        if not borne or any(compare(token.text, unit, key) is not Match.SAME for key in borne):
            return True
    return False


def _written(
    target: Target, changes: Differences, found: tuple[Change, ...], cited: tuple[CitedLine, ...]
) -> Correction | Refusal:
    entry = target.entry
    statement = place_values(entry.key, entry.key, changes)
    raw = place_values(entry.raw, entry.key, changes)
    if statement is None or raw is None:
        return Refusal("not-placed", target.path)
    before, after = entries_in(entry.raw), entries_in(raw)
    if len(before) != len(after) or (len(after) == 1 and before[0].key == entry.key and after[0].key != statement):
        return Refusal("not-placed", target.path)
    return Correction(
        new_statement=statement,
        new_raw=raw,
        changed=found,
        cited=cited,
        dated=max(one.output.at for one in cited).date(),
        by_person=weakest(entry.sources) is Origin.PERSON,
    )


def _text(value: str, unit: str) -> str:
    return f"{value} {unit}" if unit else value
