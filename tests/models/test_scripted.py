"""The models that ask nobody."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pydantic import BaseModel

from dream.models.limits import CallLimits
from dream.models.offline import OfflineModel
from dream.models.port import Reason, Replied, Unanswered, Usage
from dream.models.prompt import Prompt, Untrusted
from dream.models.scripted import ScriptedModel

PROMPT = Prompt(name="a/b", version="v", system="Answer.", parts=("Is it so?", Untrusted(label="note", text="x")))


class Word(BaseModel):
    word: str


class Number(BaseModel):
    number: int


def test_offline_answers_nothing() -> None:
    assert OfflineModel().ask(PROMPT, Word) == Unanswered(reason=Reason.NO_MODEL, detail="no model is configured")
    assert OfflineModel().name == "offline"


@pytest.mark.parametrize("answer", [Word(word="yes"), '{"word": "yes"}'])
def test_a_script_answers_with_a_reply_or_its_text(answer: Word | str) -> None:
    model = ScriptedModel(lambda *_: answer)
    replied = model.ask(PROMPT, Word)
    assert isinstance(replied, Replied)
    assert replied.reply == Word(word="yes")
    assert (replied.usage.output, replied.usage.calls) == (4, 1)
    assert model.asked == [PROMPT]
    assert model.name == "scripted"


def test_a_script_may_have_no_answer() -> None:
    refused = Unanswered(reason=Reason.REFUSED, usage=Usage(input=3, calls=1))
    assert ScriptedModel(lambda *_: refused).ask(PROMPT, Word) == refused


def test_a_scripted_reply_of_another_type_does_not_fit() -> None:
    answer = ScriptedModel(lambda *_: Number(number=1)).ask(PROMPT, Word)
    assert isinstance(answer, Unanswered)
    assert (answer.reason, answer.detail) == (
        Reason.INVALID,
        "word: Field required; the reply: a key that was not asked for",
    )
    assert answer.usage.calls == 1


def test_a_script_is_held_to_the_limits() -> None:
    answer = ScriptedModel(lambda *_: '{"word": "yes"}', limits=CallLimits(reply_bytes=5)).ask(PROMPT, Word)
    assert isinstance(answer, Unanswered)
    assert answer.detail == "the reply is longer than 5 bytes"


@pytest.mark.parametrize(
    "module",
    [
        "port",
        "prompt",
        "limits",
        "replies",
        "schemas",
        "scripted",
        "offline",
        "waiting",
        "preflight",
        "openai",
        "anthropic",
    ],
)
def test_importing_a_model_imports_no_sdk(module: str) -> None:
    program = (
        f"import sys, dream.models.{module}\n"
        "print(sorted({'openai', 'anthropic', 'tenacity', 'httpx', 'httpx2'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
