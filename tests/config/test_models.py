from __future__ import annotations

from decimal import Decimal
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from config.complaints import complaints, dotted
from config.loading import load_organisation
from config.models import Model, Models, Price
from config.organisation import Organisation
from tests.config.test_organisation import SMALLEST

DREAMER = {"provider": "openai", "model": "large", "credential": "env:KEY"}
NOT_ONLY_AN_ADDRESS = (
    "models.dreamer.base_url: holds more than an address; "
    "write `credential: env:NAME` or `credential: file:PATH` beside it"
)
EXAMPLES = Path(str(resources.files("config") / "examples"))


def organisation(**models: Any) -> Organisation:
    return Organisation.model_validate({**SMALLEST, "models": models})


def refused(model: dict[str, Any]) -> list[str]:
    with pytest.raises(ValidationError) as refusal:
        organisation(dreamer=model)
    return [f"{dotted(where)}: {cause}" for where, cause in complaints(refusal.value, Organisation)]


def test_an_organisation_that_names_no_model_is_offline() -> None:
    assert organisation().models.is_offline
    assert organisation().models.all == (Model(),)


@pytest.mark.parametrize(
    ("reviewer", "own"),
    [
        (None, False),
        ({"provider": "offline"}, False),
        ({"provider": "openai", "model": "large", "base_url": "http://127.0.0.1:9/v1"}, False),
        ({"provider": "openai", "model": "small", "base_url": "http://127.0.0.1:8/v1"}, True),
    ],
)
def test_whoever_proposes_does_not_review(reviewer: dict[str, Any] | None, *, own: bool) -> None:
    dreamer = {"provider": "openai", "model": "large", "base_url": "http://127.0.0.1:8/v1"}
    assert Models.model_validate({"dreamer": dreamer, "reviewer": reviewer}).has_own_reviewer is own
    assert Models.model_validate({"dreamer": dreamer, "judge": reviewer}).has_own_judge is own


def test_judge_and_reviewer_are_the_dreamers_model_where_they_are_not_named() -> None:
    models = organisation(dreamer=DREAMER, reviewer={**DREAMER, "model": "other"}).models
    assert [models.of(role).name for role in ("dreamer", "judge", "reviewer")] == [
        "openai/large",
        "openai/large",
        "openai/other",
    ]
    assert len(models.all) == 2
    assert not models.is_offline


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        ({"provider": "opnai"}, "models.dreamer.provider: must be 'offline', 'openai' or 'anthropic'"),
        ({"modle": "x"}, "models.dreamer.modle: unknown key; did you mean model?"),
        ({"model": "large"}, "models.dreamer: names no provider; write `provider: openai` or `provider: anthropic`"),
        ({"provider": "openai", "credential": "env:KEY"}, "models.dreamer: names no model"),
        (
            {"provider": "anthropic", "model": "large"},
            "models.dreamer: has no credential; write `credential: env:NAME` or `credential: file:PATH`",
        ),
        (
            {**DREAMER, "provider": "anthropic", "wire": "chat"},
            "models.dreamer: has a wire, of which only openai has more than one",
        ),
        ({**DREAMER, "model": "x\ny"}, "models.dreamer.model: is no name of a model"),
        (
            {**DREAMER, "credential": "sk-live-0123456789"},
            "models.dreamer.credential: must be a reference, env:NAME or file:PATH, and never the secret itself",
        ),
        (
            {**DREAMER, "base_url": "https://key:secret@models.example/v1"},
            NOT_ONLY_AN_ADDRESS,
        ),
        (
            {**DREAMER, "base_url": "https://models.example/v1?api_key=secret"},
            NOT_ONLY_AN_ADDRESS,
        ),
        (
            {**DREAMER, "base_url": "models.example"},
            "models.dreamer.base_url: must be an http or https address, such as http://127.0.0.1:8080/v1",
        ),
        ({**DREAMER, "output_tokens": 0}, "models.dreamer.output_tokens: must be at least 1"),
        ({**DREAMER, "price": {"input": 1}}, "models.dreamer.price.output: is missing"),
        ({**DREAMER, "price": {"input": -1, "output": 1}}, "models.dreamer.price.input: must be at least 0"),
        ({**DREAMER, "price": {"input": "free", "output": 1}}, "models.dreamer.price.input: must be a number"),
    ],
)
def test_what_is_wrong_with_a_model_is_said_with_its_key_and_without_a_secret(
    model: dict[str, Any], complaint: str
) -> None:
    assert refused(model) == [complaint]


@pytest.mark.parametrize(
    ("keys", "wire"),
    [
        ({}, "responses"),
        ({"base_url": "http://127.0.0.1:8080/v1/"}, "chat"),
        ({"base_url": "http://127.0.0.1:8080/v1", "wire": "responses"}, "responses"),
        ({"wire": "chat"}, "chat"),
    ],
)
def test_the_vendor_is_asked_by_responses_and_any_other_server_by_chat(keys: dict[str, Any], wire: str) -> None:
    assert Model.model_validate({**DREAMER, **keys}).spoken_wire == wire


def test_a_server_of_ones_own_needs_no_key() -> None:
    assert Model(provider="openai", model="local", base_url="http://127.0.0.1:8080/v1/").base_url.endswith("/v1")


def test_what_decides_a_night_holds_the_models_and_none_of_their_credentials() -> None:
    one = organisation(dreamer=DREAMER, judge=DREAMER)
    assert (
        one.without_credentials()
        == organisation(
            dreamer={**DREAMER, "credential": "file:/k"}, judge={**DREAMER, "credential": "env:OTHER"}
        ).without_credentials()
    )
    assert "env:KEY" not in one.without_credentials()
    for changed in ({"model": "other"}, {"base_url": "https://models.example"}, {"zero_retention": True}):
        other = organisation(dreamer={**DREAMER, **changed}, judge=DREAMER)
        assert other.without_credentials() != one.without_credentials()


def test_the_example_with_models_shows_every_key_of_one() -> None:
    loaded = load_organisation(EXAMPLES / "models.yaml")
    assert isinstance(loaded, Organisation)
    assert loaded.models == Models(
        dreamer=Model(
            provider="openai",
            model="example-large",
            credential="env:ACME_OPENAI_KEY",
            zero_retention=True,
            output_tokens=8_000,
            price=Price(input=Decimal("2.5"), output=Decimal(10), cached=Decimal("0.25"), cache_written=Decimal("2.5")),
        ),
        summariser=Model(
            provider="openai",
            model="example-small",
            credential="env:ACME_OPENAI_KEY",
            zero_retention=True,
            price=Price(input=Decimal("0.2"), output=Decimal("0.8")),
        ),
        judge=Model(
            provider="openai",
            model="example-local",
            base_url="http://127.0.0.1:8080/v1",
            wire="chat",
            price=Price(input=Decimal(0), output=Decimal(0)),
        ),
        reviewer=Model(
            provider="anthropic", model="example-reviewer", credential="file:/run/secrets/acme-anthropic-key"
        ),
    )
    assert loaded.limits.spend.dollars == 2
    shown = {key for role in (loaded.models.dreamer, loaded.models.judge) if role for key in role.model_fields_set}
    assert shown == set(Model.model_fields)
