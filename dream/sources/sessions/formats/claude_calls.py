"""What an agent of Claude Code asked of a tool, and how that ended: told by structure and by fixed wrappers, pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dream.sources.sessions.changes import bounded_patch, patch_of_hunks, patch_of_replacement, patch_of_text
from dream.sources.sessions.tools import EDITORS, POLLS, SHELLS

_DETAILS = ("command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description", "skill")
_TASKS = ("task_id", "bash_id", "shell_id")
_POLL = re.compile(r"(?:<(retrieval_status|task_id|task_type|status|exit_code)>([^<>]{0,200})</\1>\s{1,4})")
_EXIT = re.compile(r"(?:Error: )?Exit code ([0-9]{1,10})(?:\r?\n|\Z)")
_UNENDED = ("interrupted", "backgroundTaskId", "returnCodeInterpretation")
_CODE = re.compile(r"-?[0-9]{1,10}")
_MOST_EDITS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What an agent asked of a tool: `details` is the part of its input that says what about.

    `command` is a shell's command, `given` the input of a call that edits, None of any other.
    """

    tool: str
    details: str = ""
    command: str = ""
    given: Mapping[str, Any] | None = None

    @property
    def edits(self) -> str:
        """The path that this call edits, "" if it edits none."""
        return self.details if self.tool in EDITORS else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a call ended: its exit code where one is told, whether it failed, what it changed in the path it edited.

    `task` is the name of the command that it left running.
    """

    exit_code: int | None = None
    failed: bool = False
    diff: str = ""
    task: str = ""


_NOTHING_TOLD = Ending()


def calls_of(blocks: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Call]]:
    """Yield the tool calls among the blocks of an assistant's line by their ids."""
    for block in blocks:
        if block.get("type") == "tool_use" and isinstance(block.get("name"), str):
            yield str(block.get("id", "")), call_of(block["name"], block.get("input"))


def call_of(tool: str, given: object) -> Call:
    """Return a call of a tool with its input."""
    if not isinstance(given, dict):
        return Call(tool=tool)
    command, details = given.get("command"), _TASKS if tool in POLLS else _DETAILS
    return Call(
        tool=tool,
        details=next((given[key] for key in details if isinstance(given.get(key), str)), ""),
        command=command if tool in SHELLS and isinstance(command, str) else "",
        given=given if tool in EDITORS else None,
    )


def ending_of(call: Call | None, output: str, *, failed: bool, result: object, most: int) -> Ending:
    """Return how a call ended, by what it printed and what the line says of its `result`; diffs to `most` characters.

    What failed changed nothing. A command that did not fail has exited with 0 where its output was recorded whole.
    """
    if call is None:
        return Ending(failed=failed)
    told = result if isinstance(result, dict) else {}
    if failed:
        code = _EXIT.match(output)
        return Ending(failed=True, exit_code=int(code[1]) if code and call.command else None)
    if call.tool in POLLS:
        return _ending_of_task(output)
    if call.command:
        task = told.get("backgroundTaskId")
        return Ending(exit_code=_exit_code(told), task=task if isinstance(task, str) else "")
    return _NOTHING_TOLD if call.given is None else Ending(diff=_diff(call.given, told, most))


def _ending_of_task(output: str) -> Ending:
    """Return how a command that was left running ended, by what stands in the wrapper of its output."""
    told: dict[str, str] = {}
    position = 0
    while field := _POLL.match(output, position):
        told.setdefault(field[1], field[2])
        position = field.end()
    code = told.get("exit_code", "")
    return Ending(exit_code=int(code) if _CODE.fullmatch(code) else None, failed=told.get("status") == "failed")


def _exit_code(told: Mapping[str, Any]) -> int | None:
    code = told.get("exitCode", told.get("code"))
    if isinstance(code, int) and not isinstance(code, bool):
        return code
    return 0 if isinstance(told.get("stdout"), str) and not any(told.get(key) for key in _UNENDED) else None


def _diff(given: Mapping[str, Any], told: Mapping[str, Any], most: int) -> str:
    recorded = patch_of_hunks(told.get("structuredPatch"), most=most)
    if recorded:
        return recorded
    written = given.get("content", given.get("new_source"))
    if isinstance(written, str):
        return patch_of_text(written, most=most)
    edits = given["edits"][:_MOST_EDITS] if isinstance(given.get("edits"), list) else [given]
    changes = [(edit.get("old_string"), edit.get("new_string")) for edit in edits if isinstance(edit, dict)]
    patches = (
        patch_of_replacement(old, new, most=most)
        for old, new in changes
        if isinstance(old, str) and isinstance(new, str)
    )
    return bounded_patch("\n@@\n".join(patches).split("\n"), most=most)
