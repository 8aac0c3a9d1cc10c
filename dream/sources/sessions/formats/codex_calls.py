"""What an agent of Codex asked of its tools and what came of it: by structure and by the tool's own wrappers, pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dream.sources.sessions.formats.codex_scripts import SCRIPT, commands_in, ending_of, patch_in, running_cell
from dream.sources.sessions.formats.diffs import Edit, edits_of_patch, hunks_of
from dream.sources.sessions.formats.objects import is_map, map_at, maps_at, text_at
from dream.sources.sessions.formats.telling import Call, Output, command_of, details_of
from dream.sources.sessions.formats.tool_inputs import call_of as call_of_input
from dream.sources.sessions.tools import SHELLS
from dream.sources.sessions.values import Role
from dream.sources.strict_json import BadJSONError, parse_json

CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_call"})
OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_result", "function_result"})
QUESTIONS = "request_user_input"
STDIN = "write_stdin"
WAIT = "wait"
_PATCH = "apply_patch"
_RUNS = SHELLS | {"container.exec", "unified_exec"}
_ROLES = {
    **dict.fromkeys((WAIT, "wait_agent", "resume_agent"), Role.AGENT),
    **dict.fromkeys(("spawn_agent", "close_agent", "send_input", "tool_search", QUESTIONS), Role.HARNESS),
}
_WRAPPER = re.compile(
    r"(?:(?:Exit code|Wall time|Total output lines|Chunk ID|Original token count)[:][^\n]*\n"
    r"|Process (?:exited with code|running with session ID) [^\n]*\n|\n){1,8}Output:(?:\n|\Z)"
)
_EXIT = re.compile(r"(?:Exit code: |Process exited with code )(-?[0-9]{1,10})(?![0-9])")
_RUNNING = re.compile(r"Process running with session ID ([0-9]{1,20})")
_TROUBLE = re.compile(
    r"apply_patch verification failed|exec_command failed|execution error: |failed in sandbox|failed to parse function"
    r"|unsupported call|unsupported custom tool|(?:exec command|patch) rejected|rejected(?: by user|: )|aborted by user"
)
_NOTE = "user_note: "
_WHOLE_DETAILS = 400


def call_of(item: Mapping[str, Any], *, most: int) -> Call:
    """Return the call of an item; a patch tells the files that it edits, with diffs of at most `most` characters."""
    is_local = item.get("type") == "local_shell_call"
    name = "local_shell" if is_local else text_at(item, "name") or text_at(map_at(item, "function"), "name")
    if name == SCRIPT and item.get("type") == "custom_tool_call":
        return _script_call(text_at(item, "input"), most)
    given = map_at(item, "action") if is_local else _given(item)
    asked = given.get("command", given.get("cmd"))
    command = command_of(asked) if name in _RUNS else ""
    patch = asked[1] if _is_patch_call(asked) else command or text_at(given, "input", "patch") or text_at(item, "input")
    edits = edits_of_patch(patch, most=most) if name == _PATCH or _PATCH in command else ()
    if edits and (name == _PATCH or _is_patch_call(asked) or command.lstrip().startswith(_PATCH)):
        return Call(tool=_PATCH, details=" ".join(edit.path for edit in edits), edits=edits, role=Role.TOOL)
    details = details_of(given) or text_at(item, "input", "arguments")[:_WHOLE_DETAILS]
    return Call(tool=name, details=details, command=command, edits=edits, role=_ROLES.get(name) or _role_of(command))


def output_of(item: Mapping[str, Any], call: Call | None) -> Output:
    """Return what a call came to: its output without the tool's wrapper, with the exit code that the wrapper tells."""
    held = item.get("output", item.get("result", item.get("content")))
    told = held if is_map(held) else {}
    text, code = _text_of(held), _whole_number(told.get("exitCode", told.get("exit_code")))
    failed = told.get("success") is False
    if call is not None and call.tool in {SCRIPT, WAIT}:
        text, code, broken = ending_of(text)
        failed = failed or broken
    elif call is None or call.command or call.tool in {_PATCH, STDIN}:
        text, wrapped = _unwrapped(text)
        code = wrapped if code is None else code
        failed = failed or bool(code) or (code is None and bool(_TROUBLE.match(text)))
    return Output(text=text, exit_code=code, failed=failed)


def running_in(item: Mapping[str, Any]) -> str:
    """Return the number of the shell, or the cell, that a command goes on in, "" if it has ended."""
    text = _text_of(item.get("output"))
    found = _RUNNING.search(text[:_WHOLE_DETAILS])
    return found[1] if found else running_cell(text)


def looked_into(item: Mapping[str, Any]) -> str:
    """Return the shell, or the cell, that a call looks into without typing anything, "" for any other call."""
    given = _given(item)
    number = given.get("session_id")
    if isinstance(number, int) and not text_at(given, "chars").strip("\n"):
        return str(number)
    return text_at(given, "cell_id")


def options_offered(item: Mapping[str, Any]) -> frozenset[str]:
    """Return the answers that an agent's questions offer."""
    questions = maps_at(_given(item), "questions")
    return frozenset(text_at(option, "label") for question in questions for option in maps_at(question, "options"))


def typed_answers(item: Mapping[str, Any], offered: frozenset[str]) -> Iterator[str]:
    """Yield the answers to an agent's questions that are none of those that were offered."""
    answers = map_at(_json(_text_of(item.get("output"))), "answers")
    for answer in answers.values():
        texts = answer.get("answers") if is_map(answer) else answer
        for text in texts if isinstance(texts, list) else [texts]:
            if isinstance(text, str) and text not in offered:
                yield text.removeprefix(_NOTE)


def edits_told(changes: Mapping[str, Any], *, most: int) -> tuple[Edit, ...]:
    """Return the edits that the event of an applied patch lists by their paths."""
    return tuple(Edit(path, _diff_told(change, most)) for path, change in changes.items() if is_map(change))


def _diff_told(change: Mapping[str, Any], most: int) -> str:
    kind = text_at(change, "type") or next(iter(change), "")
    told = change if "type" in change else map_at(change, kind)
    mark = {"add": "+", "delete": "-"}.get(kind)
    if mark is None:
        return hunks_of(text_at(told, "unified_diff"), most=most)
    return "\n".join(mark + line for line in text_at(told, "content")[:most].split("\n"))[:most]


def _script_call(script: str, most: int) -> Call:
    command, edits = commands_in(script), edits_of_patch(patch_in(script), most=most)
    details = " ".join(edit.path for edit in edits) or script[:_WHOLE_DETAILS]
    return Call(tool=SCRIPT, details=details, command=command, edits=edits, role=_role_of(command))


def _role_of(command: str) -> Role | None:
    """Return that a command which shows no file prints what is its own, None where that is to be seen."""
    return call_of_input("shell", {"command": command}, most=0).role if command else None


def _is_patch_call(asked: object) -> bool:
    return (
        isinstance(asked, list) and len(asked) > 1 and asked[0] in (_PATCH, "applypatch") and isinstance(asked[1], str)
    )


def _given(item: Mapping[str, Any]) -> Mapping[str, Any]:
    arguments = item.get("arguments", item.get("input"))
    return arguments if is_map(arguments) else _json(arguments) if isinstance(arguments, str) else {}


def _json(text: str) -> Mapping[str, Any]:
    if not text.lstrip().startswith("{"):
        return {}
    try:
        value = parse_json(text.encode("utf-8", "surrogatepass"))
    except BadJSONError:
        return {}
    return value if is_map(value) else {}


def _text_of(held: object) -> str:
    """Return the text of an output: one text, the texts of a list, or what a structure has for one."""
    if isinstance(held, str):
        return held
    if isinstance(held, list):
        texts = [text for block in held if is_map(block) and (text := text_at(block, "text"))]
        return "".join(text if text.endswith("\n") else text + "\n" for text in texts[:-1]) + "".join(texts[-1:])
    if not is_map(held):
        return ""
    if isinstance(held.get("content"), list):
        return _text_of(held["content"])
    printed = [text_at(held, key).removesuffix("\n") for key in ("stdout", "stderr")]
    return text_at(held, "text", "content", "output") or "\n".join(text for text in printed if text)


def _unwrapped(text: str) -> tuple[str, int | None]:
    found = _WRAPPER.match(text)
    if found:
        code = _EXIT.search(found[0])
        return text[found.end() :], int(code[1]) if code else None
    told = _json(text) if text.startswith('{"') else {}
    if isinstance(told.get("output"), str) and is_map(told.get("metadata")):
        return told["output"], _whole_number(told["metadata"].get("exit_code"))
    return text, None


def _whole_number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
