"""What is kept of pauses: of one organisation and of everyone, of nights and of tasks, and what a broken file does."""

from __future__ import annotations

import errno
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from config.settings import Settings
from dream.object_store import StoreDownError
from dream.report.pauses import Pause
from flows.pausing import (
    EVERYONE,
    BrokenPausesError,
    ForeignPausesError,
    Pauses,
    add_pause,
    end_pauses,
    pauses_of_each,
    place_of,
    read_file,
    read_pause,
    read_pauses,
)

NOW = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)
DUE = date(2026, 11, 30)
MOVING = Pause(since=NOW, by="ana", reason="the index is moved")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", organisations=tmp_path)


def test_without_a_file_nothing_is_paused_and_none_is_made(settings: Settings) -> None:
    assert read_pauses(settings, "acme", now=NOW) == Pauses()
    assert not settings.home.exists()


def test_a_pause_holds_for_its_organisation_alone_until_it_is_ended(settings: Settings) -> None:
    assert add_pause(settings, "acme", MOVING, now=NOW) == ()
    assert read_pause(settings, "acme", now=NOW + timedelta(days=400)) == MOVING
    assert read_pause(settings, "other", now=NOW) is None
    assert end_pauses(settings, "acme", (), now=NOW) == (MOVING,)
    assert read_pauses(settings, "acme", now=NOW) == Pauses()


def test_a_pause_of_everyone_holds_for_all_and_an_organisation_s_own_is_told_first(settings: Settings) -> None:
    everyone = MOVING.model_copy(update={"everyone": True})
    add_pause(settings, EVERYONE, everyone, now=NOW)
    add_pause(settings, "acme", MOVING, now=NOW)
    assert read_pauses(settings, "acme", now=NOW).holding == (MOVING, everyone)
    assert read_pause(settings, "other", now=NOW) == everyone
    assert end_pauses(settings, "acme", (), now=NOW) == (MOVING,)
    assert read_pause(settings, "acme", now=NOW) == everyone


def test_no_organisation_can_take_the_place_of_everyone(settings: Settings) -> None:
    add_pause(settings, "everyone", MOVING, now=NOW)
    assert read_pause(settings, "acme", now=NOW) is None


@pytest.mark.parametrize(
    ("now", "holds"),
    [
        (datetime(2026, 12, 2, 4, 0, tzinfo=UTC), True),
        (datetime(2026, 12, 3, 3, 59, tzinfo=UTC), True),
        (datetime(2026, 12, 3, 4, 0, tzinfo=UTC), False),
        (datetime(2026, 12, 9, 4, 0, tzinfo=UTC), False),
    ],
)
def test_a_pause_with_an_end_ends_by_itself_with_the_night_that_it_names(
    settings: Settings, now: datetime, *, holds: bool
) -> None:
    pause = MOVING.model_copy(update={"until": date(2026, 12, 3)})
    add_pause(settings, "acme", pause, now=NOW)
    assert read_pause(settings, "acme", now=now) == (pause if holds else None)


def test_tasks_are_paused_and_go_on_one_by_one_and_nights_beside_them(settings: Settings) -> None:
    tasks = MOVING.model_copy(update={"tasks": ("tidy", "distil")})
    add_pause(settings, "acme", tasks, now=NOW)
    add_pause(settings, "acme", MOVING, now=NOW)
    assert end_pauses(settings, "acme", (), now=NOW) == (MOVING,)
    assert end_pauses(settings, "acme", ("tidy",), now=NOW) == (tasks,)
    left = tasks.model_copy(update={"tasks": ("distil",)})
    assert read_pauses(settings, "acme", now=NOW) == Pauses(holding=(left,), forgiven={"tidy": DUE})
    assert read_pauses(settings, "acme", now=NOW).of_task("distil") == left
    assert read_pauses(settings, "acme", now=NOW).of_task("tidy") is None
    assert read_pause(settings, "acme", now=NOW) is None


def test_a_pause_replaces_the_one_of_the_same_nights_or_tasks_and_tells_which(settings: Settings) -> None:
    tasks = MOVING.model_copy(update={"tasks": ("tidy", "distil")})
    add_pause(settings, "acme", MOVING, now=NOW)
    add_pause(settings, "acme", tasks, now=NOW)
    again = MOVING.model_copy(update={"tasks": ("tidy",), "by": "ben"})
    assert add_pause(settings, "acme", again, now=NOW) == (tasks,)
    left = tasks.model_copy(update={"tasks": ("distil",)})
    assert read_pauses(settings, "acme", now=NOW).holding == (MOVING, left, again)


def test_whoever_s_clock_is_ahead_ends_no_pause_of_others_by_making_or_ending_one(settings: Settings) -> None:
    until = MOVING.model_copy(update={"until": date(2026, 12, 3)})
    add_pause(settings, "acme", until, now=NOW)
    ahead = NOW + timedelta(days=400)
    tasks = MOVING.model_copy(update={"since": ahead, "tasks": ("tidy",)})
    assert add_pause(settings, "acme", tasks, now=ahead) == ()
    assert read_pauses(settings, "acme", now=NOW).holding == (until, tasks)
    assert end_pauses(settings, "acme", ("tidy",), now=ahead) == (tasks,)
    assert read_pauses(settings, "acme", now=NOW).holding == (until,)
    for _ in range(3):  # and it is no more than one of each kind that is kept
        add_pause(settings, "acme", until, now=ahead)
    assert read_file(settings, "acme").pauses == (until,)


def test_what_is_forgiven_of_a_task_is_the_later_of_its_own_and_everyone_s(settings: Settings) -> None:
    end_pauses(settings, "acme", ("tidy", "distil"), now=NOW)
    end_pauses(settings, EVERYONE, ("tidy", "learnings"), now=NOW + timedelta(days=2))
    end_pauses(settings, "acme", ("distil",), now=NOW + timedelta(days=3))
    assert read_pauses(settings, "acme", now=NOW).forgiven == {
        "tidy": DUE + timedelta(days=2),
        "learnings": DUE + timedelta(days=2),
        "distil": DUE + timedelta(days=3),
    }


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"pauses": [{"by": "ana"}]}',
        b'{"pauses": [{"by": "ana", "since": "yesterday"}]}',
        b'{"version": 0}',
        b'{"hold": true}',
    ],
)
@pytest.mark.parametrize(("name", "way_out"), [("acme", "dream resume acme"), (EVERYONE, "dream resume --all")])
def test_a_broken_file_is_an_error_that_names_it_and_the_way_out_and_resuming_takes_it_away(
    settings: Settings, name: str, way_out: str, data: bytes
) -> None:
    path = settings.home / "pauses" / f"{name}.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    with pytest.raises(BrokenPausesError) as raised:
        read_pauses(settings, "acme", now=NOW)
    assert raised.value.exit_code == 3
    assert str(raised.value).startswith(f"what is paused is not known: {path}: ")
    assert raised.value.way_out == f"mend the file, or take it away with: {way_out}"
    end_pauses(settings, name, (), now=NOW)
    assert read_pauses(settings, "acme", now=NOW) == Pauses()


def test_what_a_newer_release_keeps_stops_nights_and_no_older_one_takes_it_away(settings: Settings) -> None:
    add_pause(settings, "acme", MOVING, now=NOW)
    path = Path(place_of(settings, "acme"))
    path.write_text(path.read_text().replace('"version": 1', '"version": 2, "zones": []'))
    kept = path.read_bytes()
    for tasks in ((), ("tidy",)):
        with pytest.raises(ForeignPausesError) as raised:
            end_pauses(settings, "acme", tasks, now=NOW)
        assert str(raised.value) == f"what is paused is not known: {path} is of version 2, newer than 1"
    with pytest.raises(ForeignPausesError):
        read_pauses(settings, "acme", now=NOW)
    ((name, why),) = pauses_of_each(settings, ["acme"], now=NOW)
    assert (name, type(why), path.read_bytes()) == ("acme", ForeignPausesError, kept)


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to(path)], ids=["folder", "loop"])
def test_what_is_no_file_is_named_and_is_nothing_that_trying_again_mends(
    settings: Settings, make: Callable[[Path], None]
) -> None:
    path = settings.home / "pauses" / "acme.json"
    path.parent.mkdir(parents=True)
    make(path)
    for run in (read_pause, add_acme, end_acme):
        with pytest.raises(ForeignPausesError) as raised:
            run(settings, "acme", now=NOW)
        assert str(raised.value) == f"what is paused is not known: {path} is no file"
        assert raised.value.way_out == f"see what it is and move it away: ls -ld {path}"


def add_acme(settings: Settings, name: str, *, now: datetime) -> None:
    add_pause(settings, name, MOVING, now=now)


def end_acme(settings: Settings, name: str, *, now: datetime) -> None:
    end_pauses(settings, name, (), now=now)


def test_pauses_lie_in_the_store_where_there_is_one_and_are_shared_by_every_home(tmp_path: Path) -> None:
    here, there = (
        Settings(home=tmp_path / home, organisations=tmp_path, store=str(tmp_path / "store"))
        for home in ("here", "there")
    )
    add_pause(here, "acme", MOVING, now=NOW)
    assert read_pause(there, "acme", now=NOW) == MOVING
    assert Path(place_of(there, "acme")) == tmp_path / "store" / "pauses" / "acme.json"
    assert Path(place_of(there, "acme")).is_file()


def test_where_the_store_cannot_be_read_nobody_knows(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("no folder")
    settings = Settings(home=tmp_path / "home", organisations=tmp_path, store=str(tmp_path / "store"))
    with pytest.raises(StoreDownError):
        read_pauses(settings, "acme", now=NOW)


class Full(MemoryFileSystem):  # type: ignore[misc]  # fsspec tells no types
    """A store with no room left."""

    protocol = "full"

    def pipe_file(self, path: str, value: bytes, **more: object) -> None:
        del value, more
        raise OSError(errno.ENOSPC, "no room for key=secret", path)


def test_where_there_is_no_room_left_that_is_said_and_nothing_is_paused(tmp_path: Path) -> None:
    fsspec.register_implementation("full", Full, clobber=True)
    settings = Settings(home=tmp_path / "home", organisations=tmp_path, store="full://x")
    with pytest.raises(StoreDownError) as raised:
        add_pause(settings, "acme", MOVING, now=NOW)
    assert str(raised.value) == "the store at full cannot be read or written: No space left on device"
    assert raised.value.way_out == "make room there, then the same again"
    assert read_pause(settings, "acme", now=NOW) is None


def test_the_place_in_a_store_with_a_key_in_its_address_is_told_without_it(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", organisations=tmp_path, store="s3://key:secret@bucket/dream")
    assert place_of(settings, "acme") == "pauses/acme.json in the store at s3"
