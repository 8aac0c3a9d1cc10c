"""Sessions of pi, the coding agent of the pi-mono repository: `sessions/--<folder>--/<instant>_<uuid>.jsonl`."""

from __future__ import annotations

from dream.sources.sessions.formats.pi_entries import Entries, is_session_header, session_in
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.parts import FileReading

TOOL = "pi"


def read_pi(file: SessionFile) -> FileReading:
    """Return what a session of pi holds, with everything that had to be left out counted."""
    return Entries(file, tool=TOOL).read()


def is_pi(head: bytes, path: str) -> bool:
    """Return whether a file's beginning is the header of a session."""
    return path.endswith(".jsonl") and is_session_header(head)


FORMAT = Format(kind="pi", tool=TOOL, reads=read_pi, recognises=is_pi, names=session_in)
