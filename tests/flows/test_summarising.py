"""Whole nights in which each conversation is read once, and its summary serves the day, the memory and the history."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from config.models import Model as Configured
from dream.models.port import Unanswered
from dream.models.prompt import Prompt
from dream.models.scripted import ScriptedModel
from flows.dreaming import build_models
from flows.remembering import open_history
from tasks.proposals import Places, TwoPartSummary
from tests.sources.sessions.transcripts import SESSION, agent, jsonl, user
from tests.support.answering import MODELS
from tests.support.dreamers import Dreamer, stated
from tests.support.served import Served
from tests.support.stage import Stage, stage_of

SAID = "The checkout API listens on port 9443 since this morning."
DONE = "ana asked where the checkout API listens, and it moved to port 9443."


class Describing(Dreamer):
    """A dreamer that describes every conversation, and remembers who was asked what."""

    def __init__(self) -> None:
        """Find one lasting statement."""
        lasting = stated("The checkout API listens on port 9443", SAID, resource="checkout API")
        super().__init__(lasts=lambda _: [lasting])
        self.by: Counter[tuple[str, str]] = Counter()

    def adapter(self, configured: Configured, **_: Any) -> ScriptedModel:
        """Return what answers as one configured model."""

        def answers(prompt: Prompt, reply: type[BaseModel]) -> BaseModel | Unanswered:
            self.by[configured.model, reply.__name__] += 1
            answer = self.answer(prompt, reply)
            return answer.model_copy(update={"description": DONE}) if isinstance(answer, TwoPartSummary) else answer

        return ScriptedModel(answers, name=configured.name)


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.extra = {"models": MODELS}
    (made.sessions / "claude").mkdir(exist_ok=True)
    (made.sessions / "claude" / f"{SESSION}.jsonl").write_bytes(jsonl([user(0, SAID), agent(1, "Noted.")]))
    return made


def test_a_conversation_is_read_once_and_its_description_stands_in_the_history(stage: Stage) -> None:
    dreamer = Describing()
    assert stage.dream(models=partial(build_models, adapter=dreamer.adapter)).status == "landed"
    assert dreamer.by["large", TwoPartSummary.__name__] == 1
    lines = open_history(stage.workplace()).lines()
    assert [line.description for line in lines if line.source == "thread_7c2e91aa"] == [DONE]


def test_a_small_model_that_is_named_reads_the_conversations_and_the_dreamer_only_finds_places(stage: Stage) -> None:
    stage.extra = {"models": {**MODELS, "summariser": {**MODELS["dreamer"], "model": "small"}}}
    dreamer = Describing()
    assert stage.dream(models=partial(build_models, adapter=dreamer.adapter)).status == "landed"
    assert dreamer.by["small", TwoPartSummary.__name__] == 1
    assert dreamer.by["large", TwoPartSummary.__name__] == 0
    assert dreamer.by["large", Places.__name__] == 1
    spend = stage.record().tasks
    assert {name: sorted(spend[name].spend) for name in ("daily_note", "distil")} == {
        "daily_note": ["judge", "summariser"],
        "distil": ["dreamer", "judge"],
    }
