from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from config.models import Model as Configured
from config.organisation import Organisation
from config.settings import Settings
from dream.errors import UsageError
from dream.models.budget import Spent
from dream.models.limits import CallLimits
from dream.models.port import Reason, Replied, Role, Unanswered
from dream.models.prices import Price
from dream.models.prompt import Prompt
from flows.adapters import UnusableModel, adapter_of
from flows.clock import Clock
from flows.dreaming import NightModels, build_models
from flows.spending import read_spent, write_spent
from flows.workplace import Workplace
from tests.conftest import ROOT
from tests.support.answering import MODELS, USAGE, Line, Vendor

NIGHT = date(2026, 10, 22)
CLOCK = Clock(
    now=lambda: datetime(2026, 10, 22, 4, tzinfo=UTC),
    monotonic=lambda: 0.0,
    sleep=lambda _: None,
    jitter=lambda seconds: seconds,
)


def workplace(home: Path, *, prices: Path | None = None, store: str = "", **keys: Any) -> Workplace:
    document = {"organisation": "acme", "memory": {"url": "/m"}, "models": MODELS, **keys}
    settings = Settings(home=home, prices=prices, store=store)
    return Workplace(organisation=Organisation.model_validate(document), settings=settings)


def night(home: Path, vendor: Vendor | None = None, **keys: Any) -> NightModels:
    made = partial(build_models, adapter=vendor.adapter) if vendor else build_models
    return made(workplace(home, **keys), night=NIGHT, clock=CLOCK)


def ask(models: NightModels, *texts: str, task: str = "distil") -> list[str]:
    model = models.dreamer(task)
    answers = [model.ask(Prompt(name="test/ask", version="1", system="Answer.", parts=(text,)), Line) for text in texts]
    return [one.reply.line if isinstance(one, Replied) else one.reason.value for one in answers]


def test_an_organisation_without_a_model_has_nobody_to_ask_and_leaves_nothing_behind(tmp_path: Path) -> None:
    models = night(tmp_path, models={})
    assert ask(models, "is it so?") == ["no-model"]
    assert not any(models.has(role) for role in Role)
    models.end()
    assert models.ledger.rows() == ()
    assert list(tmp_path.iterdir()) == []


def test_nothing_of_a_vendor_is_loaded_for_a_night_without_a_model() -> None:
    program = "import sys, flows.night; print('\\n'.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {"openai", "anthropic", "httpx2", "tenacity", "fsspec", "jinja2"} & set(loaded.stdout.split("\n")) == set()


def test_credentials_are_checked_once_before_the_first_question_that_has_no_answer_yet(tmp_path: Path) -> None:
    other = {"provider": "openai", "model": "judge", "base_url": "http://127.0.0.1:9"}
    vendor = Vendor()
    models = night(tmp_path, vendor, models={**MODELS, "judge": other})
    assert vendor.checked == []
    assert ask(models, "first", "second") == ["FIRST", "SECOND"]
    assert vendor.checked == ["openai/large", "openai/judge"]
    again = Vendor()
    assert ask(night(tmp_path, again, models={**MODELS, "judge": other}), "first") == ["FIRST"]
    assert again.checked == []


def test_a_judge_that_lets_nobody_in_stops_the_dreamer_before_it_is_paid(tmp_path: Path) -> None:
    other = {"provider": "openai", "model": "judge", "base_url": "http://127.0.0.1:9"}

    class Closed(Vendor):
        def adapter(self, configured: Configured, **told: Any) -> Any:
            if configured.model == "judge":
                return UnusableModel(configured.name, "there is no key")
            return Vendor.adapter(self, configured, **told)

    vendor = Closed()
    models = night(tmp_path, vendor, models={**MODELS, "judge": other})
    assert ask(models, "first") == ["stopped"]
    assert vendor.asked == []
    assert models.stopped_by == Unanswered(reason=Reason.UNAUTHORISED, detail="judge openai/judge: there is no key")
    assert models.findings() == ("models were asked no more: unauthorised: judge openai/judge: there is no key",)


def test_a_server_that_is_down_for_the_moment_is_asked_again_and_stops_nothing(tmp_path: Path) -> None:
    tries: list[str] = []

    def says(text: str) -> str | Unanswered:
        tries.append(text)
        return Unanswered(reason=Reason.OUTAGE) if len(tries) < 3 else text

    models = night(tmp_path, Vendor(says=says, refuses=Unanswered(reason=Reason.OUTAGE)))
    assert ask(models, "first") == ["first"]
    assert tries == ["first"] * 3


def test_every_try_of_a_question_is_held_by_the_ceiling_and_waits_count_as_time(tmp_path: Path) -> None:
    vendor = Vendor(says=lambda _: Unanswered(reason=Reason.OUTAGE))
    models = night(tmp_path, vendor, limits={"spend": {"calls": 3}})
    assert ask(models, "first", "second") == ["over-budget", "stopped"]
    assert vendor.asked == ["first", "first"]
    patient = night(tmp_path / "patient", vendor, limits={"spend": {"minutes": 0.02}})
    assert ask(patient, "first") == ["over-budget"]
    assert patient.ledger.spent(now=0).seconds == 2


def test_a_night_that_runs_again_has_what_is_left_of_its_ceiling(tmp_path: Path) -> None:
    spend = {"limits": {"spend": {"calls": 3}}}
    assert ask(night(tmp_path, Vendor(), **spend), "one", "two", "three") == ["ONE", "TWO", "over-budget"]
    for _ in range(3):
        again = Vendor()
        assert ask(night(tmp_path, again, **spend), "one", "four", "five") == ["ONE", "stopped", "stopped"]
        assert again.asked == []
    assert read_spent(tmp_path / "acme", NIGHT).calls == 3


def test_spending_that_cannot_be_read_lets_nothing_be_spent_and_says_where_it_lies(tmp_path: Path) -> None:
    write_spent(tmp_path / "acme", NIGHT, Spent())
    path = tmp_path / "acme" / "spend" / "2026-10-22.json"
    path.write_text("{", encoding="utf-8")
    models = night(tmp_path, Vendor())
    assert ask(models, "one") == ["stopped"]
    assert str(path) in models.findings()[0]


def test_dollars_are_counted_by_the_price_list_and_a_models_own_price_goes_first(tmp_path: Path) -> None:
    listed = tmp_path / "prices.yaml"
    listed.write_text(
        "dated: 2026-11-01\nmodels:\n  openai/large: {input: 10, output: 100, cached: 1}\n"
        "  openai/other: {input: 1, output: 1}\n",
        encoding="utf-8",
    )
    models = night(tmp_path, Vendor(), prices=listed)
    ask(models, "one")
    assert models.ledger.spent(now=0).dollars == Decimal("0.00164")
    assert models.prices.dated == date(2026, 11, 1)
    own = night(tmp_path, models={"dreamer": {**MODELS["dreamer"], "price": {"input": 2, "output": 4}}}, prices=listed)
    two = Decimal(2)
    assert own.prices.prices == {"openai/large": Price(input=two, cached=two, cache_written=two, output=Decimal(4))}


def test_a_ceiling_of_dollars_holds_where_the_price_is_known(tmp_path: Path) -> None:
    dear = {"dreamer": {**MODELS["dreamer"], "output_tokens": 1_000, "price": {"input": 0, "output": 1_000}}}
    spend = {"limits": {"spend": {"dollars": 1.005}}}
    assert ask(night(tmp_path, Vendor(), models=dear, **spend), "one", "two") == ["ONE", "over-budget"]


def test_a_price_list_that_cannot_be_read_is_wrong_configuration(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        night(tmp_path, prices=tmp_path / "none.yaml")


def test_answers_that_are_kept_long_enough_are_taken_away_at_the_end(tmp_path: Path) -> None:
    for day in (date(2026, 9, 16), date(2026, 9, 17), NIGHT):
        models = build_models(workplace(tmp_path), night=day, clock=CLOCK, adapter=Vendor().adapter)
        ask(models, day.isoformat())
    models.end()
    kept = tmp_path / "acme" / "store" / "answers"
    assert sorted(folder.name for folder in kept.iterdir()) == ["2026-09-17", "2026-10-22"]


def test_a_store_for_several_workers_holds_each_organisations_answers_apart(tmp_path: Path) -> None:
    shared = Settings(home=tmp_path / "home", store=str(tmp_path / "kept"))
    place = Workplace(organisation=workplace(tmp_path).organisation, settings=shared)
    ask(build_models(place, night=NIGHT, clock=CLOCK, adapter=Vendor().adapter), "one")
    assert [folder.name for folder in (tmp_path / "kept").iterdir()] == ["acme"]


def configurations(home: Path, changes: Sequence[dict[str, Any]]) -> list[str]:
    return [night(home, models={"dreamer": {**MODELS["dreamer"], **change}}).configuration for change in changes]


def test_a_night_is_another_one_with_another_model_or_price_and_the_same_with_another_key(tmp_path: Path) -> None:
    plain, *others = configurations(
        tmp_path, [{}, {"model": "other"}, {"price": {"input": 1, "output": 1}}, {"output_tokens": 5}]
    )
    assert len({plain, *others}) == 4
    assert configurations(tmp_path, [{"credential": "env:SOME_KEY"}]) == [plain]


def test_a_credential_that_is_missing_is_no_error_but_the_answer_to_every_question(tmp_path: Path) -> None:
    configured = Configured(provider="openai", model="large", credential="env:NOBODYS_KEY_AT_ALL")
    models = night(tmp_path, models={"dreamer": configured.model_dump()})
    assert ask(models, "one") == ["stopped"]
    assert "env:NOBODYS_KEY_AT_ALL is missing" in models.findings()[0]


@pytest.mark.parametrize("provider", ["openai", "anthropic", "offline"])
def test_each_provider_has_its_adapter_and_a_key_is_in_no_word_of_it(
    monkeypatch: pytest.MonkeyPatch, provider: Any
) -> None:
    monkeypatch.setenv("A_KEY", "sk-hunter2")
    known = {} if provider == "offline" else {"model": "large", "credential": "env:A_KEY"}
    configured = Configured.model_validate({"provider": provider, **known})
    made = adapter_of(configured, organisation="acme", limits=CallLimits(), secret=b"s")
    assert made.name == configured.name
    assert "hunter2" not in repr(made)


def test_what_a_question_took_is_counted_for_its_task(tmp_path: Path) -> None:
    models = night(tmp_path, Vendor())
    ask(models, "one", task="daily_note")
    assert [(row.task, row.role, row.usage) for row in models.ledger.rows()] == [("daily_note", Role.DREAMER, USAGE)]
    assert models.judge("daily_note").name == models.reviewer("daily_note").name == "openai/large"
