"""What holds for every vendor, through its real SDK against a server on loopback."""

from __future__ import annotations

import itertools
import socket
from contextlib import ExitStack
from dataclasses import replace

import pytest
from pydantic import BaseModel, ConfigDict

from dream.models.limits import CallLimits, RetryPolicy
from dream.models.port import Reason, Replied, Unanswered, Usage
from dream.models.usage import estimated_usage
from dream.models.waiting import PatientModel
from tests.models.vendors import GOOD, KEY, LIMITS, MESSAGES, PROMPT, SCHEMA, SECRET, WAYS, Way, Word
from tests.support.vendors import (
    Drop,
    Request,
    Response,
    VendorServer,
    dropped,
    error,
    html,
    in_turn,
    of_json,
    slowly,
    vendor_server,
)

every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)

LOST = replace(estimated_usage(PROMPT, ""), output=0)
REPLY = "the reply is not one JSON object and nothing else (at character {})"
HALF = "the reply holds half a surrogate pair, which is no character"


class Defaulted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    word: str = "none"


def asked(way: Way, response: Response, *, limits: CallLimits = LIMITS) -> Replied[Word] | Unanswered:
    with vendor_server(lambda _request: response) as server:
        answer = way.model(server, limits=limits).ask(PROMPT, Word)
    assert len(server.requests) == 1
    return answer


@every_way
def test_a_question_is_put_with_its_schema_and_the_reply_and_its_usage_come_back(way: Way) -> None:
    with vendor_server(lambda _request: way.build(GOOD)) as server:
        answer = way.model(server).ask(PROMPT, Word)
    assert answer == Replied(reply=Word(word="yes"), usage=way.usage)
    (request,) = server.requests
    assert (request.system, request.text, request.schema) == (PROMPT.system, PROMPT.user_text(SECRET), SCHEMA)
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["accept-encoding"] == "identity"


@every_way
def test_usage_that_nobody_counted_is_estimated(way: Way) -> None:
    assert asked(way, way.build(GOOD, is_counted=False)) == Replied(
        reply=Word(word="yes"), usage=estimated_usage(PROMPT, GOOD)
    )


@every_way
@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("", "the reply is empty"),
        ("of course", REPLY.format(0)),
        (f"Here: {GOOD}", REPLY.format(0)),
        (f"```json\n{GOOD}\n```", REPLY.format(0)),
        (GOOD[:-3], REPLY.format(9)),
        ('{"word": NaN}', "the reply holds NaN or Infinity, which JSON does not know"),
        ('{"word": "a", "word": "b"}', "the reply holds one key twice in one object"),
        ("[" * 100_000, "the reply is nested deeper than 32"),
        (r'{"word": "\ud800"}', HALF),
        (f'{{"word": {"7" * 5_000}}}', "the reply holds a number of more than 18 digits"),
        ('{"word": 1}', "word: Input should be a valid string"),
        ('{"word": "yes", "path": "../x"}', "the reply: a key that was not asked for"),
    ],
)
def test_text_that_is_no_reply_is_invalid_and_paid_for(way: Way, text: str, detail: str) -> None:
    assert asked(way, way.build(text)) == Unanswered(reason=Reason.INVALID, detail=detail, usage=way.usage)


@every_way
def test_half_a_surrogate_pair_in_the_answer_itself_is_an_invalid_reply(way: Way) -> None:
    assert asked(way, way.build('{"word": "\ud800"}')) == Unanswered(
        reason=Reason.INVALID, detail="the answer holds what is no text", usage=LOST
    )


@every_way
@pytest.mark.parametrize(
    ("response", "detail"),
    [
        (html(), "the answer is not JSON"),
        (html(content_type="application/json"), "the answer is not JSON"),
        (Response(), "the answer is not JSON"),
        (Response(body=b"[" * 100_000), "the answer is not JSON"),
        (Response(body=b"\xff\xfe"), "the answer is not JSON"),
        (of_json({"status": "ok"}), "the answer is not of this protocol"),
        (of_json([]), "the answer is not of this protocol"),
        (of_json({"content": 1, "choices": 1, "output": 1}), "the answer is not of this protocol"),
        (of_json({"error": {"message": "no provider", "code": 502}}), "the answer is not of this protocol"),
    ],
)
def test_a_success_that_is_no_answer_is_an_outage(way: Way, response: Response, detail: str) -> None:
    assert asked(way, response) == Unanswered(reason=Reason.OUTAGE, detail=detail, usage=LOST)


@every_way
@pytest.mark.parametrize("where", list(Drop))
def test_a_dropped_connection_is_an_outage(way: Way, where: Drop) -> None:
    assert asked(way, dropped(where, way.build(GOOD))) == Unanswered(
        reason=Reason.OUTAGE, detail="the connection failed (APIConnectionError: RemoteProtocolError)", usage=LOST
    )


@every_way
def test_a_server_that_is_not_there_is_an_outage_that_costs_nothing(way: Way) -> None:
    with vendor_server(lambda _request: way.build(GOOD)) as server:
        pass
    assert way.model(server).ask(PROMPT, Word) == Unanswered(
        reason=Reason.OUTAGE, detail="no connection (APIConnectionError: ConnectError)", usage=Usage(calls=1)
    )


@every_way
def test_a_server_that_takes_no_connection_is_not_waited_for(way: Way) -> None:
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):  # more than wait to be accepted
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)  # noqa: FBT003 the signature is given
            waiting.connect_ex(listener.getsockname())
        server = VendorServer(listener.getsockname()[1])
        answer = way.model(server, limits=replace(LIMITS, connect_seconds=0.2)).ask(PROMPT, Word)
    assert answer == Unanswered(
        reason=Reason.OUTAGE, detail="no connection (APITimeoutError: ConnectTimeout)", usage=Usage(calls=1)
    )


@every_way
def test_a_body_that_comes_too_slowly_is_not_waited_for(way: Way) -> None:
    clock = itertools.count(0.0, LIMITS.seconds / 3)
    with vendor_server(lambda _request: slowly(way.build(GOOD))) as server:
        answer = way.model(server, clock=lambda: next(clock)).ask(PROMPT, Word)
    assert answer == Unanswered(reason=Reason.OUTAGE, detail="no whole answer within 20 s", usage=LOST)


@every_way
def test_an_answer_that_begins_too_late_is_not_waited_for(way: Way) -> None:
    late = replace(way.build(GOOD), first_pause_seconds=60.0)
    assert asked(way, late, limits=replace(LIMITS, seconds=0.2)) == Unanswered(
        reason=Reason.OUTAGE, detail="no whole answer within 0.2 s", usage=LOST
    )


@every_way
def test_a_body_without_end_is_an_invalid_reply(way: Way) -> None:
    long = way.build(f'{{"word": "{"x" * 1_100_000}"}}')
    assert asked(way, long, limits=replace(LIMITS, reply_bytes=10)) == Unanswered(
        reason=Reason.INVALID, detail="the answer goes on for too long", usage=LOST
    )


@every_way
def test_a_reply_past_its_own_limit_is_invalid(way: Way) -> None:
    assert asked(way, way.build(GOOD), limits=replace(LIMITS, reply_bytes=10)) == Unanswered(
        reason=Reason.INVALID, detail="the reply is longer than 10 bytes", usage=way.usage
    )


@every_way
def test_a_compressed_body_is_not_unfolded(way: Way) -> None:
    packed = way.build(GOOD)
    packed = replace(packed, headers={**packed.headers, "Content-Encoding": "gzip"})
    assert asked(way, packed) == Unanswered(
        reason=Reason.OUTAGE, detail="the connection failed (APIConnectionError: DecodingError)", usage=LOST
    )


@every_way
@pytest.mark.parametrize(
    ("response", "reason", "detail", "retry_after"),
    [
        (error(401, kind="authentication_error", message=KEY), Reason.UNAUTHORISED, "401 (authentication_error)", None),
        (error(403, kind="permission_error"), Reason.UNAUTHORISED, "403 (permission_error)", None),
        (html(403), Reason.FILTERED, "403", None),
        (error(402, kind="billing_error"), Reason.QUOTA, "402 (billing_error)", None),
        (error(429, code="insufficient_quota"), Reason.QUOTA, "429 (insufficient_quota)", None),
        (error(429, headers={"Retry-After": "3600"}), Reason.RATE_LIMITED, "429", 3_600.0),
        (error(429), Reason.RATE_LIMITED, "429", None),
        (
            error(404, kind="not_found_error", code="model_not_found"),
            Reason.MISCONFIGURED,
            "404 (not_found_error, model_not_found)",
            None,
        ),
        (html(404), Reason.MISCONFIGURED, "404", None),
        (replace(html(307), headers={"Location": "http://127.0.0.1:9/v1"}), Reason.MISCONFIGURED, "307", None),
        (error(413, kind="request_too_large"), Reason.TOO_LONG, "413 (request_too_large)", None),
        (error(400, code="context_length_exceeded"), Reason.TOO_LONG, "400 (context_length_exceeded)", None),
        (error(400, message="prompt is too long: 3 > 2"), Reason.TOO_LONG, "400", None),
        (error(400, code="content_filter"), Reason.FILTERED, "400 (content_filter)", None),
        (error(400, code="unsupported_parameter"), Reason.MISCONFIGURED, "400 (unsupported_parameter)", None),
        (error(400, message=PROMPT.system), Reason.REFUSED, "400", None),
        (error(500), Reason.OUTAGE, "500", None),
        (html(502), Reason.OUTAGE, "502", None),
        (error(503, headers={"Retry-After": "2"}), Reason.OUTAGE, "503", 2.0),
        (error(529, kind="overloaded_error"), Reason.OUTAGE, "529 (overloaded_error)", None),
    ],
)
def test_each_status_is_its_reason_after_one_request(
    way: Way, response: Response, reason: Reason, detail: str, retry_after: float | None
) -> None:
    assert asked(way, response) == Unanswered(
        reason=reason, detail=f"status {detail}", usage=Usage(calls=1), retry_after=retry_after
    )


@every_way
def test_half_a_surrogate_pair_in_the_question_is_sent_as_a_question_mark(way: Way) -> None:
    with vendor_server(lambda _request: way.build(GOOD)) as server:
        answer = way.model(server).ask(replace(PROMPT, system="so\ud800", parts=("\udead?",)), Word)
    assert answer == Replied(reply=Word(word="yes"), usage=way.usage)
    assert (server.requests[0].system, server.requests[0].text) == ("so?", "??")


@every_way
@pytest.mark.parametrize("key", ["sk\n", "schlüssel", "two words", "\x00"])
def test_a_key_that_cannot_be_sent_is_not(way: Way, key: str) -> None:
    with vendor_server(lambda _request: way.build(GOOD)) as server:
        answer = way.model(server, key=key).ask(PROMPT, Word)
    assert answer == Unanswered(reason=Reason.UNAUTHORISED, detail="the key holds characters that no header carries")
    assert server.requests == []


@every_way
def test_an_endpoint_may_do_without_a_key(way: Way) -> None:
    with vendor_server(lambda _request: way.build(GOOD)) as server:
        answer = way.model(server, key=None).ask(PROMPT, Word)
    assert answer == Replied(reply=Word(word="yes"), usage=way.usage)
    assert server.requests[0].headers["authorization"] == "Bearer none"


@every_way
def test_a_type_that_is_barred_is_a_question_that_cannot_be_put(way: Way) -> None:
    with vendor_server(lambda _request: way.build(GOOD)) as server:
        answer = way.model(server).ask(PROMPT, Defaulted)
    assert answer == Unanswered(reason=Reason.MISCONFIGURED, detail="the question cannot be put: TypeError")
    assert server.requests == []


@every_way
def test_an_outage_is_waited_for_as_long_as_the_server_asks(way: Way) -> None:
    slept: list[float] = []
    turns = in_turn([error(429, headers={"Retry-After": "20"}), error(503), way.build(GOOD)])
    with vendor_server(turns) as server:
        model = PatientModel(way.model(server), RetryPolicy(), sleep=slept.append, clock=lambda: 0.0, draw=lambda: 0.0)
        answer = model.ask(PROMPT, Word)
    assert answer == Replied(reply=Word(word="yes"), usage=way.usage + Usage(calls=2))
    assert slept == [20.0, 2.0]
    assert len({str(request.body) for request in server.requests}) == 1


@every_way
def test_nothing_of_key_or_question_is_shown(way: Way) -> None:
    words = f"{KEY} {PROMPT.user_text(SECRET)}"
    for response in (
        error(400, kind=words, code=words, param=words, message=words),
        error(401, kind=words, code=words, message=words),
        replace(html(502), body=words.encode()),
        way.build(words),
        way.build(f'{{"word": "yes", "{KEY}": 1}}'),
    ):
        answer = asked(way, response)
        assert isinstance(answer, Unanswered)
        assert KEY not in repr(answer)
        assert "plugh" not in repr(answer)


def test_a_test_whose_answer_breaks_is_told() -> None:
    def break_down(_request: Request) -> Response:
        message = "no answer for this"
        raise LookupError(message)

    with pytest.raises(LookupError, match="no answer for this"), vendor_server(break_down) as server:
        MESSAGES.model(server).ask(PROMPT, Word)
