"""Sessions of pi, the coding agent of the pi-mono repository: `sessions/--<folder>--/<instant>_<uuid>.jsonl`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dream.sources.sessions.formats.pi_entries import Entries, is_session_header, session_in
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.references import recalls_memory
from dream.sources.sessions.values import Role

TOOL = "pi"
_FILE = re.compile(r'\s{0,8}<file name="([^"\n]{1,1000})">')
_FILE_END = "</file>"


def read_pi(file: SessionFile) -> FileReading:
    """Return what a session of pi holds, with everything that had to be left out counted."""
    return Entries(file, tool=TOOL, spoken=spoken_in).read()


def spoken_in(text: str) -> Iterator[tuple[Role, str, str]]:
    """Yield the stretches of a turn of a user: the files that were named with it, written out before it, and the words.

    The words begin behind the last file's end: what a file says of its end is not believed.
    """
    named, end = _FILE.match(text), text.rfind(_FILE_END)
    if named is None or end < 0:
        yield Role.PERSON, text, ""
        return
    end += len(_FILE_END)
    yield Role.RECALLED if recalls_memory("", named[1]) else Role.TOOL, text[:end], ""
    yield Role.PERSON, text[end:], ""


def is_pi(head: bytes, path: str) -> bool:
    """Return whether a file's beginning is the header of a session."""
    return path.endswith(".jsonl") and is_session_header(head)


FORMAT = Format(kind="pi", tool=TOOL, reads=read_pi, recognises=is_pi, names=session_in)
