from __future__ import annotations

import pytest

from dream.sources.sessions.formats.specstory_tools import Edit, Told, told_by
from dream.sources.sessions.formats.specstory_turns import Block, Kind
from dream.sources.sessions.values import Role
from tests.sources.sessions.transcripts import messages, model, read_document, specstory, tool_block

CODEX = "Chunk ID: abc\nWall time: 0.4 seconds\nProcess exited with code {}\nOutput:\n{}"


def told(tool: str, asked: str, output: str, *, family: str = "shell") -> Told:
    """What a block tells."""
    lines = tool_block(tool, asked, output, family=family).split("\n")
    return told_by(Block(kind=Kind.TOOL, tool=tool, family=family, lines=lines), most=1_000)


@pytest.mark.parametrize(
    ("asked", "command"),
    [
        ("Run the tests\n\n`make test`", "make test"),
        ("`make test`", "make test"),
        ("Check\n\n```bash\nmake test\nmake lint\n```", "make test\nmake lint"),
        ("`echo `date``", "echo `date`"),
        ("Nothing to run", ""),
        ("``", ""),
    ],
)
def test_a_command_stands_in_backticks_or_in_a_fence(asked: str, command: str) -> None:
    assert told("Bash", asked, "ok").command == command
    assert told("Read", asked, "ok", family="read").command == ""


def test_a_command_in_the_summary_is_one() -> None:
    block = (
        '<tool-use data-tool-type="shell" data-tool-name="exec_command"><details>\n'
        "<summary>Tool use: **exec_command** `go build ./...`</summary>\n```\nout\n```\n</details></tool-use>"
    )
    (message,) = messages(read_document(specstory((model(1), block))))
    assert (message.command, message.tool, message.text) == (
        "go build ./...",
        "exec_command: `go build ./...`",
        "out",
    )


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("Exit code 1\nls: no such file", 1),
        ("Exit code: 0\nWall time: 1s\nOutput:\nok", 0),
        (CODEX.format(2, "boom"), 2),
        (CODEX.format(0, "Process exited with code 7"), 0),
        ("Output:\nProcess exited with code 7", 7),
        ("all is well\nExit code 1", None),
        ("", None),
    ],
)
def test_the_exit_code_is_what_the_tools_wrapper_says(output: str, code: int | None) -> None:
    assert (told("Bash", "`x`", output).exit_code, told("Bash", "`x`", output).failed) == (code, bool(code))


def test_a_command_without_output_is_told_all_the_same() -> None:
    block = tool_block("Bash", "`mv a b`", "").replace("```text\n\n```\n", "")
    (message,) = messages(read_document(specstory((model(1), block))))
    assert (message.role, message.text, message.command) == (Role.TOOL, "", "mv a b")


def test_a_patch_of_several_files_is_a_message_for_each() -> None:
    asked = (
        "**Update: `src/a.py`**\n\n```diff\n@@\n-x &#96;y&#96;\n+z\n```\n\n**Add: `src/b.py`**\n\n```diff\n+new\n```"
    )
    block = tool_block("apply_patch", asked, "Exit code: 0\nOutput:\nSuccess", family="write")
    reading = read_document(specstory((model(1), block)))
    assert [(one.text, one.edits, one.diff, one.exit_code) for one in messages(reading)] == [
        ("Exit code: 0", "src/a.py", "@@\n-x `y`\n+z", 0),
        ("", "src/b.py", "+new", None),
    ]
    assert reading.parts[0].files == {"src/a.py", "src/b.py"}
    assert len({one.id for one in messages(reading)}) == 2


def test_chunks_of_one_file_are_one_edit() -> None:
    asked = "Path: `/x/web/a.txt`\n\n```diff\n-a\n+b\n```\n\n```diff\n-c\n+d\n```"
    edit = Edit(path="/x/web/a.txt", diff="-a\n+b\n-c\n+d")
    assert told("replace_file_content", asked, "done", family="write").edits == (edit,)


def test_a_file_that_is_written_is_all_new_and_its_fences_are_its_own_again() -> None:
    asked = "`docs/a.md`\n\n```md\n# A\n\\```sh\nls\n\\```\n```"
    assert told("Write", asked, "ok", family="write").edits == (Edit(path="docs/a.md", diff="+# A\n+```sh\n+ls\n+```"),)


@pytest.mark.parametrize("output", ["<tool_use_error>File has not been read yet", "The user doesn't want to proceed"])
def test_an_edit_that_failed_edited_nothing(output: str) -> None:
    block = told("Edit", "`a.py`\n\n```diff\n-a\n+b\n```", output, family="write")
    assert (block.edits, block.failed) == ((), True)
