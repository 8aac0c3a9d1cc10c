"""State and night records: written so that their diffs read, and read strictly."""

import json
from datetime import UTC, date, datetime

import pytest

from dream.errors import NewerStateError
from dream.memory.documents import UnreadableDocumentError, parse_document, render_document
from dream.memory.records import (
    NightRecord,
    TaskRecord,
    parse_record,
    read_record,
    read_records,
    record_path,
    render_record,
)
from dream.memory.state import State, parse_state, render_state
from dream.memory.tree import MappingTree

STATE = State(
    checked={"services/checkout-api.md": date(2026, 10, 22), "a.md": date(2026, 10, 1)},
    covered={"daily_note": datetime(2026, 10, 22, tzinfo=UTC)},
    lastCommit="0" * 40,
    lastRun=datetime(2026, 10, 22, 4, tzinfo=UTC),
    unverified=("queues/invoice-events.md",),
)
RECORD = NightRecord(
    night=date(2026, 10, 22),
    scheduled=datetime(2026, 10, 22, 4, tzinfo=UTC),
    run="run",
    base="0" * 40,
    tasks={"tidy": TaskRecord(outcome="failed", reason="disk full"), "daily_note": TaskRecord(outcome="unchanged")},
)


def test_state_is_read_as_it_was_written() -> None:
    assert parse_state(render_state(STATE)) == STATE


def test_each_item_stands_on_a_line_of_its_own_in_order() -> None:
    text = render_state(STATE).decode()
    assert '"checked": {\n  "a.md": "2026-10-01",\n  "services/checkout-api.md": "2026-10-22"\n},\n' in text
    keys = list(json.loads(text))
    assert keys == sorted(keys)


def test_unknown_keys_are_kept() -> None:
    data = render_document({**json.loads(render_state(STATE)), "later": {"x": [1]}})
    assert json.loads(render_state(parse_state(data)))["later"] == {"x": [1]}


def test_a_newer_state_stops_and_names_both_versions() -> None:
    with pytest.raises(NewerStateError, match=r"version 2; this package understands up to 1"):
        parse_state(b'{"version": 2}')


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"version": 1',
        b'{"version": 1, "version": 1}',
        b'{"a": NaN}',
        b'{"checked": {"a.md": "soon"}}',
        b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"a": ' + b"[" * 30 + b"]" * 30 + b"}",
        b'{"a": ' + b"9" * 5_000 + b"}",
        b'{"a": "\\ud800"}',
        b"\xff",
    ],
)
def test_what_the_flow_would_not_have_written_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableDocumentError):
        parse_state(data)


def test_a_document_is_read_as_it_was_written() -> None:
    payload = {"b": [], "a": {"y": 1, "x": [1, {"z": None}]}, "c": "ü\u2028"}
    assert parse_document(render_document(payload)) == payload


def test_a_record_is_read_as_it_was_written() -> None:
    assert parse_record(render_record(RECORD)) == RECORD
    tree = MappingTree({record_path(RECORD.night): render_record(RECORD)})
    assert read_record(tree, RECORD.night) == RECORD


def test_a_task_has_landed_iff_its_record_says_so() -> None:
    assert [RECORD.landed(name) for name in ("tidy", "daily_note", "index_rewrite")] == [False, True, False]


def test_a_record_in_the_place_of_another_nights_is_none() -> None:
    moved = MappingTree({record_path(date(2026, 10, 20)): render_record(RECORD)})
    assert read_records(moved) == ()
    with pytest.raises(UnreadableDocumentError, match="in the record of 2026-10-20"):
        read_record(moved, date(2026, 10, 20))


def test_records_that_cannot_be_read_do_not_hide_the_others() -> None:
    strangers = {".dream/nights/2026-10-21.json": b"{", ".dream/nights/2026-13-45.json": b"{}"}
    tree = MappingTree({record_path(RECORD.night): render_record(RECORD), **strangers})
    assert read_records(tree) == (RECORD,)
