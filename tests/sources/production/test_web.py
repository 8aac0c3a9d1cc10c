"""One GET, against everything that a server may do to whoever asks."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path

import pytest

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Down, Refused
from dream.sources.production.responses import Response, failure_of
from dream.sources.production.web import Web
from tests.support.served import free_port
from tests.support.web import Reset, Sent, Wait, answer, own_certificate, web_server

_SHORT = ProbeLimits(seconds=0.4, output_bytes=1_000)
_NO_ANSWER = Down("it gave no whole answer within 0.4 s")
_NO_HTTP = Down("what it answers is no HTTP, or not all of it")
_TOO_LONG = Refused("its answer is longer than 1000 bytes")
_ENCODED = Refused("its answer is encoded in a way that nobody asked for")


def _get(sent: Sent, limits: ProbeLimits = _SHORT) -> Response | Down | Refused:
    with web_server(lambda _request: sent) as server:
        return Web(server.url, internal=True, limits=limits).get("/")


def _body(got: Response | Down | Refused) -> bytes:
    assert isinstance(got, Response)
    return got.body


def test_an_answer_is_given_with_its_status_headers_and_body() -> None:
    got = _get(answer(b'{"a": 1}', status=404, headers={"X-Build": "7"}))
    assert got == Response(
        status=404,
        headers=(
            ("content-type", "application/json"),
            ("content-length", "8"),
            ("connection", "close"),
            ("x-build", "7"),
        ),
        body=b'{"a": 1}',
    )


def test_a_question_is_a_get_that_says_who_asks_and_sends_its_credential() -> None:
    with web_server(lambda _request: answer()) as server:
        web = Web(server.url + "/api/", headers={"Authorization": "Bearer s3cret"}, internal=True)
        web.get("/v1/query", [("query", 'up{job="a b"}&x')])
        (request,) = server.requests
    assert (request.method, request.target) == ("GET", "/api/v1/query?query=up%7Bjob%3D%22a+b%22%7D%26x")
    agent = request.headers["user-agent"]
    assert {**request.headers, "user-agent": agent.partition("/")[0]} == {
        "host": f"127.0.0.1:{server.port}",
        "user-agent": "nightly-dreaming",
        "accept": "application/json, text/plain;q=0.9, */*;q=0.1",
        "accept-encoding": "identity",
        "connection": "close",
        "authorization": "Bearer s3cret",
    }


def test_an_ipv6_literal_and_its_port_are_understood() -> None:
    with web_server(lambda _request: answer(b"1"), host="::1") as server:
        assert _body(Web(server.url, internal=True).get("/")) == b"1"
        assert server.requests[0].headers["host"] == f"[::1]:{server.port}"


def test_a_server_in_this_network_is_not_even_connected_to() -> None:
    with web_server(lambda _request: answer(b"1")) as server:
        for host in ("127.0.0.1", "localhost", "localhost.", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "127.1"):
            got = Web(f"http://{host}:{server.port}").get("/")
            assert isinstance(got, Refused), host
            assert "which only `internal: true` allows" in got.reason
        assert server.requests == []


def test_a_name_is_looked_up_once_and_the_connection_goes_to_what_was_checked() -> None:
    asked: list[str] = []

    def rebinding(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

    with web_server(lambda _request: answer(b"1")) as server:
        web = Web(f"http://api.example:{server.port}", internal=True, resolve=rebinding)
        assert _body(web.get("/")) == b"1"
        assert server.requests[0].headers["host"] == f"api.example:{server.port}"
    assert asked == ["api.example"]


def test_the_next_address_is_tried_where_the_first_does_not_answer() -> None:
    with web_server(lambda _request: answer(b"1")) as server:
        web = Web(f"http://api.example:{server.port}", internal=True, resolve=lambda *_: ["127.0.0.9", "127.0.0.1"])
        assert _body(web.get("/")) == b"1"


@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 307, 308])
def test_a_redirect_is_refused_and_not_followed_even_to_itself(status: int) -> None:
    with web_server(lambda request: answer(status=status, headers={"Location": request.target})) as server:
        web = Web(server.url, headers={"Authorization": "Bearer s3cret"}, internal=True)
        assert web.get("/a") == Refused(f"it sends elsewhere (status {status}), and nothing is followed")
        assert len(server.requests) == 1


def test_a_cookie_is_not_sent_back() -> None:
    with web_server(lambda _request: answer(headers={"Set-Cookie": "a=1; Path=/"})) as server:
        web = Web(server.url, internal=True)
        web.get("/")
        web.get("/")
        assert ["cookie" in request.headers for request in server.requests] == [False, False]


def _forever(part: bytes, first: bytes = b"") -> Iterator[bytes | Wait | Reset]:
    yield first
    yield from repeat(part)


def _slowly(data: bytes) -> Iterator[bytes | Wait | Reset]:
    for place in range(len(data)):
        yield data[place : place + 1]
        yield Wait(0.05)


_OK = b"HTTP/1.1 200 OK\r\n"
_LONG = b"Content-Length: 50000000\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ([Wait()], _NO_ANSWER),
        ([_OK, Wait()], _NO_ANSWER),
        ([*answer(b"{", length=10), Wait()], _NO_ANSWER),
        (_slowly(b"".join(part for part in answer(b"{}" * 100) if isinstance(part, bytes))), _NO_ANSWER),
        ([Reset()], Down("the connection broke")),
        ([], _NO_HTTP),
        ([*answer(b"{}", length=10)], _NO_HTTP),
        ([*answer(b"{}", headers={"Content-Length": "x"})], _NO_HTTP),
        ([b"220 mail.example ESMTP\r\n"], _NO_HTTP),
        ([b"\x00\xff" * 1_000], _NO_HTTP),
        (_forever(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"), _TOO_LONG),
        (_forever(b"X-Filler: " + b"x" * 1_000 + b"\r\n", _OK), _NO_HTTP),
        (_forever(b"x" * 10_000, _OK), _NO_HTTP),
        (_forever(b"x" * 10_000, _OK + b"\r\n"), _TOO_LONG),
        (_forever(b"x" * 10_000, _OK + _LONG), _TOO_LONG),
        (_forever(b"1\r\nx\r\n", _OK + b"Transfer-Encoding: chunked\r\n\r\n"), _TOO_LONG),
        (_forever(b"1;" + b"y" * 1_000 + b"\r\nx\r\n", _OK + b"Transfer-Encoding: chunked\r\n\r\n"), _TOO_LONG),
        (answer(gzip.compress(b" " * 50_000_000), headers={"Content-Encoding": "gzip"}), _TOO_LONG),
        (answer(b"not zipped", headers={"Content-Encoding": "gzip"}), _ENCODED),
        (answer(gzip.compress(b"[]" * 9)[:-9], headers={"Content-Encoding": "gzip"}), _ENCODED),
        (answer(gzip.compress(b"[]") * 2, headers={"Content-Encoding": "gzip"}), _ENCODED),
        (answer(gzip.compress(b"[]"), headers={"Content-Encoding": "gzip, gzip"}), _ENCODED),
        (answer(b"", headers={"Content-Encoding": "br"}), _ENCODED),
    ],
    ids=[
        *("hangs", "hangs-after-the-status", "hangs-in-the-body", "a-byte-at-a-time", "reset", "closed", "too-short"),
        *("a-length-that-is-none", "another-protocol", "noise", "103-for-ever", "headers-for-ever", "one-header"),
        *("a-body-for-ever", "50-MB", "chunks-for-ever", "chunk-extensions", "zip-bomb", "not-zipped", "half-zipped"),
        *("zipped-twice-over", "zipped-in-zipped", "brotli"),
    ],
)
def test_whatever_a_server_does_is_named(sent: Sent, expected: Down | Refused) -> None:
    assert _get(sent, ProbeLimits(seconds=5, output_bytes=1_000) if expected != _NO_ANSWER else _SHORT) == expected


def test_an_answer_of_just_the_limit_is_given_and_one_byte_more_refused() -> None:
    assert _body(_get(answer(b"x" * 1_000))) == b"x" * 1_000
    assert _get(answer(b"x" * 1_001)) == _TOO_LONG


def test_a_zipped_answer_is_unzipped_within_the_limit() -> None:
    assert _body(_get(answer(gzip.compress(b"x" * 1_000), headers={"Content-Encoding": "GZip"}))) == b"x" * 1_000
    assert _get(answer(gzip.compress(b"x" * 1_001), headers={"Content-Encoding": "gzip"})) == _TOO_LONG


def test_where_nothing_listens_it_is_down() -> None:
    assert Web(f"http://127.0.0.1:{free_port()}", internal=True).get("/") == Down("nothing answers at its address")


def test_a_certificate_that_nobody_vouches_for_is_down(tmp_path: Path) -> None:
    serving, trusting = own_certificate(tmp_path)
    untrusted = Down("it speaks no TLS, or has no certificate that can be trusted")
    with web_server(lambda _request: answer(b"1"), tls=serving) as server:
        assert Web(server.url, internal=True).get("/") == untrusted
        assert server.requests == []
        assert _body(Web(server.url, internal=True, tls=trusting).get("/")) == b"1"


def test_a_certificate_of_another_name_is_down(tmp_path: Path) -> None:
    serving, trusting = own_certificate(tmp_path, name="api.example")
    with web_server(lambda _request: answer(b"1"), tls=serving) as server:
        untrusted = Down("it speaks no TLS, or has no certificate that can be trusted")
        assert Web(server.url, internal=True, tls=trusting).get("/") == untrusted
        named = Web(
            f"https://api.example.:{server.port}", internal=True, tls=trusting, resolve=lambda *_: ["127.0.0.1"]
        )
        assert _body(named.get("/")) == b"1"
        assert server.requests[0].headers["host"] == f"api.example:{server.port}"


def test_what_speaks_no_tls_is_down() -> None:
    with web_server(lambda _request: answer(b"1")) as server:
        assert Web(server.url.replace("http", "https"), internal=True).get("/") == Down(
            "it speaks no TLS, or has no certificate that can be trusted"
        )


@pytest.mark.parametrize(
    "path", ["", "a", "//x", "/../a", "/a/%2e%2e/b", "/a/.", "/a b", "/a?b", "/a#b", "/a\\b", "/%", "/ä", "/a\r\nX: y"]
)
def test_a_path_that_is_none_is_not_asked_for(path: str) -> None:
    with web_server(lambda _request: answer()) as server:
        got = Web(server.url, internal=True).get(path)
        assert got == Refused("the path is none that can be asked for")
        assert server.requests == []


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "x",
            "ftp://a",
            "file:///etc/passwd",
            "http://",
            "http://a:b@c",
            "http://a@c",
            "http://[::1",
            "http://a:x",
        ),
        *("http://a?b=c", "http://a#b", "http://a:99999", "https://" + "a" * 300, "gopher://a", "http://a..b"),
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    assert isinstance(Web(url, internal=True).get("/"), Refused)


@pytest.mark.parametrize("secret", ["a\r\nX: y", "", "ä", "a\x00b", " a", "a\n", "x" * 20_000])
def test_a_credential_that_no_header_can_hold_is_not_sent_nor_told(secret: str) -> None:
    with web_server(lambda _request: answer()) as server:
        got = Web(server.url, headers={"Authorization": secret}, internal=True).get("/")
        assert got == Refused("its credential is nothing that a header can hold")
        assert server.requests == []


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("application/json", "ä".encode(), "ä"),
        ("text/plain; charset=ISO-8859-1", b"\xe4", "ä"),
        ('text/plain; charset="Windows-1252"', b"\x80", "€"),
        ("text/plain; charset=utf-8", b"\xe4", None),
        ("text/plain; charset=utf-7", b"+AOQ-", None),
        ("text/plain; charset=punycode", b"a", None),
        ("", b"\xff", None),
    ],
)
def test_a_body_is_text_only_in_the_character_set_that_it_says(kind: str, body: bytes, text: str | None) -> None:
    assert Response(status=200, headers=(("content-type", kind),), body=body).text() == text


def test_a_status_may_be_about_the_server_and_not_about_what_was_asked() -> None:
    def said(status: int) -> Down | Refused | None:
        return failure_of(Response(status=status, headers=(), body=b""))

    assert {status: type(said(status)) for status in (200, 204, 404, 410, 400)} == dict.fromkeys(
        (200, 204, 404, 410, 400), type(None)
    )
    assert said(401) == said(401) == Refused("it does not let this probe read that (status 401)")
    assert isinstance(said(403), Refused)
    assert said(429) == Down("it answers with status 429")
    assert {type(said(status)) for status in (408, 500, 502, 503, 599)} == {Down}


def test_nothing_of_the_environment_leads_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login a password b\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with web_server(lambda _request: answer(b"1")) as server, web_server(lambda _request: answer(b"2")) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert _body(Web(server.url, internal=True).get("/")) == b"1"
        assert "authorization" not in server.requests[0].headers
        assert proxy.requests == []
