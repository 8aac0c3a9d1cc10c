"""`dream source ORG o3@2026-10-22`: what a system answered in a night, as commits cite it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from dream.errors import FatalError
from dream.guards.masking import mask_secrets
from dream.object_store import Objects
from dream.sources.production.answers import BadAnswersError
from dream.sources.production.recording import Recording
from dream.sources.production.recordings import masked_answer, parse_recordings
from flows.commands.answers import Answer
from flows.commands.probe_answers import answer_document, answer_lines, shown
from flows.production import FOLDER
from flows.workplace import Workplace

_RECORDED = re.compile(r"(o[0-9]{1,6})@([0-9]{4}-[0-9]{2}-[0-9]{2})")


def parse_recorded(wanted: str) -> tuple[str, date] | None:
    """Return the id and the night of `o3@2026-10-22`, None for what is no such name."""
    found = _RECORDED.fullmatch(wanted)
    try:
        return (found[1], date.fromisoformat(found[2])) if found else None
    except ValueError:
        return None


def tell_recorded(workplace: Workplace, identity: str, night: date) -> Answer:
    """Return what was answered under an id in each landing of a night, credentials masked; exit 1 for nothing.

    Raises StoreDownError where the store cannot be read, FatalError for a file in it that is none of answers.
    """
    store = Objects(workplace.store, FOLDER)
    store.connect()
    kept = [(name, one) for name, one in _recordings(store, night) if one.id == identity]
    if not kept:
        days = workplace.organisation.limits.records.kept
        told = f"nothing is kept of {identity} in the night of {night.isoformat()}; answers are kept for {days} nights"
        return Answer(text=told, document={"answers": []}, exit_code=1)
    return Answer(
        text="\n".join(line for name, one in kept for line in _lines(name, one)),
        document={"answers": [_payload(name, one) for name, one in kept]},
    )


def _recordings(store: Objects, night: date) -> Iterator[tuple[str, Recording]]:
    """Yield what is kept of a night with the name of its file, landing after landing."""
    begin = f"{night:%Y-%m}/{night.isoformat()}."
    files = [name for name in store.names() if name.startswith(begin) and name.endswith(".jsonl")]
    for name in sorted(files, key=lambda name: (len(name), name)):
        try:
            yield from ((name, one) for one in parse_recordings(store.read(name) or b""))
        except BadAnswersError as error:
            message = f"{FOLDER}/{name} is no file of answers: {error}"
            raise FatalError(message, way_out="put back a copy of it, or take it away") from error


def _lines(name: str, one: Recording) -> Iterator[str]:
    yield f"# {one.id} of {FOLDER}/{name}, {one.at:%Y-%m-%d %H:%M:%S} UTC"
    yield shown(str(one.query))
    yield from answer_lines(one.query, one.answer, can_be_pinned=False)


def _payload(name: str, one: Recording) -> dict[str, Any]:
    query = replace(one.query, text=mask_secrets(one.query.text))
    answer = masked_answer(one.answer, mask_secrets)
    return {"id": one.id, "file": f"{FOLDER}/{name}", "at": one.at.isoformat(), **answer_document(query, answer)}
