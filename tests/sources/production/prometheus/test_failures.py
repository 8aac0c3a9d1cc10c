"""Servers that are no Prometheus, or one that does not tell all; and what is ever sent to any."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Answer, Down, Found, Line, Nothing, Proof, Refused
from dream.sources.production.prometheus.probe import PrometheusProbe, PrometheusSource
from tests.support.served import free_port


@dataclass
class Pretender:
    """Something that answers everything in one way, and keeps what it was asked."""

    url: str = ""
    status: int = 200
    body: bytes = b""
    kind: str = "application/json"
    requests: list[str] = field(default_factory=list)
    logins: set[str | None] = field(default_factory=set)

    def says(self, data: Any, **more: Any) -> None:
        self.body = json.dumps({"status": "success", "data": data, **more}).encode()


@pytest.fixture
def pretender() -> Iterator[Pretender]:
    pretends = Pretender()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it
            """Say nothing on standard error."""

        def answer(self) -> None:
            pretends.requests.append(f"{self.command} {self.path.partition('?')[0]}")
            pretends.logins.add(self.headers.get("Authorization"))
            self.send_response(pretends.status)
            self.send_header("Content-Type", pretends.kind)
            self.send_header("Content-Length", str(len(pretends.body)))
            self.end_headers()
            self.wfile.write(pretends.body)

        def __getattr__(self, name: str) -> Callable[[], None]:
            """Answer every method."""
            if name.startswith("do_"):
                return self.answer
            raise AttributeError(name)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    pretends.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield pretends
    server.shutdown()
    server.server_close()
    thread.join()


def probe(pretender: Pretender, *, secret: str = "", limits: ProbeLimits | None = None) -> PrometheusProbe:
    source = PrometheusSource(name="metrics", url=pretender.url, internal=True)
    return PrometheusProbe(source, secret=secret, limits=limits, now=lambda: 1_000_000.0)


def series(kind: str = "vector", **samples: Any) -> dict[str, Any]:
    return {"resultType": kind, "result": [{"metric": {"__name__": "up", "job": "shop"}, **samples}]}


ANSWERS: dict[str, tuple[int, bytes, str, Answer]] = {
    "a page": (
        200,
        b"<html>up 1</html>",
        "text/html",
        Refused("an answer that no Prometheus gives (status 200, text/html)"),
    ),
    "other JSON": (200, b'{"up": 1}', "application/json", Refused("an answer that no Prometheus gives (status 200)")),
    "a list": (200, b"[1]", "application/json", Refused("an answer that no Prometheus gives (status 200)")),
    "no JSON at all": (200, b"", "", Refused("an answer that no Prometheus gives (status 200, no media type)")),
    "a scalar": (
        200,
        b'{"status": "success", "data": {"resultType": "scalar", "result": [1, "7"]}}',
        "application/json",
        Refused("an answer that holds no series"),
    ),
    "not found": (404, b"{}", "application/json", Refused("an answer that no Prometheus gives (status 404)")),
    "too much work": (
        422,
        b'{"status": "error", "errorType": "execution", "error": "too many\\nsamples"}',
        "application/json",
        Refused("execution: too many\\nsamples"),
    ),
    "no entry": (401, b"", "text/plain", Refused("it does not let this probe read that (status 401)")),
    "busy": (
        503,
        b'{"status": "error", "errorType": "timeout", "error": "x"}',
        "application/json",
        Down("it answers with status 503"),
    ),
    "a sample that is none": (
        200,
        json.dumps({"status": "success", "data": series(value=[1, 7])}).encode(),
        "application/json",
        Nothing("no series with a number matches"),
    ),
    "a histogram": (
        200,
        json.dumps({"status": "success", "data": series(histogram=[1, {}])}).encode(),
        "application/json",
        Nothing("no series with a number matches"),
    ),
    "series that are none": (
        200,
        b'{"status": "success", "data": {"resultType": "vector", "result": [7, {"metric": 7}, null]}}',
        "application/json",
        Nothing("no series with a number matches"),
    ),
}


@pytest.mark.parametrize("ending", ["/api/v1", "/prometheus/api/v1/"])
def test_a_url_that_goes_on_to_the_api_is_told_how_to_be_written(pretender: Pretender, ending: str) -> None:
    pretender.status, pretender.body, pretender.kind = 404, b"404 page not found", "text/plain"
    source = PrometheusSource(name="metrics", url=pretender.url + ending, internal=True)
    way_out = "leave /api/v1 off the url"
    asked = PrometheusProbe(source).ask("instant", "up")
    assert asked == Refused(f"there is no /api/v1/query below its url (status 404); {way_out}")
    assert PrometheusProbe(source).examine()[0].seen.endswith(way_out)


@pytest.mark.parametrize(("status", "body", "kind", "answer"), ANSWERS.values(), ids=ANSWERS)
def test_what_no_prometheus_says_is_no_answer(
    pretender: Pretender, status: int, body: bytes, kind: str, answer: Answer
) -> None:
    pretender.status, pretender.body, pretender.kind = status, body, kind

    assert probe(pretender).ask("instant", "up") == answer


@pytest.mark.parametrize("operation", ["alerts", "rules", "targets"])
@pytest.mark.parametrize("data", [7, [], {}, {"alerts": [7], "groups": [{"rules": 7}], "activeTargets": {}}])
def test_a_list_of_another_shape_holds_nothing(pretender: Pretender, operation: str, data: Any) -> None:
    pretender.says(data)

    assert isinstance(probe(pretender).ask(operation, ""), Nothing)


def test_a_part_of_the_series_is_cut_and_no_sum(pretender: Pretender) -> None:
    pretender.says(series(value=[1, "7"]), warnings=["store gw-2 did not answer"])
    asking = probe(pretender)

    assert asking.ask("instant", 'up{job="shop"}') == Found(
        lines=(Line(text='up{job="shop"}: value=7', fields=(("job", "shop"), ("value", "7"), ("up", "7"))),),
        values=("7",),
        names=("shop",),
        cut=True,
    )
    assert asking.ask("instant", "sum(up)") == Nothing("a part of the series may be missing: store gw-2 did not answer")
    pretender.says({"resultType": "vector", "result": []}, warnings=["store gw-2 did not answer"])
    assert asking.ask("instant", "up") == Nothing("no series with a number matches (store gw-2 did not answer)")


def test_the_last_sample_of_a_series_that_ended_is_no_value(pretender: Pretender) -> None:
    pretender.says(series("matrix", values=[[999_000, "3"], [999_060, "7"], [999_120, "NaN"]]))

    assert probe(pretender).ask("range", "up [1h:1m]") == Found(
        lines=(
            Line(
                text='up{job="shop"}: last=7 min=3 max=7 ended="1970-01-12T13:31:00+00:00"',
                fields=(
                    ("job", "shop"),
                    ("last", "7"),
                    ("min", "3"),
                    ("max", "7"),
                    ("ended", "1970-01-12T13:31:00+00:00"),
                ),
            ),
        )
    )


def test_a_line_that_is_too_long_is_cut_and_has_no_fields(pretender: Pretender) -> None:
    pretender.says({"resultType": "vector", "result": [{"metric": {"a": "x" * 900}, "value": [1, "7"]}]})

    asked = probe(pretender).ask("instant", "up")

    assert asked == Found(lines=(Line(text='up{a="' + "x" * 492 + " …"),), values=("7",), cut=True)


def test_an_answer_of_megabytes_is_refused(pretender: Pretender) -> None:
    pretender.says(series(value=[1, "7"]), padding="x" * 100_000)

    assert isinstance(probe(pretender, limits=ProbeLimits(output_bytes=10_000)).ask("instant", "up"), Refused)


def test_a_server_that_is_not_there_is_down_and_no_proof() -> None:
    source = PrometheusSource(name="metrics", url=f"http://127.0.0.1:{free_port()}", internal=True)
    nowhere = PrometheusProbe(source)

    asked = nowhere.ask("instant", "up")

    assert isinstance(asked, Down)
    assert nowhere.examine() == (Proof(tried="connect", sound=False, seen=asked.reason),)


def test_a_server_within_the_network_is_refused_unless_it_is_said_to_be_there(pretender: Pretender) -> None:
    source = PrometheusSource(name="metrics", url=pretender.url)

    assert isinstance(PrometheusProbe(source).ask("instant", "up"), Refused)
    assert pretender.requests == []


def test_whatever_is_asked_only_get_of_seven_addresses_is_sent(pretender: Pretender) -> None:
    pretender.says({})
    asking = probe(pretender, secret="a-bearer-token")
    for text in ("up", "", "../admin/tsdb/delete_series", "up\r\nX: y", "up&match[]=x", "/-/quit"):
        for operation in (*(each.name for each in asking.operations), "/-/quit", "../admin/tsdb/delete_series", ""):
            asking.ask(operation, text)
            asking.ask(operation, f"{text} [1h:1m]")
    asking.examine()

    assert set(pretender.requests) == {
        "GET /api/v1/query",
        "GET /api/v1/query_range",
        "GET /api/v1/alerts",
        "GET /api/v1/rules",
        "GET /api/v1/targets",
        "GET /api/v1/status/buildinfo",
        "GET /api/v1/label/__name__/values",
    }
    assert pretender.logins == {"Bearer a-bearer-token"}
    assert "a-bearer-token" not in repr(asking)
