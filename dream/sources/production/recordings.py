"""Recordings of a night as JSON lines: the evidence that commits and reports cite, without credentials. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC

from pydantic import AwareDatetime, ValidationError

from dream.sources.production.answers import (
    AnswerJson,
    BadAnswersError,
    StrictModel,
    answer_json,
    explain_mismatch,
    to_bytes,
)
from dream.sources.production.port import Answer, Found, Line, Query
from dream.sources.production.recording import Recording
from dream.sources.strict_json import BadJSONError, parse_json

Mask = Callable[[str], str]
"""Returns a text with each character of a credential replaced, as long as before."""


class _Item(StrictModel):
    id: str
    probe: str
    operation: str
    text: str
    at: AwareDatetime
    answer: AnswerJson


def render_recordings(recordings: Iterable[Recording], *, mask: Mask = str) -> bytes:
    """Return recordings as JSON lines, which `parse_recordings` reads; of what they hold, credentials are masked."""
    return b"".join(
        to_bytes(
            {
                "id": recording.id,
                "probe": recording.query.probe,
                "operation": recording.query.operation,
                "text": mask(recording.query.text),
                "at": recording.at.astimezone(UTC).isoformat(),
                "answer": answer_json(masked_answer(recording.answer, mask)),
            }
        )
        + b"\n"
        for recording in recordings
    )


def parse_recordings(data: bytes) -> tuple[Recording, ...]:
    """Return the recordings of a file. Raises BadAnswersError with the number of the first line that is none."""
    return tuple(_parse(number, line) for number, line in enumerate(data.splitlines(), 1))


def masked_answer(answer: Answer, mask: Mask) -> Answer:
    """Return an answer without the credentials in it.

    A value is masked too where it is one only by what stands before it on its line.
    """
    if not isinstance(answer, Found):
        return type(answer)(mask(answer.reason))
    texts = [(line, mask(line.text)) for line in answer.lines]
    hidden = {
        value
        for line, masked in texts
        if masked != line.text
        for _, value in line.fields
        if value and value not in masked
    }

    def cover(value: str) -> str:
        return "*" * len(value) if value in hidden else mask(value)

    lines = tuple(
        Line(text=masked, fields=tuple((mask(key), cover(value)) for key, value in line.fields))
        for line, masked in texts
    )
    return replace(answer, lines=lines, values=tuple(map(cover, answer.values)), names=tuple(map(cover, answer.names)))


def _parse(number: int, line: bytes) -> Recording:
    try:
        item = _Item.model_validate_json(to_bytes(parse_json(line)))
        answer = item.answer.answer()
    except (BadJSONError, ValidationError, BadAnswersError) as error:
        why = explain_mismatch(error) if isinstance(error, ValidationError) else str(error)
        message = f"line {number}: {why}"
        raise BadAnswersError(message) from error
    query = Query(probe=item.probe, operation=item.operation, text=item.text)
    return Recording(id=item.id, query=query, answer=answer, at=item.at.astimezone(UTC))
