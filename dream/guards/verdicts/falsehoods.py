"""When the lines that a verdict cites show that what an entry speaks of has ended."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dream.guards.verdicts.aboutness import identity_of, is_about, lines_about
from dream.guards.verdicts.checkable import objection_to_entry
from dream.guards.verdicts.currency import ended_by
from dream.guards.verdicts.outputs import Citation, CitedLine, Output
from dream.guards.verdicts.questions import locate_all
from dream.guards.verdicts.readings import Reading, read_line
from dream.guards.verdicts.rulings import Falsehood, Target
from dream.guards.verdicts.subjects import Subjects, same_name, same_subject, subjects_of
from dream.guards.verdicts.tokens import Token, tokens_of
from dream.guards.verdicts.words import ATTRIBUTES, concept, is_neutral, listed
from dream.memory.operations import Refusal
from dream.memory.sources import Origin, weakest

_NO = "no-evidence-of-falsehood"
_BY_COMMIT = frozenset({"deleted_in", "removed_in"})
_STARTS = listed(
    "it runs run listens uses has is keeps serves exposes stores holds reads writes accepts lives läuft hat nutzt ist"
)
_GENERIC = frozenset(
    {"the", "this", "service", "deployment", "app", "application", "resource", "der", "die", "das", "dienst"}
)
_TURNS = re.compile(
    r"\b(?:instead|unlike|except|besides|other than|not|no|never|without|but|although|replac\w*|succe\w*|"
    r"deleted|retired|ended|nicht|kein\w*|ohne)\b",
    re.IGNORECASE,
)


def check_falsehood(target: Target, citations: Sequence[Citation], outputs: Sequence[Output]) -> Falsehood | Refusal:
    """Return the field of a cited line that states the end of the one thing that the entry is about.

    The entry says how that thing is now, and names no other. What is empty, silent or down shows nothing, and a line
    that shows the thing at work is a conflict. Reasons: those of `locate` and `is_about`, `no-citation`,
    `not-checkable`, `conflict`, `cut-off`, `no-evidence-of-falsehood`.
    """
    cited = objection_to_entry(target) or locate_all(citations, outputs)
    if isinstance(cited, Refusal):
        return cited
    subjects = subjects_of(target)
    if not _is_about_one_thing(target, subjects):
        return Refusal(_NO, "the entry is not about one thing alone")
    refusal: Refusal | None = None
    for one in cited:
        ruling = _check_line(target, subjects, one, outputs)
        if isinstance(ruling, Falsehood):
            return ruling
        refusal = refusal or ruling
    return refusal or Refusal(_NO)


def _check_line(target: Target, subjects: Subjects, cited: CitedLine, outputs: Sequence[Output]) -> Falsehood | Refusal:
    about = is_about(cited, subjects)
    if about:
        return about
    reading = read_line(cited.line, cited.output)
    ended = ended_by(reading, cited.output.at)
    if ended is None:
        return Refusal(_NO, cited.output.id)
    named = identity_of(reading, cited.output, subjects)
    if not _is_itself(named, reading.identity or "", cited.output, subjects, ended=ended[0]):
        return Refusal(_NO, "a file of that name is not the thing")
    for output, _, other in lines_about(outputs, subjects):
        if not other.within and not _is_dated(other, ended[1]) and ended_by(other, output.at) is None:
            return Refusal("conflict", output.id)
    return Falsehood(
        ended=ended,
        cited=(cited,),
        dated=cited.output.at.date(),
        by_person=weakest(target.entry.sources) is Origin.PERSON,
    )


def _is_dated(reading: Reading, ended: str) -> bool:
    """Whether a line tells of a commit, and not of one after the end, where that is a day."""
    fields = dict(reading.fields)
    return fields.keys() == {"commit", "date"} and not fields["date"][:10] > ended[:10] > "1"


def _is_about_one_thing(target: Target, subjects: Subjects) -> bool:
    """Whether all that the entry says is said of one thing: it begins with its name, or with what it does."""
    if _TURNS.search(target.entry.key) or len(subjects.stated) > 1:
        return False
    tokens = tokens_of(target.entry.key)
    if not tokens:
        return False
    if subjects.stated:
        name = subjects.stated[0]
        at = next((place for place, token in enumerate(tokens) if token.text == name), None)
        if at is None:
            return _is_plain_start(tokens)
        return all(_leads_to_name(token) for token in tokens[:at])
    return _is_plain_start(tokens)


def _is_plain_start(tokens: Sequence[Token]) -> bool:
    first = next((token for token in tokens if token.text.lower() not in _GENERIC), None)
    return first is not None and (first.text.lower() in _STARTS or concept(first.text) in ATTRIBUTES)


def _leads_to_name(token: Token) -> bool:
    return token.text.lower() in _GENERIC | {"queue", "database", "topic", "bucket", "job", "host", "server"} or (
        is_neutral(token.text) and token.text.lower() in {"our", "a", "an", "its"}
    )


def _is_itself(said: str, identity: str, output: Output, subjects: Subjects, *, ended: str) -> bool:
    """Whether the line is about the thing and not about a file, or a name in code, that is called like it."""
    if ended in _BY_COMMIT and not any(same_name(name, identity or said) for name in subjects.stated):
        return False
    is_file = "/" in output.asked and re.search(r"[\w-]\.[A-Za-z]{1,10}\b", output.asked) is not None
    if identity:
        return not is_file or any(same_name(name, identity) for name in subjects.stated)
    named = [name for name in subjects.stated if name in output.names]
    if is_file:
        return any("/" in name or "." in name for name in named)
    return any(same_name(name, said) for name in subjects.stated) or any(
        same_subject(own, said) for own in subjects.own
    )
