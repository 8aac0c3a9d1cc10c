"""Everything that was said in a window of time, read from the configured sources."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import IO

import structlog

from dream.sources.files import FoundFile, UnreadableError, find_files, open_file, reason_of
from dream.sources.sessions.formats.registry import HEAD_BYTES, Format, SessionFile, format_of, formats
from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.parts import FileReading, Part
from dream.sources.sessions.union import latest_summaries, union_of
from dream.sources.sessions.values import (
    Reading,
    Remark,
    Session,
    SessionSource,
    SkippedFile,
    Summary,
)
from dream.sources.sessions.window import names_a_day_since

log = structlog.get_logger()

_BEFORE = "before the window"
_COPY = "nothing of its own: another session's messages"
_COMPANION = "read with the session that it belongs to"
_MANY_THINGS = (".json", ".md", ".txt", ".log")
"""Suffixes of much else: nobody need look into a file that is called so and is of no session's form."""


def read_sessions(
    sources: Sequence[SessionSource],
    *,
    since: datetime,
    now: datetime,
    until: datetime | None = None,
    limits: ReadingLimits | None = None,
) -> Reading:
    """Return the sessions and summaries with anything said since `since`, and what became of every file.

    A session is whole: it keeps its messages from before `since`, and from all of its files. Messages from `until` on
    are left for a later reading; those dated after `now` are left out and counted, because no honest clock wrote them.
    Nothing about a file raises: it is in a session, in a summary, or skipped with a reason, however many of the sources
    it lies in.
    """
    reader = _Reader(since=since, until=until, now=now, limits=limits or ReadingLimits())
    files = {(found.path, source.kind): (source, found) for source in sources for found in _files_of(source)}
    for source, found in files.values():
        reader.take(source, found)
    reading = reader.finished(len({path for path, _ in files}))
    log.info(
        "sessions.read",
        files=reading.files,
        sessions=len(reading.sessions),
        summaries=len(reading.summaries),
        skipped=len(reading.skipped),
        remarks=len(reading.remarks),
    )
    return reading


def _files_of(source: SessionSource) -> Iterator[FoundFile]:
    form = _format(source)
    for found in find_files(source.path, suffixes=form.suffixes):
        is_companion = not found.refused and form.is_companion(found.path)
        yield FoundFile(path=found.path, refused=_COMPANION, expected=True) if is_companion else found


def _format(source: SessionSource) -> Format:
    return formats()[source.kind]


class _Reader:
    """Takes files one by one and puts together what they hold."""

    def __init__(self, *, since: datetime, until: datetime | None, now: datetime, limits: ReadingLimits) -> None:
        self._since = since
        self._until = until
        self._now = now
        self._limits = limits
        self._parts: list[tuple[SessionSource, Part]] = []
        self._summaries: list[tuple[str, Summary]] = []
        self._earlier: list[tuple[SessionSource, str]] = []
        self._going_on: set[str] = set()
        self._skipped: list[SkippedFile] = []
        self._remarks: list[Remark] = []
        self._read: set[str] = set()

    def take(self, source: SessionSource, found: FoundFile) -> None:
        """Read a file, or put it aside if it can hold nothing of the window."""
        if found.refused:
            self._skip(found.path, found.refused, expected=found.expected)
        else:
            self._open(source, found.path, self._take_open)

    def finished(self, files: int) -> Reading:
        """What was taken, with the earlier files of sessions that went on in the window."""
        self._going_on = {
            part.id for _, part in self._parts if any(message.at >= self._since for message in part.messages)
        }
        for source, path in self._earlier:
            self._open(source, path, self._take_earlier)
        sessions = [session for session in union_of(self._parts) if session.ended >= self._since]
        summaries = [(path, summary) for path, summary in self._summaries if summary.ended >= self._since]
        self._account(sessions, {path for path, _ in summaries})
        return Reading(
            sessions=tuple(sessions),
            summaries=latest_summaries(summary for _, summary in summaries),
            skipped=_once(self._skipped, read=self._read),
            remarks=tuple(self._remarks),
            files=files,
        )

    def _open(self, source: SessionSource, path: str, take: Callable[[SessionSource, str, IO[bytes]], None]) -> None:
        try:
            with open_file(path, limit=self._limits.file_bytes) as handle:
                take(source, path, handle)
        except UnreadableError as error:
            self._skip(path, str(error))
        except OSError as error:
            self._skip(path, reason_of(error))

    def _take_open(self, source: SessionSource, path: str, handle: IO[bytes]) -> None:
        if self._can_reach(source, path, handle):
            self._take_whole(source, path, handle)
        else:
            self._earlier.append((source, path))

    def _can_reach(self, source: SessionSource, path: str, handle: IO[bytes]) -> bool:
        """Whether a file can hold anything of the window, by its dates or by what its beginning says."""
        form = _format(source)
        if form.dated:
            return names_a_day_since(handle, self._since)
        head = handle.read(HEAD_BYTES)
        handle.seek(0)
        latest = form.latest(head, path)
        return latest is None or latest >= self._since

    def _take_earlier(self, source: SessionSource, path: str, handle: IO[bytes]) -> None:
        head = handle.read(HEAD_BYTES)
        handle.seek(0)
        if _format(source).names(head, path) in self._going_on:
            self._take_whole(source, path, handle)
        else:
            self._skip(path, _BEFORE, expected=True)

    def _take_whole(self, source: SessionSource, path: str, handle: IO[bytes]) -> None:
        """Read a file, unless it is another format's: what that has for a person may be something else in this one."""
        form, head = _format(source), handle.read(HEAD_BYTES)
        handle.seek(0)
        is_own, is_named = form.recognises(head, path), path == source.path
        other = None if is_own else format_of(head, path)
        if other is not None and other.kind not in form.written_like:
            self._skip(path, f"of another format: {other.kind}", expected=not is_named)
            return
        file = SessionFile(path=path, handle=handle, limits=self._limits, zone=source.zone)
        reading = form.reads(file)
        if reading.refused:
            self._skip(path, reading.refused, expected=not (is_own or is_named) and path.endswith(_MANY_THINGS))
        else:
            self._keep(source, path, reading)

    def _keep(self, source: SessionSource, path: str, reading: FileReading) -> None:
        instants = [message.at for part in reading.parts for message in part.messages]
        future = sum(at > self._now for at in (*instants, *(summary.ended for summary in reading.summaries)))
        for part in reading.parts:
            part.path = path
            part.messages = [message for message in part.messages if self._is_over(message.at)]
        parts = [part for part in reading.parts if part.messages]
        summaries = [summary for summary in reading.summaries if self._is_over(summary.ended)]
        if not parts and not summaries:
            self._skip(path, "only from the future" if future else "only after the window", expected=not future)
            return
        self._parts.extend((source, part) for part in parts)
        self._summaries.extend((path, summary) for summary in summaries)
        if future:
            self._remarks.append(Remark(path=path, what="dated in the future", count=future))
        self._remarks.extend(
            Remark(path=path, what=what, count=count) for what, count in sorted(reading.left_out.items())
        )

    def _is_over(self, at: datetime) -> bool:
        return at <= self._now and (self._until is None or at < self._until)

    def _account(self, sessions: Sequence[Session], used: set[str]) -> None:
        """Say of every file that was parsed but is in no session why that is so."""
        used = used | {path for session in sessions for path in session.origin_files}
        self._read |= used
        latest: dict[str, datetime] = {path: summary.ended for path, summary in self._summaries}
        for _, part in self._parts:
            ended = max(message.at for message in part.messages)
            latest[part.path] = max(ended, latest.get(part.path, ended))
        for path, at in latest.items():
            if path not in used:
                self._skip(path, _BEFORE if at < self._since else _COPY, expected=True)

    def _skip(self, path: str, reason: str, *, expected: bool = False) -> None:
        self._skipped.append(SkippedFile(path=path, reason=reason, expected=expected))


def _once(skipped: Iterable[SkippedFile], *, read: Collection[str]) -> tuple[SkippedFile, ...]:
    """Return one of what is told of each file that no source gave anything of: what somebody must look into first."""
    told: dict[str, SkippedFile] = {}
    for one in skipped:
        held = told.get(one.path)
        if one.path not in read and (held is None or (held.expected and not one.expected)):
            told[one.path] = one
    return tuple(told[path] for path in sorted(told))
