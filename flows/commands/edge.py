"""The edge of the command line: the one place where answers are printed and errors are caught."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dream.errors import DreamError
from dream.report.escaping import visible

if TYPE_CHECKING:
    from flows.commands.answers import Answer

WRONG_USAGE = 2
NOTHING_LANDED = 3
INTERRUPTED = 130
READER_GONE = 141
_FULL = (errno.ENOSPC, errno.EDQUOT)


def guarded(call: Callable[[], Any], arguments: Sequence[str]) -> int:
    """Return the exit of `call`; whatever it raises is told on standard error and never as a traceback.

    With `--json` among the arguments, an error is a document on standard output as well.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = call()
        sys.stdout.flush()
    except BrokenPipeError:
        return _unread()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Exception as error:  # noqa: BLE001  # this is the edge: beyond it there is only the interpreter
        return _told(error, arguments)
    if code == INTERRUPTED:
        return _complain("interrupted", "nothing is lost: the same command goes on", INTERRUPTED, arguments)
    return code if isinstance(code, int) else 0


def say(answer: Answer, *, as_json: bool = False) -> int:
    """Print an answer on standard output and return its exit; as JSON it is one document in ASCII."""
    shown = json.dumps(answer.document, indent=2, sort_keys=True) if as_json else answer.text.removesuffix("\n")
    try:
        sys.stdout.write(shown + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        return _unread()
    return answer.exit_code


def _unread() -> int:
    """Return the exit for a reader that went away, as `head` does when it has seen enough."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains at its end
    return READER_GONE


def _told(error: Exception, arguments: Sequence[str]) -> int:
    match error:
        case DreamError():
            return _complain(str(error), error.way_out, error.exit_code, arguments)
        case typer.TyperException():
            command = getattr(getattr(error, "ctx", None), "command_path", "dream")
            return _complain(error.format_message(), f"{command} --help", WRONG_USAGE, arguments)
        case OSError(errno=number) if number in _FULL:
            where = f" ({error.filename})" if error.filename else ""
            return _complain(f"the disk is full{where}", "make room and run again", NOTHING_LANDED, arguments)
        case _:
            return _crashed(error, arguments)


def _complain(cause: str, way_out: str, code: int, arguments: Sequence[str]) -> int:
    told = [f"dream: {visible(cause)}", *([f"  {visible(way_out)}"] if way_out else [])]
    sys.stderr.write("\n".join(told) + "\n")
    if "--json" in arguments:
        sys.stdout.write(json.dumps({"error": cause, "way_out": way_out, "exit": code}, indent=2) + "\n")
        sys.stdout.flush()
    return code


def _crashed(error: Exception, arguments: Sequence[str]) -> int:
    from flows.crashes import crash_way_out, write_crash  # noqa: PLC0415  # only a defect needs it

    path = write_crash(_home(), error, arguments, at=datetime.now(UTC))
    cause = f"a defect: {type(error).__name__}: {' '.join(str(error).split())[:200]}"
    return _complain(cause, crash_way_out(path), NOTHING_LANDED, arguments)


def _home() -> Path:
    """Return where this installation works, or would if its settings could be read."""
    from config.settings import load_settings  # noqa: PLC0415  # only a defect needs it

    try:
        return load_settings().home
    except DreamError:
        return Path("~/.dream").expanduser()
