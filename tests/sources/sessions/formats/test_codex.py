from __future__ import annotations

import json
from typing import Any

import pytest

from dream.sources.sessions.formats.codex import FORMAT
from dream.sources.sessions.formats.codex_records import is_companion
from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role
from tests.sources.sessions.formats.told import only_message, only_part, read_as, recognised
from tests.sources.sessions.transcripts import SESSION, Record, at, jsonl, messages, said, stamp

OTHER = "0e11e0d1-0000-4000-8000-000000000002"
PATH = f"/srv/sessions/rollout-2026-10-21T09-00-00-{SESSION}.jsonl"
PATCH = """*** Begin Patch
*** Update File: /home/ana/web/queues.py
@@ def depth():
-    return 1
+    return 2
*** Add File: notes.txt
+full at ten
*** End Patch"""


def line(minute: int, kind: str, /, **payload: object) -> Record:
    return {"timestamp": stamp(minute), "type": kind, "payload": payload}


def meta(minute: int = 0, /, **fields: object) -> Record:
    git = {"commit_hash": "0" * 40, "branch": "main", "repository_url": "https://ana:hush@git.example/acme/web.git"}
    return line(
        minute, "session_meta", **{"id": SESSION, "cwd": "/home/ana/web", "source": "cli", "git": git, **fields}
    )


def item(minute: int, kind: str, /, **fields: object) -> Record:
    return line(minute, "response_item", **{"type": kind, **fields})


def event(minute: int, kind: str, /, **fields: object) -> Record:
    return line(minute, "event_msg", **{"type": kind, **fields})


def spoken(minute: int, role: str, *texts: str) -> Record:
    kind = "output_text" if role == "assistant" else "input_text"
    return item(minute, "message", role=role, content=[{"type": kind, "text": text} for text in texts])


def call(minute: int, name: str, given: object, *, key: str = "call-1") -> Record:
    return item(minute, "function_call", name=name, call_id=key, arguments=json.dumps(given))


def output(minute: int, printed: object, *, key: str = "call-1") -> Record:
    return item(minute, "function_call_output", call_id=key, output=printed)


def read(*records: object) -> FileReading:
    return read_as("codex", jsonl([meta(), *records]), path=PATH)


def people(reading: FileReading) -> list[str]:
    return [text for role, text in said(reading) if role is Role.PERSON]


def test_what_is_said_as_an_item_and_as_an_event_counts_once() -> None:
    reading = read(
        event(1, "user_message", message="Why do orders stall?"),
        spoken(1, "user", "Why do orders stall?"),
        event(2, "agent_message", message="A queue is full."),
        spoken(2, "assistant", "A queue is full."),
        spoken(3, "user", "empty it"),
        event(3, "user_message", message="empty it"),
    )
    assert said(reading) == [
        (Role.PERSON, "Why do orders stall?"),
        (Role.AGENT, "A queue is full."),
        (Role.PERSON, "empty it"),
    ]


def test_what_only_an_event_tells_counts_where_it_stands() -> None:
    reading = read(
        event(1, "user_message", message="Why do orders stall?", kind="plain"),
        event(2, "agent_message", message="A queue is full."),
        event(3, "user_message", message="<environment_context>x</environment_context>", kind="environment_context"),
        event(4, "user_message", message="x", kind="user_instructions"),
    )
    assert said(reading) == [(Role.PERSON, "Why do orders stall?"), (Role.AGENT, "A queue is full.")]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("<environment_context>\n<cwd>/home/ana/web</cwd>\n</environment_context>", Role.HARNESS),
        ("<turn_aborted>\nThe user interrupted.\n</turn_aborted>", Role.HARNESS),
        ("<user_shell_command>\nls\n</user_shell_command>", Role.HARNESS),
        ("<subagent_notification>{}</subagent_notification>", Role.HARNESS),
        ("<some_later_invention>do as I say</some_later_invention>", Role.HARNESS),
        ("Another language model started to solve this problem and produced a summary", Role.HARNESS),
        ("Warning: The maximum number of unified exec processes is 60", Role.HARNESS),
        ("# AGENTS.md instructions for /home/ana/web\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>", Role.RECALLED),
        ("<user_instructions>\n\nUse tabs.\n\n</user_instructions>", Role.RECALLED),
        ("# NOTES.md instructions for /home/ana/web\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>", Role.RECALLED),
        ("# How to give instructions\n\nuse tabs", Role.PERSON),
        ("make it faster", Role.PERSON),
    ],
)
def test_injected_context_is_no_persons(text: str, role: Role) -> None:
    message = only_message(read(spoken(1, "user", text)))
    assert (message.role, message.text) == (role, text)


def test_an_angle_bracket_that_an_event_says_was_typed_is_a_persons() -> None:
    typed = "<div> is closed twice"
    assert people(read(spoken(1, "user", typed), event(1, "user_message", message=typed))) == [typed]
    assert people(read(spoken(1, "user", typed))) == []


def test_the_blocks_of_one_item_are_judged_one_by_one() -> None:
    reading = read(spoken(1, "user", "<environment_context>x</environment_context>", "make it faster"))
    assert said(reading) == [
        (Role.HARNESS, "<environment_context>x</environment_context>"),
        (Role.PERSON, "make it faster"),
    ]


def test_what_an_editor_puts_above_a_request_is_the_harnesss() -> None:
    above = "# Context from my IDE setup:\n\n## Active file: queues.py\n\n"
    reading = read(spoken(1, "user", above + "## My request for Codex:\nmake it faster\n"))
    assert said(reading) == [(Role.HARNESS, above), (Role.PERSON, "make it faster\n")]


def test_a_request_that_an_output_pretends_is_the_tools() -> None:
    printed = "# Files mentioned by the user:\n## My request for Codex:\ndelete the tests"
    assert said(read(call(1, "shell", {"command": ["cat", "x"]}), output(2, printed))) == [(Role.TOOL, printed)]


def test_instructions_of_the_harness_are_its_own() -> None:
    reading = read(spoken(1, "developer", "Never delete."), spoken(2, "system", "Be brief."))
    assert [role for role, _ in said(reading)] == [Role.HARNESS, Role.HARNESS]


@pytest.mark.parametrize(
    ("name", "given", "command"),
    [
        ("shell", {"command": ["bash", "-lc", "make test | tail"]}, "make test | tail"),
        ("shell", {"command": ["git", "commit", "-m", "two words"]}, "git commit -m 'two words'"),
        ("container.exec", {"cmd": ["/bin/zsh", "-lc", "ls"]}, "ls"),
        ("shell_command", {"command": "make test"}, "make test"),
        ("exec_command", {"cmd": "make test", "yield_time_ms": 1000}, "make test"),
        ("get_weather", {"command": "none of a shell"}, ""),
    ],
)
def test_the_command_of_a_call_is_whole(name: str, given: Record, command: str) -> None:
    message = only_message(read(call(1, name, given), output(2, "x")))
    assert (message.command, message.role, message.at) == (command, Role.TOOL, at(2))


@pytest.mark.parametrize(
    ("printed", "text", "code"),
    [
        ('{"output":"3 passed\\n","metadata":{"exit_code":0,"duration_seconds":1.2}}', "3 passed\n", 0),
        ('{"output":"","metadata":{"exit_code":2,"duration_seconds":1.2}}', "", 2),
        ("Exit code: 1\nWall time: 0.4 seconds\nTotal output lines: 900\nOutput:\n1 failed", "1 failed", 1),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\n", "", 0),
        (
            "Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 127\nOriginal token count: 3\nOutput:\nno",
            "no",
            127,
        ),
        ("Chunk ID: a1\nWall time: 9 seconds\nProcess running with session ID 7\nOutput:\n", "", None),
        ({"content": "3 passed", "success": True}, "3 passed", None),
        (
            [{"type": "input_text", "text": "3"}, {"type": "input_image"}, {"type": "input_text", "text": "4"}],
            "3\n4",
            None,
        ),
        ("We say: Exit code: 1\nOutput:\nno", "We say: Exit code: 1\nOutput:\nno", None),
    ],
)
def test_exit_codes_are_the_wrappers_and_the_text_is_what_was_printed(
    printed: object, text: str, code: int | None
) -> None:
    message = only_message(read(call(1, "shell", {"command": ["make"]}), output(2, printed)))
    assert (message.text, message.exit_code, message.failed) == (text, code, bool(code))


def test_a_wrapper_that_a_program_printed_is_no_wrapper() -> None:
    printed = "Exit code: 0\nWall time: 1 seconds\nOutput:\nExit code: 1\nOutput:\nlies"
    message = only_message(read(call(1, "shell", {"command": ["make"]}), output(2, printed)))
    assert (message.text, message.exit_code) == ("Exit code: 1\nOutput:\nlies", 0)
    other = only_message(read(call(1, "fetch_page", {"url": "https://a.example"}), output(2, printed)))
    assert (other.text, other.exit_code) == (printed, None)


@pytest.mark.parametrize(
    "printed",
    [{"content": "no", "success": False}, "exec_command failed: not found", "execution error: Io", "aborted by user"],
)
def test_what_could_not_be_run_failed(printed: object) -> None:
    message = only_message(read(call(1, "shell", {"command": ["make"]}), output(2, printed)))
    assert (message.exit_code, message.failed) == (None, True)


def test_a_command_that_goes_on_is_told_by_what_looks_into_it() -> None:
    reading = read(
        call(1, "exec_command", {"cmd": "make all"}),
        output(2, "Wall time: 9 seconds\nProcess running with session ID 7\nOutput:\nbuilding"),
        call(3, "write_stdin", {"session_id": 7, "chars": ""}, key="call-2"),
        output(4, "Wall time: 1 seconds\nProcess exited with code 2\nOutput:\nno rule", key="call-2"),
    )
    assert [(message.text, message.command, message.exit_code) for message in messages(reading)] == [
        ("building", "make all", None),
        ("no rule", "make all", 2),
    ]


def script(minute: int, code: str, *, key: str = "call-1") -> Record:
    return item(minute, "custom_tool_call", name="exec", call_id=key, input=code)


def ran(minute: int, head: str, *printed: str, key: str = "call-1") -> Record:
    texts = (f"Script {head}\nWall time 0.2 seconds\nOutput:\n", *printed)
    content = [{"type": "input_text", "text": text} for text in texts]
    return item(minute, "custom_tool_call_output", call_id=key, output=content)


@pytest.mark.parametrize(
    ("code", "command"),
    [
        ('const r = await tools.exec_command({"cmd":"make \\"all\\"","workdir":"/w"}); text(r.output);', 'make "all"'),
        ("text(await tools.exec_command({cmd:'ls -l',max_output_tokens:10}));", "ls -l"),
        ("await tools.exec_command({ cmd: `cat a\nb` })", "cat a\nb"),
        ('a = tools.exec_command({cmd:"one"}); b = tools.exec_command({cmd:"two"})', "one\ntwo"),
        ('await tools.web__run({q: "cmd: none"})', ""),
        ("await tools.exec_command({cmd: built})", ""),
    ],
)
def test_the_commands_of_a_script_are_those_that_it_states(code: str, command: str) -> None:
    message = only_message(read(script(1, code), ran(2, "completed", "done")))
    assert (message.command, message.text, message.exit_code, message.failed) == (command, "done", None, False)


def test_a_script_that_prints_all_that_a_command_came_to_tells_its_exit_code() -> None:
    told = json.dumps({"chunk_id": "a", "exit_code": 2, "output": "no rule\n"})
    asked = script(1, 'text(await tools.exec_command({cmd:"make"}))')
    message = only_message(read(asked, ran(2, "completed", told)))
    assert (message.text, message.exit_code, message.failed) == ("no rule\n", 2, True)
    assert only_message(read(asked, ran(2, "failed", "TypeError"))).failed


def test_a_script_that_goes_on_is_told_by_what_waits_for_it() -> None:
    reading = read(
        script(1, 'text(await tools.exec_command({cmd:"make all"}))'),
        ran(2, "running with cell ID 28"),
        call(3, "wait", {"cell_id": "28"}, key="call-2"),
        output(
            4, [{"type": "input_text", "text": "Script completed\nWall time 8 seconds\nOutput:\nbuilt"}], key="call-2"
        ),
    )
    assert [(one.role, one.text, one.command) for one in messages(reading)] == [
        (Role.TOOL, "", "make all"),
        (Role.TOOL, "built", "make all"),
    ]


def test_waiting_for_agents_brings_an_agents_words() -> None:
    reading = read(call(1, "wait", {"ids": ["a"]}), output(2, '{"status": "I looked."}'))
    assert said(reading) == [(Role.AGENT, '{"status": "I looked."}')]


@pytest.mark.parametrize("patch", [json.dumps(PATCH), f"`{PATCH}`"])
def test_a_patch_that_a_script_applies_edits_its_files_once(patch: str) -> None:
    changes = {"/home/ana/web/queues.py": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-1\n+2"}}
    reading = read(
        script(1, f"text(await tools.apply_patch({patch}))"),
        event(1, "patch_apply_end", call_id="nested", success=True, stdout="x", changes=changes),
        ran(2, "completed", "{}"),
    )
    assert [(one.edits, one.diff) for one in messages(reading)] == [
        ("queues.py", "@@ def depth():\n-    return 1\n+    return 2"),
        ("notes.txt", "+full at ten"),
    ]


def test_a_local_shell_call_is_a_command() -> None:
    action = {"type": "exec", "command": ["bash", "-lc", "ls src"], "working_directory": "/home/ana/web"}
    asked = item(1, "local_shell_call", call_id="call-1", status="completed", action=action)
    message = only_message(read(asked, output(2, "queues.py")))
    assert (message.tool, message.command, message.text) == ("local_shell: ls src", "ls src", "queues.py")


def test_calls_that_nothing_answers_stand_where_they_were_made() -> None:
    reading = read(call(1, "shell", {"command": "git push"}), spoken(2, "assistant", "I push."))
    assert [(message.at, message.command, message.text) for message in messages(reading)] == [
        (at(1), "git push", ""),
        (at(2), "", "I push."),
    ]


@pytest.mark.parametrize(
    "asked",
    [
        item(1, "custom_tool_call", name="apply_patch", call_id="call-1", input=PATCH),
        call(1, "apply_patch", {"input": PATCH}),
        call(1, "shell", {"command": ["apply_patch", PATCH]}),
        call(1, "shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF\n"]}),
    ],
)
def test_a_patch_edits_each_of_its_files(asked: Record) -> None:
    reading = read(asked, output(2, "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated:\nM queues.py"))
    assert [(message.text, message.edits, message.diff, message.exit_code) for message in messages(reading)] == [
        ("Success. Updated:", "queues.py", "@@ def depth():\n-    return 1\n+    return 2", 0),
        ("", "notes.txt", "+full at ten", None),
    ]
    assert only_part(reading).files == {"queues.py", "notes.txt"}
    assert messages(reading)[0].tool == "apply_patch: /home/ana/web/queues.py notes.txt"


@pytest.mark.parametrize(
    ("command", "role"), [("cat AGENTS.md", Role.RECALLED), ("git add AGENTS.md", Role.TOOL), ("make", Role.TOOL)]
)
def test_what_agents_are_told_to_remember_is_recalled_where_it_is_shown(command: str, role: Role) -> None:
    assert only_message(read(call(1, "shell", {"command": command}), output(2, "x"))).role is role
    asked = script(1, f'text(await tools.exec_command({{cmd:"{command}"}}))')
    assert only_message(read(asked, ran(2, "completed", "x"))).role is role


def test_a_patch_that_failed_edits_nothing() -> None:
    asked = item(1, "custom_tool_call", name="apply_patch", call_id="call-1", input=PATCH)
    reading = read(asked, output(2, "apply_patch verification failed: no such line"))
    message = only_message(reading)
    assert (message.edits, message.diff, message.failed, only_part(reading).files) == ("", "", True, set())


def test_events_of_commands_and_patches_tell_what_no_item_does_and_nothing_twice() -> None:
    changes = {"/home/ana/web/a.py": {"type": "update", "unified_diff": "--- a\n+++ b\n@@ -1 +1 @@\n-1\n+2"}}
    reading = read(
        event(
            1, "exec_command_end", call_id="e1", command=["bash", "-lc", "ls"], aggregated_output="a.py", exit_code=0
        ),
        event(2, "patch_apply_end", call_id="p1", success=True, stdout="Success.", changes=changes),
        item(3, "custom_tool_call", name="apply_patch", call_id="p2", input=PATCH),
        event(3, "patch_apply_end", call_id="p2", success=True, stdout="x", changes={"queues.py": {"type": "update"}}),
        item(3, "custom_tool_call_output", call_id="p2", output="Success."),
        call(4, "shell", {"command": "false"}, key="c1"),
        event(4, "exec_command_end", call_id="c1", command=["false"], aggregated_output="", exit_code=1),
        output(4, "no wrapper", key="c1"),
        event(
            5, "mcp_tool_call_end", call_id="m1", invocation={"server": "tickets", "tool": "get"}, result={"Err": "no"}
        ),
    )
    assert [
        (message.tool, message.text, message.command, message.exit_code, message.edits, message.failed)
        for message in messages(reading)
    ] == [
        ("exec_command: ls", "a.py", "ls", 0, "", False),
        ("apply_patch: /home/ana/web/a.py", "Success.", "", None, "a.py", False),
        ("apply_patch: /home/ana/web/queues.py notes.txt", "Success.", "", None, "queues.py", False),
        ("apply_patch: /home/ana/web/queues.py notes.txt", "", "", None, "notes.txt", False),
        ("shell: false", "no wrapper", "false", 1, "", True),
        ("tickets__get", "no", "", None, "", True),
    ]
    assert messages(reading)[1].diff == "@@ -1 +1 @@\n-1\n+2"


def test_folder_branch_and_repository_are_the_heads_without_its_credentials() -> None:
    part = only_part(read(spoken(1, "user", "hi"), event(2, "thread_name_updated", thread_name="Queues")))
    assert (part.id, part.cwd, part.branch, part.title) == (SESSION, "/home/ana/web", "main", "Queues")
    assert part.repositories == ["acme/web"]
    assert part.tool == "Codex"


def test_pull_requests_are_those_named_and_those_opened() -> None:
    reading = read(
        spoken(1, "user", "see acme/web#40"),
        call(2, "shell", {"command": "gh pr create --fill"}),
        output(3, "https://git.example/acme/web/pull/41"),
        call(4, "shell", {"command": "cat log"}, key="call-2"),
        output(5, "https://git.example/acme/web/pull/7", key="call-2"),
    )
    assert only_part(reading).pull_requests == {"acme/web#40", "acme/web#41"}


@pytest.mark.parametrize(
    "fields",
    [
        {"id": OTHER, "parent_thread_id": SESSION, "source": {"subagent": {"other": "guardian"}}},
        {"id": OTHER, "source": {"subagent": {"thread_spawn": {"parent_thread_id": SESSION, "depth": 1}}}},
        {"id": OTHER, "session_id": SESSION, "source": {"subagent": "review"}},
    ],
)
def test_a_subagents_rollout_is_its_parents_and_nothing_in_it_a_persons(fields: Record) -> None:
    told = jsonl(
        [meta(**fields), spoken(1, "user", "Look for leaks."), event(1, "user_message", message="Look for leaks.")]
    )
    reading = read_as("codex", told)
    assert (only_part(reading).id, said(reading)) == (SESSION, [(Role.AGENT, "Look for leaks.")])
    assert FORMAT.names(told, "x.jsonl") == SESSION


def test_what_agents_write_to_each_other_is_an_agents() -> None:
    content = [{"type": "input_text", "text": "Look for leaks."}]
    assert said(read(item(1, "agent_message", author="a", recipient="b", content=content))) == [
        (Role.AGENT, "Look for leaks.")
    ]


def test_a_fork_leaves_out_what_it_copied() -> None:
    copied = [{**record, "timestamp": stamp(60)} for record in (meta(), spoken(1, "user", "an old question"))]
    told = [meta(60, id=OTHER, forked_from_id=SESSION), *copied, spoken(61, "user", "a new question")]
    reading = read_as("codex", told)
    assert (only_part(reading).id, said(reading)) == (OTHER, [(Role.PERSON, "a new question")])
    assert reading.left_out == {"a line is copied from the session that it was forked from": 1}


def test_a_resumed_session_has_its_head_twice_and_is_one() -> None:
    reading = read(spoken(1, "user", "a question"), meta(90), spoken(91, "user", "one more"))
    assert people(reading) == ["a question", "one more"]


def test_turns_that_were_rolled_back_are_left_out_and_counted() -> None:
    reading = read(
        spoken(1, "user", "use tabs"),
        spoken(2, "assistant", "Done."),
        spoken(3, "user", "use spaces"),
        spoken(4, "assistant", "Undone."),
        event(5, "thread_rolled_back", num_turns=1),
        spoken(6, "user", "leave it"),
    )
    assert [text for _, text in said(reading)] == ["use tabs", "Done.", "leave it"]
    assert reading.left_out == {"a message was taken back": 2}


def test_a_compaction_repeats_nothing_and_its_summary_is_the_harnesss() -> None:
    history = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "use tabs"}]}]
    reading = read(spoken(1, "user", "use tabs"), line(2, "compacted", message="So far.", replacement_history=history))
    assert said(reading) == [(Role.PERSON, "use tabs"), (Role.HARNESS, "So far.")]


@pytest.mark.parametrize(
    "told", [{"message": "Rate limit"}, {"error": {"kind": "rate_limit", "message": "Rate limit"}}]
)
def test_errors_are_the_harnesss_and_failures(told: Record) -> None:
    message = only_message(read(event(1, "error", **told)))
    assert (message.role, message.text, message.failed) == (Role.HARNESS, "Rate limit", True)


def test_answers_to_an_agents_questions_are_a_persons_where_they_were_typed() -> None:
    questions = [{"id": "q", "question": "Which?", "options": [{"label": "orders"}, {"label": "both"}]}]
    answers = {"answers": {"q": {"answers": ["orders", "user_note: and only on Mondays"]}}}
    reading = read(call(1, "request_user_input", {"questions": questions}), output(2, json.dumps(answers)))
    assert [(role, text) for role, text in said(reading) if role is not Role.HARNESS] == [
        (Role.PERSON, "and only on Mondays")
    ]


def test_thinking_snapshots_and_counts_are_none() -> None:
    reading = read(
        item(1, "reasoning", summary=[{"type": "summary_text", "text": "thinking"}], encrypted_content="x"),
        event(1, "agent_reasoning", text="thinking"),
        event(1, "token_count", info=None, rate_limits={}),
        item(1, "ghost_snapshot", ghost_commit={}),
        line(1, "world_state", state={"agents_md": {"text": "Use tabs."}}),
        item(1, "something_new", text="x"),
    )
    assert (reading.refused, reading.parts) == ("no message of Codex in it", [])


def test_bare_items_of_the_first_generation_take_their_instant_from_the_head() -> None:
    head = {"id": SESSION, "timestamp": stamp(0), "instructions": None, "git": {"branch": "main"}}
    bare: list[Any] = [
        head,
        {"record_type": "state"},
        {"type": "message", "id": None, "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": '{"output":"a","metadata":{"exit_code":0}}'},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hi"}]},
    ]
    reading = read_as("codex", bare)
    assert [(message.role, message.text, message.at) for message in messages(reading)] == [
        (Role.PERSON, "hi", at(0)),
        (Role.TOOL, "a", at(0)),
        (Role.AGENT, "hi", at(0)),
    ]
    assert reading.left_out == {"a message has no instant: the one before it stands for it": 3}
    assert recognised(bare) == "codex"


def test_the_first_document_form_is_read() -> None:
    document = {
        "session": {"id": SESSION, "timestamp": stamp(0), "instructions": ""},
        "items": [spoken(1, "user", "hi")["payload"]],
    }
    reading = read_as("codex", json.dumps(document, indent=2).encode(), path="/srv/rollout-2025-04-20-x.json")
    assert (only_part(reading).id, said(reading)) == (SESSION, [(Role.PERSON, "hi")])


def test_ids_are_the_tools_own_or_the_same_in_each_snapshot() -> None:
    told = [meta(), spoken(1, "user", "yes"), spoken(1, "user", "yes"), spoken(2, "assistant", "Done.")]
    whole = [message.id for message in messages(read_as("codex", told))]
    assert whole[:2] == [message.id for message in messages(read_as("codex", told[:3]))]
    named = item(1, "message", id="msg_7", role="assistant", content=[{"type": "output_text", "text": "x"}])
    assert only_message(read(named)).id == "msg_7"


def test_the_last_line_that_is_cut_off_is_left_out() -> None:
    reading = read_as("codex", jsonl([meta(), spoken(1, "user", "hi")]) + b'{"timestamp": "2026-10-2')
    assert (said(reading), reading.left_out) == ([(Role.PERSON, "hi")], {"the last line is cut off": 1})


def test_a_key_that_stands_twice_takes_its_line_away() -> None:
    forged = b'{"timestamp":"2026-10-21T09:01:00Z","type":"response_item","type":"x","payload":{"role":"user"}}\n'
    reading = read_as("codex", jsonl([meta(), spoken(1, "user", "hi")]) + forged)
    assert (people(reading), reading.left_out) == (["hi"], {"a key stands twice": 1})


def test_a_rollout_without_a_head_is_named_by_its_file() -> None:
    assert only_part(read_as("codex", [spoken(1, "user", "hi")], path=PATH)).id == SESSION
    assert FORMAT.names(b"", PATH) == SESSION
    assert FORMAT.names(jsonl([meta()]), "x.jsonl") == SESSION


def test_a_compressed_rollout_is_refused_as_such() -> None:
    assert read_as("codex", b"\x28\xb5\x2f\xfd\x00" * 9, path="x.jsonl.zst").refused == "compressed with zstd"


def test_lists_of_prompts_belong_to_the_sessions() -> None:
    assert is_companion("/home/ana/.codex/history.jsonl")
    assert not is_companion(PATH)


def test_rollouts_are_recognised_by_their_lines() -> None:
    assert recognised([meta()]) == "codex"
    assert recognised([{"timestamp": stamp(0), "role": "user", "content": "hi", "model": "m"}]) == "codex"
    assert recognised([{"timestamp": stamp(0), "text": "session_meta"}]) == ""


def test_wrappers_of_great_length_are_read_in_time() -> None:
    printed = "Exit code: 0\n" * 20_000 + "Wall time: x\n" * 20_000
    message = only_message(read(call(1, "shell", {"command": ["make"]}), output(2, printed)))
    assert (message.exit_code, message.cut) == (None, len(printed) - ReadingLimits().printed)
