"""`dream condense`: what is worth reading of the sessions in one transcript, whatever tool wrote it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dream.errors import UsageError
from dream.history.masking import masked_session
from dream.report.escaping import pictured, visible
from dream.sources.files import UnreadableError, open_file
from dream.sources.sessions.condensing import CondensingLimits, condense
from dream.sources.sessions.formats.registry import HEAD_BYTES, format_of, formats
from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Reading, Session, SessionSource
from flows.commands.answers import Answer
from flows.installation import open_installation

_EVER = datetime(1970, 1, 1, tzinfo=UTC)
_NEVER = datetime(9999, 12, 31, tzinfo=UTC)


def condense_command(path: Path) -> Answer:
    """Return the condensed text of each session in the file at `path`, credentials masked; exit 1 if it is refused.

    Raises:
        UsageError: there is no such file.
    """
    settings = open_installation()
    if not path.is_file():
        message = f"{path} is no file" if path.exists() else f"there is no {path}"
        raise UsageError(message, way_out="name one file that an agent's tool wrote", path=str(path))
    kind, refused = _kind_of(path)
    reading = _read(kind, path) if kind else Reading()
    if not refused and not reading.sessions:
        refused = next((skipped.reason for skipped in reading.skipped), "it holds ready summaries, and no session")
    limits = CondensingLimits(**settings.limits.condensing.model_dump())
    told = [_condensed(session, limits) for session in reading.sessions]
    left_out = {remark.what: remark.count for remark in reading.remarks}
    return Answer(
        text=_text(path, [str(one["text"]) for one in told], refused, left_out),
        document={"file": str(path), "format": kind, "refused": refused, "left_out": left_out, "sessions": told},
        exit_code=1 if refused else 0,
    )


def _kind_of(path: Path) -> tuple[str, str]:
    """Return the format of a file, or why it has none."""
    try:
        with open_file(str(path), limit=ReadingLimits().file_bytes) as handle:
            head = handle.read(HEAD_BYTES)
    except UnreadableError as error:
        return "", str(error)
    found = format_of(head, str(path))
    return (found.kind, "") if found else ("", f"none of the formats known: {', '.join(formats())}")


def _read(kind: str, path: Path) -> Reading:
    return read_sessions([SessionSource(kind=kind, path=str(path))], since=_EVER, now=_NEVER)


def _condensed(session: Session, limits: CondensingLimits) -> dict[str, Any]:
    condensed = condense(masked_session(session, source=session.source), limits=limits)
    return {
        "source": condensed.source,
        "id": condensed.id,
        "tool": session.tool,
        "messages": len(session.messages),
        "text": condensed.text,
        "passages": [
            {"message": passage.message, "start": passage.start, "end": passage.end} for passage in condensed.passages
        ],
    }


def _text(path: Path, texts: list[str], refused: str, left_out: dict[str, int]) -> str:
    if refused:
        return f"{visible(str(path))}: refused: {refused}"
    remarks = [f"left out: {what} ({count})\n" for what, count in left_out.items()]
    return "\n".join([*map(pictured, texts), *remarks])
