"""Where the runs of each night are noted in an organisation's own folder, landed or not."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

from dream.report.attempts import Attempt, parse_attempts, render_attempt
from dream.repository.failures import writing
from dream.repository.kept_files import private_folder
from flows.spending import FOLDER as SPEND

FOLDER = "attempts"
REPORTS = "reports"
KEPT_NIGHTS = 90
_DATED = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\..*")


def note_attempt(home: Path, night: date, attempt: Attempt) -> None:
    """Add `attempt` to those of `night`; raises DreamError where that cannot be written."""
    folder = home / FOLDER
    private_folder(folder)
    with writing(folder, "the note of this run"):
        descriptor = os.open(folder / f"{night.isoformat()}.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, render_attempt(attempt))
        finally:
            os.close(descriptor)


def read_attempts(home: Path, night: date) -> tuple[Attempt, ...]:
    """Return the runs of `night`, oldest first; none where nothing can be read."""
    try:
        return parse_attempts((home / FOLDER / f"{night.isoformat()}.jsonl").read_bytes())
    except OSError:
        return ()


def all_attempts(home: Path) -> Mapping[date, tuple[Attempt, ...]]:
    """Return the runs of every night that any are noted of."""
    return {night: attempts for night in _nights(home / FOLDER) if (attempts := read_attempts(home, night))}


def forget_old(home: Path, newest: date) -> None:
    """Take away the notes, spending and reports of nights more than KEPT_NIGHTS before `newest`."""
    oldest = newest - timedelta(days=KEPT_NIGHTS)
    for folder in (home / FOLDER, home / REPORTS, home / SPEND):
        for night, path in _dated(folder):
            if night < oldest:
                path.unlink(missing_ok=True)


def _nights(folder: Path) -> list[date]:
    return sorted({night for night, _ in _dated(folder)})


def _dated(folder: Path) -> list[tuple[date, Path]]:
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        match = _DATED.fullmatch(path.name)
        if match is None:
            continue
        try:
            found.append((date.fromisoformat(match[1]), path))
        except ValueError:
            continue
    return found
