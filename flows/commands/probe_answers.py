"""An answer of a system as commands show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dream.guards.masking import mask_secrets
from dream.memory.pinned import PinnedCheck, Relation
from dream.report.escaping import shortened, visible
from dream.sources.production.port import Answer, Found, Query

_LONGEST = 2_000
"""Characters of one line that is shown."""


def answer_lines(query: Query, answer: Answer, *, can_be_pinned: bool) -> Iterator[str]:
    """Yield an answer line by line and, where it has one value and `can_be_pinned`, the check that holds by it."""
    yield from map(shown, _lines(query, answer, can_be_pinned=can_be_pinned))


def answer_document(query: Query, answer: Answer) -> dict[str, Any]:
    """Return a question and its answer as a document."""
    return {"probe": query.probe, "operation": query.operation, "text": query.text, **_told(answer)}


def shown(text: str) -> str:
    """Return `text` on one line of its own, credentials masked, blanks as they are: what is pinned must be the same."""
    return shortened(visible(mask_secrets(text)).replace("\n", "\\n"), most=_LONGEST)


def _lines(query: Query, answer: Answer, *, can_be_pinned: bool) -> Iterator[str]:
    if not isinstance(answer, Found):
        yield f"{type(answer).__name__.lower()}: {answer.reason}"
        return
    yield from (f"value: {value}" for value in answer.values)
    yield from (f"line: {line.text}" for line in answer.lines)
    yield from (f"name: {name}" for name in answer.names)
    if answer.cut:
        yield "cut: there was more than is kept"
    check = _check(query, answer) if can_be_pinned else ""
    if check:
        yield f"pin: {check}"


def _check(query: Query, answer: Found) -> str:
    """Return the check that holds by this answer; empty where its values do not come to one."""
    values = {value.strip() for value in answer.values}
    value = values.pop() if len(values) == 1 else ""
    if not (value and value.isprintable() and query.text.isprintable()):
        return ""
    check = str(
        PinnedCheck(
            probe=query.probe,
            operation=query.operation,
            text=query.text.strip(),
            relation=Relation.IS,
            expected=value,
        )
    )
    return check if check == shown(check) else ""


def _told(answer: Answer) -> dict[str, Any]:
    kind = type(answer).__name__.lower()
    if not isinstance(answer, Found):
        return {"answer": kind, "reason": answer.reason}
    return {
        "answer": kind,
        "values": list(answer.values),
        "lines": [{"text": line.text, "fields": [list(field) for field in line.fields]} for line in answer.lines],
        "names": list(answer.names),
        "cut": answer.cut,
    }
