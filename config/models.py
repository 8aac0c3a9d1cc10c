"""Who answers for an organisation: a provider, a model, and where its key is."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from config.credentials import Reference
from config.quantities import AtLeastOne, Frozen

_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}")
_CONTROL = re.compile(r"[\x00-\x20\x7f]")

RoleName = Literal["dreamer", "summariser", "judge", "reviewer"]

Dollars = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]


def _model_name(name: str) -> str:
    if name and not _MODEL.fullmatch(name):
        message = "is no name of a model"
        raise ValueError(message)
    return name


def _base_url(url: str) -> str:
    """Return `url` if an SDK can be given it and it holds no secret."""
    if not url:
        return url
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    if _CONTROL.search(url) or not host or parts.scheme not in {"http", "https"}:
        message = "must be an http or https address, such as http://127.0.0.1:8080/v1"
        raise ValueError(message)
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        message = "holds more than an address; write `credential: env:NAME` or `credential: file:PATH` beside it"
        raise ValueError(message)
    return url.rstrip("/")


class Price(Frozen):
    """US dollars per million tokens; what is read from or written to a cache costs what is read afresh, if not said."""

    input: Dollars
    output: Dollars
    cached: Dollars | None = None
    cache_written: Dollars | None = None


class Model(Frozen):
    """Who answers in one role.

    `wire` is which of OpenAI's protocols is spoken: by default `responses` to the vendor and `chat` to a server under
    `base_url`. `output_tokens` and `price` go before what holds for all.
    """

    provider: Literal["offline", "openai", "anthropic"] = "offline"
    model: Annotated[str, AfterValidator(_model_name)] = ""
    wire: Literal["auto", "responses", "chat"] = "auto"
    base_url: Annotated[str, AfterValidator(_base_url)] = ""
    credential: Reference = ""
    zero_retention: bool = False
    output_tokens: AtLeastOne | None = None
    price: Price | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        message = ""
        if self.provider == "offline":
            if self.model or self.base_url or self.credential:
                message = "names no provider; write `provider: openai` or `provider: anthropic`"
        elif not self.model:
            message = "names no model"
        elif not self.credential and not self.base_url:
            message = "has no credential; write `credential: env:NAME` or `credential: file:PATH`"
        elif self.wire != "auto" and self.provider != "openai":
            message = "has a wire, of which only openai has more than one"
        if message:
            raise ValueError(message)
        return self

    @property
    def name(self) -> str:
        """The name that it answers under, `openai/<model>`; prices are found by it."""
        return self.provider if self.provider == "offline" else f"{self.provider}/{self.model}"

    @property
    def spoken_wire(self) -> Literal["responses", "chat"]:
        """Which of OpenAI's protocols is spoken."""
        if self.wire == "auto":
            return "chat" if self.base_url else "responses"
        return self.wire

    @property
    def without_credential(self) -> Model:
        """The same without where its key is."""
        return self.model_copy(update={"credential": ""})


class Models(Frozen):
    """Who answers in which role, the dreamer's model where no other is named.

    A summariser is a small model that reads each conversation once, so that the dreamer is shown its summary alone.
    """

    dreamer: Model = Model()
    summariser: Model | None = None
    judge: Model | None = None
    reviewer: Model | None = None

    def of(self, role: RoleName) -> Model:
        """Return who answers in `role`."""
        named: Model | None = getattr(self, role)
        return self.dreamer if named is None else named

    @property
    def roles(self) -> tuple[RoleName, ...]:
        """What models are asked for, in the order in which they are needed; a summariser only where one is named."""
        return ("dreamer", *(("summariser",) if self.summariser else ()), "judge", "reviewer")

    @property
    def all(self) -> tuple[Model, ...]:
        """Who answers in any role, each once."""
        return tuple(dict.fromkeys(map(self.of, self.roles)))

    @property
    def is_offline(self) -> bool:
        """Whether no role has a model."""
        return all(model.provider == "offline" for model in self.all)

    @property
    def has_own_reviewer(self) -> bool:
        """Whether somebody other than the dreamer reviews."""
        reviewer = self.of("reviewer")
        return reviewer.provider != "offline" and reviewer.name != self.dreamer.name

    @property
    def has_own_judge(self) -> bool:
        """Whether somebody other than the dreamer judges."""
        judge = self.of("judge")
        return judge.provider != "offline" and judge.name != self.dreamer.name

    @property
    def without_credentials(self) -> Models:
        """The same without where the keys are."""
        named = {role: getattr(self, role) for role in self.roles}
        return self.model_copy(
            update={role: model.without_credential for role, model in named.items() if model is not None}
        )
