"""Whole nights with a small real model, whose answers are poor: `make test-local-model`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from config.limits import Gates, Landing, Limits
from dream.memory.paths import is_topic
from dream.memory.records import NightRecord
from tests.sources.sessions.transcripts import SESSION, agent, jsonl, user
from tests.support import local_model
from tests.support.served import Served
from tests.support.stage import Stage, stage_of

pytestmark = pytest.mark.skipif(
    os.environ.get("NIGHTLY_TEST_LOCAL_MODEL") != "1" or bool(local_model.missing()),
    reason="asked for by `make test-local-model` alone, which installs the model",
)

ASKING = ("daily_note", "distil")
SAID = (
    "The checkout API listens on port 9443 since this morning, and port 8443 is closed.",
    "We decided to keep the messages of invoice-events for seven days.",
    "Should the mailer send more than 40 mails a second?",
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with local_model.local_model_server() as served:
        yield served


def dreaming(served: Served, tmp_path: Path, address: str, limits: Limits) -> Stage:
    stage = stage_of(served, tmp_path)
    dreamer = {"provider": "openai", "model": local_model.NAME, "base_url": address, "output_tokens": 500}
    stage.extra = {"models": {"dreamer": dreamer}, "limits": limits.model_dump()}
    folder = stage.sessions / "claude"
    folder.mkdir()
    lines = [turn for at, text in enumerate(SAID) for turn in (user(2 * at, text), agent(2 * at + 1, "Noted."))]
    (folder / f"{SESSION}.jsonl").write_bytes(jsonl(lines))
    return stage


def topics(stage: Stage) -> Mapping[str, bytes]:
    return {path: data for path, data in stage.files().items() if is_topic(path)}


def accounted(record: NightRecord) -> list[Any]:
    return [
        (task.inputs, task.written + sum(task.not_written.values()) + task.pending) for task in record.tasks.values()
    ]


def test_a_judge_that_cannot_tell_true_from_false_writes_nothing(served: Served, tmp_path: Path, address: str) -> None:
    stage = dreaming(served, tmp_path, address, Limits(landing=Landing(seconds=20)))
    before = topics(stage)
    result = stage.dream(only=ASKING)
    assert (result.status, result.exit_code) == ("landed", 0)
    assert topics(stage) == before
    record = stage.record()
    assert any("did not pass its examination" in finding for finding in result.findings)
    assert record.tasks["distil"].pending == record.tasks["distil"].inputs > 0
    assert record.tasks["daily_note"].spend["judge"].input > 0


def test_where_it_is_believed_all_the_same_no_quote_is_invented(served: Served, tmp_path: Path, address: str) -> None:
    believed = Gates(least_true=0, allowed_false=1_000, most_silences=1_000)
    stage = dreaming(served, tmp_path, address, Limits(landing=Landing(seconds=20), gates=believed))
    before = topics(stage)
    result = stage.dream(only=ASKING)
    assert (result.status, result.exit_code) == ("landed", 0)
    record = stage.record()
    assert all(inputs == ended for inputs, ended in accounted(record))
    written = [effect for effect in record.effects if effect.task == "distil"]
    assert bool(written) == (topics(stage) != before)
    assert all(effect.quotes and effect.sources for effect in written)
    added = "\n".join(line for effect in written for change in effect.changes for line in change.added)
    assert "40" not in added, "a question is no fact"
