"""Nights keep which notes agents read and were shown, and nothing else moves for it."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from dream.memory.state import STATE_PATH
from flows.note_reads import checkout_of
from tests.sources.sessions.transcripts import call, jsonl, result, user, write
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of

ORDERS = "services/orders.md"
CHECKOUT = "services/checkout.md"


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    return stage_of(served, tmp_path)


def agent_reads(stage: Stage, path: str) -> None:
    """A transcript of the 21st in which an agent opens a note of the memory."""
    turns = [user(0, "How long do we keep orders?"), call(1, "Read", {"file_path": f"/srv/memory/{path}"})]
    write(stage.sessions / "claude", "one.jsonl", jsonl([*turns, result(2, 1, MEMORY[path])]))


def test_a_read_in_a_transcript_is_kept(stage: Stage) -> None:
    agent_reads(stage, ORDERS)
    stage.dream()
    assert stage.state().read == {ORDERS: date(2026, 10, 21)}


def test_a_read_changes_the_state_alone(served: Served, tmp_path: Path) -> None:
    plain, told = stage_of(served, tmp_path / "a", hosted_as="a"), stage_of(served, tmp_path / "b", hosted_as="b")
    for stage in (plain, told):
        stage.root.mkdir()
        agent_reads(stage, ORDERS)
    reports = tmp_path / "reads.jsonl"
    reports.write_text(json.dumps({"path": "queues/invoices.md", "at": "2026-10-20T10:00:00Z"}) + "\n")
    told.extra = {"reads": [{"path": str(reports)}]}
    plain.dream()
    told.dream()
    differing = {path for path, data in told.files().items() if plain.files().get(path) != data}
    assert {path for path in differing if not path.startswith(".dream/nights/")} == {STATE_PATH}
    assert told.state().read == {"queues/invoices.md": date(2026, 10, 20), ORDERS: date(2026, 10, 21)}


def test_what_the_index_lists_was_shown_from_its_first_night_on(stage: Stage) -> None:
    stage.dream()
    first = stage.state().shown
    assert set(first.values()) == {NIGHT}
    assert first.keys() == {path for path in stage.files() if path.startswith(("services/", "queues/"))}
    stage.next_night()
    assert stage.state().shown == first


def test_a_read_is_kept_while_its_note_lives_and_follows_it(stage: Stage) -> None:
    agent_reads(stage, CHECKOUT)
    stage.dream()
    person = stage.person()
    person.rename(CHECKOUT, "services/checkout-api.md")
    person.push()
    stage.next_night()
    assert stage.state().read == {"services/checkout-api.md": date(2026, 10, 21)}
    person.pull()
    person.delete("services/checkout-api.md")
    person.push()
    stage.next_night()
    assert stage.state().read == {}
    assert b'"read"' not in stage.files()[STATE_PATH]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://git.acme.example/memory.git", "memory"),
        ("git@git.acme.example:acme/team-memory", "team-memory"),
        ("/srv/git/memory/", "memory"),
        ("https://git.acme.example/%20", ""),
    ],
)
def test_a_working_copy_is_called_as_its_repository(url: str, name: str) -> None:
    assert checkout_of(url) == name
