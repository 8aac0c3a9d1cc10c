"""The adapter that a configured model is asked through; no SDK is imported before the first question."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from config.credentials import resolve_credential
from config.limits import Calls
from config.models import Model as Configured
from dream.errors import UsageError
from dream.models.limits import CallLimits, RetryPolicy
from dream.models.offline import OfflineModel
from dream.models.port import Model, Reason, Replied, Reply, Unanswered
from dream.models.prompt import Prompt


class UnusableModel:
    """A model whose credential cannot be had: every question, and its check, end with that."""

    def __init__(self, name: str, why: str) -> None:
        """Answer nothing, because of `why`."""
        self._name = name
        self._why = Unanswered(reason=Reason.UNAUTHORISED, detail=why)

    @property
    def name(self) -> str:
        """Who would answer."""
        return self._name

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:  # noqa: ARG002
        """Return why nobody can be asked."""
        return self._why

    def check(self) -> Unanswered | None:
        """Return the same."""
        return self._why


def adapter_of(configured: Configured, *, organisation: str, limits: CallLimits, secret: bytes) -> Model:
    """Return what asks `configured`, one request a question; fences are made of `secret`.

    A credential that is not there is no error here: whoever is asked then says so.
    """
    if configured.provider == "offline":
        return OfflineModel()
    try:
        key = resolve_credential(configured.credential, organisation=organisation)
    except UsageError as error:
        return UnusableModel(configured.name, str(error))
    told = key.get_secret_value() if key else None
    match configured.provider:
        case "openai":
            from dream.models.openai import OpenAIModel  # noqa: PLC0415  # nights without a model need none of it

            return OpenAIModel(
                model=configured.model,
                key=told,
                secret=secret,
                base_url=configured.base_url or None,
                wire=configured.spoken_wire,
                limits=limits,
                zero_retention=configured.zero_retention,
            )
        case "anthropic":
            from dream.models.anthropic import AnthropicModel  # noqa: PLC0415  # as above

            return AnthropicModel(
                model=configured.model,
                key=told,
                secret=secret,
                base_url=configured.base_url or None,
                limits=limits,
                zero_retention=configured.zero_retention,
            )
        case _ as unreachable:
            assert_never(unreachable)


def call_limits(calls: Calls, configured: Configured) -> CallLimits:
    """Return what one request to `configured` may take."""
    limits = CallLimits(
        seconds=calls.seconds,
        connect_seconds=calls.connect_seconds,
        output_tokens=calls.output_tokens,
        reply_bytes=calls.reply_bytes,
        reply_depth=calls.reply_depth,
    )
    return replace(limits, output_tokens=configured.output_tokens or limits.output_tokens)


def retry_policy(calls: Calls) -> RetryPolicy:
    """Return how often and for how long one question is put."""
    return RetryPolicy(
        tries=calls.tries,
        deadline_seconds=calls.deadline_seconds,
        longest_wait_seconds=calls.longest_wait_seconds,
        first_wait_seconds=calls.first_wait_seconds,
    )
