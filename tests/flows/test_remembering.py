"""What nights leave in the history of past sessions, and what they do where it cannot be kept."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from dream.errors import TransientError, UsageError
from dream.history.values import HistoryLine, NamedPullRequest
from dream.memory.sources import render_citation
from dream.memory.tree import MappingTree, Tree
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Session, SessionSource
from flows.calling import Call
from flows.day import Day
from flows.remembering import open_history, remember_day
from tests.guards.planted_secrets import planted_secrets
from tests.support.sensible import converse
from tests.support.served import Fault, Served, Step
from tests.support.spoiled import Spoiled
from tests.support.stage import NIGHT, Stage, failing, stage_of
from tests.support.town import settle

T = TypeVar("T")

ASKED, DONE = "Please rename the queue to orders-v2.", "I renamed the queue to orders-v2 and its consumer."


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    converse(made, 1, ASKED, DONE)
    return made


def lines(stage: Stage) -> tuple[HistoryLine, ...]:
    return open_history(stage.workplace()).lines()


def folder(stage: Stage) -> Path:
    return stage.root / "home" / stage.name / "store" / "history"


def held(stage: Stage) -> dict[str, tuple[bytes, int]]:
    found = folder(stage).rglob("*")
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in found if path.is_file()}


def record(stage: Stage, state: str, number: int = 41, **more: Any) -> None:
    told = {"repo": "acme/web", "number": number, "state": state, "title": "Queue", "author": "claude[bot]", **more}
    (stage.root / "pull-requests.json").write_text(json.dumps([told]), encoding="utf-8")
    path = str(stage.root / "pull-requests.json")
    stage.extra = {**stage.extra, "pull_requests": [{"kind": "recorded", "path": path}]}


def test_a_night_keeps_what_it_has_read_a_line_for_each_session_and_summary(stage: Stage) -> None:
    assert stage.dream().findings == ()
    session, summary = lines(stage)
    assert (session.source, session.people, session.description) == ("thread_00000001", ("ana",), DONE)
    assert (summary.source, summary.people, summary.description) == ("thread_7c2e0001", ("ana",), "Refund limits")
    history = open_history(stage.workplace())
    assert [message.text for message in history.full(session) or ()] == [ASKED, DONE]
    assert ASKED in (history.condensed(session) or "")
    assert [message.text for message in history.full(summary) or ()] == [
        "The checkout API refuses refunds above 500 euros.",
        "Refund limits",
    ]


def test_the_history_is_no_part_of_the_memory(stage: Stage) -> None:
    stage.dream()
    assert not any("history" in path for path in stage.files())
    assert DONE.encode() not in b"".join(stage.files().values())


def test_nights_over_the_same_sessions_write_nothing_again(stage: Stage) -> None:
    stage.dream()
    before = held(stage)
    assert len(before) == 6
    stage.dream(redo=["tidy"])
    stage.next_night()
    assert held(stage) == before


def test_a_session_that_grew_is_kept_as_it_is_now(stage: Stage) -> None:
    stage.dream()
    converse(stage, 1, ASKED, DONE, "And the alert?", "I renamed the queue in its alert as well.")
    stage.next_night()
    session = lines(stage)[0]
    assert (session.messages, session.description) == (4, "I renamed the queue in its alert as well.")
    assert len(held(stage)) == 6


def test_a_dry_run_keeps_nothing(stage: Stage) -> None:
    stage.dream(dry_run=True)
    assert not folder(stage).exists()


def test_a_day_that_was_read_is_kept_though_nothing_landed(stage: Stage, served: Served) -> None:
    served.fail(Fault.REFUSE, on=Step.PUSH, times=None)
    with pytest.raises(TransientError):
        stage.dream()
    assert [line.source for line in lines(stage)] == ["thread_00000001", "thread_7c2e0001"]


def test_a_run_that_dies_before_it_has_kept_anything_has_landed_and_the_next_night_keeps_it(stage: Stage) -> None:
    with pytest.raises(KeyboardInterrupt):
        stage.dream(call=_killed_at("remember"))
    assert stage.record().landed("daily_note")
    assert stage.dream().status == "nothing-to-do"
    assert lines(stage) == ()
    stage.next_night()
    assert len(lines(stage)) == 2


def _killed_at(dying: str) -> Call:
    async def call(name: str, step: Callable[[], T]) -> T:
        if name == dying:
            raise KeyboardInterrupt
        return step()

    return call


def test_a_task_that_failed_takes_nothing_from_the_history(stage: Stage) -> None:
    assert stage.dream(steps=failing("daily_note")).exit_code == 1
    assert len(lines(stage)) == 2


def test_a_store_that_keeps_nothing_is_a_finding_and_the_next_night_keeps_what_it_missed(stage: Stage) -> None:
    store = stage.root / "elsewhere"
    store.mkdir()
    place = store / "acme"
    place.write_text("no folder", encoding="utf-8")
    stage.store = str(store)
    result = stage.dream()
    assert (result.status, result.exit_code) == ("landed", 0)
    (finding,) = result.findings
    assert finding.startswith(f"the history was not kept: the store at {place} cannot be read or written")
    assert finding in (stage.root / "home" / "acme" / "reports" / f"{NIGHT.isoformat()}.md").read_text().replace(
        "\\", ""
    )
    place.unlink()
    assert stage.next_night().findings == ()
    assert [line.source for line in lines(stage)] == ["thread_00000001", "thread_7c2e0001"]


def test_an_address_of_no_known_kind_stops_the_night_and_tells_no_key(stage: Stage) -> None:
    stage.store = "nosuch://key:hunter2@host"
    with pytest.raises(UsageError) as caught:
        stage.dream()
    assert str(caught.value) == "nothing can be kept at nosuch: ValueError"
    assert "hunter2" not in caught.value.way_out
    with pytest.raises(UsageError):
        open_history(stage.workplace()).connect()


def test_a_store_in_memory_serves_as_well(stage: Stage) -> None:
    stage.store = "memory://nights"
    assert stage.dream().findings == ()
    assert len(lines(stage)) == 2
    assert not folder(stage).exists()


def test_what_is_damaged_is_a_finding_until_somebody_mends_it(stage: Stage) -> None:
    stage.dream()
    (path,) = folder(stage).rglob("thread_00000001.*.json")
    path.write_bytes(b"{")
    converse(stage, 1, ASKED, DONE, "Thanks.", "You are welcome, as always.")
    result = stage.next_night()
    assert (result.exit_code, result.findings) == (
        0,
        (f"of the history passed over: 2026-10/{path.name}: it is cut or changed",),
    )
    assert (folder(stage) / "damaged" / "2026-10" / path.name).read_bytes() == b"{"
    assert lines(stage)[0].messages == 4
    assert stage.next_night().findings == ()


def test_pull_requests_are_told_in_the_state_that_they_have_by_now(stage: Stage) -> None:
    stage.summarise({"id": "7c2e0002", "pull_requests": ["acme/web#41", "acme/web#42"]})
    record(stage, "open")
    stage.dream()
    assert _states(stage) == {"acme/web#41": "open", "acme/web#42": ""}
    record(stage, "merged", closed_at="2026-10-22T10:00:00Z", merged_at="2026-10-22T10:00:00Z")
    stage.next_night()
    assert _states(stage) == {"acme/web#41": "merged", "acme/web#42": ""}


def _states(stage: Stage) -> Mapping[str, str]:
    named: list[NamedPullRequest] = [one for line in lines(stage) for one in line.pull_requests]
    return {one.name: one.state for one in named}


def test_what_is_older_than_400_days_goes_unless_an_entry_rests_on_it(stage: Stage) -> None:
    converse(stage, 2, "What is the port?", "It is 9443, as the configuration says.")
    stage.dream()
    cited = render_citation(["person:ana@thread_00000002"], date(2026, 10, 21))
    ada = stage.person()
    ada.commit({"services/port.md": f"# Port\n\n- 2026-10-21: It is 9443. {cited}\n"})
    ada.push()
    assert _after(stage, timedelta(days=399)) == ["thread_00000001", "thread_00000002", "thread_7c2e0001"]
    assert _after(stage, timedelta(days=2)) == ["thread_00000002"]


def _after(stage: Stage, length: timedelta) -> list[str]:
    stage.now += length
    stage.dream(stage.now.date())
    return [line.source for line in lines(stage)]


def test_no_organisation_finds_what_another_has_kept(served: Served, tmp_path: Path) -> None:
    stages = []
    for name in ("acme", "birch"):
        (tmp_path / name).mkdir()
        one = stage_of(served, tmp_path / name, hosted_as=name, name=name, store=str(tmp_path / "store"))
        converse(one, 1, f"canary-of-{name}", "I know the canary now.")
        one.dream()
        stages.append(one)
    for mine, other in (stages, stages[::-1]):
        kept = b"".join(
            gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            for path in (tmp_path / "store" / mine.name).rglob("*")
            if path.is_file()
        )
        assert f"canary-of-{mine.name}".encode() in kept
        assert f"canary-of-{other.name}".encode() not in kept


def test_no_credential_that_somebody_pasted_is_kept(stage: Stage) -> None:
    planted = planted_secrets()
    for number, secret in enumerate(planted.values(), 100):
        converse(stage, number, f"Use {secret} for it.", f"I used {secret} as you said.")
    stage.dream()
    kept = [gzip.decompress(data) if name.endswith(".gz") else data for name, (data, _) in held(stage).items()]
    assert len(kept) == 3 * (len(planted) + 2)
    assert [kind for kind, secret in planted.items() if any(secret.encode() in data for data in kept)] == []


def test_a_session_that_nobody_can_describe_takes_no_other_with_it(stage: Stage) -> None:
    converse(stage, 2, "And this?", "I have done this as well.")

    def describe(session: Session) -> str:
        if session.short == "00000001":
            raise ValueError(session.id)
        return f"Described {session.source}."

    day = replace(Day(), sessions=_read(stage))
    findings = remember_day(stage.workplace(), day, night=NIGHT, memory=lambda: MappingTree({}), describe=describe)
    assert findings == ("a session was not kept in the history, by a defect: ValueError",)
    assert [line.description for line in lines(stage)] == ["Described thread_00000002."]


def _read(stage: Stage) -> tuple[Session, ...]:
    source = SessionSource(kind="claude-code", path=str(stage.sessions / "claude"), person="ana")
    return read_sessions([source], since=datetime(2026, 10, 1, tzinfo=UTC), now=stage.now).sessions


@pytest.mark.parametrize("memory", ["empty", "unreadable"])
def test_a_memory_that_cannot_tell_what_it_rests_on_lets_go_of_nothing(stage: Stage, memory: str) -> None:
    stage.dream()

    def tree() -> Tree:
        if memory == "empty":
            return MappingTree({})
        message = "the mirror cannot be read"
        raise TransientError(message)

    (finding,) = remember_day(stage.workplace(), Day(), night=date(2028, 1, 1), memory=tree)
    assert finding.startswith("nothing old was taken out of the history: the m")
    assert len(lines(stage)) == 2
    kept = MappingTree({"services/a.md": b"# A\n"})
    assert remember_day(stage.workplace(), Day(), night=date(2028, 1, 1), memory=lambda: kept) == ()
    assert lines(stage) == ()


def test_a_defect_of_the_history_itself_is_a_finding(stage: Stage) -> None:
    def tree() -> Tree:
        raise KeyError("defect")  # noqa: EM101

    stage.dream()
    (finding,) = remember_day(stage.workplace(), Day(), night=date(2028, 1, 1), memory=tree)
    assert finding == "the history was not kept: a defect: KeyError; the next night keeps these sessions as well"


def test_a_models_description_goes_before_what_the_last_message_tells(served: Served, tmp_path: Path) -> None:
    stage = stage_of(served, tmp_path)
    with settle(stage) as town:
        town.dream(Spoiled())
    assert {line.description for line in lines(stage)} == {"Somebody asked."}
