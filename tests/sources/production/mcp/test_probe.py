from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.mcp.probe import McpProbe
from dream.sources.production.mcp.source import McpSource
from dream.sources.production.port import Answer, Down, Found, Line, Nothing, Probe, Proof, Refused
from tests.conftest import ROOT
from tests.support.served import free_port

CURRENT, PREVIOUS = (str(ROOT / "tests" / "support" / name) for name in ("mcp_server.py", "mcp_server_previous.py"))
TOOLS = (
    *("get_service", "count_services", "notes", "as_text", "picture", "huge", "seen_variables", "credential"),
    "asks_back",
    *("unmarked", "delete_service", "confused", "missing"),
)
READ_ONLY = (*TOOLS[:6], "credential", "asks_back", "seen_variables")
ORDERS = '{"name": "orders-api"}'
REPLICAS = Found(
    lines=(Line(text='name="orders-api" replicas=7', fields=(("name", "orders-api"), ("replicas", "7"))),),
    names=("orders-api",),
)
LIMITS = ProbeLimits(seconds=60)
SHORT = ProbeLimits(seconds=4)
ENDS_WITH_ITS_TIME = ("hang-", "floods-", "silent-")


@contextmanager
def running(script: str, *arguments: str, **environment: str) -> Iterator[str]:
    """Run a server of streamable HTTP and yield its address."""
    port = free_port()
    with subprocess.Popen(
        [sys.executable, script, str(port), *arguments],
        env={"PATH": os.environ["PATH"], **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    ) as process:
        try:
            wait_for(f"http://127.0.0.1:{port}/mcp")
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


def by_command(trace: Path, *arguments: str, script: str = PREVIOUS, tools: Sequence[str] = ("replicas",)) -> McpProbe:
    source = McpSource(
        name="inventory",
        command=(sys.executable, script, "stdio", *arguments),
        credential_variable="INVENTORY_TOKEN",
        environment=("TRACE",),
        tools=tuple(tools),
    )
    environment = {"TRACE": str(trace), "SECRET_OF_THIS_PROCESS": "x", "HOME": "/root"}
    limits = SHORT if any(word.startswith(ENDS_WITH_ITS_TIME) for word in arguments) else LIMITS
    return McpProbe(source, secret="s3cret-canary", environment=environment, limits=limits)


def by_url(url: str, *, tools: Sequence[str] = TOOLS, limits: ProbeLimits = LIMITS) -> McpProbe:
    source = McpSource(name="inventory", url=url, tools=tuple(tools), internal=True)
    return McpProbe(source, secret="s3cret-canary", limits=limits)


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trace") / "written"


@pytest.fixture(scope="module")
def probe(trace: Path) -> Iterator[McpProbe]:
    """The server of the SDK, over streamable HTTP."""
    with running(CURRENT, TRACE=str(trace)) as url:
        yield by_url(url)


@pytest.fixture(scope="module")
def program(trace: Path) -> McpProbe:
    """The server of the SDK, over stdio."""
    return by_command(trace, script=CURRENT, tools=TOOLS)


@pytest.fixture(scope="module", params=["stdio", "http"])
def before(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpProbe]:
    """The server of the previous protocol, by either way."""
    if request.param == "stdio":
        yield by_command(tmp_path_factory.mktemp("before") / "trace")
    else:
        with running(PREVIOUS) as url:
            yield by_url(url, tools=("replicas",))


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


def test_fifty_megabytes_are_not_read_to_their_end(probe: McpProbe, program: McpProbe) -> None:
    refused = Refused("it says more than an answer of 1000000 bytes takes")
    assert (probe.ask("huge", "{}"), program.ask("huge", "{}")) == (refused, refused)


def test_a_tool_that_is_not_allowed_or_not_marked_read_only_is_never_called(probe: McpProbe, trace: Path) -> None:
    answers = {tool: probe.ask(tool, ORDERS) for tool in ("unlisted", "unmarked", "delete_service", "confused")}
    assert answers == {
        "unlisted": Refused("unlisted is none of the tools that may be called"),
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
            seen="a-tool-that-nobody-allowed is none of the tools that may be called",
        ),
    )


def test_a_program_is_held_to_the_same_tools(program: McpProbe, trace: Path) -> None:
    assert program.ask("delete_service", ORDERS) == Refused("the server does not mark delete_service read-only")
    assert program.ask("unlisted", ORDERS) == Refused("unlisted is none of the tools that may be called")
    assert not trace.exists()


def test_an_answer_that_holds_the_credential_is_refused(program: McpProbe) -> None:
    assert program.ask("credential", "") == Refused("its answer holds its own credential")


def test_a_tool_that_asks_back_is_told_nothing(probe: McpProbe) -> None:
    assert not isinstance(probe.ask("asks_back", ""), Found)


def test_a_command_is_given_its_variables_its_credential_and_an_empty_folder(program: McpProbe) -> None:
    answer = program.ask("seen_variables", "{}")
    assert isinstance(answer, Found)
    *variables, folder = [line.text for line in answer.lines]
    assert set(variables) - {"LC_CTYPE"} == {"INVENTORY_TOKEN", "TRACE"}
    assert folder.startswith("cwd=0 ")
    assert not Path(folder.removeprefix("cwd=0 ")).exists()


def test_a_server_of_the_previous_protocol_is_asked_in_it(before: McpProbe) -> None:
    assert before.ask("replicas", ORDERS) == REPLICAS
    listed, last = before.examine()
    assert listed.seen == "before\\u001b[31m 1, protocol 2025-11-25; may be called: replicas"
    assert last.sound


def test_a_server_that_answers_only_the_previous_protocol_is_asked_in_it(tmp_path: Path) -> None:
    assert by_command(tmp_path / "trace", "silent-server/discover").ask("replicas", ORDERS) == REPLICAS


@pytest.mark.parametrize(
    ("fault", "stage"),
    [
        ("hang-connect", "connecting"),
        ("hang-initialize", "connecting"),
        ("hang-tools/list", "listing its tools"),
        ("hang-tools/call", "calling"),
        ("floods-forever", "calling"),
    ],
)
def test_a_server_that_hangs_is_down_and_ended(tmp_path: Path, fault: str, stage: str) -> None:
    probe = by_command(tmp_path / "trace", fault)
    assert probe.ask("replicas", ORDERS) == Down(f"it gave no answer within 4 s ({stage})")
    assert processes_of(fault) == []


@pytest.mark.parametrize(
    ("fault", "answer"),
    [
        ("asks-back", REPLICAS),
        ("floods-errors", REPLICAS),
        ("garbage", REPLICAS),
        ("never-ends", REPLICAS),
        ("end-initialize", Down("it broke off before it answered")),
        ("end-tools/call", Down("it broke off before it answered")),
        ("changes-tools", Refused("its tools changed while it was asked")),
        ("huge", Refused("it says more than an answer of 1000000 bytes takes")),
        ("endless-line", Refused("it says more than an answer of 1000000 bytes takes")),
        ("endless-pages", Refused("it lists more than 20 pages of tools")),
        ("input-required", Refused("it asks for something before it answers, and is given nothing")),
        ("not-of-the-protocol", Refused("what it answers is not of the protocol")),
        ("no-longer-read-only", Refused("the server does not mark replicas read-only")),
        ("twice", Refused("the server has no one tool replicas")),
        ("protocol-error", Nothing("it says that it failed: bad\\u001b[31m day")),
    ],
)
def test_a_server_that_misbehaves_is_bounded_and_named(tmp_path: Path, fault: str, answer: Answer) -> None:
    probe = by_command(tmp_path / "trace", fault)
    assert probe.ask("replicas", ORDERS) == answer
    assert processes_of(fault) == []


@pytest.mark.parametrize("fault", ["floods-notifications", "floods-progress"])
def test_a_flood_ends_with_the_time_or_the_bytes_of_a_question(tmp_path: Path, fault: str) -> None:
    assert isinstance(by_command(tmp_path / "trace", fault).ask("replicas", ORDERS), Down | Refused)
    assert processes_of(fault) == []


def test_a_pattern_of_the_server_that_takes_forever_is_not_tried(tmp_path: Path) -> None:
    answer = by_command(tmp_path / "trace", "slow-pattern").ask("replicas", ORDERS)
    assert isinstance(answer, Found)
    assert answer.values == ("a" * 40 + "!",)


def test_every_question_of_a_server_is_declined(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    assert by_command(trace, "asks-back").ask("replicas", ORDERS) == REPLICAS
    noted = [json.loads(line) for line in trace.read_text().splitlines()]
    answered = {message["id"]: "error" in message for message in noted if "method" not in message}
    assert answered == {"q-sampling/createMessage": True, "q-elicitation/create": True, "q-roots/list": True}


def test_a_program_that_never_ends_is_killed_with_what_it_started(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    assert by_command(trace, "never-ends").ask("replicas", ORDERS) == REPLICAS
    numbers = [int(number) for number in trace.read_text().partition("{")[0].split()]
    assert len(numbers) == 2
    for _ in range(500):  # who is killed takes a moment to be gone
        if not any(map(is_running, numbers)):
            break
        time.sleep(0.01)
    assert [number for number in numbers if is_running(number)] == []


@pytest.mark.parametrize("fault", ["later-other-schema", "later-no-longer-read-only"])
def test_a_tool_that_is_not_what_it_was_listed_as_is_not_called(tmp_path: Path, fault: str) -> None:
    probe = by_command(tmp_path / "trace", fault)
    assert [operation.name for operation in probe.operations] == ["replicas"]
    assert probe.ask("replicas", ORDERS) == Refused("replicas is not what it was when it was listed first")
    assert "tools/call" not in (tmp_path / "trace").read_text()


def test_a_server_whose_command_is_not_there_is_down(tmp_path: Path) -> None:
    probe = McpProbe(McpSource(name="gone", command=(str(tmp_path / "none"),), tools=("a",)), limits=SHORT)
    assert probe.ask("a", "") == Down("its command cannot be started")
    assert probe.objection("b", "") == "b is none of the tools that may be called"
    assert probe.ask("b", "") == Refused("b is none of the tools that may be called")
    assert probe.operations == ()
    assert probe.examine()[0] == Proof(tried="list its tools", sound=False, seen="its command cannot be started")


@pytest.mark.parametrize(
    ("fault", "answer"),
    [
        ("hang-close", REPLICAS),
        ("asks-back", REPLICAS),
        ("hang-initialize", Down("it gave no answer within 4 s (connecting)")),
        ("hang-tools/call", Down("it gave no answer within 4 s (calling)")),
        ("huge", Refused("it says more than an answer of 1000000 bytes takes")),
        ("redirects-here", Refused("it sends elsewhere (status 307), and nothing is followed")),
        ("denies", Refused("it lets nobody in with that credential (status 401)")),
        ("zipped", Refused("its answer is encoded in a way that nobody asked for")),
        ("floods-forever", None),
        ("html", None),
        ("breaks", None),
    ],
)
def test_a_web_server_that_misbehaves_is_bounded_and_named(tmp_path: Path, fault: str, answer: Answer | None) -> None:
    with running(PREVIOUS, fault, TRACE=str(tmp_path / "trace")) as url:
        limits = SHORT if fault.startswith(ENDS_WITH_ITS_TIME) else LIMITS
        answered = by_url(url, tools=("replicas",), limits=limits).ask("replicas", ORDERS)
    assert answered == answer if answer else not isinstance(answered, Found)


def test_the_credential_goes_to_the_server_and_to_no_other_and_into_no_answer(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    with running(PREVIOUS, TRACE=str(elsewhere)) as other:
        noted = elsewhere.read_text() if elsewhere.exists() else ""
        with running(PREVIOUS, "redirects", ELSEWHERE=other) as url:
            probe = by_url(url, tools=("replicas",), limits=SHORT)
            answer = probe.ask("replicas", ORDERS)
        assert answer == Refused("it sends elsewhere (status 307), and nothing is followed")
        assert (elsewhere.read_text() if elsewhere.exists() else "") == noted
        direct = by_url(other, tools=("replicas",), limits=SHORT)
        assert direct.ask("replicas", ORDERS) == REPLICAS
    assert "Bearer s3cret-canary" in elsewhere.read_text()
    assert "canary" not in repr(probe) + repr(direct) + repr(answer) + repr(direct.examine())


def test_a_server_inside_the_network_is_refused_unless_it_may_be_there() -> None:
    source = McpSource(name="inside", url="http://127.0.0.1:9/mcp", tools=("replicas",))
    answer = McpProbe(source).ask("replicas", ORDERS)
    assert isinstance(answer, Refused)
    assert "inside a network" in answer.reason
    assert McpProbe(source).operations == ()


def test_a_connection_goes_to_the_address_that_was_checked() -> None:
    with running(PREVIOUS) as url:
        named = url.replace("127.0.0.1", "inventory.acme.invalid")
        source = McpSource(name="named", url=named, tools=("replicas",), internal=True)
        probe = McpProbe(source, limits=SHORT, resolve=lambda _host, _port: ["127.0.0.1"])
        assert probe.ask("replicas", ORDERS) == REPLICAS


def test_nothing_listens_is_down() -> None:
    answer = by_url(f"http://127.0.0.1:{free_port()}/mcp", limits=SHORT).ask("get_service", ORDERS)
    assert isinstance(answer, Down)


def test_the_sdk_is_loaded_for_those_alone_who_ask() -> None:
    program = (
        "import sys; import dream.sources.production.mcp.probe; print('mcp' in sys.modules, 'httpx2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["False", "False"]


def is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


def processes_of(argument: str) -> list[int]:
    """The processes of this machine that were started with an argument and still run."""
    found: list[int] = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().split(b"\0")
        except OSError:
            continue
        if PREVIOUS.encode() in words and argument.encode() in words:
            found.append(int(place.parent.name))
    return [number for number in found if is_running(number)]
