"""Ready summaries of sessions, in a format of our own: one JSON object a line.

```json
{"id": "7c2e91aa", "started": "2026-10-21T09:00:00Z", "ended": "2026-10-21T09:40:00Z", "person": "ana",
 "title": "Queue names", "lasting": "orders-v2 replaces orders.", "stale": "The rollout is half done.",
 "pull_requests": ["acme/web#41"], "repository": "acme/web"}
```

(on one line). `id`, `started`, `ended` and `title` are required. `lasting` is what will still be true in a month,
`stale` what will not; `person` is who asked. Instants carry a zone. A line with any other key, a wrong type, or an end
before its start is left out and counted; the other lines are read.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from dream.sources.instants import instant
from dream.sources.sessions.formats.registry import RENDERED, Format, SessionFile
from dream.sources.sessions.jsonlines import read_lines
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Summary
from dream.sources.strict_json import BadJSONError, parse_json

_REQUIRED = frozenset({"id", "started", "ended", "title"})
_TEXTS = {"id": 128, "title": 500, "person": 200, "repository": 200, "lasting": 20_000, "stale": 20_000}
_KEYS = frozenset({*_TEXTS, "started", "ended", "pull_requests"})
_INSTANTS = "an instant without a zone, or an end before its start"
_PULL_REQUEST = re.compile(r"(?:[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100})?#[0-9]{1,9}")


def read_summaries(file: SessionFile) -> FileReading:
    """Return the summaries of a file, with every line that is not one counted by its reason."""
    reading, lines = FileReading(), 0
    for line in read_lines(file.handle, limit=file.limits.line_bytes):
        if line.data is not None and not line.data.strip():
            continue
        lines += 1
        try:
            reading.summaries.append(_summary(line.data))
        except BadJSONError as error:
            reading.left_out[str(error) if line.ended else f"the last line is cut off or wrong: {error}"] += 1
    if not reading.summaries:
        reading.refused = reading.left_out.most_common(1)[0][0] if lines else "empty"
    return reading


def _summary(data: bytes | None) -> Summary:
    record: Any = parse_json(data) if data is not None else None
    problem = "a line is too long" if data is None else _problem_of(record)
    if problem:
        raise BadJSONError(problem)
    started, ended = instant(record["started"]), instant(record["ended"])
    if started is None or ended is None or ended < started:
        raise BadJSONError(_INSTANTS)
    return Summary(
        **{key: record.get(key, "") for key in _TEXTS},
        started=started,
        ended=ended,
        pull_requests=tuple(record.get("pull_requests", [])),
        digest=hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest(),
    )


def _problem_of(record: object) -> str:
    """Return what is wrong with the shape of a record, "" if nothing is."""
    if not isinstance(record, dict):
        return "a line is not an object"
    if not record.keys() <= _KEYS:
        return "a key that summaries do not have"
    if not record.keys() >= _REQUIRED or not record["id"]:
        return "a key is missing"
    for key, most in _TEXTS.items():
        value = record.get(key, "")
        if not isinstance(value, str) or len(value) > most:
            return f"{key} is not a text of at most {most} characters"
    named = record.get("pull_requests", [])
    if not isinstance(named, list) or not all(_PULL_REQUEST.fullmatch(str(name)) for name in named):
        return "pull_requests is not a list of names like acme/web#41"
    return ""


def is_summaries(head: bytes, path: str) -> bool:
    """Return whether a file's first line has the keys of a summary."""
    first = head.split(b"\n", 1)[0]
    return path.endswith(".jsonl") and all(b'"%s"' % key.encode() in first for key in _REQUIRED)


FORMAT = Format(kind="summaries", tool="ready summary", reads=read_summaries, recognises=is_summaries, rank=RENDERED)
