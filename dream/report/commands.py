"""Commands that people copy."""

from __future__ import annotations

import re
import shlex
from datetime import date

from dream.report.escaping import one_line

_NAMES = "run|nightly|status|log|report|revert|pause|resume|doctor|source|probe|check|adopt|init|history|learnings"
_COMMAND = re.compile(rf"\b(dream (?:{_NAMES})(?: [^\s,;:]{{1,200}}){{0,40}}?)(?=[,;:]|\.?$| and | or | in )")


def command(*words: str) -> str:
    """Return a command: no word in it, whoever wrote it, is more to a shell than a word."""
    return shlex.join(one_line(word) for word in words)


def revert_commands(organisation: str, night: date, task: str, commit: str) -> tuple[str, str]:
    """Return the two commands that take back one task's commit: with its bookkeeping, and with plain git."""
    ours = command("dream", "revert", organisation, "--night", night.isoformat(), "--task", task)
    return ours, command("git", "revert", commit)


def spelled(way_out: str) -> list[tuple[str, bool]]:
    """Return the parts of a way out, and of each whether it is one of our commands."""
    return [(part, at % 2 == 1) for at, part in enumerate(_COMMAND.split(way_out)) if part]
