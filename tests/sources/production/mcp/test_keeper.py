from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from dream.sources.production.mcp.limits import SessionLimits
from dream.sources.production.port import Down, Refused
from tests.conftest import ROOT
from tests.support.mcp_probes import (
    FEW_BYTES,
    HANGS,
    ORDERS,
    REPLICAS,
    SHORT,
    by_command,
    started,
    still_running,
)

LATE = Down("it gave no answer within 3 s (calling)")
BROKE_OFF = Down(f"its command {sys.executable} broke off before it answered (exit code 3)")
NOT_THE_SAME = Refused("replicas is not what it was when it was listed first")
CLOSED = Down("the session was closed")


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return tmp_path / "trace"


def test_the_questions_of_a_night_share_one_session(trace: Path) -> None:
    with by_command(trace) as probe:
        assert [operation.name for operation in probe.operations] == ["replicas"]
        assert [probe.ask("replicas", ORDERS) for _ in range(5)] == [REPLICAS] * 5
        assert probe.examine()[0].sound
        (server,) = started(trace)
    assert still_running([server]) == []
    assert trace.read_text().count("tools/call") == 5


def test_nothing_is_started_before_the_first_question_or_after_the_end(trace: Path) -> None:
    with by_command(trace) as probe:
        assert probe.objection("replicas", ORDERS) == ""
        probe.close()
        assert probe.ask("replicas", ORDERS) == CLOSED
        probe.close()
    assert started(trace) == []


def test_a_question_that_is_not_answered_in_time_ends_its_session_and_the_next_begins_another(trace: Path) -> None:
    with by_command(trace, limits=SHORT) as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert probe.ask("replicas", HANGS) == LATE
        assert still_running(started(trace)) == []
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert len(started(trace)) == 2


def test_after_as_many_dead_sessions_in_a_row_as_there_may_be_none_is_begun(trace: Path) -> None:
    with by_command(trace, "end-tools/call") as probe:
        answers = [probe.ask("replicas", ORDERS) for _ in range(5)]
    none = Down(f"it is asked no more tonight, after 3 sessions in a row died: {BROKE_OFF.reason}")
    assert answers == [BROKE_OFF, BROKE_OFF, BROKE_OFF, none, none]
    assert len(started(trace)) == 3


def test_only_sessions_that_die_in_a_row_count(trace: Path) -> None:
    with by_command(trace, "ends-on-hangs", sessions=SessionLimits(deaths=2)) as probe:
        assert [probe.ask("replicas", text) for text in (HANGS, ORDERS, HANGS, HANGS, ORDERS)] == [
            BROKE_OFF,
            REPLICAS,
            BROKE_OFF,
            BROKE_OFF,
            Down(f"it is asked no more tonight, after 2 sessions in a row died: {BROKE_OFF.reason}"),
        ]


def test_a_session_that_ends_between_two_questions_is_opened_again_silently(trace: Path) -> None:
    with by_command(trace, "ends-after") as probe:
        assert [probe.ask("replicas", ORDERS) for _ in range(5)] == [REPLICAS] * 5
    assert len(started(trace)) == 5
    assert still_running(started(trace)) == []


def test_what_a_session_that_has_ended_left_running_is_ended_before_the_next_question(trace: Path) -> None:
    with by_command(trace, "leaves-a-child") as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert len(started(trace)) == 2
        assert still_running(started(trace)) == []


def test_a_session_that_ends_over_its_second_question_is_opened_again_once(trace: Path) -> None:
    with by_command(trace, "ends-on-hangs") as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert probe.ask("replicas", HANGS) == BROKE_OFF
        assert len(started(trace)) == 2


def test_what_a_server_says_between_two_questions_is_bounded(trace: Path) -> None:
    with by_command(trace, "floods-between", limits=FEW_BYTES) as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert still_running(started(trace)) == []
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert len(started(trace)) == 2


@pytest.mark.parametrize("fault", ["changes-between", "changes-unsaid"])
def test_a_tool_that_changes_between_two_questions_is_called_no_more(trace: Path, fault: str) -> None:
    with by_command(trace, fault) as probe:
        assert [probe.ask("replicas", ORDERS) for _ in range(3)] == [REPLICAS, NOT_THE_SAME, NOT_THE_SAME]
    assert (len(started(trace)), trace.read_text().count("tools/call")) == (1, 1)


def test_a_change_of_other_tools_between_two_questions_changes_nothing(trace: Path) -> None:
    with by_command(trace, "says-changed") as probe:
        assert [probe.ask("replicas", ORDERS) for _ in range(3)] == [REPLICAS] * 3
        assert len(started(trace)) == 1


def test_an_answer_that_comes_late_is_not_that_of_a_later_question(trace: Path) -> None:
    with by_command(trace, "late") as probe:
        assert [probe.ask("replicas", ORDERS) for _ in range(3)] == [REPLICAS] * 3


def test_the_end_of_a_night_ends_a_question_that_waits(trace: Path) -> None:
    with by_command(trace) as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
        answers: list[object] = []
        asking = threading.Thread(target=lambda: answers.append(probe.ask("replicas", HANGS)))
        asking.start()
        while trace.read_text().count("tools/call") < 2:
            asking.join(0.01)
        probe.close()
        asking.join()
        assert answers == [CLOSED]
        assert probe.ask("replicas", ORDERS) == CLOSED
        assert len(started(trace)) == 1
        assert still_running(started(trace)) == []


def test_a_program_ends_when_who_asks_it_is_killed(trace: Path) -> None:
    program = (
        "import pathlib, sys; from tests.support.mcp_probes import *\n"
        f"with by_command(pathlib.Path({str(trace)!r})) as probe:\n"
        "    print(probe.ask('replicas', ORDERS) == REPLICAS, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as asking:
        assert asking.stdout is not None
        assert asking.stdout.readline() == "True\n"
        (server,) = started(trace)
        os.kill(server, 0)
        asking.send_signal(signal.SIGKILL)
        assert still_running([server]) == []
