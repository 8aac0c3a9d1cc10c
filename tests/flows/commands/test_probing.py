"""`dream probe`: systems listed, and one of them asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import structlog

from dream.memory.pinned import PinnedCheck, pinned_checks
from tests.flows.test_probes import ALL, make_code
from tests.support.commands import Commands
from tests.support.repositories import git

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
MEMORY = {"url": "https://git.acme.example/memory.git"}


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    yield Commands(tmp_path, capsys, monkeypatch)
    structlog.reset_defaults()


def configure(dream: Commands, *systems: dict[str, Any]) -> None:
    dream.write("acme", {"memory": MEMORY, "production": systems})


@pytest.fixture
def code(dream: Commands) -> Path:
    folder = make_code(dream.root / "code")
    configure(dream, {"name": "web", "kind": "code", "url": str(folder), "internal": True})
    return folder


def test_every_system_is_listed_with_what_can_be_asked_of_it(dream: Commands) -> None:
    configure(dream, *ALL)
    ended = dream("probe", "acme")
    assert ended.exit == 0
    lines = ended.out.split("\n")
    assert [line for line in lines if line and not line.startswith(" ")] == [
        f"{system['name']} ({system['kind']})" for system in ALL
    ]
    assert "  file PATH" in lines
    assert "      whether a file or folder is there: present or absent" in lines
    one = dream("probe", "acme", "orders-db", "--json")
    assert (one.exit, [probe["name"] for probe in one.document["probes"]]) == (0, ["orders-db"])
    assert {probe["kind"] for probe in one.document["probes"]} == {"sql"}
    assert [operation["name"] for operation in one.document["probes"][0]["operations"]] == ["select"]


def test_an_organisation_without_systems_says_so(dream: Commands) -> None:
    configure(dream)
    assert (dream("probe", "acme").exit, dream("probe", "acme").out) == (
        0,
        "no system is configured under production\n",
    )


def test_one_question_gives_its_answer_and_the_check_that_could_be_pinned(dream: Commands, code: Path) -> None:
    assert code.is_dir()
    ended = dream("probe", "acme", "web", "file", "app.py")
    assert ended.exit == 0
    pin = ended.out.rstrip("\n").split("\n")[-1]
    assert pin == "pin: check: web file `app.py` is `present`"
    (check,) = pinned_checks(f"- x\n  {pin.removeprefix('pin: ')}")
    assert isinstance(check, PinnedCheck)
    document = dream("probe", "acme", "web", "lines", "app.py", "replicas", "--json").document
    assert {key: document[key] for key in ("probe", "operation", "text", "answer", "cut")} == {
        "probe": "web",
        "operation": "lines",
        "text": "app.py replicas",
        "answer": "found",
        "cut": False,
    }
    assert [line["text"] for line in document["lines"]] == ["app.py:1: replicas = 5"]


def test_a_place_that_any_line_above_it_moves_is_offered_to_nobody_as_a_check(dream: Commands, code: Path) -> None:
    assert code.is_dir()
    ended = dream("probe", "acme", "web", "symbol", "replicas")
    assert (ended.exit, ended.out.split("\n")[0], "pin: " in ended.out) == (0, "value: app.py:1", False)


def test_an_unknown_operation_is_refused_with_those_that_there_are(dream: Commands, code: Path) -> None:
    assert code.is_dir()
    ended = dream("probe", "acme", "web", "nosuch", "app.py")
    assert (ended.exit, ended.out) == (
        1,
        "refused: there is no operation nosuch; it has file, lines, symbol, manifest, config, history\n",
    )


class _Status(BaseHTTPRequestHandler):
    """A server of one service that is shown to whoever has the token."""

    def do_GET(self) -> None:
        """Answer as a status page would."""
        code = 200 if self.path == "/services/orders-api" else 404
        code = code if self.headers["Authorization"] == f"Bearer {TOKEN}" else 403
        body = json.dumps({"name": "orders-api", "replicas": 7}).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def status(dream: Commands) -> Iterator[None]:
    """A web server on loopback, configured with where its token is."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Status) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        there = {"kind": "http", "url": url, "internal": True, "credential": "env:ACME_STATUS_TOKEN"}
        configure(dream, {"name": "status", **there}, {"name": "outside", **there, "internal": False})
        yield
        server.shutdown()
        thread.join()


@pytest.mark.usefixtures("status")
def test_a_web_server_is_asked_with_the_credential_that_the_organisation_refers_to(
    dream: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = ("probe", "acme", "status", "get", "/services/orders-api $.replicas")
    missing = dream(*question)
    assert (missing.exit, missing.out) == (
        1,
        "down: organisation acme: the credential env:ACME_STATUS_TOKEN is missing: the variable is not set\n",
    )
    monkeypatch.setenv("ACME_STATUS_TOKEN", TOKEN)
    ended = dream(*question)
    assert ended.exit == 0
    assert ended.out.startswith("value: 7\n")
    assert ended.out.endswith("pin: check: status get `/services/orders-api $.replicas` is `7`\n")
    assert TOKEN not in ended.out + ended.err
    assert dream("probe", "acme", "status", "get", "/services/gone").out.startswith("nothing: ")
    assert dream("probe", "acme", "outside", "get", "/services/orders-api").out.startswith("refused: ")
    monkeypatch.setenv("ACME_STATUS_TOKEN", "another")
    assert dream(*question).out.startswith("refused: ")


def test_what_has_no_answer_exits_1_and_says_why(dream: Commands, code: Path) -> None:
    ended = dream("probe", "acme", "web", "symbol", "nowhere_defined")
    assert ended.exit == 1
    assert ended.out.startswith("nothing: ")
    refused = dream("probe", "acme", "web", "drop", "app.py", "--json")
    assert (refused.exit, refused.document["answer"]) == (1, "refused")
    (code / ".git").rename(code / "gone")
    down = dream("probe", "acme", "web", "file", "app.py")
    assert down.exit == 1
    assert down.out.startswith("down: ")


def test_wrong_usage_exits_2_and_names_the_systems(dream: Commands) -> None:
    configure(dream, *ALL[:2])
    ended = dream("probe", "acme", "webb", "file", "x")
    assert (ended.exit, ended.err) == (
        2,
        "dream: there is no system called webb\n  name one of web, status: dream probe acme\n",
    )
    assert dream("probe", "nobody").exit == 2
    assert dream("probe", "acme", "--record", "x.json").exit == 2


def test_what_a_system_holds_is_shown_escaped_and_without_credentials(dream: Commands, code: Path) -> None:
    (code / "app.py").write_text(f"replicas = 5 \u202e \x1b[31m\ntoken = '{TOKEN}'\n", encoding="utf-8")
    git(code, "-c", "user.name=Ana", "-c", "user.email=ana@acme.example", "commit", "--quiet", "--all", "-m", "More")
    shown = dream("probe", "acme", "web", "lines", "app.py replicas").out
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    for arguments in (("lines", "app.py token"), ("lines", "app.py token", "--json")):
        ended = dream("probe", "acme", "web", *arguments)
        assert ended.exit == 0
        assert TOKEN not in ended.out
        assert "*" * 10 in ended.out


def test_an_answer_is_recorded_and_given_again_by_a_recorded_system(dream: Commands, code: Path) -> None:
    assert code.is_dir()
    file = dream.root / "recorded.json"
    for question in (("file", "app.py"), ("symbol", "nowhere_defined"), ("file", "app.py")):
        dream("probe", "acme", "web", *question, "--record", str(file))
    configure(dream, {"name": "web", "kind": "recorded", "path": str(file)})
    ended = dream("probe", "acme", "web", "file", "app.py")
    assert ended.exit == 0
    assert ended.out.rstrip("\n").split("\n")[-1] == "pin: check: web file `app.py` is `present`"
    assert dream("probe", "acme", "web", "symbol", "nowhere_defined").exit == 1
    recorded = json.loads(file.read_text(encoding="utf-8"))
    assert [(one["operation"], list(one["answer"])) for one in recorded] == [
        ("symbol", ["nothing"]),
        ("file", ["found"]),
    ]


def test_a_file_that_holds_anything_else_is_left_as_it_is(dream: Commands, code: Path) -> None:
    assert code.is_dir()
    file = dream.root / "notes.md"
    file.write_text("# Notes\n", encoding="utf-8")
    ended = dream("probe", "acme", "web", "file", "app.py", "--record", str(file))
    assert ended.exit == 2
    assert f"\ndream: {file} is no file of recorded answers: " in ended.err
    assert file.read_text(encoding="utf-8") == "# Notes\n"
    nowhere = dream("probe", "acme", "web", "file", "app.py", "--record", str(dream.root / "none" / "x.json"))
    assert nowhere.exit == 2
    assert nowhere.err.endswith(
        " cannot be written: No such file or directory\n  name a file that this user may write\n"
    )


def test_what_is_recorded_holds_no_credential(dream: Commands, code: Path) -> None:
    (code / "app.py").write_text(f"token = '{TOKEN}'\n", encoding="utf-8")
    git(code, "-c", "user.name=Ana", "-c", "user.email=ana@acme.example", "commit", "--quiet", "--all", "-m", "More")
    file = dream.root / "recorded.json"
    assert dream("probe", "acme", "web", "lines", "app.py token", "--record", str(file)).exit == 0
    assert TOKEN not in file.read_text(encoding="utf-8")


def test_a_value_that_is_a_credential_by_its_name_alone_is_neither_shown_nor_recorded(
    dream: Commands, code: Path
) -> None:
    (code / "app.json").write_text(r'{"db": {"password": "hunter2-\"is\"-it", "user": "orders"}}', encoding="utf-8")
    git(code, "add", "app.json")
    git(code, "-c", "user.name=Ana", "-c", "user.email=ana@acme.example", "commit", "--quiet", "-m", "More")
    file = dream.root / "recorded.json"
    question = ("probe", "acme", "web", "config", "app.json $.db.password")
    shown = dream(*question, "--record", str(file))
    document = dream(*question, "--json").document
    assert document["values"] == ["*" * 15]
    assert [line["fields"] for line in document["lines"]] == [[["password", "*" * 15], ["user", "orders"]]]
    assert "hunter2" not in shown.out + file.read_text(encoding="utf-8") + json.dumps(document)
