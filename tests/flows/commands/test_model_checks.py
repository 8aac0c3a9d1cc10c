from __future__ import annotations

from pathlib import Path
from typing import Any

from dream.models.port import Reason, Unanswered
from flows.commands.model_checks import check_models
from tests.flows.test_dreaming import CLOCK, workplace
from tests.support.answering import MODELS, Vendor


def told(home: Path, vendor: Vendor | None = None, **keys: Any) -> list[str]:
    vendor = vendor or Vendor()
    return [str(check) for check in check_models(workplace(home, **keys), CLOCK, adapter=vendor.adapter)]


def test_an_organisation_without_a_model_is_well(tmp_path: Path) -> None:
    assert told(tmp_path, models={}) == ["ok   acme models: none is configured; what needs no model is dreamed without"]


def test_each_model_is_asked_once_and_what_is_not_known_of_it_is_said(tmp_path: Path) -> None:
    vendor = Vendor()
    assert told(tmp_path, vendor) == [
        "ok   acme dreamer and judge and reviewer: openai/large at http://127.0.0.1:9/v1 can be asked",
        (
            "warn acme dreamer and judge and reviewer: no price is known for openai/large: the ceiling in US dollars "
            "does not hold for it; write its price under `price`, or into the list that DREAM_PRICES names"
        ),
        (
            "warn acme reviewer: is the dreamer's own model, openai/large, and would approve itself, so that nothing "
            "is learnt; name another model under models.reviewer"
        ),
        "ok   acme spend: at most 2,000,000 tokens, 5 US dollars, 500 calls, 60 minutes a night",
        f"ok   acme store: answers are kept for 35 days at {tmp_path}/acme/store",
    ]
    assert vendor.checked == ["openai/large"]
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_lets_nobody_in_fails_with_what_the_vendor_said(tmp_path: Path) -> None:
    refused = Vendor(refuses=Unanswered(reason=Reason.UNAUTHORISED, detail="status 401 (invalid_api_key)"))
    assert told(tmp_path, refused)[0] == (
        "fail acme dreamer and judge and reviewer: openai/large at http://127.0.0.1:9/v1: unauthorised: "
        "status 401 (invalid_api_key); correct the credential, the model's name or the account; "
        "until then nothing that needs it is dreamed"
    )


def test_a_price_is_told_with_the_day_of_its_list(tmp_path: Path) -> None:
    listed = tmp_path / "prices.yaml"
    listed.write_text("dated: 2026-11-01\nmodels: {openai/large: {input: 2.50, output: 10}}\n", encoding="utf-8")
    price = "2.5 in and 10 out, US dollars per million tokens, as of 2026-11-01"
    assert told(tmp_path / "home", prices=listed)[1] == f"ok   acme dreamer and judge and reviewer price: {price}"


def test_a_role_without_a_model_and_a_store_of_an_unknown_kind_are_told(tmp_path: Path) -> None:
    lines = told(tmp_path, store="nosuch://bucket", models={**MODELS, "judge": {"provider": "offline"}})
    assert "warn acme judge: has no model; name one under models.judge" in lines
    assert lines[-1].startswith("fail acme store: nothing can be kept at nosuch: ValueError")
