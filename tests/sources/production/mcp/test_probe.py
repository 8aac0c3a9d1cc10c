from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from dream.sources.production.mcp.probe import McpProbe
from dream.sources.production.port import Found, Line, Nothing, Probe, Proof, Refused
from tests.conftest import ROOT
from tests.support.mcp_probes import CURRENT, ORDERS, by_command, by_url
from tests.support.served import free_port

TOOLS = (
    *("get_service", "count_services", "notes", "as_text", "picture", "credential", "asks_back"),
    *("unmarked", "delete_service", "confused", "missing"),
)
READ_ONLY = TOOLS[:7]


@contextmanager
def running(**environment: str) -> Iterator[str]:
    """Run the server of the SDK over streamable HTTP and yield its address."""
    port = free_port()
    with subprocess.Popen(
        [sys.executable, CURRENT, str(port)],
        env={"PATH": os.environ["PATH"], **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    ) as process:
        try:
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()


def wait_for(url: str) -> None:
    for _ in range(600):
        try:
            httpx2.get(url, timeout=1, trust_env=False)
        except httpx2.TransportError:
            time.sleep(0.05)
        else:
            return
    message = f"nothing listens at {url}"
    raise RuntimeError(message)


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trace") / "written"


@pytest.fixture(scope="module")
def both(trace: Path) -> Iterator[tuple[McpProbe, McpProbe]]:
    """The server of the SDK, over streamable HTTP and over stdio, which begin at the same time."""
    with running(TRACE=str(trace)) as url, by_command(trace, script=CURRENT, tools=TOOLS) as program:
        assert program.operations
        wait_for(url)
        with by_url(url, tools=TOOLS) as probe:
            yield probe, program


@pytest.fixture
def probe(both: tuple[McpProbe, McpProbe]) -> McpProbe:
    return both[0]


@pytest.fixture
def program(both: tuple[McpProbe, McpProbe]) -> McpProbe:
    return both[1]


def test_its_operations_are_the_tools_that_are_allowed_and_marked_read_only(probe: McpProbe) -> None:
    port: Probe = probe
    assert port.name == "inventory"
    assert tuple(operation.name for operation in port.operations) == READ_ONLY
    described = port.operations[0]
    assert (described.form, described.meaning) == ('{"name": …}', "Return a service of the inventory.")


def test_what_is_structured_is_told_line_by_line(probe: McpProbe, program: McpProbe) -> None:
    told = Found(
        lines=(
            Line(text='replicas=7 owner="team-shop"', fields=(("replicas", "7"), ("owner", "team-shop"))),
            Line(text='labels: tier="web"', fields=(("tier", "web"),)),
        ),
        names=("orders-api",),
    )
    assert (probe.ask("get_service", ORDERS), program.ask("get_service", ORDERS)) == (told, told)


def test_other_answers_are_values_lines_or_named(probe: McpProbe) -> None:
    assert probe.ask("count_services", "") == Found(
        lines=(Line(text="value=2", fields=(("value", "2"),)),), values=("2",)
    )
    assert probe.ask("notes", '{"name": "mail"}') == Found(
        lines=(Line(text="mail runs in eu-1"), Line(text="mail pages team-shop")),
        names=("mail",),
    )
    assert probe.ask("as_text", '{"name": "mail"}') == Found(
        lines=(Line(text='name="mail" version=1.10', fields=(("name", "mail"), ("version", "1.10"))),),
        names=("mail",),
    )
    assert probe.ask("picture", "{}") == Nothing("it answered with (image image/png, not read)")


def test_an_error_of_a_tool_is_nothing_and_a_wrong_question_refused(probe: McpProbe) -> None:
    assert probe.ask("get_service", '{"name": "x"}') == Nothing(
        "the tool says that it failed: Error executing tool get_service: no service x"
    )
    wrong = probe.ask("get_service", "{}")
    assert isinstance(wrong, Refused)
    assert wrong.reason.startswith("the tool was asked wrongly: ")


def test_a_tool_that_is_not_allowed_or_not_marked_read_only_is_never_called(probe: McpProbe, trace: Path) -> None:
    answers = {tool: probe.ask(tool, ORDERS) for tool in ("unlisted", "unmarked", "delete_service", "confused")}
    assert answers == {
        "unlisted": Refused(f"unlisted is none of the tools that may be called: {', '.join(TOOLS)}"),
        "unmarked": Refused("the server does not mark unmarked read-only"),
        "delete_service": Refused("the server does not mark delete_service read-only"),
        "confused": Refused("the server marks confused destructive"),
    }
    assert not trace.exists()


def test_what_it_is_given_of_arguments_is_one_json_object(probe: McpProbe) -> None:
    for text in ("[]", "7", "{", '{"a": 1, "a": 2}', '{"a": NaN}', '{"a": "' + "x" * 10_000 + '"}'):
        assert probe.objection("get_service", text) == "the arguments are no JSON object"
        assert probe.ask("get_service", text) == Refused("the arguments are no JSON object")


def test_its_examination_names_what_is_missing_and_shows_that_no_other_tool_is_called(probe: McpProbe) -> None:
    assert probe.examine() == (
        Proof(
            tried="list its tools",
            sound=True,
            seen=f"inventory 3.1, protocol 2026-07-28; may be called: {', '.join(READ_ONLY)}",
        ),
        Proof(tried="call unmarked", sound=False, seen="the server does not mark unmarked read-only"),
        Proof(tried="call delete_service", sound=False, seen="the server does not mark delete_service read-only"),
        Proof(tried="call confused", sound=False, seen="the server marks confused destructive"),
        Proof(tried="call missing", sound=False, seen="the server has no one tool of that name"),
        Proof(
            tried="call a tool that is not allowed",
            sound=True,
            seen=f"a-tool-that-nobody-allowed is none of the tools that may be called: {', '.join(TOOLS)}",
        ),
    )


def test_a_program_is_held_to_the_same_tools(program: McpProbe, trace: Path) -> None:
    assert program.ask("delete_service", ORDERS) == Refused("the server does not mark delete_service read-only")
    assert program.ask("unlisted", ORDERS) == Refused(
        f"unlisted is none of the tools that may be called: {', '.join(TOOLS)}"
    )
    assert not trace.exists()


def test_an_answer_that_holds_the_credential_is_refused(program: McpProbe) -> None:
    assert program.ask("credential", "") == Refused("its answer holds its own credential")


def test_a_tool_that_asks_back_is_told_nothing(probe: McpProbe) -> None:
    assert not isinstance(probe.ask("asks_back", ""), Found)


def test_the_sdk_is_loaded_for_those_alone_who_ask() -> None:
    program = (
        "import sys; import dream.sources.production.mcp.probe; print('mcp' in sys.modules, 'httpx2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["False", "False"]
