"""A night's models with the vendors' own SDKs behind them, against a server on this machine."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest
import structlog

from dream.models.port import Reason, Replied, Role
from dream.models.prompt import Prompt, Untrusted
from flows.dreaming import NightModels
from flows.spending import read_spent
from flows.telling.logs import configure_logs
from tests.flows.test_dreaming import NIGHT, ask, night
from tests.support.answering import Line
from tests.support.vendors import Request, Response, VendorServer, error, said, vendor_server

KEY = "sk-proj-invented-0123456789"
YES = '{"line": "yes"}'


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_VENDORS_KEY", KEY)


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    configure_logs(level="DEBUG", stream=stream)
    with redirect_stderr(stream):
        yield stream
    structlog.reset_defaults()


def over(home: Path, server: VendorServer, **keys: Any) -> NightModels:
    """Models of every kind at one server."""
    key = {"credential": "env:A_VENDORS_KEY"}
    models = {
        "dreamer": {"provider": "openai", "model": "m", "base_url": server.openai, "wire": "responses", **key},
        "summariser": {"provider": "openai", "model": "s", "base_url": server.openai, **key},
        "judge": {"provider": "openai", "model": "j", "base_url": server.openai, **key},
        "reviewer": {"provider": "anthropic", "model": "m", "base_url": server.anthropic, **key},
    }
    return night(home, models=models, **keys)


def test_each_role_is_asked_over_its_own_wire_and_counted(tmp_path: Path) -> None:
    prompt = Prompt(
        name="test/ask", version="1", system="Answer.", parts=("What?", Untrusted(label="a message", text="plugh"))
    )
    with vendor_server(lambda request: said(request, YES)) as server:
        models = over(tmp_path, server)
        roles = (models.dreamer, models.summariser, models.judge, models.reviewer)
        asked = [role("distil") for role in roles]
        answers = [model.ask(prompt, Line) for model in asked]
        again = [model.ask(prompt, Line) for model in asked]
    assert [one.reply.line for one in answers if isinstance(one, Replied)] == ["yes"] * 4
    assert again == answers
    wires = [request.path.rpartition("/")[2] for request in server.questions]
    assert wires == ["responses", "completions", "completions", "messages"]
    assert {row.role: (row.questions, row.kept) for row in models.ledger.rows()} == dict.fromkeys(Role, (2, 1))
    assert models.ledger.spent(now=0).calls == 4 + 3
    (fence,) = {request.text.split("\n")[-1] for request in server.questions}
    assert fence.endswith(">>>")
    assert len(fence) > 16


def test_a_key_that_is_revoked_in_the_middle_of_a_night_stops_it_and_is_nowhere_to_be_read(
    tmp_path: Path, logged: io.StringIO
) -> None:
    def answer(request: Request) -> Response:
        if "first" in request.text:
            return said(request, YES)
        return error(401, code="invalid_api_key", message=f"Incorrect API key provided: {KEY}")

    with vendor_server(answer) as server:
        models = over(tmp_path, server)
        assert ask(models, "first", "second", "third", "first") == ["yes", "unauthorised", "stopped", "yes"]
        models.end()
    assert len(server.questions) == 2
    told = [*models.findings(), logged.getvalue(), repr(models.stopped_by)]
    kept = [path.read_text(encoding="latin-1") for path in tmp_path.rglob("*") if path.is_file()]
    assert models.stopped_by is not None
    assert models.stopped_by.reason is Reason.UNAUTHORISED
    assert [text for text in (*told, *kept) if KEY in text or "first" in text] == []
    assert "night.spent" in logged.getvalue()


def test_a_key_that_is_no_good_is_found_out_before_anything_is_asked(tmp_path: Path) -> None:
    def refuse(_request: Request) -> Response:
        return error(401, code="invalid_api_key")

    with vendor_server(refuse, card=refuse) as server:
        models = over(tmp_path, server)
        assert ask(models, "first") == ["stopped"]
    assert [request for request in server.questions if "first" in request.text] == []
    assert models.stopped_by is not None
    assert models.stopped_by.reason is Reason.UNAUTHORISED


def test_what_a_question_may_cost_is_written_down_before_it_is_sent(tmp_path: Path) -> None:
    under_way = []

    def answer(request: Request) -> Response:
        under_way.append(read_spent(tmp_path / "acme", NIGHT))
        return said(request, YES)

    with vendor_server(answer) as server:
        ask(over(tmp_path, server, limits={"calls": {"output_tokens": 700}}), "first")
    (before,) = under_way
    assert (before.calls, before.tokens > 700) == (4, True)
    after = read_spent(tmp_path / "acme", NIGHT)
    assert (after.calls, after.tokens) == (4, 110)
