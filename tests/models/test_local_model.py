"""A real server, a real grammar and real weights: `make test-local-model`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict

from dream.models.limits import CallLimits
from dream.models.openai import OpenAIModel
from dream.models.port import Reason, Replied, Unanswered
from dream.models.preflight import check_credential
from dream.models.prompt import Prompt, Untrusted
from tests.support import local_model

pytestmark = pytest.mark.skipif(
    os.environ.get("NIGHTLY_TEST_LOCAL_MODEL") != "1" or bool(local_model.missing()),
    reason="asked for by `make test-local-model` alone, which installs the model",
)


class Verdict(BaseModel):
    """What a judge answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reasoning: str
    verdict: Literal["supported", "contradicted", "unsure"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with local_model.local_model_server() as served:
        yield served


def _model(address: str, *, output_tokens: int = 400) -> OpenAIModel:
    limits = CallLimits(output_tokens=output_tokens)
    return OpenAIModel(model=local_model.NAME, key=None, base_url=address, secret=b"invented", limits=limits)


def _question(text: str) -> Prompt:
    return Prompt(
        name="judge/small",
        version="1",
        system="Say in a few words why, then whether the lines support the claim.",
        parts=("Claim: checkout-api listens on port 8443.", Untrusted(label="the cited lines", text=text)),
    )


def test_a_grammar_holds_even_a_small_model_to_the_reply_type(address: str) -> None:
    answer = _model(address).ask(_question("ana: checkout-api listens on 8443 since today"), Verdict)
    assert isinstance(answer, Replied), answer
    assert answer.usage.calls == 1
    assert answer.usage.input > 0
    assert answer.usage.output > 0


def test_the_server_is_found_fit_to_be_asked(address: str) -> None:
    assert check_credential(_model(address)) is None


def test_a_reply_that_its_limit_cuts_off_is_truncated_and_paid_for(address: str) -> None:
    answer = _model(address, output_tokens=4).ask(_question("ana: checkout-api listens on 8443"), Verdict)
    assert isinstance(answer, Unanswered)
    assert answer.reason is Reason.TRUNCATED
    assert answer.usage.output > 0


def test_a_question_beyond_the_context_is_too_long(address: str) -> None:
    answer = _model(address).ask(_question("port 8443 and so on; " * 4 * local_model.CONTEXT_TOKENS), Verdict)
    assert isinstance(answer, Unanswered)
    assert answer.reason is Reason.TOO_LONG
