"""The labels made by hand, beside the records that they are of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from dream.sources.pull_requests.values import Fate
from dream.sources.strict_json import parse_json

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "pull_requests"
_LABELS = Path(__file__).with_name("labels.tsv")


class Label(StrEnum):
    """What a person calls the end of a pull request."""

    UNTOUCHED = "untouched"
    EDITED = "edited"
    CLOSED_BY_PERSON = "closed-by-person"
    CLOSED_BY_SYSTEM = "closed-by-system"
    OPEN = "open"
    UNKNOWN = "unknown"


OF_FATE: Mapping[Fate, Label] = {
    Fate.MERGED_UNTOUCHED: Label.UNTOUCHED,
    Fate.MERGED_EDITED: Label.EDITED,
    Fate.CLOSED_BY_PERSON: Label.CLOSED_BY_PERSON,
    Fate.CLOSED_BY_SYSTEM: Label.CLOSED_BY_SYSTEM,
    Fate.OPEN: Label.OPEN,
    Fate.UNKNOWN: Label.UNKNOWN,
}

DERIVED: Mapping[str, Label] = {
    "merged_untouched": Label.UNTOUCHED,
    "merged_after_review": Label.UNTOUCHED,
    "merged_human_edited": Label.EDITED,
    "closed_by_person_with_reason": Label.CLOSED_BY_PERSON,
    "closed_by_person_silent": Label.CLOSED_BY_PERSON,
    "closed_by_author": Label.CLOSED_BY_PERSON,
    "closed_by_bot": Label.CLOSED_BY_SYSTEM,
    "closed_by_agent": Label.CLOSED_BY_SYSTEM,
    "closed_unknown_actor": Label.UNKNOWN,
    "open": Label.OPEN,
}
"""What the labels that came with the records, made by a script from the same fields, are called here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One pull request (`acme/web#41`), what a person calls its end, and why."""

    source: str
    label: Label
    why: str


def read_labels(path: Path = _LABELS) -> tuple[Labelled, ...]:
    """Return the labels of a file of tab-separated lines; those that begin with `#` say what the classes mean."""
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    rows = [line.split("\t") for line in lines]
    return tuple(Labelled(source=source, label=Label(label), why=why) for source, label, why in rows)


def read_raw(folder: Path = DATA) -> dict[str, dict[str, Any]]:
    """Return the records under `folder` as they are written, by what they are cited as."""
    records: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*/records/*.json")):
        record = parse_json(path.read_bytes())
        records[f"{record['repo']}#{record['number']}"] = record
    return records
