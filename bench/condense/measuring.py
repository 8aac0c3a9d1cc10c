"""What condensing comes to, session by session: sizes, questions, and the time that it takes."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.condense.answering import Searched
from bench.condense.corpus import Collection, Unit
from bench.condense.questions import COUNTED, Kind, Question, questions_of
from dream.sources.sessions.condensing import CondensingLimits, condense, whole
from dream.sources.sessions.values import Session

_TIMES = 5


@dataclass(slots=True, kw_only=True)
class Answers:
    """How many questions there were by kind that all of a session answers, and which a shorter text does not."""

    asked: Counter[Kind] = field(default_factory=Counter)
    found: Counter[Kind] = field(default_factory=Counter)
    cut: Counter[Kind] = field(default_factory=Counter)
    unanswerable: int = 0
    lost: list[tuple[str, Question]] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many questions count."""
        return _counted(self.asked)

    @property
    def share(self) -> float:
        """Percent of the questions that the condensed text answers; 100 where none was asked."""
        return 100 * _counted(self.found) / self.count if self.count else 100.0

    @property
    def cut_share(self) -> float:
        """Percent that a plain cut of the same length answers."""
        return 100 * _counted(self.cut) / self.count if self.count else 100.0

    def take(self, other: Answers) -> None:
        """Add those of another session."""
        self.asked += other.asked
        self.found += other.found
        self.cut += other.cut
        self.unanswerable += other.unanswerable
        self.lost += other.lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One file: bytes as it is, rendered whole and condensed, and the characters of the latter two."""

    path: str
    raw: int
    full: int
    condensed: int
    full_characters: int
    condensed_characters: int
    sessions: int
    answers: Answers

    @property
    def against_raw(self) -> float:
        """How many times smaller than the file."""
        return self.raw / self.condensed

    @property
    def against_full(self) -> float:
        """How many times smaller than all of it as text."""
        return self.full / self.condensed


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """Processor seconds, the best of several: of parsing every line as JSON, of reading, of condensing what was read.

    `parsing` is None where the files are no JSON.
    """

    size: int
    parsing: float | None
    reading: float
    condensing: float


def measured(unit: Unit, limits: CondensingLimits) -> Measured:
    """Condense what one file holds, and ask."""
    answers = Answers()
    texts = []
    for session in unit.sessions:
        full, short = whole(session).text, condense(session, limits=limits).text
        texts.append((full, short))
        answers.take(_asked(session, full, short))
    return Measured(
        path=unit.path,
        raw=unit.size,
        full=sum(_bytes(full) for full, _ in texts),
        condensed=sum(_bytes(short) for _, short in texts),
        full_characters=sum(len(full) for full, _ in texts),
        condensed_characters=sum(len(short) for _, short in texts),
        sessions=len(unit.sessions),
        answers=answers,
    )


def speeds(collection: Collection, limits: CondensingLimits) -> Speeds:
    """Read and condense one tool's files again and again, each time beside parsing them."""
    sessions = [session for unit in collection.units for session in unit.sessions]
    parsing, reading, condensing = [], [], []
    for _ in range(_TIMES):
        if collection.is_json:
            parsing.append(_seconds(lambda: _parse(collection.files)))
        reading.append(_seconds(collection.read))
        condensing.append(_seconds(lambda: [condense(session, limits=limits).text for session in sessions]))
    return Speeds(
        size=sum(path.stat().st_size for path in collection.files),
        parsing=min(parsing, default=None),
        reading=min(reading),
        condensing=min(condensing),
    )


def _asked(session: Session, full: str, short: str) -> Answers:
    answers = Answers()
    half = len(short) // 2
    in_full, in_short, in_cut = Searched(full), Searched(short), Searched(f"{full[:half]}\n{full[-half:]}")
    for question in questions_of(session):
        if not in_full.answers(question):
            answers.unanswerable += question.kind in COUNTED
            continue
        answers.asked[question.kind] += 1
        answers.cut[question.kind] += in_cut.answers(question)
        if in_short.answers(question):
            answers.found[question.kind] += 1
        elif question.kind in COUNTED:
            answers.lost.append((session.source, question))
    return answers


def _counted(some: Counter[Kind]) -> int:
    return sum(count for kind, count in some.items() if kind in COUNTED)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _parse(files: tuple[Path, ...]) -> int:
    """Parse every line, or the whole file where it is one document; returns how many were JSON."""
    count = 0
    for path in files:
        with path.open("rb") as file:
            for line in [file.read()] if path.suffix == ".json" else file:
                try:
                    json.loads(line)
                except ValueError:
                    continue
                count += 1
    return count
