"""Why an entry with a pinned check stays as it is, though a system says otherwise or says nothing that settles it."""

from __future__ import annotations

import re
from dataclasses import replace

from dream.guards.verdicts.checkable import keeps_a_record, objection_to_entry
from dream.guards.verdicts.outputs import is_withheld
from dream.guards.verdicts.rulings import Target
from dream.memory.codespans import code_span
from dream.memory.notes import Entry, EntryStyle, Note
from dream.memory.pinned import PinnedCheck, Relation, check_lines
from dream.memory.quantities import is_same_value, number_of
from dream.sources.production.port import Found
from tasks.entries import key_of
from tasks.verification.citing import paragraph_from
from tasks.verification.corrected_values import may_stand_for, stated_places
from tasks.verification.past import speaks_of_the_past
from tasks.verification.recorded_outputs import shown

_BOUNDS = frozenset({Relation.AT_LEAST, Relation.AT_MOST})
_ONCE = re.compile(
    r"(?<![\w-])(?:ran|stood|started (?:out )?with|used [0-9]|lief(?:en)?|in the past"
    r"|(?:in|from|before|after|by|of) May)(?![\w-])",
    re.IGNORECASE,
)
_HOPED = re.compile(
    r"(?<![\w-])(?:wish(?:es|ed)?|hop(?:e|es|ed|ing)|dream(?:s|t|ed) of|ask(?:s|ed)? for|requested [0-9]"
    r"|(?:is|are) to|the idea|wünscht?|will haben)(?![\w-])",
    re.IGNORECASE,
)
_CODE_WORD = re.compile(r"`[^`\s]{1,200}`")
_LONG = frozenset({EntryStyle.BODY, EntryStyle.SECTION})
_A_THING = "services/x.md"
_RUNBOOK = re.compile(r"runbook", re.IGNORECASE)
_MOST_SHOWN = 3


def why_no_fact(path: str, note: Note, entry: Entry, old: str, new: str) -> str:
    """Return why what an entry states of the value `old`, or `new`, is not how something is now, by all rules.

    Then a system that says otherwise does not make it wrong: it is what people want, or what was once. Empty where it
    may be a fact, and where the note's frontmatter cannot be read, so that nothing is written in it.
    """
    said = _statement(entry, old, new)
    refusal = objection_to_entry(Target(path=_A_THING, note=note, entry=said))
    words = _CODE_WORD.sub("thing", said.key)
    is_past = _ONCE.search(words) is not None or speaks_of_the_past(said)
    if note.broken:
        return ""
    if _is_record(path):
        return "its note keeps a record or people's rules"
    if is_past or (refusal is not None and "the past" in refusal.detail):
        return "it speaks of the past or of a change"
    is_hope = refusal is not None or _HOPED.search(words) is not None
    return "it speaks of a wish, a plan, a rule or a guess" if is_hope else ""


def _is_record(path: str) -> bool:
    """Whether a note keeps a record by its folders, or by the last word of its name: as a thing's name ends otherwise.

    To a model a runbook tells what to do; what a person pins in one is what it says of now.
    """
    folder, _, name = _RUNBOOK.sub("guide", path).rpartition("/")
    return keeps_a_record(f"{folder}/x.md".lstrip("/")) or keeps_a_record(f"services/{name}")


def _statement(entry: Entry, old: str, new: str) -> Entry:
    """Return an entry up to the end of the paragraph that states a value, of a long one that paragraph alone.

    What follows is another statement: of a wish in a note below it, the value is none.
    """
    lines = entry.raw.split("\n")
    places = stated_places(entry, entry.raw, old) or stated_places(entry, entry.raw, new)
    if not places:
        return replace(entry, raw=f"- {entry.key}")
    number = places[0][0]
    start = 0
    if entry.style in _LONG:
        start = max((at + 1 for at in range(number) if not lines[at].strip()), default=0)
    checks = check_lines(lines)
    end = paragraph_from(lines, number)[-1] + 1
    key = key_of("\n".join(lines[at] for at in range(start, end) if at not in checks))
    return replace(entry, start=entry.start + start, key=key, raw=f"- {key}")


def why_not_written(entry: Entry, raw: str, check: PinnedCheck, observed: str, line: str) -> str:
    """Return why what was `observed`, on a `line` of an answer, cannot take the place of what `check` expects in `raw`.

    Only a value for a value can: where the check says `is`, the line that shows the value may be shown, and the
    statement has the old value exactly once, or the new one already. Empty where it can.
    """
    if check.relation is not Relation.IS:
        return "only the value that something `is` is put right"
    if not line:
        return "no line of the answer states it alone"
    if is_withheld(line):
        return "the line that states it may not be shown"
    if not may_stand_for(observed, check.expected):
        return "it is no value of the same kind"
    return _why_not_stated(entry, raw, check.expected, observed)


def _why_not_stated(entry: Entry, raw: str, expected: str, observed: str) -> str:
    old, new = shown(expected), shown(observed)
    olds, news = (stated_places(entry, raw, value) for value in (expected, observed))
    if len(olds) > 1:
        return f"{old} stands in the entry {'twice' if len(olds) == 2 else f'{len(olds)} times'}"  # noqa: PLR2004
    if olds and news:
        return f"the entry states both {old} and {new}"
    return "" if olds or news else f"the entry does not state {old} as a value of its own"


def why_unsettled(check: PinnedCheck, answer: Found) -> str:
    """Return why an answer that is there does not settle a check, and what would."""
    values = tuple(dict.fromkeys(answer.values))
    if not values:
        return "it gave no value: ask for one value, as `dream probe` shows them, or write `contains`"
    first = values[0]
    different = [one for one in values[1:] if is_same_value(first, one) is not True]
    if different:
        some = ", ".join(map(_told, values[:_MOST_SHOWN])) + (", …" if len(values) > _MOST_SHOWN else "")
        return f"it gave {len(values)} values ({some}): ask so that one comes back"
    if answer.cut:
        return "its answer was cut off, so that other values may be missing: ask for less"
    if check.relation in _BOUNDS:
        is_ours = number_of(check.expected) is None
        one = shown(code_span(check.expected)) if is_ours else _told(first)
        way_out = "write a number" if is_ours else "ask for a number, or write `is`"
        return f"{one} is no number, and {check.relation} compares numbers alone: {way_out}"
    return (
        f"{_told(first)} and {shown(code_span(check.expected))} may be one number or two versions: "
        f"write what is expected as the system writes it"
    )


def _told(value: str) -> str:
    return "something that may not be shown" if is_withheld(value) else shown(code_span(value.strip()))
