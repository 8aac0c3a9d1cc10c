"""Nights over the memory of the invented production, each in this process and on a served remote."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench.verification.claims import Claim
from bench.verification.layouts import Kept, build_memory
from bench.verification.minds import Mind
from bench.verification.scoring import Scored, score
from bench.verification.servers import Production
from config.organisation import Organisation
from dream.memory.records import RoleSpend
from dream.models.scripted import ScriptedModel
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.port import Answer, Down, Operation, Probe, Proof
from flows.dreaming import ModelMaker, build_models
from flows.probes import open_probes
from flows.production import ProbeMaker
from tests.support.repositories import host
from tests.support.served import Served
from tests.support.stage import Stage

TASK = "production_verification"
_A_NIGHT = 25
"""Notes that a night looks at."""

_FIRST = date(2026, 10, 22)
_SCRIPTED: Mapping[str, Any] = {
    "dreamer": {"provider": "openai", "model": "scripted", "base_url": "http://127.0.0.1:9"}
}
_ROOM = {
    "spend": {"tokens": 10**9, "dollars": 10**6, "calls": 10**6, "minutes": 10**6},
    "loss": {"night_percent": 100, "month_percent": 100, "most_notes_percent": 100},
}


@dataclass(kw_only=True)
class Told:
    """What the nights of one model came to."""

    name: str
    scored: list[Scored] = field(default_factory=list)
    nights: int = 0
    probed: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    spend: RoleSpend = field(default_factory=lambda: RoleSpend(model=""))
    verdicts: int = 0
    written: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flaky:
    """A probe that does not answer now and then, and whose questions are counted."""

    probe: Probe
    random: Random
    share: float
    told: Told

    @property
    def name(self) -> str:
        return self.probe.name

    @property
    def operations(self) -> tuple[Operation, ...]:
        return self.probe.operations

    def objection(self, operation: str, text: str) -> str:
        return self.probe.objection(operation, text)

    def ask(self, operation: str, text: str) -> Answer:
        self.told.probed[self.name] += 1
        if self.random.random() < self.share:
            self.told.failed += 1
            return Down("it did not answer, by chance")
        return self.probe.ask(operation, text)

    def examine(self) -> tuple[Proof, ...]:
        return self.probe.examine()


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What is the same for every model: the claims in their memory, the systems, and how often these fail."""

    files: Mapping[str, str]
    kept: Sequence[Kept]
    production: Production
    seed: int
    failing: float
    most_nights: int


def setting_of(claims: Sequence[Claim], production: Production, *, seed: int, failing: float) -> Setting:
    """Return the setting of some claims: twice the nights in which every note is reached, and some for what waits."""
    files, kept = build_memory(claims)
    most_nights = 2 * (len(files) // _A_NIGHT + 1) + 4
    return Setting(files=files, kept=kept, production=production, seed=seed, failing=failing, most_nights=most_nights)


def run(
    setting: Setting,
    served: Served,
    root: Path,
    *,
    name: str,
    mind: Mind | None,
    model: Mapping[str, Any] | None = None,
) -> Told:
    """Dream until every note was looked at and nothing waits for a probe, or as often as the setting allows."""
    told = Told(name=name)
    hosted = host(served, name.replace(" ", "-"), setting.files, at=datetime(2026, 10, 20, tzinfo=UTC))
    models = {"dreamer": dict(model)} if model else _SCRIPTED if mind else {}
    extra = {
        "production": list(setting.production.production),
        "models": models,
        "limits": {**_ROOM, "landing": {"seconds": 20}},
        "sessions": [],
    }
    stage = Stage(hosted=hosted, root=root, extra=extra)
    root.mkdir(parents=True, exist_ok=True)
    for number in range(setting.most_nights):
        night = _FIRST + timedelta(days=number)
        stage.now = datetime(night.year, night.month, night.day, 4, 0, 5, tzinfo=UTC)
        result = stage.dream(night, only=(TASK,), models=_models(mind), probes=_flaky(setting, told, number))
        assert result.record is not None, result.reason
        _add_spend(told, result.record.tasks[TASK].spend)
        told.nights += 1
        print(f"{name}: night {told.nights}, {sum(told.probed.values())} questions to probes", file=sys.stderr)
        state = stage.state()
        if len(state.checked) >= len(setting.files) - 1 and not state.waiting:
            break
    told.scored = score(setting.kept, stage.files())
    told.verdicts = mind.verdicts if mind else 0
    told.written = setting.production.written.exists()
    return told


def _models(mind: Mind | None) -> ModelMaker:
    if mind is None:
        return build_models
    return partial(build_models, adapter=lambda configured, **_: ScriptedModel(mind.answer, name=configured.name))


def _flaky(setting: Setting, told: Told, night: int) -> ProbeMaker:
    random = Random(f"{setting.seed}/failing/{night}")  # noqa: S311  # which questions fail

    @contextmanager
    def make(organisation: Organisation, *, code: Sequence[CodeTree], home: Path) -> Iterator[tuple[Probe, ...]]:
        with open_probes(organisation, code=code, home=home) as probes:
            yield tuple(_Flaky(probe=one, random=random, share=setting.failing, told=told) for one in probes)

    return make


def _add_spend(told: Told, spend: Mapping[str, RoleSpend]) -> None:
    before = told.spend
    told.spend = before.model_copy(
        update={
            "questions": before.questions + sum(one.questions for one in spend.values()),
            "calls": before.calls + sum(one.calls for one in spend.values()),
            "input": before.input + sum(one.input for one in spend.values()),
            "output": before.output + sum(one.output for one in spend.values()),
        }
    )
