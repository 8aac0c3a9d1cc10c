"""What an agent asks of a tool, told by the names that the inputs of several agents' tools go by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dream.sources.sessions.changes import bounded_patch, patch_of_replacement, patch_of_text
from dream.sources.sessions.formats.diffs import Edit, edits_of_patch
from dream.sources.sessions.formats.objects import is_map, map_at, maps_at, text_at
from dream.sources.sessions.formats.telling import LONGEST_PATH, Call, command_of, details_of
from dream.sources.sessions.values import Role
from dream.sources.strict_json import BadJSONError, parse_json

_SHELL = re.compile(r"bash|shell|terminal|exec|command|cmd")
_EDITOR = re.compile(r"(?:multi_?)?edit|write|patch|replace|create_?file|update_?file|save_?file")
_NO_EDITOR = re.compile(r"todo|plan|memory|stdin|process")
_READER = re.compile(r"(?:^|[\s;&|(`])(?:cat|bat|head|tail|less|more|nl|sed|awk|grep|egrep|rg|type|Get-Content) ")
_AGENTS = frozenset({"agent", "subagent", "task", "spawn_agent", "spawn_subagent", "delegate_task", "sessions_spawn"})
_BOOKKEEPING = frozenset(
    {
        "askuserquestion",
        "ask_user_question",
        "clarify",
        "enterplanmode",
        "exitplanmode",
        "plan_exit",
        "question",
        "settodolist",
        "skill",
        "todo",
        "todo_write",
        "todolist",
        "todoread",
        "todowrite",
        "update_plan",
    }
)
_COMMANDS = ("command", "cmd", "CommandLine")
_PATHS = ("path", "file_path", "filePath", "TargetFile", "target_file", "notebook_path", "filename", "file")
_OLD = ("oldText", "old_string", "oldString", "old_str", "old_text", "TargetContent", "old")
_OLD_KEYS = frozenset(_OLD)
_NEW = ("newText", "new_string", "newString", "new_str", "new_text", "ReplacementContent", "new")
_CONTENT = ("content", "contents", "file_text", "CodeContent")
_PATCHES = ("patch", "patchText", "patch_text", "input", "diff")
_EDITS = ("edits", "edit", "ReplacementChunks")
_DETAILS = ("CommandLine", "TargetFile", "target_file", "AbsolutePath", "DirectoryPath", "Query", "SearchPath", "Url")
_MOST_EDITS = 100


def call_of(tool: str, given: Mapping[str, Any], *, most: int) -> Call:
    """Return a call of a tool by its name and its input: the command it runs, the file it edits, who answers it.

    Diffs are of at most `most` characters.
    """
    name = tool.lower()
    writes = _EDITOR.search(name) and not _NO_EDITOR.search(name) and given.get("command") != "view"
    edits = tuple(_edits(name, given, most)) if writes else ()
    runs = not edits and _SHELL.search(name)
    command = next((one for key in _COMMANDS if (one := command_of(given.get(key)))), "") if runs else ""
    return Call(
        tool=tool,
        details=details_of(given) or text_at(given, *_DETAILS),
        command=command,
        edits=edits,
        role=_role(name, writes=bool(edits) or bool(command and not _READER.search(command))),
    )


def given_in(arguments: object) -> Mapping[str, Any]:
    """Return the input of a call that is an object, or the JSON text of one; an empty one for anything else."""
    if isinstance(arguments, str):
        try:
            arguments = parse_json(arguments.encode("utf-8", "surrogatepass"))
        except BadJSONError:
            return {}
    return arguments if is_map(arguments) else {}


def _role(name: str, *, writes: bool) -> Role | None:
    """Return whose words the output of a tool is by its name; what `writes` to a file shows nothing of it."""
    if name in _AGENTS:
        return Role.AGENT
    if name in _BOOKKEEPING:
        return Role.HARNESS
    return Role.TOOL if writes else None


def _edits(name: str, given: Mapping[str, Any], most: int) -> Iterator[Edit]:
    patched = edits_of_patch(text_at(given, *_PATCHES), most=most) if "patch" in name else ()
    path = text_at(given, *_PATHS, most=LONGEST_PATH)
    if patched or not path:
        yield from patched
        return
    listed = [one for key in _EDITS for one in (maps_at(given, key) or [map_at(given, key)]) if one]
    changes = listed[:_MOST_EDITS] or [given]
    replaced = [
        patch_of_replacement(text_at(one, *_OLD), text_at(one, *_NEW), most=most)
        for one in changes
        if not _OLD_KEYS.isdisjoint(one)
    ]
    if replaced:
        yield Edit(path, bounded_patch("\n@@\n".join(replaced).split("\n"), most=most))
    else:
        yield Edit(path, patch_of_text(text_at(given, *_CONTENT), most=most))
