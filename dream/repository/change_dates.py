"""The dates of last change, kept beside a mirror, so that a night pays only for commits that it has not seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog

from dream.repository.history import is_ancestor
from dream.repository.kept_files import replace_file
from dream.repository.last_changes import KnownChanges, last_changes
from dream.repository.mirror import Mirror

log = structlog.get_logger()

_VERSION = 1


def change_dates(
    mirror: Mirror, head: str, *, alike: Callable[[bytes, bytes], bool] | None = None
) -> dict[str, datetime]:
    """Return path → when it last changed, for every file at `head`, and keep the answer for the next night.

    A change between versions that are `alike` is none; that answer is kept apart, under the name of the function. One
    that is damaged, or of another branch, folder or history, is computed afresh.
    """
    name = f"-{alike.__name__.strip('_').replace('_', '-')}" if alike else ""
    kept = mirror.home / f"change-dates{name}.json"
    known = _read(kept, mirror)
    if known is not None and not is_ancestor(mirror.repository, known.commit, head):
        known = None
    dates = last_changes(mirror.repository, head, prefix=mirror.prefix, known=known, alike=alike)
    if known is None or known.commit != head:
        _write(kept, mirror, head, dates)
    return dates


def _read(path: Path, mirror: Mirror) -> KnownChanges | None:
    try:
        kept: Any = json.loads(path.read_bytes())
        if kept["for"] != _purpose(mirror):
            return None
        dates = {str(name): datetime.fromtimestamp(int(seconds), UTC) for name, seconds in kept["dates"].items()}
        return KnownChanges(commit=str(kept["commit"]), changed=dates)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        log.warning("change_dates.unreadable", path=str(path))
        return None


def _write(path: Path, mirror: Mirror, head: str, dates: Mapping[str, datetime]) -> None:
    kept = {
        "for": _purpose(mirror),
        "commit": head,
        "dates": {name: int(at.timestamp()) for name, at in dates.items()},
    }
    data = json.dumps(kept, ensure_ascii=True, separators=(",", ":")).encode()
    replace_file(path, data, "the dates of last change")


def _purpose(mirror: Mirror) -> list[object]:
    return [_VERSION, mirror.branch, mirror.prefix]
