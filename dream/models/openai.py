"""OpenAI, and every endpoint that speaks as it does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel

from dream.cached import cached_property
from dream.models.failures import unusable
from dream.models.limits import CHECK_SECONDS, CallLimits
from dream.models.openai_wires import read_chat, read_response
from dream.models.port import Replied, Reply, Unanswered
from dream.models.preflight import settle
from dream.models.prompt import Prompt
from dream.models.schemas import reply_schema
from dream.models.wires import sendable, wire_name

if TYPE_CHECKING:
    import openai

    from dream.models.exchange import Send

_ADDRESS = "https://api.openai.com/v1"
_NO_KEY = "none"
_CACHE_KEY_CHARACTERS = 64


class OpenAIModel:
    """One model of OpenAI or of a compatible endpoint; each `ask` is one request.

    The vendor is asked for *responses*, an endpoint at `base_url` for *chat completions*, unless `wire` says otherwise:
    local servers take the schema of the former with status 200 and do not obey it. The fixed words go first, so that
    caches hit; where responses are asked for, the template's name and version are the cache's key, and nothing is
    stored. With `zero_retention` there is no key, and the vendor is told to keep no cache; a model that cannot be told
    so refuses the question as misconfigured, rather than keep it for a day. An endpoint that is asked for chat
    completions is sent only what all of them know: what it keeps is for whoever runs it to say.

    `secret` is what fences are made of. The SDK is imported at the first question; of the environment it is left
    proxies, certificates and its own headers, no key, address, organisation or project.
    """

    def __init__(
        self,
        *,
        model: str,
        key: str | None,
        secret: bytes,
        base_url: str | None = None,
        wire: Literal["responses", "chat"] | None = None,
        limits: CallLimits | None = None,
        zero_retention: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Ask `model` with `key`, which an endpoint at `base_url` may do without; `clock` counts seconds."""
        self._model = model
        self._key = key
        self._secret = secret
        self._base_url = base_url
        self._wire = wire or ("chat" if base_url else "responses")
        self._limits = limits or CallLimits()
        self._zero_retention = zero_retention
        self._clock = clock
        self._unfit = unusable(key, is_needed=not base_url)

    @property
    def name(self) -> str:
        """Who answers, `openai/<model>`."""
        return f"openai/{self._model}"

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        """Return the reply to `prompt`, or why there is none."""
        from dream.models.exchange import exchange  # noqa: PLC0415 it imports an HTTP client, as the SDK does

        if self._unfit is not None:
            return self._unfit
        if self._wire == "chat":
            return exchange(
                lambda: self._chat(prompt, reply), read_chat, prompt=prompt, reply=reply, limits=self._limits
            )
        return exchange(
            lambda: self._response(prompt, reply), read_response, prompt=prompt, reply=reply, limits=self._limits
        )

    def check(self) -> Unanswered | None:
        """Return why the key, the address or the model are no good, None if they are; a vendor charges nothing.

        Whoever does not say what models there are, or not for this key, is asked the smallest question.
        """
        from dream.models.exchange import look_up  # noqa: PLC0415 as above

        if self._unfit is not None:
            return self._unfit
        return settle(look_up(self._look_up, self._limits), self)

    @cached_property
    def _client(self) -> openai.OpenAI:
        import openai  # noqa: PLC0415 it takes a second, and no night without a question needs it

        from dream.models.transport import bounded_client, timeout  # noqa: PLC0415 as above

        client = openai.OpenAI(
            api_key=self._key or _NO_KEY,
            base_url=self._base_url or _ADDRESS,
            max_retries=0,
            timeout=timeout(self._limits),
            http_client=bounded_client(self._limits, self._clock),
        )
        # Read from the environment, they would be another tenant's.
        client.organization = client.project = None
        return client

    def _look_up(self) -> Send:
        models = self._client.models.with_raw_response
        seconds = min(self._limits.seconds, CHECK_SECONDS)
        return lambda: models.retrieve(self._model, timeout=seconds).http_response

    def _response(self, prompt: Prompt, reply: type[BaseModel]) -> Send:
        responses = self._client.responses.with_raw_response
        form = {"type": "json_schema", "name": wire_name(reply), "strict": True, "schema": reply_schema(reply)}
        asked: dict[str, Any] = {
            "model": self._model,
            "instructions": sendable(prompt.system),
            "input": sendable(prompt.user_text(self._secret)),
            "text": {"format": form},
            "max_output_tokens": self._limits.output_tokens,
            "store": False,
            "timeout": self._client.timeout,
            **self._caching(prompt),
        }
        return lambda: responses.create(**asked).http_response

    def _chat(self, prompt: Prompt, reply: type[BaseModel]) -> Send:
        completions = self._client.chat.completions.with_raw_response
        schema = reply_schema(reply, bounded=bool(self._base_url))
        form = {"name": wire_name(reply), "strict": True, "schema": schema}
        # Compatible servers know the older name of the limit, and some only that.
        limit = "max_tokens" if self._base_url else "max_completion_tokens"
        asked: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": sendable(prompt.system)},
                {"role": "user", "content": sendable(prompt.user_text(self._secret))},
            ],
            "response_format": {"type": "json_schema", "json_schema": form},
            limit: self._limits.output_tokens,
            "timeout": self._client.timeout,
        }
        if not self._base_url:
            asked |= {"store": False, **self._caching(prompt)}
        return lambda: completions.create(**asked).http_response

    def _caching(self, prompt: Prompt) -> dict[str, Any]:
        if self._zero_retention:
            # Explicit, and no breakpoint in the question: nothing is cached.
            return {"prompt_cache_options": {"mode": "explicit"}}
        return {"prompt_cache_key": f"{prompt.name}:{prompt.version}"[:_CACHE_KEY_CHARACTERS]}
