"""Answers that were recorded in a file, given again as they were: a rehearsal asks no system."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from dream.sources.production.answers import (
    AnswerJson,
    BadAnswersError,
    StrictModel,
    answer_json,
    explain_mismatch,
    to_bytes,
)
from dream.sources.production.fields import cut_text, kept_lines, printable
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Answer, Down, Found, Line, Nothing, Operation, Proof
from dream.sources.strict_json import BadJSONError, parse_json

_MOST_BYTES = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAnswer:
    """What one question was answered."""

    operation: str
    text: str
    answer: Answer


class _Item(StrictModel):
    operation: str
    text: str = ""
    answer: AnswerJson


_ITEMS = TypeAdapter(list[_Item])


def write_answers(answers: Iterable[RecordedAnswer]) -> bytes:
    """Return the file that `read_answers` reads the same answers from."""
    items = [{"operation": item.operation, "text": item.text, "answer": answer_json(item.answer)} for item in answers]
    return to_bytes(items, indent=1) + b"\n"


def read_answers(data: bytes) -> tuple[RecordedAnswer, ...]:
    """Return the answers of a file.

    Raises BadAnswersError for what is not a list of questions, each once, with an answer each.
    """
    try:
        items = _ITEMS.validate_json(to_bytes(parse_json(data)))
    except BadJSONError as error:
        message = f"it is no JSON: {error}"
        raise BadAnswersError(message) from error
    except ValidationError as error:
        raise BadAnswersError(explain_mismatch(error)) from error
    answers = tuple(
        RecordedAnswer(operation=item.operation, text=item.text, answer=item.answer.answer()) for item in items
    )
    if len({(item.operation, item.text) for item in answers}) < len(answers):
        message = "a question stands twice"
        raise BadAnswersError(message)
    return answers


class RecordedProbe:
    """A probe that knows what its file holds and nothing else; a file that cannot be read makes it down."""

    def __init__(self, name: str, path: Path, *, limits: ProbeLimits | None = None) -> None:
        """Take a file, which is read when the probe is first used."""
        self._name, self._path = name, path
        self._limits = limits or ProbeLimits()
        self._read: tuple[RecordedAnswer, ...] | Down | None = None

    @property
    def name(self) -> str:
        """How the organisation calls it."""
        return self._name

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Those that an answer was recorded of, each with the first text that it was asked with."""
        answers = self._answers()
        firsts = {item.operation: item.text for item in reversed(() if isinstance(answers, Down) else answers)}
        return tuple(Operation(name=name, form=firsts[name], meaning="what was recorded") for name in sorted(firsts))

    def objection(self, operation: str, text: str) -> str:  # noqa: ARG002
        """Return no objection: what was not recorded is not known, which is an answer."""
        return ""

    def ask(self, operation: str, text: str) -> Answer:
        """Return what was recorded of a question."""
        answers = self._answers()
        if isinstance(answers, Down):
            return answers
        for item in answers:
            if (item.operation, item.text) == (operation, text):
                return self._kept(item.answer)
        return Nothing("no answer to that was recorded")

    def examine(self) -> tuple[Proof, ...]:
        """Return whether the file can be read."""
        answers = self._answers()
        if isinstance(answers, Down):
            return (Proof(tried="read the file", sound=False, seen=answers.reason),)
        return (Proof(tried="read the file", sound=True, seen=f"{len(answers)} answers"),)

    def _answers(self) -> tuple[RecordedAnswer, ...] | Down:
        if self._read is None:
            self._read = _load(self._path)
        return self._read

    def _kept(self, answer: Answer) -> Answer:
        if not isinstance(answer, Found):
            return answer
        lines, cut = kept_lines([self._shortened(line) for line in answer.lines], self._limits)
        return replace(answer, lines=lines, cut=answer.cut or cut)

    def _shortened(self, line: Line) -> Line:
        most = self._limits.line_characters
        return line if len(line.text) <= most else Line(text=cut_text(line.text, most))


def _load(path: Path) -> tuple[RecordedAnswer, ...] | Down:
    try:
        if not path.is_file():
            return Down(f"its file of answers is not there: {printable(str(path))}")
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            return Down(f"its file of answers is longer than {_MOST_BYTES} bytes")
        return read_answers(data)
    except BadAnswersError as error:
        return Down(f"its file of answers is broken: {error}")
    except (OSError, ValueError) as error:
        return Down(f"its file of answers cannot be read: {type(error).__name__}")
