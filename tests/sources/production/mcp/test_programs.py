from __future__ import annotations

import json
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.mcp.probe import McpProbe
from dream.sources.production.mcp.source import McpSource
from dream.sources.production.port import Answer, Down, Found, Line, Nothing, Proof, Refused
from tests.support.mcp_probes import (
    FEW_BYTES,
    HURRIED,
    ORDERS,
    PATIENT,
    REPLICAS,
    SHORT,
    by_command,
    started,
    still_running,
)


def test_a_command_is_given_its_variables_its_credential_and_an_empty_folder(tmp_path: Path) -> None:
    with by_command(tmp_path / "trace", "tells-variables") as probe:
        answer = probe.ask("replicas", ORDERS)
    assert isinstance(answer, Found)
    (told,) = (dict(line.fields) for line in answer.lines)
    assert (set(told["variables"].split()) - {"LC_CTYPE"}, told["held"]) == ({"INVENTORY_TOKEN", "TRACE"}, "0")
    assert Path(told["cwd"]).name.startswith("dream-mcp-")
    assert not Path(told["cwd"]).exists()


def test_a_server_of_the_previous_protocol_is_asked_in_it(tmp_path: Path) -> None:
    with by_command(tmp_path / "trace") as before:
        assert before.ask("replicas", ORDERS) == REPLICAS
        listed, last = before.examine()
    assert listed.seen == "before\\u001b[31m 1, protocol 2025-11-25; may be called: replicas"
    assert last.sound


def test_a_server_that_answers_only_the_previous_protocol_is_asked_in_it(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    with by_command(trace, "silent-server/discover", limits=SHORT) as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert len(started(trace)) == 2
        os.kill(started(trace)[-1], signal.SIGKILL)
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert len(started(trace)) == 3  # which way of speaking it knows is not tried again


def test_a_server_that_hangs_is_down_and_ended(tmp_path: Path) -> None:
    stages = {
        "hang-connect": ("connecting", HURRIED),
        "hang-initialize": ("connecting", HURRIED),
        "hang-tools/list": ("listing its tools", SHORT),
        "hang-tools/call": ("calling", SHORT),
    }

    def ask(fault: str, limits: ProbeLimits) -> Answer:
        with by_command(tmp_path / fault.replace("/", "-"), fault, limits=limits) as probe:
            answer = probe.ask("replicas", ORDERS)
            assert still_running(started(tmp_path / fault.replace("/", "-"))) == []
        return answer

    with ThreadPoolExecutor() as at_once:
        asked = {fault: at_once.submit(ask, fault, limits) for fault, (_, limits) in stages.items()}
        answers = {fault: answer.result() for fault, answer in asked.items()}
    assert answers == {
        fault: Down(f"it gave no answer within {limits.seconds:g} s ({stage})")
        for fault, (stage, limits) in stages.items()
    }


@pytest.mark.parametrize(
    ("fault", "answer"),
    [
        ("asks-back", REPLICAS),
        ("floods-errors", REPLICAS),
        ("garbage", REPLICAS),
        ("end-initialize", Down(f"its command {sys.executable} broke off before it answered (exit code 3)")),
        ("end-tools/call", Down(f"its command {sys.executable} broke off before it answered (exit code 3)")),
        ("changes-listing", REPLICAS),
        ("changes-tools", Refused("its tools changed while it was asked")),
        ("huge", Refused("it says more than an answer of 1000000 bytes takes")),
        ("endless-line", Refused("it says more than an answer of 1000000 bytes takes")),
        ("endless-pages", Refused("it lists more than 20 pages of tools")),
        ("input-required", Refused("it asks for something before it answers, and is given nothing")),
        ("not-of-the-protocol", Refused("what it answers is not of the protocol")),
        ("no-longer-read-only", Refused("the server does not mark replicas read-only")),
        ("twice", Refused("the server has no one tool replicas")),
        ("protocol-error", Nothing("it says that it failed: bad\\u001b[31m day")),
    ],
)
def test_a_server_that_misbehaves_is_bounded_and_named(tmp_path: Path, fault: str, answer: Answer) -> None:
    with by_command(tmp_path / "trace", fault, limits=PATIENT) as probe:
        assert probe.ask("replicas", ORDERS) == answer
    assert len(started(tmp_path / "trace")) == 1
    assert still_running(started(tmp_path / "trace")) == []


@pytest.mark.parametrize("fault", ["floods-notifications", "floods-progress", "floods-forever"])
def test_a_flood_ends_with_the_bytes_of_a_question(tmp_path: Path, fault: str) -> None:
    with by_command(tmp_path / "trace", fault, limits=FEW_BYTES) as probe:
        assert probe.ask("replicas", ORDERS) == Refused("it says more than an answer of 1000 bytes takes")
        assert still_running(started(tmp_path / "trace")) == []


def test_a_flood_ends_with_the_time_of_a_question(tmp_path: Path) -> None:
    limits = ProbeLimits(seconds=3, output_bytes=1_000_000_000)
    with by_command(tmp_path / "trace", "floods-forever", limits=limits) as probe:
        assert probe.ask("replicas", ORDERS) == Down("it gave no answer within 3 s (calling)")
        assert still_running(started(tmp_path / "trace")) == []


def test_a_pattern_of_the_server_that_takes_forever_is_not_tried(tmp_path: Path) -> None:
    with by_command(tmp_path / "trace", "slow-pattern") as probe:
        answer = probe.ask("replicas", ORDERS)
    said = "a" * 40 + "!"
    assert answer == Found(
        lines=(Line(text=f'said="{said}"', fields=(("said", said),)),), values=(said,), names=("orders-api",)
    )


def test_every_question_of_a_server_is_declined(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    with by_command(trace, "asks-back") as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
    noted = [json.loads(line) for line in trace.read_text().splitlines()]
    answered = {message["id"]: "error" in message for message in noted if "method" not in message and "id" in message}
    assert answered == {"q-sampling/createMessage": True, "q-elicitation/create": True, "q-roots/list": True}


def test_a_program_that_never_ends_is_killed_with_what_it_started(tmp_path: Path) -> None:
    with by_command(tmp_path / "trace", "never-ends") as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
    assert len(started(tmp_path / "trace")) == 2
    assert still_running(started(tmp_path / "trace")) == []


@pytest.mark.parametrize("fault", ["later-other-schema", "later-no-longer-read-only"])
def test_a_tool_that_is_not_what_it_was_listed_as_is_not_called(tmp_path: Path, fault: str) -> None:
    with by_command(tmp_path / "trace", fault) as probe:
        assert [operation.name for operation in probe.operations] == ["replicas"]
        assert probe.ask("replicas", ORDERS) == Refused("replicas is not what it was when it was listed first")
    assert "tools/call" not in (tmp_path / "trace").read_text()
    assert len(started(tmp_path / "trace")) == 2


def test_a_server_whose_command_is_not_there_is_down(tmp_path: Path) -> None:
    probe = McpProbe(McpSource(name="gone", command=(str(tmp_path / "none"),), tools=("a",)), limits=SHORT)
    told = f"its command {tmp_path / 'none'} cannot be started (No such file or directory)"
    wrong = f"{told}; write its whole path, or name PATH under environment"
    assert probe.ask("a", "") == Down(wrong)
    assert probe.objection("b", "") == "b is none of the tools that may be called: a"
    assert probe.ask("b", "") == Refused("b is none of the tools that may be called: a")
    assert probe.operations == ()
    assert probe.examine()[0] == Proof(tried="list its tools", sound=False, seen=wrong)


def test_a_server_of_which_no_tool_may_be_called_is_told_so_when_it_is_examined(tmp_path: Path) -> None:
    with by_command(tmp_path / "trace", tools=()) as probe:
        listed, none, last = probe.examine()
    assert (listed.sound, none, last.sound) == (
        True,
        Proof(
            tried="call a tool",
            sound=False,
            seen="no tool may be called, so that it is never asked: name some under tools",
        ),
        True,
    )


def test_no_argument_and_no_variable_of_a_command_is_told(tmp_path: Path) -> None:
    with by_command(tmp_path / "trace", "end-initialize", "--token", "s3cret-argument") as probe:
        told = str(probe.ask("replicas", ORDERS))
    assert told == f"Down(reason='its command {sys.executable} broke off before it answered (exit code 1)')"
