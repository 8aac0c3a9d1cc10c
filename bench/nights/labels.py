"""What a person would want in a day's note, written by hand, and how much of that the nights' lines say.

A label is one wanted fact of one thread, with the words that a line must hold to be said to tell it. A written line
tells a label iff it cites the label's thread and holds every one of its `says`, each a phrase or alternatives between
`|`, compared without case. Recall is the share of labels told by any line of that day's note; precision is the share of
its lines that tell at least one label. Nothing is given for a line that only comes near, and a line that tells three
labels counts for all three. Labels of the kind `asked` and `pull_request` are what code can see; `outcome` and
`decision` need judgement.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

from ruamel.yaml import YAML

FOLDER = Path(__file__).parent / "labels"
Kind = Literal["asked", "pull_request", "outcome", "decision"]
_CITED = re.compile(r"\[([^\[\]]*)\]\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One wanted fact: of which thread, of what kind, in whose neutral words, and what a line must say."""

    thread: str
    kind: Kind
    fact: str
    says: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledDay:
    """A day of one replay with everything a person would want of it."""

    replay: str
    day: date
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How a day's note does against its labels, in all and by kind."""

    day: date
    replay: str
    labels: int
    told: int
    lines: int
    wanted: int
    by_kind: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def read_labels(folder: Path = FOLDER) -> list[LabelledDay]:
    """Return every labelled day."""
    yaml = YAML(typ="safe", pure=True)
    found = []
    for path in sorted(folder.glob("*.yaml")):
        document: dict[str, Any] = yaml.load(path)
        labels = tuple(
            Label(thread=one["thread"], kind=one["kind"], fact=one["fact"], says=tuple(one["says"]))
            for one in document["labels"]
        )
        found.append(LabelledDay(replay=document["replay"], day=date.fromisoformat(path.stem), labels=labels))
    return found


def score(day: LabelledDay, note: str) -> Score:
    """Return how the lines of a day's note do."""
    lines = [line for line in note.split("\n") if line.startswith("- ")]
    told = [label for label in day.labels if any(tells(line, label) for line in lines)]
    wanted = [line for line in lines if any(tells(line, label) for label in day.labels)]
    all_kinds, told_kinds = (Counter(label.kind for label in labels) for labels in (day.labels, told))
    return Score(
        day=day.day,
        replay=day.replay,
        labels=len(day.labels),
        told=len(told),
        lines=len(lines),
        wanted=len(wanted),
        by_kind={kind: (told_kinds[kind], count) for kind, count in sorted(all_kinds.items())},
    )


def tells(line: str, label: Label) -> bool:
    """Whether a line of a note cites the label's thread and says all of its words."""
    cited = _CITED.search(line)
    if cited is None or f"thread_{label.thread}" not in [part.strip() for part in cited[1].split(",")]:
        return False
    text = line.casefold()
    return all(any(phrase.strip().casefold() in text for phrase in words.split("|")) for words in label.says)


def sum_of(scores: Iterable[Score]) -> Score:
    """Return the scores of several days as one."""
    scores = list(scores)
    kinds = sorted({kind for one in scores for kind in one.by_kind})
    return Score(
        day=date.min,
        replay="all",
        labels=sum(one.labels for one in scores),
        told=sum(one.told for one in scores),
        lines=sum(one.lines for one in scores),
        wanted=sum(one.wanted for one in scores),
        by_kind={
            kind: (
                sum(one.by_kind.get(kind, (0, 0))[0] for one in scores),
                sum(one.by_kind.get(kind, (0, 0))[1] for one in scores),
            )
            for kind in kinds
        },
    )
