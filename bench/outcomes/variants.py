"""Real records with one thing changed, whose class follows from the label of the record that they were made of.

The hand-made labels hold few of what seldom happens; this holds the rules that issue trackers are full of: only the
last commit was looked at, a merge counted as an edit, a stale bot as a rejection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from bench.outcomes.labels import Label, Labelled

Record = dict[str, Any]
_PERSON = {"login": "a-maintainer", "type": "User"}
_BOT = {"login": "prettier-ci[bot]", "type": "Bot"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A changed record, what was changed, and the class that it has now."""

    change: str
    source: str
    record: Record
    label: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    name: str
    of: frozenset[Label]
    becomes: Label | None
    make: Callable[[Record], bool]


def variants(labels: tuple[Labelled, ...], records: Mapping[str, Record]) -> Iterator[Variant]:
    """Yield every change of every labelled record that it can be made to."""
    for labelled in labels:
        for change in _CHANGES:
            record = deepcopy(records[labelled.source])
            if labelled.label in change.of and change.make(record):
                label = change.becomes or labelled.label
                yield Variant(change=change.name, source=labelled.source, record=record, label=label)


def _commit(author: object, message: str, number: int, parents: int = 1) -> Record:
    return {
        "sha": f"{number:040x}",
        "author": author,
        "committer": author,
        "message": message,
        "parents": [f"{number + place + 1:040x}" for place in range(parents)],
    }


def _is_the_agents(record: Record) -> bool:
    """Whether the agent commits under its own account, so that one commit more is certainly not its own."""
    return bool(record["commits"]) and str(record["commits"][0]["author"]).endswith(("[bot]", "Copilot", "cursoragent"))


def _formatted(record: Record) -> bool:
    record["commits"] = [*(record["commits"] or []), _commit(_BOT, "Run the formatter", 900)]
    return len(record["commits"]) > 1


def _base_merged(record: Record) -> bool:
    merge = _commit(_PERSON, "Merge branch 'main' into work", 910, parents=2)
    record["commits"] = [*(record["commits"] or []), merge]
    return len(record["commits"]) > 1


def _edited_below(record: Record) -> bool:
    """Put a person's commit between the agent's, and the agent's and a formatter's above it."""
    if not _is_the_agents(record):
        return False
    agent = record["commits"][0]
    above = {**agent, "sha": f"{920:040x}"}
    person = _commit(_PERSON, "Keep the old name", 921)
    record["commits"] = [*record["commits"], person, above, _commit(_BOT, "Run the formatter", 922)]
    return True


def _many(record: Record) -> bool:
    """Let a person's commit stand below 3,000 of the agent."""
    if not _is_the_agents(record):
        return False
    agent = record["commits"][0]
    more = [{**agent, "sha": f"{100_000 + number:040x}"} for number in range(3_000)]
    record["commits"] = [*record["commits"], _commit(_PERSON, "Keep the old name", 930), *more]
    return True


def _closed_by(actor: object, **more: object) -> Callable[[Record], bool]:
    def change(record: Record) -> bool:
        timeline = [one for one in record["timeline"] or [] if one["event"] not in {"closed", "head_ref_deleted"}]
        record["closed_by"] = actor
        record["timeline"] = [*timeline, {"event": "closed", "actor": actor, "created_at": record["closed_at"], **more}]
        return True

    return change


def _unrecorded(record: Record) -> bool:
    record["closed_by"] = None
    record["timeline"] = [one for one in record["timeline"] or [] if one["event"] != "closed"]
    return True


def _without_commits(record: Record) -> bool:
    record["commits"] = None
    return True


_MERGED = frozenset({Label.UNTOUCHED, Label.EDITED})
_CLOSED = frozenset({Label.CLOSED_BY_PERSON, Label.CLOSED_BY_SYSTEM})
_CHANGES = (
    _Change(name="a formatter's commit on top", of=_MERGED, becomes=None, make=_formatted),
    _Change(name="the base merged into it by a person", of=_MERGED, becomes=None, make=_base_merged),
    _Change(name="a person's commit below others", of=_MERGED, becomes=Label.EDITED, make=_edited_below),
    _Change(name="a person's commit below 3,000", of=_MERGED, becomes=Label.EDITED, make=_many),
    _Change(name="its commits unrecorded", of=_MERGED, becomes=Label.UNKNOWN, make=_without_commits),
    _Change(
        name="a stale bot closed it",
        of=_CLOSED,
        becomes=Label.CLOSED_BY_SYSTEM,
        make=_closed_by({"login": "stale", "type": "Bot"}),
    ),
    _Change(
        name="a deleted account closed it", of=_CLOSED, becomes=Label.CLOSED_BY_SYSTEM, make=_closed_by({"login": None})
    ),
    _Change(
        name="a commit closed it",
        of=_CLOSED,
        becomes=Label.CLOSED_BY_SYSTEM,
        make=_closed_by(_PERSON, commit_id="c" * 40),
    ),
    _Change(
        name="another pull request closed it",
        of=_CLOSED,
        becomes=Label.CLOSED_BY_SYSTEM,
        make=_closed_by(_PERSON, closer="acme/web#7"),
    ),
    _Change(name="a maintainer closed it", of=_CLOSED, becomes=Label.CLOSED_BY_PERSON, make=_closed_by(_PERSON)),
    _Change(name="its closing unrecorded", of=_CLOSED, becomes=Label.UNKNOWN, make=_unrecorded),
)
