"""Anthropic, by its messages."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from dream.cached import cached_property
from dream.models.failures import unusable
from dream.models.limits import CHECK_SECONDS, CallLimits
from dream.models.port import Reason, Replied, Reply, Unanswered, Usage
from dream.models.preflight import settle
from dream.models.prompt import Prompt
from dream.models.schemas import reply_schema
from dream.models.wires import Said, Wire, counted, sendable

if TYPE_CHECKING:
    import anthropic

    from dream.models.exchange import Send

_ADDRESS = "https://api.anthropic.com"
_NO_KEY = "none"
_STOPS = {
    "max_tokens": (Reason.TRUNCATED, "cut off at the limit of output tokens"),
    "pause_turn": (Reason.TRUNCATED, "paused before the end"),
    "model_context_window_exceeded": (Reason.TOO_LONG, "longer than the context of the model"),
    "refusal": (Reason.REFUSED, "the model refused"),
}


class AnthropicModel:
    """One model of Anthropic or of an endpoint that speaks as it does; each `ask` is one request.

    The fixed words go first and are marked for the vendor's cache. With `zero_retention` nothing is marked, so that
    nothing is kept beyond the answer: an explicit mark overrides what was agreed with the vendor on retention. The
    request is not streamed; the time-out is set on each, without which the SDK refuses more than 21,333 tokens of
    output.

    `secret` is what fences are made of. The SDK is imported at the first question; of the environment it is left
    proxies, certificates and its own headers, no key, address or profile.
    """

    def __init__(
        self,
        *,
        model: str,
        key: str | None,
        secret: bytes,
        base_url: str | None = None,
        limits: CallLimits | None = None,
        zero_retention: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Ask `model` with `key`, which an endpoint at `base_url` may do without; `clock` counts seconds."""
        self._model = model
        self._key = key
        self._secret = secret
        self._base_url = base_url
        self._limits = limits or CallLimits()
        self._zero_retention = zero_retention
        self._clock = clock
        self._unfit = unusable(key, is_needed=not base_url)

    @property
    def name(self) -> str:
        """Who answers, `anthropic/<model>`."""
        return f"anthropic/{self._model}"

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        """Return the reply to `prompt`, or why there is none."""
        from dream.models.exchange import exchange  # noqa: PLC0415 it imports an HTTP client, as the SDK does

        if self._unfit is not None:
            return self._unfit
        return exchange(
            lambda: self._message(prompt, reply), read_message, prompt=prompt, reply=reply, limits=self._limits
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
    def _client(self) -> anthropic.Anthropic:
        import anthropic  # noqa: PLC0415 it takes three seconds, and no night without a question needs it

        from dream.models.transport import bounded_client, timeout  # noqa: PLC0415 as above

        return anthropic.Anthropic(
            api_key=self._key or _NO_KEY,
            base_url=self._base_url or _ADDRESS,
            max_retries=0,
            timeout=timeout(self._limits),
            open_telemetry=False,
            http_client=bounded_client(self._limits, self._clock),
        )

    def _look_up(self) -> Send:
        models = self._client.models.with_raw_response
        seconds = min(self._limits.seconds, CHECK_SECONDS)
        return lambda: models.retrieve(self._model, timeout=seconds).http_response

    def _message(self, prompt: Prompt, reply: type[BaseModel]) -> Send:
        messages = self._client.messages.with_raw_response
        system: dict[str, Any] = {"type": "text", "text": sendable(prompt.system)}
        if not self._zero_retention:
            system["cache_control"] = {"type": "ephemeral"}
        asked: dict[str, Any] = {
            "model": self._model,
            "system": [system],
            "messages": [{"role": "user", "content": sendable(prompt.user_text(self._secret))}],
            "output_config": {"format": {"type": "json_schema", "schema": reply_schema(reply)}},
            "max_tokens": self._limits.output_tokens,
            "timeout": self._client.timeout,
        }
        return lambda: messages.create(**asked).http_response


class _Message(Wire):
    content: list[dict[str, Any]]
    stop_reason: str | None = None
    usage: dict[str, Any] | None = None


def read_message(body: bytes) -> Said:
    """Return what a *message* says; raises ValidationError where `body` is none."""
    message = _Message.model_validate_json(body)
    usage = _usage(message.usage)
    if message.stop_reason in _STOPS:
        reason, detail = _STOPS[message.stop_reason]
        return Said(usage=usage, stopped=reason, detail=detail)
    texts = (block.get("text") for block in message.content if block.get("type") == "text")
    return Said(text="".join(text for text in texts if isinstance(text, str)), usage=usage)


def _usage(usage: dict[str, Any] | None) -> Usage | None:
    """Return the usage with what was cached in its input, which the vendor counts apart."""
    fresh, written = counted(usage, "input_tokens"), counted(usage, "output_tokens")
    if fresh is None or written is None:
        return None
    cached = counted(usage, "cache_read_input_tokens") or 0
    cache_written = counted(usage, "cache_creation_input_tokens") or 0
    return Usage(
        input=fresh + cached + cache_written, cached=cached, cache_written=cache_written, output=written, calls=1
    )
