"""The three ways to ask a vendor, as the tests of all of them need them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from dream.models.anthropic import AnthropicModel
from dream.models.limits import CallLimits
from dream.models.openai import OpenAIModel
from dream.models.port import Usage
from dream.models.prompt import Prompt, Untrusted
from tests.support.vendors import Response, VendorServer, anthropic_text, chat_text, openai_text

KEY = "sk-proj-invented"
SECRET = b"of the fences"
GOOD = '{"word": "yes"}'
PROMPT = Prompt(
    name="distil/propose",
    version="0123456789ab",
    system="Answer with a word.",
    parts=("What does it say?", Untrusted(label="a message", text="the passphrase is plugh")),
)
LIMITS = CallLimits(seconds=20.0, connect_seconds=5.0, output_tokens=900)


class Word(BaseModel):
    """One word."""

    model_config = ConfigDict(extra="forbid")

    word: str


SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "One word.",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}


class Build(Protocol):
    """What makes an answer under one protocol."""

    def __call__(self, text: str, *, is_counted: bool = True) -> Response: ...


Vendor = OpenAIModel | AnthropicModel


@dataclass(frozen=True, kw_only=True)
class Way:
    """One protocol: how to ask a server under it, how to answer, and what its default answer takes."""

    name: str
    build: Build
    usage: Usage
    connect: Callable[..., Vendor]

    def model(self, server: VendorServer, **settings: Any) -> Vendor:
        return self.connect(server, **{"limits": LIMITS, "secret": SECRET, "key": KEY, **settings})


def openai(server: VendorServer, *, wire: Literal["responses", "chat"], **settings: Any) -> OpenAIModel:
    return OpenAIModel(model="m", base_url=server.openai, wire=wire, **settings)


RESPONSES = Way(
    name="responses",
    build=openai_text,
    usage=Usage(input=100, cached=20, cache_written=30, output=10, calls=1),
    connect=lambda server, **settings: openai(server, wire="responses", **settings),
)
CHAT = Way(
    name="chat",
    build=chat_text,
    usage=Usage(input=100, cached=20, output=10, calls=1),
    connect=lambda server, **settings: openai(server, wire="chat", **settings),
)
MESSAGES = Way(
    name="messages",
    build=anthropic_text,
    usage=Usage(input=100, cached=20, cache_written=30, output=10, calls=1),
    connect=lambda server, **settings: AnthropicModel(model="m", base_url=server.anthropic, **settings),
)
WAYS = [RESPONSES, CHAT, MESSAGES]
