"""A server that is started as a program, and spoken to over its input and output, in bounded lines."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import anyio
import mcp_types
from mcp.shared.message import SessionMessage

from dream.sources.production.mcp.ward import Ward

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_CHUNK = 65_536
_LOOKING_SECONDS = 0.01


@asynccontextmanager
async def program_streams(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, ward: Ward
) -> AsyncIterator[TransportStreams]:
    """Start a program in `folder` with `environment` and nothing else, and yield the two streams of its messages.

    What it prints that is no message is passed over, and what it says of errors dropped; a line that is
    too long settles the session. It is asked to end by closing its input, and then killed with every process of its
    group. Raises OSError where it cannot be started.
    """
    to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    with to_session, from_server, to_server, from_session:
        async with _started(command, environment, folder, ward) as pipes:

            async def read() -> None:
                async with to_session:
                    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                        async with aclosing(_lines(pipes.output, ward)) as lines:
                            async for line in lines:
                                if (message := _message(line)) is not None:
                                    await to_session.send(message)
                        ward.lose()

            async def write() -> None:
                async with from_session:
                    with suppress(OSError):  # it reads no more, which its silence tells
                        async for sent in from_session:
                            text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                            pipes.input.write(text.encode() + b"\n")
                            await pipes.input.drain()

            async def drain() -> None:
                while await pipes.errors.read(_CHUNK):
                    pass

            async with anyio.create_task_group() as tasks:
                for work in (read, write, drain):
                    tasks.start_soon(work)
                try:
                    yield from_server, to_server
                finally:
                    from_server.close()
                    to_server.close()
                    tasks.cancel_scope.cancel()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pipes:
    input: asyncio.StreamWriter
    output: asyncio.StreamReader
    errors: asyncio.StreamReader


@asynccontextmanager
async def _started(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, ward: Ward
) -> AsyncIterator[_Pipes]:
    """Yield the pipes of a program, of which none is left open and nothing runs, wherever it is broken off."""
    process = subprocess.Popen(  # noqa: ASYNC220 - collected by the ward, which may have to do it from outside
        list(command),
        env=dict(environment),
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        bufsize=0,
    )
    with ExitStack() as opened:
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                opened.callback(pipe.close)  # also of one that the event loop was not given yet
        opened.callback(ward.kill)  # nothing shields from the end of the event loop
        ward.holds(process)
        output = await _reader(process.stdout, opened)
        errors = await _reader(process.stderr, opened)
        writer = await _writer(process.stdin, opened)
        try:
            yield _Pipes(input=writer, output=output, errors=errors)
        finally:
            writer.close()
            with anyio.CancelScope(shield=True):
                await _leave(process, ward.limits.leaving_seconds)


async def _lines(output: asyncio.StreamReader, ward: Ward) -> AsyncGenerator[bytes, None]:
    buffer = bytearray()
    while (chunk := await output.read(_CHUNK)) and ward.take(len(chunk)):
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield bytes(buffer + line)
            buffer.clear()
        buffer += rest
        if len(buffer) > ward.longest:
            ward.too_much()
            return


def _message(line: bytes) -> SessionMessage | None:
    try:
        return SessionMessage(mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except (ValueError, RecursionError):
        return None


async def _reader(pipe: IO[bytes] | None, opened: ExitStack) -> asyncio.StreamReader:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    opened.callback(transport.close)
    return reader


async def _writer(pipe: IO[bytes] | None, opened: ExitStack) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, pipe)
    opened.callback(_end, transport)
    return asyncio.StreamWriter(transport, protocol, None, loop)


def _end(transport: asyncio.WriteTransport) -> None:
    """Close a pipe at once: by its own rules it stays open until somebody has read what was written to it."""
    transport.close()
    if transport.get_write_buffer_size():
        transport.abort()


async def _leave(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait a little for a program to end by itself, without collecting it: its group has its number until then."""
    with anyio.move_on_after(seconds):
        while process.returncode is None:
            if _has_ended(process.pid):
                return
            await anyio.sleep(_LOOKING_SECONDS)


def _has_ended(child: int) -> bool:
    try:
        return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True
