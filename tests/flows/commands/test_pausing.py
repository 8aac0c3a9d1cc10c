"""`dream pause` and `dream resume`: what they print and keep, and what they refuse."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import structlog

from config.settings import Settings
from dream.errors import UsageError
from dream.report.pauses import Pause
from flows.clock import Clock
from flows.commands.pausing import pause_nights, resume_nights, who
from flows.pausing import EVERYONE, add_pause, place_of
from tests.support.commands import Commands

NOW = datetime(2026, 11, 30, 14, 5, 9, 123, tzinfo=UTC)
MEMORY = {"memory": {"url": "https://git.acme.example/memory.git"}}
CLOCK = Clock(now=lambda: NOW, monotonic=lambda: 0.0, sleep=lambda _: None, jitter=lambda seconds: seconds)


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    made = Commands(tmp_path, capsys, monkeypatch)
    made.write("acme", MEMORY)
    made.write("other", MEMORY)
    yield made
    structlog.reset_defaults()


@pytest.fixture
def settings(dream: Commands) -> Settings:
    return Settings(home=dream.root / "home", organisations=dream.root / "organisations", by="ana")


def test_a_pause_is_told_with_the_way_out_and_resuming_tells_what_it_was(settings: Settings) -> None:
    told = "paused since 2026-11-30 14:05 UTC by ana until the night of 2026-12-03: the index is moved"
    paused = pause_nights(
        settings, "acme", tasks=(), until=date(2026, 12, 3), reason="the index\n is moved", clock=CLOCK
    )
    assert paused.text.splitlines() == [
        f"acme: {told}; dream resume acme",
        "A night that is at work now lands nothing either, unless it is landing just now.",
    ]
    assert paused.document == {
        "organisation": "acme",
        "paused": {
            "since": "2026-11-30T14:05:09Z",
            "by": "ana",
            "reason": "the index is moved",
            "until": "2026-12-03",
            "tasks": [],
            "everyone": False,
            "way_out": "dream resume acme",
        },
        "replaced": [],
        "exit": 0,
    }
    again = pause_nights(settings, "acme", tasks=(), until=None, reason="", clock=CLOCK)
    assert again.text.splitlines()[:2] == [
        "acme: paused since 2026-11-30 14:05 UTC by ana; dream resume acme",
        f"in place of: {told}",
    ]
    resumed = resume_nights(settings, "acme", tasks=(), clock=CLOCK)
    assert (resumed.exit_code, resumed.text.splitlines()) == (
        0,
        [
            "acme: goes on; paused since 2026-11-30 14:05 UTC by ana",
            "The next night takes up what waits; at once: dream run acme",
        ],
    )
    nothing = resume_nights(settings, "acme", tasks=(), clock=CLOCK)
    assert (nothing.exit_code, nothing.text.splitlines()[0]) == (0, "acme: goes on; nothing was paused by a person")


def test_tasks_go_on_with_what_was_taken_back_of_them_forgiven_and_how_to_do_them_at_once(settings: Settings) -> None:
    paused = pause_nights(settings, "acme", tasks=("daily-note", "tidy"), until=None, reason="", clock=CLOCK)
    assert paused.text == (
        "acme: daily note, tidy paused since 2026-11-30 14:05 UTC by ana; dream resume acme --task daily_note tidy"
    )
    resumed = resume_nights(settings, "acme", tasks=("tidy",), clock=CLOCK)
    assert (resumed.exit_code, resumed.text.splitlines()) == (
        0,
        [
            "acme: tidy: goes on; paused since 2026-11-30 14:05 UTC by ana",
            "What was taken back up to the night of 2026-11-30 counts against them no more.",
            "The next night takes up what waits; at once: dream run acme --redo tidy",
            "acme: still daily note paused since 2026-11-30 14:05 UTC by ana; dream resume acme --task daily_note",
        ],
    )


def test_an_organisation_that_everyone_s_pause_holds_does_not_go_on_by_its_own_name(settings: Settings) -> None:
    pause_nights(settings, EVERYONE, tasks=(), until=None, reason="", clock=CLOCK)
    pause_nights(settings, "other", tasks=(), until=None, reason="", clock=CLOCK)
    told = "paused with all organisations since 2026-11-30 14:05 UTC by ana; dream resume --all"
    held = resume_nights(settings, "acme", tasks=(), clock=CLOCK)
    assert (held.exit_code, held.text) == (1, f"acme: still {told}")
    freed = resume_nights(settings, EVERYONE, tasks=(), clock=CLOCK)
    assert (freed.exit_code, freed.text.splitlines()) == (
        0,
        [
            f"all organisations: go on; {told.removesuffix('; dream resume --all')}",
            "The next night takes up what waits; at once: dream nightly",
            "other: still paused since 2026-11-30 14:05 UTC by ana; dream resume other",
        ],
    )


def test_its_own_pause_is_told_as_ended_where_everyone_s_holds_it_still(settings: Settings) -> None:
    for name in (EVERYONE, "acme"):
        pause_nights(settings, name, tasks=(), until=None, reason="", clock=CLOCK)
    held = resume_nights(settings, "acme", tasks=(), clock=CLOCK)
    assert (held.exit_code, held.text.splitlines()) == (
        1,
        [
            "acme: no more paused since 2026-11-30 14:05 UTC by ana",
            "acme: still paused with all organisations since 2026-11-30 14:05 UTC by ana; dream resume --all",
        ],
    )


def test_a_broken_file_that_is_taken_away_is_told_and_so_is_one_that_is_not(settings: Settings) -> None:
    pause_nights(settings, "acme", tasks=(), until=None, reason="", clock=CLOCK)
    Path(place_of(settings, "acme")).write_text("[]")
    unknown = f"what is paused is not known: {place_of(settings, 'acme')}: Input should be an object"
    freed = resume_nights(settings, EVERYONE, tasks=(), clock=CLOCK)
    way_out = "mend the file, or take it away with: dream resume acme"
    assert freed.text.splitlines()[-1] == f"acme: {unknown}; {way_out}"
    assert freed.document["not_known"] == {"acme": unknown}
    resumed = resume_nights(settings, "acme", tasks=(), clock=CLOCK)
    assert (resumed.text.splitlines()[0], resumed.document["taken_away"]) == (f"taken away: {unknown}", unknown)
    assert not Path(place_of(settings, "acme")).exists()


def test_a_task_that_another_release_knew_is_let_go_on_with_the_command_that_is_told(settings: Settings) -> None:
    gone = Pause(since=NOW, by="ana", tasks=("wash",))
    add_pause(settings, "acme", gone, now=NOW)
    told = resume_nights(settings, "acme", tasks=(), clock=CLOCK).text
    assert told.endswith("dream resume acme --task wash")
    assert resume_nights(settings, "acme", tasks=("wash",), clock=CLOCK).document["ended"] == [gone.payload("acme")]


@pytest.mark.parametrize(
    ("name", "tasks", "until", "reason", "cause"),
    [
        ("nobody", (), None, "", "no organisation 'nobody'"),
        ("acme", ("index-rewrite",), None, "", "the task 'index_rewrite' is made afresh at every landing"),
        ("acme", ("dance",), None, "", "the task 'dance' does not exist"),
        ("acme", (), date(2026, 11, 30), "", "the night of 2026-11-30 is not ahead"),
        ("acme", (), None, "x" * 501, "the reason has 501 characters, more than 500"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage_and_keeps_nothing(
    settings: Settings, *, name: str, tasks: tuple[str, ...], until: date | None, reason: str, cause: str
) -> None:
    with pytest.raises(UsageError, match=cause):
        pause_nights(settings, name, tasks=tasks, until=until, reason=reason, clock=CLOCK)
    assert not settings.home.exists()


def test_one_whose_configuration_is_broken_can_be_paused_and_let_go_on(dream: Commands) -> None:
    dream.write("acme", {"memory": {}})
    assert dream("pause", "acme").exit == 0
    assert dream("resume", "acme").exit == 0


def test_who_paused_is_what_dream_by_says_else_this_machine_s_user(
    dream: Commands, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert who(settings.model_copy(update={"by": ""})) == getpass.getuser()
    monkeypatch.setenv("DREAM_BY", " Ana of ops ")
    ended = dream("pause", "--all", "--task", "tidy", "distil", "--reason", "a bad release", "--json")
    paused = ended.document["paused"]
    assert (ended.exit, paused["by"], paused["tasks"], paused["everyone"]) == (
        0,
        "Ana of ops",
        ["tidy", "distil"],
        True,
    )


@pytest.mark.parametrize(
    "arguments", [("pause",), ("resume",), ("pause", "acme", "--all"), ("resume", "acme", "--all")]
)
def test_one_organisation_is_named_or_all_and_not_both(dream: Commands, arguments: tuple[str, ...]) -> None:
    ended = dream(*arguments)
    assert (ended.exit, ended.out) == (2, "")
    assert f"dream {arguments[0]} ORG, or dream {arguments[0]} --all" in ended.err


def test_what_a_reason_holds_cannot_act_on_a_terminal(dream: Commands) -> None:
    ended = dream("pause", "acme", "--reason", "red \x1b[31m alert")
    assert (ended.exit, "\x1b" in ended.out, r"red \x1b[31m alert" in ended.out) == (0, False, True)
