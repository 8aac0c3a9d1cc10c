"""A session with an MCP server, by the official SDK: what it offers, and what its tools answer."""

from __future__ import annotations

import logging
import math
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types
from mcp import Client, MCPError
from pydantic import BaseModel, ConfigDict, ValidationError

from dream.sources.production.fields import printable
from dream.sources.production.mcp.network import web_streams
from dream.sources.production.mcp.stdio import program_streams
from dream.sources.production.mcp.tools import Tool, read_tool
from dream.sources.production.mcp.ward import Question, Ward
from dream.sources.production.port import Down, Nothing, Refused

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams
    from mcp.client.session import IncomingMessage, MessageHandlerFnT

_MOST_PAGES = 20
_MOST_LISTINGS = 3
_FIRST_SHARE = 0.6
_TOLD = 200
_LOOKING_SECONDS = 0.01
_MISTAKES = frozenset({mcp_types.INVALID_PARAMS, mcp_types.METHOD_NOT_FOUND, mcp_types.INVALID_REQUEST})
_GONE = frozenset({mcp_types.CONNECTION_CLOSED, mcp_types.REQUEST_TIMEOUT})


class _Result(BaseModel):
    """A result as it came: the SDK's own check of it would run regular expressions of the server's."""

    model_config = ConfigDict(extra="allow")


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a server is reached: at checked addresses of its url, or by a command."""

    url: str = ""
    secret: str = field(default="", repr=False)
    addresses: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    seconds: float
    modes: tuple[str, ...] = ("auto", "legacy")
    """The ways of speaking that are tried, one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """What a server says it is and offers, in one session."""

    name: str
    version: str
    protocol: str
    tools: tuple[Tool, ...]

    def tool(self, name: str) -> Tool | None:
        """Return a tool by its name, None for one that is not listed exactly once."""
        named = [tool for tool in self.tools if tool.name == name]
        return named[0] if len(named) == 1 else None


@dataclass(slots=True)
class Session:
    """A session that has begun, and whether the server has said since that its tools are not what they were."""

    client: Client
    changes: list[str]
    ward: Ward
    way: Way


async def describe(session: Session, question: Question) -> None:
    """Give a question what the server is and offers."""
    question.give(await _server(session))


def call(
    name: str, arguments: Mapping[str, Any], objection: Callable[[Server], str]
) -> Callable[[Session, Question], Awaitable[None]]:
    """Return what gives a question the result of a tool, as it came or why there is none.

    The tools are listed for each question anew, and the tool is called only where that listing meets no `objection`.
    """

    async def work(session: Session, question: Question) -> None:
        server = await _server(session)
        if question.settled.is_set():
            return
        if reason := objection(server):
            question.give(Refused(reason))
            return
        session.ward.stage = "calling"
        result = await session.client.session.send_request(
            mcp_types.CallToolRequest(params=mcp_types.CallToolRequestParams(name=name, arguments=dict(arguments))),
            _Result,
        )
        question.give(_settled(result.model_extra or {}, session.changes))

    return work


def _settled(result: Mapping[str, Any], changes: list[str]) -> Mapping[str, Any] | Refused:
    if changes:
        return Refused("its tools changed while it was asked")
    if result.get("resultType") == "input_required":
        return Refused("it asks for something before it answers, and is given nothing")
    return result


async def converse(way: Way, ward: Ward) -> None:
    """Open a session and put the ward's questions in it, until it is to end.

    A server of the previous protocol may say nothing to the first message of the current one; the previous one is then
    spoken in a new session, for what is left of the time.
    """
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)  # it logs what servers say, as they say it
    try:
        for mode in way.modes:
            seconds = way.seconds * _FIRST_SHARE if mode != way.modes[-1] else math.inf
            with anyio.move_on_after(seconds) as waiting, _empty_folder() as folder:
                changes: list[str] = []
                client = Client(
                    _streams(way, ward, folder),
                    mode=mode,
                    cache=None,
                    client_info=mcp_types.Implementation(name="nightly-dreaming", version=version("nightly-dreaming")),
                    message_handler=_watch(changes),
                )
                async with client:
                    waiting.deadline = math.inf
                    ward.mode = mode
                    await _answer(Session(client=client, changes=changes, ward=ward, way=way))
            if not waiting.cancelled_caught:
                return
    except Exception as error:  # noqa: BLE001 - of whatever the SDK raises, this is the one boundary
        ward.fail(await _failure(error, way, ward))


async def _answer(session: Session) -> None:
    async with aclosing(session.ward.questions()) as questions:
        async for question in questions:
            try:
                await question.work(session, question)
            except (MCPError, ValidationError) as error:
                failure = await _failure(error, session.way, session.ward)
                if isinstance(failure, Down):
                    session.ward.fail(failure)
                question.give(failure)


def _streams(way: Way, ward: Ward, folder: Path) -> AbstractAsyncContextManager[TransportStreams]:
    if way.url:
        return web_streams(way.url, way.secret, way.addresses, ward)
    return program_streams(way.command, way.environment, folder, ward)


async def _server(session: Session) -> Server:
    """List a server's tools, again where it says meanwhile that they have changed."""
    for _ in range(_MOST_LISTINGS):
        session.changes.clear()
        server = await _listed(session)
        if not session.changes:
            break
    return server


async def _listed(session: Session) -> Server:
    client, ward = session.client, session.ward
    ward.stage = "listing its tools"
    found: list[Tool] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.session.list_tools(params=mcp_types.PaginatedRequestParams(cursor=cursor))
        found += [read_tool(tool.model_dump(by_alias=True, mode="json", exclude_none=True)) for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            break
    else:
        ward.fail(Refused(f"it lists more than {_MOST_PAGES} pages of tools"))
    info = client.server_info
    return Server(
        name=printable(info.name)[:_TOLD] if info else "",
        version=printable(info.version)[:_TOLD] if info else "",
        protocol=client.protocol_version,
        tools=tuple(found),
    )


def _watch(changes: list[str]) -> MessageHandlerFnT:
    async def handle(message: IncomingMessage) -> None:
        if isinstance(message, mcp_types.ToolListChangedNotification):
            changes[:] = ["tools"]

    return handle


async def _failure(error: BaseException, way: Way, ward: Ward) -> Down | Nothing | Refused:
    """Return what went wrong, in fixed words but for what a server says of a question, and the name of its command."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    match error:
        case MCPError() if error.code in _GONE:
            return await _broken_off(way, ward)
        case MCPError() if error.code in _MISTAKES:
            return Refused(f"it was asked wrongly: {printable(error.message)[:_TOLD]}")
        case MCPError():
            return Nothing(f"it says that it failed: {printable(error.message)[:_TOLD]}")
        case ValidationError():
            return Refused("what it answers is not of the protocol")
        case OSError() if way.command:
            told = f"its command {_program(way)} cannot be started ({error.strerror})"
            return Down(f"{told}; write its whole path, or name PATH under environment")
        case _:
            return Down(f"nothing can be had of it ({type(error).__name__})")


async def _broken_off(way: Way, ward: Ward) -> Down:
    """Return that a server broke off, of a program also with what it ended: for that it may have a little time."""
    if not way.command:
        return Down("it broke off before it answered")
    with anyio.move_on_after(ward.limits.leaving_seconds):
        while ward.exit_code() is None:  # noqa: ASYNC110 - nothing tells when a program has ended
            await anyio.sleep(_LOOKING_SECONDS)
    code = ward.exit_code()
    ended = f" (exit code {code})" if code is not None else ""
    return Down(f"its command {_program(way)} broke off before it answered{ended}")


def _program(way: Way) -> str:
    """Return the program of a command; its arguments may hold what nobody should read."""
    return printable(way.command[0])[:_TOLD]


@contextmanager
def _empty_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="dream-mcp-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
