"""What is left behind when something happens that nobody expected: a report to hand on, and one line that names it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import tempfile
import threading
import traceback
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from dream.private_folders import make_private
from dream.report.escaping import visible
from dream.repository.address import scrub

FOLDER = "crashes"


def write_crash(home: Path, error: BaseException, arguments: Sequence[str], *, at: datetime) -> Path | None:
    """Write what is needed to find a defect and return where; None where not even that can be written."""
    text = visible(scrub(_told(error, arguments, at), ()))
    name = f"{at:%Y%m%dT%H%M%S}-{os.getpid()}-{threading.get_native_id()}.txt"
    for folder in (home / FOLDER, Path(tempfile.gettempdir())):
        try:
            if folder.name == FOLDER:
                make_private(folder)
            path = folder / (name if folder.name == FOLDER else f"dream-crash-{name}")
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError:
            continue
        return path
    return None


def crash_way_out(path: Path | None) -> str:
    """Return the next step after a defect whose report was written to `path`, or could not be written."""
    return f"report it with {path}" if path else "report it; no crash report could be written"


def _told(error: BaseException, arguments: Sequence[str], at: datetime) -> str:
    try:
        version = importlib.metadata.version("nightly-dreaming")
    except importlib.metadata.PackageNotFoundError:
        version = "unknown"
    lines = [
        f"at: {at.isoformat()}",
        f"nightly-dreaming: {version}",
        f"python: {platform.python_version()} on {platform.platform()}",
        f"command: dream {' '.join(arguments)}",
        "",
        *traceback.format_exception(error),
    ]
    return "\n".join(lines)
