"""What an answer of OpenAI says, under either of its two protocols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dream.models.port import Reason, Usage
from dream.models.wires import Said, Wire, counted

_FAILURES = {
    "rate_limit_exceeded": Reason.RATE_LIMITED,
    "invalid_prompt": Reason.FILTERED,
    "insufficient_quota": Reason.QUOTA,
}
_CUT = "cut off at the limit of output tokens"


class _Incomplete(Wire):
    reason: str | None = None


class _Failure(Wire):
    code: str | None = None


class _Response(Wire):
    status: str | None = None
    output: list[dict[str, Any]]
    incomplete_details: _Incomplete | None = None
    error: _Failure | None = None
    usage: dict[str, Any] | None = None


class _Message(Wire):
    content: str | list[dict[str, Any]] | None = None
    refusal: str | None = None


class _Choice(Wire):
    message: _Message
    finish_reason: str | None = None


class _Completion(Wire):
    choices: list[_Choice]
    usage: dict[str, Any] | None = None


def read_response(body: bytes) -> Said:
    """Return what a *response* says; raises ValidationError where `body` is none."""
    response = _Response.model_validate_json(body)
    usage = _usage(response.usage, "input", "output")
    parts = list(_parts(response.output))
    if response.status == "incomplete":
        is_filtered = response.incomplete_details is not None and response.incomplete_details.reason == "content_filter"
        reason, detail = (Reason.FILTERED, "stopped by a filter") if is_filtered else (Reason.TRUNCATED, _CUT)
        return Said(usage=usage, stopped=reason, detail=detail)
    if response.status not in {None, "completed"}:
        code = response.error.code if response.error is not None else None
        reason = _FAILURES.get(code or "", Reason.OUTAGE)
        return Said(usage=usage, stopped=reason, detail="the response failed")
    if any(part.get("type") == "refusal" for part in parts):
        return Said(usage=usage, stopped=Reason.REFUSED, detail="the model refused")
    return Said(text=_joined(parts, "output_text"), usage=usage)


def read_chat(body: bytes) -> Said:
    """Return what a *chat completion* says; raises ValidationError where `body` is none."""
    completion = _Completion.model_validate_json(body)
    usage = _usage(completion.usage, "prompt", "completion")
    if not completion.choices:
        return Said(usage=usage)
    choice = completion.choices[0]
    content = choice.message.content or ""
    match choice.finish_reason:
        case "length":
            return Said(usage=usage, stopped=Reason.TRUNCATED, detail=_CUT)
        case "content_filter":
            return Said(usage=usage, stopped=Reason.FILTERED, detail="stopped by a filter")
        case _ if choice.message.refusal:
            return Said(usage=usage, stopped=Reason.REFUSED, detail="the model refused")
        case _:
            return Said(text=content if isinstance(content, str) else _joined(content, "text"), usage=usage)


def _parts(output: list[dict[str, Any]]) -> Iterable[Mapping[str, Any]]:
    """Yield the parts of the messages in `output`, without what a model says on its way to the answer."""
    for item in output:
        content = item.get("content")
        if item.get("type") == "message" and item.get("phase") != "commentary" and isinstance(content, list):
            yield from (part for part in content if isinstance(part, dict))


def _joined(parts: Iterable[Mapping[str, Any]], kind: str) -> str:
    texts = (part.get("text") for part in parts if part.get("type") == kind)
    return "".join(text for text in texts if isinstance(text, str))


def _usage(usage: dict[str, Any] | None, sent: str, written: str) -> Usage | None:
    taken, given = counted(usage, f"{sent}_tokens"), counted(usage, f"{written}_tokens")
    if taken is None or given is None:
        return None
    details = f"{sent}_tokens_details"
    return Usage(
        input=taken,
        cached=min(taken, counted(usage, details, "cached_tokens") or 0),
        cache_written=min(taken, counted(usage, details, "cache_write_tokens") or 0),
        output=given,
        calls=1,
    )
