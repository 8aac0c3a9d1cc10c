from __future__ import annotations

from collections.abc import Mapping

import pytest

from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.values import Message, Role
from tests.sources.sessions.transcripts import call, jsonl, messages, read, result, user

BASH = {"command": "make test\nmake lint", "description": "Check"}
EDIT = {"file_path": "/home/ana/web/src/a.py", "old_string": "a\nb\nc", "new_string": "a\nB\nc"}
PRINTED = {"stdout": "ok", "stderr": "", "interrupted": False}
HUNK = {"oldStart": 1, "oldLines": 3, "newStart": 1, "newLines": 3, "lines": [" a", "-b", "+B", " c"]}


def answer(
    tool: str, given: Mapping[str, object], content: object, *, failed: bool = False, **fields: object
) -> Message:
    """The only message that a call and its answer make."""
    (message,) = messages(
        read(jsonl([call(1, tool, given), result(2, 1, content, failed=failed, **fields)])),
    )
    return message


def ended(message: Message) -> tuple[int | None, bool]:
    return message.exit_code, message.failed


def test_a_command_is_kept_whole_with_the_code_that_it_exited_with() -> None:
    message = answer("Bash", BASH, "Exit code 2\nboom", failed=True)
    assert (message.role, message.command, message.text) == (Role.TOOL, "make test\nmake lint", "Exit code 2\nboom")
    assert ended(message) == (2, True)


@pytest.mark.parametrize(
    ("content", "failed", "told", "ending"),
    [
        ("ok", False, PRINTED, (0, False)),
        ("ok", False, "ok", (None, False)),
        ("ok", False, {**PRINTED, "interrupted": True}, (None, False)),
        ("", False, {**PRINTED, "returnCodeInterpretation": "No matches found"}, (None, False)),
        ("Running in the background", False, {**PRINTED, "backgroundTaskId": "b1"}, (None, False)),
        ("Exit code 1", True, "Error: Exit code 1", (1, True)),
        ("Exit code 2 is what I expected", True, "x", (None, True)),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", True, "x", (None, True)),
        ("Exit code 2", False, PRINTED, (0, False)),
    ],
)
def test_how_a_command_ended_is_what_the_structure_or_the_tools_wrapper_says(
    content: str,
    failed: bool,  # noqa: FBT001  # a parameter of the cases above
    told: object,
    ending: tuple[int | None, bool],
) -> None:
    assert ended(answer("Bash", BASH, content, failed=failed, toolUseResult=told)) == ending


def test_a_command_that_prints_nothing_is_told_all_the_same() -> None:
    message = answer("Bash", BASH, "", toolUseResult={**PRINTED, "stdout": ""})
    assert (message.text, message.command, message.exit_code) == ("", "make test\nmake lint", 0)


@pytest.mark.parametrize(
    ("tool", "given", "told", "diff"),
    [
        ("Edit", EDIT, {"structuredPatch": [HUNK]}, "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c"),
        ("Edit", EDIT, "The file has been updated", " a\n-b\n+B\n c"),
        ("Write", {"file_path": "a.py", "content": "x\ny\n"}, {"structuredPatch": []}, "+x\n+y"),
        ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": "x = 1"}, "", "+x = 1"),
        (
            "MultiEdit",
            {"file_path": "a.py", "edits": [EDIT, "x", {"old_string": "1", "new_string": "2"}]},
            "",
            " a\n-b\n+B\n c\n@@\n-1\n+2",
        ),
        ("Edit", {"file_path": "a.py"}, {"structuredPatch": "x"}, ""),
    ],
)
def test_an_edit_tells_its_path_and_what_it_changed_even_if_it_prints_nothing(
    tool: str, given: dict[str, object], told: object, diff: str
) -> None:
    for content in ("", "The file has been updated. Here is a snippet:\n1 B"):
        message = answer(tool, given, content, toolUseResult=told)
        path = str(given.get("file_path", given.get("notebook_path"))).removeprefix("/home/ana/web/")
        assert (message.edits, message.diff) == (path, diff)
        assert message.text == content.split("\n", maxsplit=1)[0]


def test_an_edit_that_failed_changed_nothing() -> None:
    message = answer("Edit", EDIT, "<tool_use_error>String to replace not found", failed=True)
    assert (message.role, message.edits, message.diff, message.failed) == (Role.HARNESS, "", "", True)


def test_of_several_answers_in_one_line_none_is_told_by_the_record_of_one() -> None:
    calls = [call(1, "Bash", {"command": "a"}), call(2, "Bash", {"command": "b"})]
    blocks = [{"type": "tool_result", "tool_use_id": f"call-{number}", "content": "out"} for number in (1, 2)]
    told = messages(read(jsonl([*calls, user(3, blocks, toolUseResult=PRINTED)])))
    assert [(message.command, message.exit_code) for message in told] == [("a", None), ("b", None)]


def test_what_is_told_of_a_call_stands_at_its_first_message_only() -> None:
    told = messages(
        read(
            jsonl(
                [
                    call(1, "Bash", BASH),
                    result(2, 1, "one<system-reminder>x</system-reminder>two", toolUseResult=PRINTED),
                ]
            )
        )
    )
    assert [(message.role, message.exit_code) for message in told] == [
        (Role.TOOL, 0),
        (Role.HARNESS, None),
        (Role.TOOL, None),
    ]


def test_what_is_kept_of_a_change_and_of_a_command_is_bounded() -> None:
    limits = ReadingLimits(captured=10)
    given = {"file_path": "a.py", "content": "x\n" * 1_000}
    data = jsonl([call(1, "Write", given), result(2, 1, ""), call(3, "Bash", {"command": "y" * 50}), result(4, 3, "")])
    edit, command = messages(read(data, limits=limits))
    assert (edit.diff, command.command) == ("+x\n+x\n+x", "y" * 10)


@pytest.mark.parametrize("given", [None, "x", ["x"], {"command": 3}, {"file_path": None, "old_string": 3}])
def test_odd_input_of_a_tool_is_no_call_that_tells_anything(given: object) -> None:
    for tool in ("Bash", "Edit", "MultiEdit"):
        block = {"type": "tool_use", "id": "call-1", "name": tool, "input": given}
        line = call(1, tool, {})
        line["message"] = {"role": "assistant", "content": [block]}
        (message,) = messages(read(jsonl([line, result(2, 1, "out")])))
        assert (message.command, message.edits, message.diff) == ("", "", "")


POLLED = (
    "<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<task_type>{}</task_type>\n\n"
    "<status>{}</status>\n\n{}<output>\n5 passed\n</output>"
)


@pytest.mark.parametrize(
    ("tool", "given", "content", "told"),
    [
        (
            "TaskOutput",
            {"task_id": "b1"},
            POLLED.format("local_bash", "completed", "<exit_code>0</exit_code>\n\n"),
            (Role.TOOL, "make serve", 0, False),
        ),
        (
            "BashOutput",
            {"bash_id": "b1"},
            "<status>failed</status>\n\n<exit_code>2</exit_code>\n\n<stdout>\n</stdout>",
            (Role.TOOL, "make serve", 2, True),
        ),
        ("TaskOutput", {"task_id": "b1"}, POLLED.format("local_bash", "running", ""), (Role.TOOL, "", None, False)),
        ("TaskOutput", {"task_id": "a2"}, POLLED.format("local_agent", "completed", ""), (Role.AGENT, "", None, False)),
        (
            "TaskOutput",
            {"task_id": "a2"},
            "My report: " + POLLED.format("local_bash", "completed", "<exit_code>0</exit_code>\n"),
            (Role.AGENT, "", None, False),
        ),
    ],
)
def test_a_command_that_was_left_running_ends_where_it_is_asked_after(
    tool: str, given: dict[str, object], content: str, told: tuple[Role, str, int | None, bool]
) -> None:
    left = {**PRINTED, "backgroundTaskId": "b1"}
    records = [
        call(1, "Bash", {"command": "make serve", "run_in_background": True}),
        result(2, 1, "Command running in background with ID: b1", toolUseResult=left),
        call(3, tool, given),
        result(4, 3, content),
    ]
    started, polled = messages(read(jsonl(records)))
    assert (started.command, started.exit_code) == ("make serve", None)
    assert (polled.role, polled.command, polled.exit_code, polled.failed) == told
