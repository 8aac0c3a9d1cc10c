"""What a script of Codex does: its newer agents run commands and edit files from code that they write, pure."""

from __future__ import annotations

import re

from dream.sources.sessions.formats.objects import is_map
from dream.sources.strict_json import BadJSONError, parse_json

SCRIPT = "exec"
_RUNS = "exec_command"
_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_COMMAND = re.compile(r"""\bcmd["']?\s{0,8}:\s{0,8}("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`)""")
_HEAD = re.compile(
    r"Script (completed|failed|running with cell ID ([^\n]{1,40}))\nWall time [^\n]{0,60}\nOutput:\n{0,2}"
)
_ESCAPE = re.compile(r"\\([\s\S])")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def commands_in(script: str) -> str:
    """Return the shell commands that a script states as they are, one after the other."""
    if _RUNS not in script:
        return ""
    return "\n".join(_literal(found[1]) for found in _COMMAND.finditer(script))


def patch_in(script: str) -> str:
    """Return the patch that a script applies, "" if it states none."""
    start = script.find(_BEGIN)
    end = script.find(_END, start) if start >= 0 else -1
    if end < 0:
        return ""
    patch = script[start : end + len(_END)]
    return patch if "\n" in patch else _unescaped(patch)


def ending_of(text: str) -> tuple[str, int | None, bool]:
    """Return what a script printed, the exit code if it printed all that a command came to, and whether it failed."""
    found = _HEAD.match(text)
    if found is None:
        return text, None, False
    printed, failed = text[found.end() :], found[1] == "failed"
    told = _json(printed) if printed.lstrip().startswith("{") else None
    if is_map(told) and isinstance(told.get("output"), str) and isinstance(told.get("exit_code"), int):
        return told["output"], told["exit_code"], failed or bool(told["exit_code"])
    return printed, None, failed


def running_cell(text: str) -> str:
    """Return the cell in which a script goes on, "" if it has ended."""
    found = _HEAD.match(text)
    return (found[2] or "") if found else ""


def _literal(written: str) -> str:
    value = _json(written) if written.startswith('"') else None
    return value if isinstance(value, str) else _unescaped(written[1:-1])


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), text)


def _json(text: str) -> object:
    try:
        return parse_json(text.encode("utf-8", "surrogatepass"))
    except BadJSONError:
        return None
