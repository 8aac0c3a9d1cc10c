"""`.dream/nights/<date>.json`: the record of one night, and the effects that it had."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dream.memory.documents import UnreadableDocumentError, parse_document, render_document
from dream.memory.paths import FLOW_FOLDER
from dream.memory.sources import parse_date
from dream.memory.tree import Tree

_FOLDER = f"{FLOW_FOLDER}nights/"
_RECORD_PATH = re.compile(rf"{re.escape(_FOLDER)}([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})\.json")

NOT_ASKED = "its model could not be asked: "
"""How the reason of a task begins that failed because no question of it got an answer; why follows, in one word."""

LEFT_UNASKED = "not asked: "
"""What stands in a task's finding between how many questions it left out and the ceiling, or whatever it was."""

JUDGE_UNFIT = "judge-unfit"
"""Why an input waits of which no statement can be judged tonight: the judge failed its examination."""

HELD = "paused by itself: "
"""How the reason of a task begins that a night skipped because people keep taking back what it does."""

OutcomeName = Literal["changed", "unchanged", "skipped", "failed"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow")


class DoneInput(_Part):
    """An input that ended tonight: written, or not written for `reason`."""

    id: str
    digest: str = ""
    last: datetime | None = None
    reason: str = ""


class LeftOut(_Part):
    """What of an input is not in the night, and why: an operation that a rule refused, or an input that waits."""

    input: str
    reason: str
    operation: str = ""

    def __str__(self) -> str:
        """Read `merge of services/checkout-api.md: deferred-statements`."""
        return f"{' of '.join(filter(None, (self.operation, self.input)))}: {self.reason}"


class RoleSpend(_Part):
    """What a model was asked for a task in one role, and what its answers took, whenever they were paid for.

    `input` tokens hold the `cached` and `cache_written` ones; `dollars` is US dollars as a decimal, by the prices of
    the day `priced`, and empty where the model's price is not known; `unanswered` counts questions by reason.
    """

    model: str
    questions: int = 0
    unanswered: dict[str, int] = Field(default_factory=dict)
    calls: int = 0
    input: int = 0
    cached: int = 0
    cache_written: int = 0
    output: int = 0
    dollars: str = ""
    priced: date | None = None


class TaskRecord(_Part):
    """What a task came to, and the account of its inputs; `commit` is its commit where it made one.

    `spend` is what its models took, by role.
    """

    outcome: OutcomeName
    reason: str = ""
    commit: str = ""
    inputs: int = 0
    written: int = 0
    not_written: dict[str, int] = Field(default_factory=dict)
    pending: int = 0
    refusals: dict[str, int] = Field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    done: tuple[DoneInput, ...] = ()
    findings: tuple[str, ...] = ()
    spend: dict[str, RoleSpend] = Field(default_factory=dict)


class Change(_Part):
    """Whole lines of one file: `removed` stood between the lines `above` and `below`, and now `added` stands there.

    `line` counts the lines before it as it landed; `above` and `below` are empty at the ends of the file.
    """

    path: str
    line: int = 0
    above: str = ""
    below: str = ""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Effect(_Part):
    """What one landed operation did, in the terms in which a person can undo it.

    `quotes` find the words that it rests on: `thread_7c2e/m12:140-203 <digest>`.
    """

    id: str
    task: str
    kind: str
    changes: tuple[Change, ...] = ()
    created: tuple[str, ...] = ()
    deleted: dict[str, str] = Field(default_factory=dict)
    sources: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    dated: date | None = None
    reverted: bool = False


class LossRecord(_Part):
    """What the night took away, and of how many topic notes and statements (of the base last planted on)."""

    notes: int = 0
    statements: int = 0
    topic_notes: int = 0
    statement_count: int = 0
    by_task: dict[str, tuple[int, int]] = Field(default_factory=dict)


class Figures(_Part):
    """How much the memory holds after the night, in topic notes and their statements.

    `unchecked` notes were never looked at by verification, `unverified` ones have an entry that it could not bear out.
    """

    notes: int = 0
    statements: int = 0
    unchecked: int = 0
    unverified: int = 0


class NightRecord(_Part):
    """The record of one night; a task has landed iff this says so.

    `arrived` are paths that others changed between planning and planting. `unseen` are paths that others changed and
    that not every task has looked at yet, `renamed` the renames among either: the next night takes them up.
    `figures` are None in a record of before there were any.
    """

    night: date
    scheduled: datetime
    run: str
    base: str
    landings: int = 1
    windows: dict[str, tuple[datetime, datetime]] = Field(default_factory=dict)
    tasks: dict[str, TaskRecord] = Field(default_factory=dict)
    effects: tuple[Effect, ...] = ()
    loss: LossRecord = LossRecord()
    arrived: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    renamed: dict[str, str] = Field(default_factory=dict)
    findings: tuple[str, ...] = ()
    figures: Figures | None = None
    version: int = 1

    def landed(self, task: str) -> bool:
        """Whether `task` has landed for this night: it ran to an end that was no failure."""
        record = self.tasks.get(task)
        return record is not None and record.outcome != "failed"


def record_path(night: date) -> str:
    """Return the path of a night's record."""
    return f"{_FOLDER}{night.isoformat()}.json"


def is_record_path(path: str) -> bool:
    """Whether `path` is that of a night's record."""
    return _RECORD_PATH.fullmatch(path) is not None


def record_dates(tree: Tree) -> list[date]:
    """Return the dates of the nights that `tree` has a record of, oldest first."""
    return sorted(day for day in map(_record_date, tree.paths()) if day)


def is_record(path: str) -> bool:
    """Whether a night's record would be read from `path`."""
    return _record_date(path) is not None


def _record_date(path: str) -> date | None:
    match = _RECORD_PATH.fullmatch(path)
    return parse_date(match[1]) if match else None


def read_record(tree: Tree, night: date) -> NightRecord | None:
    """Return a night's record, None where there is none.

    Raises UnreadableDocumentError where it cannot be read, or is that of another night.
    """
    data = tree.read(record_path(night))
    record = None if data is None else parse_record(data)
    if record is not None and record.night != night:
        message = f"night: {record.night.isoformat()}, in the record of {night.isoformat()}"
        raise UnreadableDocumentError(message)
    return record


def read_records(tree: Tree) -> tuple[NightRecord, ...]:
    """Return every night's record in `tree` that can be read, oldest first."""
    records = []
    for night in record_dates(tree):
        with suppress(UnreadableDocumentError):
            records.append(read_record(tree, night))
    return tuple(record for record in records if record is not None)


def parse_record(data: bytes) -> NightRecord:
    """Return the record in `data`; UnreadableDocumentError if it is none."""
    parse_document(data)
    try:
        return NightRecord.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        message = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
        raise UnreadableDocumentError(message) from error


def render_record(record: NightRecord) -> bytes:
    """Return the bytes of `record`, sorted and one item a line."""
    return render_document(record.model_dump(mode="json", exclude_defaults=True) | {"version": record.version})
