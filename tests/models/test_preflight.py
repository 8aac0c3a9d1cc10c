"""Looking at a model before a night depends on it."""

from __future__ import annotations

import pytest

from dream.models.limits import RetryPolicy
from dream.models.offline import OfflineModel
from dream.models.port import Reason, Unanswered, Usage
from dream.models.preflight import Echo, check_credential
from dream.models.scripted import ScriptedModel
from dream.models.waiting import PatientModel
from tests.models.vendors import WAYS, Way
from tests.support.vendors import Answer, Response, VendorServer, error, html, in_turn, of_json, said, vendor_server

every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
NOT_THERE = error(404, kind="not_found_error")


def answered(text: str) -> Answer:
    return lambda request: said(request, text)


def always(response: Response) -> Answer:
    return lambda _request: response


def checked(way: Way, card: Answer, answer: Answer) -> tuple[Unanswered | None, VendorServer]:
    with vendor_server(answer, card=card) as server:
        return check_credential(way.model(server)), server


@every_way
def test_a_model_that_the_server_knows_is_fit_and_costs_nothing(way: Way) -> None:
    with vendor_server(always(NOT_THERE)) as server:
        assert check_credential(way.model(server)) is None
    assert [(request.method, request.path) for request in server.requests] == [("GET", "/v1/models/m")]


@every_way
@pytest.mark.parametrize(
    ("response", "reason", "detail", "questions"),
    [
        (error(401, code="invalid_api_key"), Reason.UNAUTHORISED, "status 401 (invalid_api_key)", 1),
        (error(403, kind="permission_error"), Reason.UNAUTHORISED, "status 403 (permission_error)", 1),
        (error(402, kind="billing_error"), Reason.QUOTA, "status 402 (billing_error)", 0),
        (error(503), Reason.OUTAGE, "status 503", 0),
    ],
)
def test_what_is_no_good_is_known_before_the_night(
    way: Way, response: Response, reason: Reason, detail: str, questions: int
) -> None:
    found, server = checked(way, always(response), always(response))
    assert found == Unanswered(reason=reason, detail=detail, usage=Usage(calls=1))
    assert len(server.questions) == questions


@every_way
@pytest.mark.parametrize("card", [NOT_THERE, html(), error(405), error(403, kind="missing_scope"), error(401)])
@pytest.mark.parametrize("text", ['{"word": "ready"}', "ready!"])
def test_who_does_not_say_what_models_there_are_is_asked_a_question(way: Way, card: Response, text: str) -> None:
    found, server = checked(way, always(card), answered(text))
    assert found is None
    assert [request.text for request in server.questions] == ["Say ready."]


@every_way
@pytest.mark.parametrize(
    ("response", "reason"),
    [(NOT_THERE, Reason.MISCONFIGURED), (error(400), Reason.MISCONFIGURED), (error(529), Reason.OUTAGE)],
)
def test_an_endpoint_that_refuses_the_smallest_question_is_not_fit(
    way: Way, response: Response, reason: Reason
) -> None:
    found, _server = checked(way, always(NOT_THERE), always(response))
    assert isinstance(found, Unanswered)
    assert (found.reason, found.usage) == (reason, Usage(calls=1))


@every_way
def test_an_outage_before_the_night_is_waited_for(way: Way) -> None:
    slept: list[float] = []
    cards = in_turn([error(503, headers={"Retry-After": "7"}), of_json({"id": "m"})])
    with vendor_server(always(NOT_THERE), card=cards) as server:
        model = PatientModel(way.model(server), RetryPolicy(), sleep=slept.append, clock=lambda: 0.0, draw=lambda: 0.0)
        assert check_credential(model) is None
    assert slept == [7.0]


def test_models_that_ask_nobody_say_what_they_are() -> None:
    revoked = Unanswered(reason=Reason.UNAUTHORISED)
    assert check_credential(OfflineModel()) == Unanswered(reason=Reason.NO_MODEL, detail="no model is configured")
    assert check_credential(ScriptedModel(lambda *_: "")) is None
    assert check_credential(ScriptedModel(lambda *_: "", unfit=revoked)) == revoked


class Bare:
    """A model that can only be asked."""

    name = "bare"

    def __init__(self, answer: str) -> None:
        self.ask = ScriptedModel(lambda *_: answer).ask


def test_a_model_that_can_only_be_asked_is_asked() -> None:
    assert check_credential(Bare(Echo(word="ready").model_dump_json())) is None
