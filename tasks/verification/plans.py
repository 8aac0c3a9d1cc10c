"""What a model would ask real systems about the entries of a note, and what code lets through of it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import BaseModel, ConfigDict

from dream.guards.addressing import speaks_to_reader
from dream.guards.screen import screen_line
from dream.guards.verdicts.outputs import is_withheld
from dream.memory.logbooks import is_logbook
from dream.memory.notes import Entry, Note
from dream.memory.paths import is_topic
from dream.memory.sources import Origin
from dream.models.prompt import Prompt
from dream.sources.production.port import Probe, Query
from prompts.loading import load_template
from tasks.verification.past import speaks_of_the_past
from tasks.verification.recorded_outputs import shown
from tasks.writing import sentences_of

_LONGEST_ENTRY = 2_000
_LONGEST_TITLE = 200
_LONGEST_OPERATION = 400
_LONGEST_QUESTION = 2_000
_BLOCKS = ("```", "~~~", "|", ">")
_UNCHECKED = frozenset({"conventions"})


class PlannedCheck(BaseModel):
    """One question about one entry: to which probe, by which of its operations, with what text."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    entry: int
    probe: str
    operation: str
    text: str


class CheckPlan(BaseModel):
    """The questions that may tell whether the entries of a note still hold."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    reasoning: str
    checks: list[PlannedCheck]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The entries of a note that a model is asked about, by number, and how many of them are left for another night."""

    entries: Mapping[int, Entry]
    left: int = 0


def select_entries(path: str, note: Note, settled: Collection[int], *, most: int, today: date) -> Selection:
    """Return the entries that may state what a probe can know, but for those that begin on a line in `settled`.

    None of a note that keeps a record, no table, quotation or code, none that speaks of the past, tells its reader what
    to do, is longer than a model is shown, or may not be shown. Of more than `most` those of `today`, which are others
    on another day.
    """
    if not is_topic(path) or path.partition("/")[0] in _UNCHECKED or is_logbook(path):
        return Selection(entries={})
    asked = [entry for entry in note.entries if entry.start not in settled and _is_statement(entry)]
    shown_tonight = sorted(asked, key=lambda entry: _turn(entry, today))[:most]
    ordered = sorted(shown_tonight, key=lambda entry: entry.start)
    return Selection(entries=dict(enumerate(ordered, 1)), left=len(asked) - len(ordered))


def plan_question(path: str, note: Note, entries: Mapping[int, Entry], probes: Sequence[Probe], *, most: int) -> Prompt:
    """Return the question how `entries`, by their numbers, may be checked by `probes` with `most` questions for each.

    What a probe says of its operations may be the words of whoever runs it.
    """
    return load_template("verification/plan").render(
        {"count": len(entries), "most": most},
        {"probes": _offered(probes), "title": title_of(path, note), "entries": numbered(entries)},
    )


def queries_of(plan: CheckPlan, entries: Mapping[int, Entry]) -> tuple[tuple[int, Query], ...]:
    """Return the questions of `plan` that are about one of `entries`, each once for each entry, in their order."""
    found = [
        (check.entry, Query(probe=check.probe, operation=check.operation, text=check.text.strip()))
        for check in plan.checks
        if check.entry in entries and len(check.text) <= _LONGEST_QUESTION
    ]
    return tuple(dict.fromkeys(found))


def title_of(path: str, note: Note) -> str:
    """Return what a model is told of which note it is shown."""
    title = note.title[:_LONGEST_TITLE]
    return path if screen_line(title, Origin.EXTERNAL) else f"{path}: {shown(title, most=_LONGEST_TITLE)}"


def numbered(entries: Mapping[int, Entry]) -> str:
    """Return the statements of `entries` as a model is shown them, each under its number."""
    return "\n".join(f"{number}. {shown(entry.key, most=_LONGEST_ENTRY)}" for number, entry in entries.items())


def _is_statement(entry: Entry) -> bool:
    if len(entry.key) > _LONGEST_ENTRY or entry.raw.lstrip().startswith(_BLOCKS):
        return False
    if speaks_of_the_past(entry) or is_withheld(entry.key):
        return False
    return not any(map(speaks_to_reader, sentences_of(entry.key)[:1]))


def _turn(entry: Entry, today: date) -> str:
    return hashlib.sha256(f"{today.isoformat()}\0{entry.key}".encode(errors="surrogatepass")).hexdigest()


def _offered(probes: Sequence[Probe]) -> str:
    lines = [
        f"{probe.name} {one.name} {one.form}: {one.meaning}".replace("\n", " ")
        for probe in probes
        for one in probe.operations
    ]
    return "\n".join(shown(line, most=_LONGEST_OPERATION) for line in lines if not screen_line(line, Origin.EXTERNAL))
