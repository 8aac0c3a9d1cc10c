from __future__ import annotations

from typing import Any

import pytest

from dream.sources.sessions.formats.diffs import Edit
from dream.sources.sessions.formats.tool_inputs import call_of, given_in
from dream.sources.sessions.values import Role

PATCH = "*** Begin Patch\n*** Update File: app.py\n@@\n-a\n+b\n*** End Patch"


@pytest.mark.parametrize(
    ("tool", "given", "command"),
    [
        ("bash", {"command": "make"}, "make"),
        ("Bash", {"command": "make", "description": "builds"}, "make"),
        ("run_terminal_cmd", {"command": "make"}, "make"),
        ("run_command", {"CommandLine": "make"}, "make"),
        ("exec", {"cmd": ["bash", "-lc", "make"]}, "make"),
        ("read_file", {"command": "make"}, ""),
        ("terminal", {"command": 7}, ""),
    ],
)
def test_a_shell_runs_its_command_and_no_other_tool_does(tool: str, given: dict[str, Any], command: str) -> None:
    assert call_of(tool, given, most=100).command == command


@pytest.mark.parametrize(
    ("tool", "given", "edits"),
    [
        ("edit", {"path": "app.py", "oldText": "a", "newText": "b"}, (Edit("app.py", "-a\n+b"),)),
        ("search_replace", {"file_path": "app.py", "old_string": "a", "new_string": "b"}, (Edit("app.py", "-a\n+b"),)),
        ("StrReplaceFile", {"path": "app.py", "edit": {"old": "a", "new": "b"}}, (Edit("app.py", "-a\n+b"),)),
        (
            "multiedit",
            {
                "filePath": "app.py",
                "edits": [{"oldString": "a", "newString": "b"}, {"oldString": "c", "newString": ""}],
            },
            (Edit("app.py", "-a\n+b\n@@\n-c"),),
        ),
        ("write_file", {"path": "new.py", "content": "x\n"}, (Edit("new.py", "+x"),)),
        ("apply_patch", {"patchText": PATCH}, (Edit("app.py", "@@\n-a\n+b"),)),
        ("patch", {"path": "app.py", "old_string": "a", "new_string": "b"}, (Edit("app.py", "-a\n+b"),)),
        ("str_replace_based_edit_tool", {"command": "view", "path": "app.py"}, ()),
        ("todo_write", {"path": "app.py", "content": "x"}, ()),
        ("write", {"content": "x"}, ()),
        ("edit", {"path": 7, "oldText": ["a"]}, ()),
    ],
)
def test_an_editor_names_its_file_and_what_it_changes(
    tool: str, given: dict[str, Any], edits: tuple[Edit, ...]
) -> None:
    assert call_of(tool, given, most=100).edits == edits


@pytest.mark.parametrize(
    ("tool", "given", "role"),
    [
        ("Task", {"prompt": "count"}, Role.AGENT),
        ("todowrite", {}, Role.HARNESS),
        ("bash", {"command": "git add AGENTS.md && git commit"}, Role.TOOL),
        ("edit", {"path": "AGENTS.md", "oldText": "a", "newText": "b"}, Role.TOOL),
        ("bash", {"command": "cat AGENTS.md"}, None),
        ("read", {"path": "AGENTS.md"}, None),
    ],
)
def test_whose_words_an_output_is_is_told_by_the_tool_where_it_can_be(
    tool: str, given: dict[str, Any], role: Role | None
) -> None:
    assert call_of(tool, given, most=100).role is role


def test_a_diff_is_bounded() -> None:
    (edit,) = call_of("write", {"path": "a", "content": "x\n" * 100_000}, most=50).edits
    assert len(edit.diff) <= 50


@pytest.mark.parametrize(
    ("arguments", "given"),
    [({"a": 1}, {"a": 1}), ('{"a": 1}', {"a": 1}), ("{", {}), ("[1]", {}), (None, {}), (7, {})],
)
def test_an_input_is_an_object_or_the_text_of_one(arguments: object, given: dict[str, Any]) -> None:
    assert given_in(arguments) == given
