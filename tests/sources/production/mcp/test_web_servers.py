from __future__ import annotations

import pytest

from dream.sources.production.mcp.probe import McpProbe
from dream.sources.production.mcp.source import McpSource
from dream.sources.production.port import Answer, Down, Found, Refused
from tests.support.mcp_probes import FEW_BYTES, HURRIED, ORDERS, PATIENT, REPLICAS, SHORT, by_url
from tests.support.mcp_server_web import running
from tests.support.served import free_port

FEW = {"floods-forever", "huge"}


def test_a_web_server_of_the_previous_protocol_is_asked_in_it() -> None:
    with running() as server, by_url(server.url) as before:
        assert before.ask("replicas", ORDERS) == REPLICAS
        listed, last = before.examine()
    assert listed.seen == "before\\u001b[31m 1, protocol 2025-11-25; may be called: replicas"
    assert last.sound


@pytest.mark.parametrize(
    ("fault", "answer"),
    [
        ("hang-close", REPLICAS),
        ("asks-back", REPLICAS),
        ("errors-of-none", REPLICAS),
        ("hang-initialize", Down("it gave no answer within 0.4 s (connecting)")),
        ("hang-tools/call", Down("it gave no answer within 3 s (calling)")),
        ("huge", Refused("it says more than an answer of 1000 bytes takes")),
        ("redirects-here", Refused("it sends elsewhere (status 307), and nothing is followed")),
        ("denies", Refused("it lets nobody in with that credential (status 401)")),
        ("zipped", Refused("its answer is encoded in a way that nobody asked for")),
        ("floods-forever", Refused("it says more than an answer of 1000 bytes takes")),
        ("html", None),
        ("breaks", None),
    ],
)
def test_a_web_server_that_misbehaves_is_bounded_and_named(fault: str, answer: Answer | None) -> None:
    limits = {"hang-initialize": HURRIED, "hang-tools/call": SHORT, **dict.fromkeys(FEW, FEW_BYTES)}.get(fault, PATIENT)
    with running(fault) as server, by_url(server.url, limits=limits) as probe:
        answered = probe.ask("replicas", ORDERS)
    assert answered == answer if answer else not isinstance(answered, Found)


def test_the_credential_goes_to_the_server_and_to_no_other_and_into_no_answer() -> None:
    with running() as other:
        with running("redirects", elsewhere=other.url) as server, by_url(server.url) as probe:
            answer = probe.ask("replicas", ORDERS)
        assert answer == Refused("it sends elsewhere (status 307), and nothing is followed")
        assert other.headers == []
        with by_url(other.url) as direct:
            assert direct.ask("replicas", ORDERS) == REPLICAS
            shown = repr(probe) + repr(direct) + repr(answer) + repr(direct.examine())
    assert {headers["Authorization"] for headers in other.headers} == {"Bearer s3cret-canary"}
    assert "canary" not in shown


def test_a_server_inside_the_network_is_refused_unless_it_may_be_there() -> None:
    source = McpSource(name="inside", url="http://127.0.0.1:9/mcp", tools=("replicas",))
    answer = McpProbe(source).ask("replicas", ORDERS)
    assert isinstance(answer, Refused)
    assert "inside a network" in answer.reason
    assert McpProbe(source).operations == ()


def test_a_connection_goes_to_the_address_that_was_checked() -> None:
    with running() as server:
        named = server.url.replace("127.0.0.1", "inventory.acme.invalid")
        source = McpSource(name="named", url=named, tools=("replicas",), internal=True)
        probe = McpProbe(source, limits=PATIENT, resolve=lambda _host, _port: ["127.0.0.1"])
        assert probe.ask("replicas", ORDERS) == REPLICAS
        probe.close()


def test_nothing_listens_is_down() -> None:
    with by_url(f"http://127.0.0.1:{free_port()}/mcp") as probe:
        assert isinstance(probe.ask("replicas", ORDERS), Down)


@pytest.mark.parametrize("fault", ["late", "late-whole"])
def test_an_answer_to_an_earlier_question_is_none_to_a_later_one(fault: str) -> None:
    with running(fault) as server, by_url(server.url) as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert probe.ask("replicas", ORDERS) == Refused("it answers another question than was asked")


def test_a_session_that_the_server_knows_no_more_is_opened_again_once() -> None:
    with running() as server, by_url(server.url) as probe:
        assert [probe.ask("replicas", ORDERS), probe.ask("replicas", ORDERS)] == [REPLICAS, REPLICAS]
        assert len(server.begun) == 1
        server.known.clear()
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert len(server.begun) == 2


def test_a_server_without_a_stream_of_its_own_keeps_its_session() -> None:
    with running("no-stream") as server, by_url(server.url) as probe:
        assert [probe.ask("replicas", ORDERS) for _ in range(4)] == [REPLICAS] * 4
        assert len(server.begun) == 1


def test_a_server_that_knows_no_session_is_left_alone_after_three() -> None:
    unknown = "it does not know the session any more (status 404)"
    with running("forgets") as server, by_url(server.url) as probe:
        answers = [probe.ask("replicas", ORDERS) for _ in range(4)]
    assert answers == [
        *[Down(unknown)] * 3,
        Down(f"it is asked no more tonight, after 3 sessions in a row died: {unknown}"),
    ]
    assert len(server.begun) == 3


def test_a_server_that_starts_anew_is_asked_in_a_new_session() -> None:
    with running() as server, by_url(server.url) as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
        server.close()
        with running(port=server.port) as again:
            assert probe.ask("replicas", ORDERS) == REPLICAS
            assert (len(server.begun), len(again.begun)) == (1, 1)


def test_a_server_that_has_itself_asked_again_without_end_is_left() -> None:
    with running("spins") as server, by_url(server.url, limits=FEW_BYTES) as probe:
        assert probe.ask("replicas", ORDERS) == REPLICAS
        asked = -1
        while asked != (asked := len(server.headers)):  # until it is asked nothing more
            server.leaving.wait(0.3)
        assert asked < 500
        assert probe.ask("replicas", ORDERS) == REPLICAS
        assert len(server.begun) == 2
