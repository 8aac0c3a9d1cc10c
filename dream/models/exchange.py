"""One request to a vendor and what came of it; whatever goes wrong, in sending or in reading, is an Unanswered."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import httpx2
from pydantic import ValidationError

from dream.models.limits import CallLimits
from dream.models.port import Reason, Replied, Reply, Unanswered
from dream.models.preflight import ECHO
from dream.models.prompt import Prompt
from dream.models.replies import read_reply
from dream.models.transport import explain_error
from dream.models.usage import estimated_usage
from dream.models.wires import ModelCard, Said

Send = Callable[[], httpx2.Response]


def exchange(
    prepare: Callable[[], Send],
    read: Callable[[bytes], Said],
    *,
    prompt: Prompt,
    reply: type[Reply],
    limits: CallLimits,
) -> Replied[Reply] | Unanswered:
    """Return the reply in the answer to the request that `prepare` makes, as `read` understands it, and what it took.

    What cannot even be prepared (no SDK, no address, a barred type) is misconfigured. `read` raises ValidationError
    where a body is no answer of its protocol; that is an outage, for such a body comes from what stands before the
    vendor. Usage that nobody counted is estimated.
    """
    body = _body(prepare, prompt, limits)
    if isinstance(body, Unanswered):
        return body
    lost = replace(estimated_usage(prompt, ""), output=0)
    try:
        said = read(body)
    except ValidationError as error:
        return replace(_no_answer(error, body), usage=lost)
    except Exception as error:  # noqa: BLE001 the last resort
        return Unanswered(reason=Reason.INVALID, detail=f"no answer to be read: {type(error).__name__}", usage=lost)
    usage = said.usage or estimated_usage(prompt, said.text)
    if said.stopped is not None:
        return Unanswered(reason=said.stopped, detail=said.detail, usage=usage)
    answer = read_reply(said.text, reply, most_bytes=limits.reply_bytes, most_depth=limits.reply_depth)
    return replace(answer, usage=usage) if isinstance(answer, Unanswered) else Replied(reply=answer, usage=usage)


def look_up(prepare: Callable[[], Send], limits: CallLimits) -> Unanswered | None:
    """Return why a request for what a vendor says of a model fails, None if it says anything."""
    body = _body(prepare, ECHO, limits)
    if isinstance(body, Unanswered):
        return body
    try:
        ModelCard.model_validate_json(body)
    except ValidationError as error:
        return replace(_no_answer(error, body), reason=Reason.MISCONFIGURED)
    return None


def _body(prepare: Callable[[], Send], prompt: Prompt, limits: CallLimits) -> bytes | Unanswered:
    try:
        send = prepare()
    except Exception as error:  # noqa: BLE001 nothing escapes but a reason
        return Unanswered(reason=Reason.MISCONFIGURED, detail=f"the question cannot be put: {type(error).__name__}")
    try:
        return send().content
    except Exception as error:  # noqa: BLE001 what an SDK raises is its own affair
        return explain_error(error, prompt, limits)


def _no_answer(error: ValidationError, body: bytes) -> Unanswered:
    kinds = {detail["type"] for detail in error.errors(include_url=False, include_context=False, include_input=False)}
    if "json_invalid" not in kinds:
        return Unanswered(reason=Reason.OUTAGE, detail="the answer is not of this protocol")
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return Unanswered(reason=Reason.OUTAGE, detail="the answer is not JSON")
    # What only a lenient reader takes is what the model wrote, half a surrogate pair: asking again may help.
    return Unanswered(reason=Reason.INVALID, detail="the answer holds what is no text")
