"""A scripted dreamer that also learns, and a reviewer beside it, behind all that a night puts around a vendor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial

from pydantic import BaseModel

from config.models import Model as Configured
from dream.models.port import Unanswered
from dream.models.prompt import Prompt
from dream.models.scripted import ScriptedModel
from flows.dreaming import ModelMaker, build_models
from tasks.candidates import Observed, ProposedLearnings, Review
from tests.sources.sessions.transcripts import agent, jsonl, user
from tests.support.answering import MODELS
from tests.support.dreamers import Dreamer
from tests.support.stage import Stage
from tests.tasks.teaching import approves, marking, the_one

REVIEWED = {**MODELS, "reviewer": {"provider": "openai", "model": "second", "base_url": "http://127.0.0.1:9/v1"}}
"""A configuration with a dreamer, and somebody else who reviews."""

REVIEWER = "openai/second"

Answer = BaseModel | str | Unanswered


@dataclass(kw_only=True)
class Learner:
    """Marks, proposes and reviews as told; everything else is asked of `dreamer`. `asked` names who was asked what."""

    marks: Callable[[Prompt], Answer] = marking
    proposes: Callable[[Prompt], Answer] = the_one
    reviews: Callable[[Prompt], Answer] = approves
    dreamer: Dreamer = field(default_factory=Dreamer)
    asked: list[tuple[str, str]] = field(default_factory=list)

    @property
    def models(self) -> ModelMaker:
        """Makes a night's models, with this one behind every role."""
        return partial(build_models, adapter=self._adapter)

    def _adapter(self, configured: Configured, **_: object) -> ScriptedModel:
        return ScriptedModel(partial(self._answer, configured.name), name=configured.name)

    def _answer(self, name: str, prompt: Prompt, reply: type[BaseModel]) -> Answer:
        if not prompt.name.startswith("learnings/"):
            return self.dreamer.answer(prompt, reply)
        self.asked.append((name, prompt.name))
        if reply is Review:
            return self.reviews(prompt)
        if reply is Observed:
            return self.marks(prompt)
        assert reply is ProposedLearnings
        return self.proposes(prompt)


def say(stage: Stage, day: date, *texts: str, number: int = 1, hour: int = 9) -> None:
    """Leave a transcript of `day` in which ana says these things, each answered; `number` is the session's."""
    folder = stage.sessions / "claude"
    folder.mkdir(exist_ok=True)
    session = f"{day:%d%m}{number:04}-0000-4000-8000-{day:%Y%m%d}{number:04}"
    start = datetime(day.year, day.month, day.day, hour, tzinfo=UTC)
    lines = []
    for place, text in enumerate(texts):
        for offset, made in ((2 * place, user(2 * place, text)), (2 * place + 1, agent(2 * place + 1, "I will."))):
            at = start + timedelta(minutes=offset)
            made |= {
                "sessionId": session,
                "cwd": "/home/ana/acme/web",
                "uuid": f"{day:%Y%m%d}-0000-4000-8000-{number:06}{offset:06}",
                "timestamp": at.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            }
            lines.append(made)
    (folder / f"{session}.jsonl").write_bytes(jsonl(lines))
