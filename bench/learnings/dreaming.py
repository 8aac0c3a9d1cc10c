"""One night's learnings in a process of its own, on a clock that stands at its hour: what it said, and what it cost."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import structlog

from bench.learnings.mind import Mind, Minding
from bench.learnings.watching import watch
from bench.processes import Run, clock_at, run_module
from config.models import Model
from config.organisation import Organisation
from config.settings import Settings
from dream.errors import DreamError
from dream.models.port import Model as Port
from dream.models.port import Replied, Reply, Unanswered
from dream.models.prompt import Prompt
from dream.night.result import not_landed, result_payload
from flows.adapters import adapter_of
from flows.dreaming import ModelMaker, build_models
from flows.night import dream_night
from flows.opening import Request
from flows.workplace import Workplace
from tasks.observations import TASK

_REVIEWER = "@reviewer"
LOG = "taught.jsonl"
"""The log of the scripted roles, in the home of the nights."""


def run_night(
    organisation: Mapping[str, Any], night: date, *, home: Path, minding: Minding | None, forked: bool = False
) -> Run:
    """Let an organisation (the document of its file) learn in a night, in a new process, and wait for its end.

    With `minding` its models are scripted, and `home/taught.jsonl` says what was offered and what became of it;
    without, it asks those that the organisation names, as `reviewed_by_itself` gives them.
    """
    told = {"organisation": organisation, "night": night.isoformat(), "home": str(home)}
    return run_module(__name__, {**told, "minding": asdict(minding)} if minding else told, home, forked=forked)


def main(text: str) -> None:
    """Dream as `text` says and print the result as one JSON document."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    told = json.loads(text)
    organisation = Organisation.model_validate(told["organisation"])
    home, night = Path(told["home"]), date.fromisoformat(told["night"])
    workplace = Workplace(organisation=organisation, settings=Settings(home=home, organisations=home))
    if "minding" in told:
        models, clock = _scripted(told, home), clock_at(night)
    else:
        models, clock = (
            partial(build_models, adapter=_itself),
            replace(clock_at(night), monotonic=monotonic, sleep=sleep),
        )
    request = Request(night=night, only=(TASK,))
    try:
        done = asyncio.run(dream_night(workplace, request, clock=clock, models=models))
        payload = result_payload(done)
    except DreamError as error:
        payload = result_payload(not_landed(organisation.organisation, night, error))
    sys.stdout.write(json.dumps(payload))


def reviewed_by_itself(model: Mapping[str, str]) -> Mapping[str, Any]:
    """Return a model for every role of a replay, the reviewer under a name of its own, without which none is asked."""
    return {"dreamer": model, "judge": model, "reviewer": {**model, "model": f"{model['model']}{_REVIEWER}"}}


def _itself(configured: Model, **told: Any) -> Port:
    real = configured.model_copy(update={"model": configured.model.removesuffix(_REVIEWER)})
    return _Named(name=configured.name, real=adapter_of(real, **told))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """A model under another name."""

    name: str
    real: Any

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        answer: Replied[Reply] | Unanswered = self.real.ask(prompt, reply)
        return answer

    def check(self) -> Unanswered | None:
        found: Unanswered | None = self.real.check()
        return found


def _scripted(told: Mapping[str, Any], home: Path) -> ModelMaker:
    mind = Mind(minding=Minding(**told["minding"]), night=told["night"], log=home / LOG)
    watch(mind)
    return partial(build_models, adapter=mind.adapter)


if __name__ == "__main__":
    main(sys.argv[1])
