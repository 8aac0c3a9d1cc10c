"""Past sessions as the command line lists, shows and searches them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from config.limits import History, Limits
from dream.errors import TransientError, UsageError
from flows.commands.answers import Answer
from flows.commands.past import Filters, list_past, search_past, show_past
from flows.remembering import open_history
from tests.history.sessions import SAID, UUID, condensed, session
from tests.support.commands import Commands, configure
from tests.support.repositories import host
from tests.support.sensible import converse
from tests.support.served import Served
from tests.support.stage import Stage, stage_of

ASKED, DONE = "Please rename the queue to orders-v2.", "I renamed the queue to orders-v2 and its consumer."
FIRST = f"2026-10-21 09:00  1m  ana  web@main  {DONE}  -  thread_00000001"
SECOND = "2026-10-21 09:00  1m  ana  web@main  The alert is silent until noon.  -  thread_00000002"
SUMMARY = "2026-10-21 10:00  30m  ana  acme/web  Refund limits  -  thread_7c2e0001"


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    converse(made, 1, ASKED, DONE)
    converse(made, 2, "Silence the alert\nof the queue.", "The alert is silent until noon.")
    made.dream()
    return made


def listed(stage: Stage, filters: Mapping[str, str] | None = None, *, limit: int = 0) -> Answer:
    return list_past(configure(stage), "acme", Filters(**(filters or {})), limit=limit)


def searched(stage: Stage, *words: str, filters: Mapping[str, str] | None = None, **options: Any) -> Answer:
    return search_past(configure(stage), "acme", words, Filters(**(filters or {})), **options)


def test_past_sessions_are_listed_a_line_each_the_latest_first(stage: Stage) -> None:
    answer = listed(stage)
    assert (answer.text.split("\n"), answer.exit_code) == ([SUMMARY, SECOND, FIRST], 0)
    assert [one["name"] for one in answer.document["sessions"]] == [
        "thread_7c2e0001", "thread_00000002", "thread_00000001",
    ]  # fmt: skip


def test_a_list_that_is_cut_says_so(stage: Stage) -> None:
    answer = listed(stage, limit=1)
    assert answer.text.split("\n") == [SUMMARY, "# 2 more: raise --limit"]
    assert (len(answer.document["sessions"]), answer.document["more"]) == (1, 2)


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"since": "2026-10-21"}, 3),
        ({"since": "2026-10-22"}, 0),
        ({"until": "2026-10-21"}, 3),
        ({"until": "2026-10-20"}, 0),
        ({"since": "0001-01-01", "until": "9999-12-31"}, 3),
        ({"since": "9999-12-31"}, 0),
        ({"person": "ANA"}, 3),
        ({"person": "an"}, 0),
        ({"repository": "web"}, 3),
        ({"repository": "acme/web"}, 1),
        ({"repository": "eb"}, 0),
    ],
)
def test_only_the_sessions_that_are_meant_are_listed(stage: Stage, filters: Mapping[str, str], count: int) -> None:
    answer = listed(stage, filters)
    assert (len(answer.document["sessions"]), answer.exit_code) == (count, 0 if count else 1)
    assert count or answer.text == "# no session of acme is kept that is meant, of 3"


def test_a_session_is_shown_with_what_is_worth_reading_of_it(stage: Stage) -> None:
    answer = show_past(configure(stage), "acme", "thread_00000001")
    lines = answer.text.split("\n")
    assert (lines[0], answer.exit_code) == (FIRST, 0)
    assert ASKED in lines
    assert answer.document["text"] in answer.text + "\n"
    assert answer.document["session"]["id"] == "00000001-0000-4000-8000-000000000001"


def test_all_of_a_session_is_shown_on_demand(stage: Stage) -> None:
    long = "\n".join(f"line {number} of many" for number in range(5000))
    converse(stage, 3, "Read it.", long)
    stage.next_night(days=0, redo=["tidy"])
    assert "line 2500 of many" not in show_past(configure(stage), "acme", "thread_00000003").text
    assert "line 2500 of many" in show_past(configure(stage), "acme", "thread_00000003", full=True).text


def test_a_session_that_is_not_kept_is_exit_1_and_says_so(stage: Stage) -> None:
    answer = show_past(configure(stage), "acme", "thread_nowhere\x1b[2J")
    assert (answer.text, answer.exit_code, answer.document["session"]) == (
        "# acme has kept no session called thread_nowhere\\x1b[2J", 1, None,
    )  # fmt: skip


def test_a_name_of_several_sessions_asks_which(stage: Stage) -> None:
    with pytest.raises(UsageError, match="thread_0000 names 2 sessions of acme") as raised:
        show_past(configure(stage), "acme", "thread_0000")
    assert raised.value.way_out.startswith("name one of them: thread_00000001.")


def test_words_are_found_in_the_messages_that_hold_them(stage: Stage) -> None:
    answer = searched(stage, "RENAMED", "queue")
    assert (answer.text.split("\n"), answer.exit_code) == (
        [f"thread_00000001: {FIRST}", f"thread_00000001:m2: {DONE}"], 0,
    )  # fmt: skip
    assert searched(stage, "silence", "queue").text.split("\n") == [
        "thread_00000002:m1: Silence the alert",
        "thread_00000002:m1: of the queue.",
    ]
    assert answer.document["hits"][1] == {"session": "thread_00000001", "message": "m2", "text": DONE}


def test_what_is_found_nowhere_is_exit_1(stage: Stage) -> None:
    answer = searched(stage, "nowhere-to-be-found")
    assert (answer.text, answer.exit_code) == ("# nothing in 3 sessions of acme", 1)
    assert searched(stage, "queue", filters={"until": "2026-10-20"}).text == "# nothing in 0 sessions of acme"


def test_a_pattern_is_looked_for_in_whatever_case(stage: Stage) -> None:
    assert searched(stage, regex=r"orders-v[0-9]\.$").text == f"thread_00000001:m1: {ASKED}"
    with pytest.raises(UsageError, match="is no pattern"):
        searched(stage, regex="(")
    with pytest.raises(UsageError, match="what is to be looked for"):
        searched(stage, "")


def test_a_pattern_that_takes_for_ever_is_stopped_and_told(served: Served, tmp_path: Path) -> None:
    limits = Limits(history=History(seconds=1)).model_dump()
    stage = stage_of(served, tmp_path, extra={"limits": limits})
    stage.summarise({})
    converse(stage, 1, "a" * 60 + "b", DONE)
    stage.dream()
    with pytest.raises(UsageError, match="the search did not end within 1 s"):
        searched(stage, regex="(a+)+$")
    assert searched(stage, regex="a{9}b").text == f"thread_00000001:m1: {'a' * 60}b"


def test_a_search_that_is_cut_says_where(stage: Stage) -> None:
    answer = searched(stage, "queue", limit=2)
    assert answer.text.split("\n")[2:] == ["# these are the first 2: raise --limit for more"]
    assert (len(answer.document["hits"]), answer.document["more"]) == (2, True)
    stage.extra = {"limits": {"history": {"hits": 1}}}
    assert len(searched(stage, "queue").document["hits"]) == 1


def test_what_was_left_out_of_a_condensed_session_is_found_in_all_of_it(stage: Stage) -> None:
    long = "\n".join(f"line {number} of many" for number in range(5000))
    converse(stage, 3, "Read it.", long)
    stage.next_night(days=0, redo=["tidy"])
    assert searched(stage, "line 2500 of many").exit_code == 1
    assert searched(stage, "line 2500 of many", full=True).text == "thread_00000003:m2: line 2500 of many"


def test_what_is_damaged_is_told_beside_the_rest_and_is_exit_1(stage: Stage) -> None:
    (path,) = (stage.root / "home" / "acme" / "store").rglob("thread_00000001.*.json")
    path.write_bytes(b"{")
    answer = listed(stage)
    told = f"2026-10/{path.name}: it is cut or changed"
    assert answer.text.split("\n") == [SUMMARY, SECOND, f"# passed over: {told}"]
    assert (answer.document["damaged"], answer.exit_code) == ([told], 1)


def test_nothing_that_a_session_holds_acts_on_a_terminal(stage: Stage) -> None:
    hostile = "\x1b]0;owned\x07 and\x1b[2J\u202e hidden"
    open_history(stage.workplace()).keep(
        session("hostile", said=(*SAID, (SAID[3][0], hostile)), title=hostile, branch=hostile), condense=condensed
    )
    for answer in (
        listed(stage),
        show_past(configure(stage), "acme", "thread_hostile"),
        show_past(configure(stage), "acme", "thread_hostile", full=True),
        searched(stage, "owned"),
    ):
        assert "owned" in answer.text
        assert not any(character in answer.text for character in "\x1b\x07\u202e")


def test_a_store_that_is_down_is_no_empty_history(stage: Stage) -> None:
    (stage.root / "file").write_text("no folder", encoding="utf-8")
    settings = configure(stage).model_copy(update={"store": str(stage.root / "file")})
    with pytest.raises(TransientError, match="cannot be read or written"):
        list_past(settings, "acme", Filters())


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Commands:
    commands = Commands(tmp_path, capsys, monkeypatch)
    commands.write("acme", {"memory": {"url": "https://git.acme.example/memory.git"}})
    return commands


def test_the_commands_say_what_the_functions_behind_them_do(dream: Commands) -> None:
    empty = dream("history", "list", "acme")
    assert (empty.exit, empty.out) == (1, "# no session of acme is kept that is meant, of 0\n")
    store = dream.root / "home" / "acme" / "store"
    from tests.history.sessions import store as history_at  # noqa: PLC0415

    history_at(store).keep(session(), condense=condensed)
    line = (
        "2026-10-21 09:00  30m  ana  acme/web@fix-queue  I renamed the queue to orders-v2 and fixed its consumer."
        "  acme/web#41  thread_7c2e91aa\n"
    )
    assert (dream("history", "list", "acme").out, dream("history", "list", "acme").exit) == (line, 0)
    assert dream("history", "show", "acme", UUID).out.startswith(line + "\nsession: thread_7c2e91aa")
    assert "2 failed, 3 passed" in dream("history", "transcript", "acme", "thread_7c2e91aa").out
    assert dream("history", "search", "acme", "failed", "PASSED").out == "thread_7c2e91aa:m3: 2 failed, 3 passed\n"
    assert dream("history", "search", "acme", "--regex", "[0-9] failed", "--full").exit == 0
    for arguments in (("list", "acme"), ("show", "acme", UUID), ("transcript", "acme", UUID), ("search", "acme", "x")):
        assert json.loads(dream("history", *arguments, "--json").out)["organisation"] == "acme"


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "nobody"),
        ("list", "acme", "--since", "yesterday"),
        ("list", "acme", "--limit", "0"),
        ("search", "acme"),
        ("search", "acme", "--regex", "("),
        ("show", "acme"),
        ("nothing", "acme"),
    ],
)
def test_wrong_usage_is_exit_2_and_says_what_is_right(dream: Commands, arguments: tuple[str, ...]) -> None:
    ended = dream("history", *arguments)
    assert (ended.exit, ended.out) == (2, "")
    assert ended.err.startswith("dream: ")


def test_nothing_is_kept_of_an_organisation_without_a_night(served: Served, tmp_path: Path) -> None:
    stage = Stage(hosted=host(served, "bare", {}), root=tmp_path)
    assert list_past(configure(stage), "acme", Filters()).exit_code == 1
    assert not (tmp_path / "home").exists()
