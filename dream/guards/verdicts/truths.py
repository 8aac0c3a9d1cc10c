"""When the lines that a verdict cites bear out every value that an entry states."""

from __future__ import annotations

from collections.abc import Sequence

from dream.guards.verdicts.aboutness import identity_of, is_about, lines_about
from dream.guards.verdicts.bindings import Statement, keys_for, keys_of, value_width
from dream.guards.verdicts.checkable import objection_to_entry
from dream.guards.verdicts.comparing import Match, compare
from dream.guards.verdicts.currency import is_past
from dream.guards.verdicts.differences import heading_size, tokens_in
from dream.guards.verdicts.leftovers import unexplained
from dream.guards.verdicts.outputs import Citation, CitedLine, Output, locate
from dream.guards.verdicts.phrases import unit_before
from dream.guards.verdicts.questions import echoes
from dream.guards.verdicts.readings import read_line
from dream.guards.verdicts.rulings import Confirmed, Target
from dream.guards.verdicts.subjects import Subjects, subjects_of
from dream.guards.verdicts.tokens import Token
from dream.memory.operations import Refusal

_SWITCHES = frozenset({"enabled", "disabled"})


def check_true(target: Target, citations: Sequence[Citation], outputs: Sequence[Output]) -> Confirmed | Refusal:
    """Return that the entry counts as verified: its values all stand in cited lines, for the same attributes.

    An entry that states no value cannot be confirmed so. Reasons: those of `locate` and `is_about`, `no-citation`,
    `not-checkable`, `nothing-to-compare`, `not-borne-out`, `echoed`, `conflict`.
    """
    objection = objection_to_entry(target)
    if objection:
        return objection
    cited: list[CitedLine] = []
    for citation in citations:
        found = locate(citation, outputs)
        if isinstance(found, Refusal):
            return found
        cited.append(found)
    subjects = subjects_of(target)
    statement = Statement(tokens=tokens_in(target.entry), subjects=subjects)
    first = heading_size(target.entry.raw)
    places = [at for at, token in enumerate(statement.tokens) if at >= first and _is_value(token, subjects)]
    if not places:
        return Refusal("nothing-to-compare", target.path)
    if not cited:
        return Refusal("no-citation")
    bearing: list[CitedLine] = []
    for place in places:
        borne = _borne_out(statement, place, cited, outputs)
        if isinstance(borne, Refusal):
            return borne
        bearing.append(borne)
    kept = tuple(dict.fromkeys(bearing))
    return Confirmed(cited=kept, dated=max(one.output.at for one in kept).date())


def _is_value(token: Token, subjects: Subjects) -> bool:
    if token.is_number or token.text.lower() in _SWITCHES:
        return True
    return (token.is_name or token.marked) and token.text not in subjects.stated[:1]


def _borne_out(
    statement: Statement, place: int, cited: Sequence[CitedLine], outputs: Sequence[Output]
) -> CitedLine | Refusal:
    subjects, tokens = statement.subjects, statement.tokens
    width = value_width(tokens, place)
    unit = _unit_of(statement, place, width)
    refusal: Refusal | None = None
    for one in cited:
        about = is_about(one, subjects)
        reading = read_line(one.line, one.output)
        if about or is_past(reading, one.output.at):
            refusal = refusal or about or Refusal("not-current", one.output.id)
            continue
        keys = keys_for(statement, place, keys_of(reading, identity_of(reading, one.output, subjects)), width=width)
        fitting = [key for key in keys if not unexplained(statement, place, key, reading, width=width)]
        if not fitting or any(compare(tokens[place].text, unit, key) is not Match.SAME for key in fitting):
            refusal = refusal or Refusal("not-borne-out", ascii(tokens[place].text[:80])[1:-1])
            continue
        if echoes(tokens[place].text, unit, one.output.asked):
            refusal = refusal or Refusal("echoed", one.output.id)
            continue
        return one if not _is_contradicted(statement, place, outputs) else Refusal("conflict", one.output.id)
    return refusal or Refusal("not-borne-out")


def _is_contradicted(statement: Statement, place: int, outputs: Sequence[Output]) -> bool:
    tokens = statement.tokens
    width = value_width(tokens, place)
    unit = _unit_of(statement, place, width)
    for output, _, reading in lines_about(outputs, statement.subjects):
        keys = keys_of(reading, identity_of(reading, output, statement.subjects))
        for key in keys_for(statement, place, keys, width=width):
            if compare(tokens[place].text, unit, key) is Match.OTHER and not is_past(reading, output.at):
                return True
    return False


def _unit_of(statement: Statement, place: int, width: int) -> str:
    if width > 1:
        return statement.tokens[place + 1].text
    return unit_before(statement.tokens, (*statement.leading(place), *statement.segment(place)), place)
