"""`dream run` and `dream nightly`: where a night runs, what is told on the way, and what is said at its end."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from types import FrameType
from typing import Any, NoReturn, TypeVar

from structlog.contextvars import bound_contextvars

from config.environment import has_prefect_api, process_environment
from config.settings import Settings
from dream.errors import DreamError, FatalError, TransientError, UsageError
from dream.night.result import result_payload
from dream.report.accounts import in_order
from dream.report.run import render_nightly, render_run
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.dreaming import build_models
from flows.installation import open_installation, open_workplace, some_organisations
from flows.night import dream_night
from flows.opening import Request, check_request, parse_night
from flows.publishing import publish_failure, report_path
from flows.telling.board import following
from flows.telling.following import counted, followed
from flows.telling.run_logs import write_prefect_as_json
from flows.telling.step_logs import tell_step
from flows.telling.terminal_board import live_board
from flows.workplace import Workplace
from tasks.order import TASKS

T = TypeVar("T")

_OF_THE_FLEET = frozenset({"again", "outage", "told"})
"""What a run under Prefect tells those who run many, and nobody who asked for one."""

EMBEDDED_SERVER_SECONDS = 180
"""How long Prefect's embedded server may take to start; its own limit is too short for a database that is new."""


def run_organisation(settings: Settings, name: str, request: Request, *, use_prefect: bool, clock: Clock) -> Answer:
    """Dream one night of the organisation called `name` and return how it ended.

    It runs under Prefect where that is asked for or an API is configured, else in this process without importing it.

    Raises:
        DreamError: nothing landed, and why.
    """
    workplace = open_workplace(settings, name)
    night = check_request(request, clock.now())
    if use_prefect or has_prefect_api(process_environment()):
        with _on_terminal(settings, under_prefect=True):
            payload = _run_under_prefect(name, night, request)
    else:
        payload = _run_here(workplace, night, request, clock)
    told = _read_report(workplace, night, dry=request.dry_run)
    report = str(report_path(workplace.home, night, dry=request.dry_run)) if told else ""
    tasks = in_order(payload["tasks"], TASKS)
    document = {
        **payload,
        "tasks": tasks,
        "report": report,
        "needs": told.get("needs", []),
        "spent": told.get("loss", {}),
    }
    return Answer(text=render_run(document), document=document, exit_code=int(payload["exit"]))


def run_nightly(settings: Settings, *, night: date | None, clock: Clock, all_rings: bool = False) -> Answer:
    """Dream a night of every organisation under Prefect, embedded if there is no server, and return how they ended.

    With `all_rings` no ring waits for the one before to be sound. Exit 1 if any failed, or what all of them ended with.
    Raises UsageError where there is no organisation at all.
    """
    some_organisations(settings)
    if night is not None:
        check_request(Request(night=night), clock.now())
    with _on_terminal(settings, under_prefect=True):
        payload = asyncio.run(_nightly(night, all_rings=all_rings))
    exits = {int(one["exit"]) for one in payload["organisations"]}
    exit_code = exits.pop() if len(exits) == 1 else 1
    return Answer(text=render_nightly(payload), document={**payload, "exit": exit_code}, exit_code=exit_code)


def run_command(
    name: str,
    *,
    night: str,
    only: Sequence[str],
    redo: Sequence[str],
    dry_run: bool,
    use_prefect: bool,
    accept_history: bool,
) -> Answer:
    """Return the answer of `dream run`."""
    settings = open_installation()
    request = Request(
        night=parse_night(night),
        only=tuple(only),
        redo=tuple(redo),
        dry_run=dry_run,
        accept_history=accept_history,
    )
    return run_organisation(settings, name, request, use_prefect=use_prefect, clock=system_clock())


def nightly_command(*, night: str, all_rings: bool = False) -> Answer:
    """Return the answer of `dream nightly`."""
    return run_nightly(open_installation(), night=parse_night(night), clock=system_clock(), all_rings=all_rings)


async def tell_progress(name: str, step: Callable[[], T]) -> T:
    """Run `step` in this very thread and log what it came to, with its name bound to whatever it logs itself."""
    with bound_contextvars(task=name):
        value = step()
        tell_step(value)
    return value


def _run_here(workplace: Workplace, night: date, request: Request, clock: Clock) -> Mapping[str, Any]:
    with (
        bound_contextvars(organisation=workplace.name, night=night.isoformat()),
        _interruptible(),
        _on_terminal(workplace.settings),
        following(workplace.name) as progress,
    ):
        call, models = followed(tell_progress, progress), counted(build_models, progress)
        try:
            result = asyncio.run(dream_night(workplace, request, clock=clock, call=call, models=models))
        except Exception as error:
            publish_failure(workplace, night, error, at=clock.now())
            raise
    return result_payload(result)


def _on_terminal(settings: Settings, *, under_prefect: bool = False) -> AbstractContextManager[None]:
    if under_prefect and settings.log_format == "json":
        import prefect.main  # noqa: F401, PLC0415  # sets up how its own lines are written, and not before

        write_prefect_as_json()
    return live_board(form=settings.log_format, level=settings.log_level, under_prefect=under_prefect)


def _run_under_prefect(name: str, night: date, request: Request) -> Mapping[str, Any]:
    payload = asyncio.run(_organisation(name, night, request))
    if payload["status"] != "not-landed":
        return {key: value for key, value in payload.items() if key not in _OF_THE_FLEET}
    kinds = {UsageError.exit_code: UsageError, FatalError.exit_code: TransientError}
    kind: type[DreamError] = kinds.get(int(payload["exit"]), FatalError)
    raise kind(str(payload["reason"]), way_out=str(payload["way_out"]))


async def _organisation(name: str, night: date, request: Request) -> dict[str, Any]:
    from flows.organisation import dream_organisation  # noqa: PLC0415  # Prefect takes two seconds

    return await _document_of(
        dream_organisation,
        name,
        night=night.isoformat() if request.night else None,
        only=list(request.only),
        redo=list(request.redo),
        dry_run=request.dry_run,
        accept_history=request.accept_history,
    )


async def _nightly(night: date | None, *, all_rings: bool) -> dict[str, Any]:
    from flows.nightly import nightly  # noqa: PLC0415  # Prefect takes two seconds

    return await _document_of(nightly, night=night.isoformat() if night else None, all_rings=all_rings)


async def _document_of(flow: Any, *arguments: Any, **parameters: Any) -> dict[str, Any]:
    """Return the document that a flow ended with, whether it completed or failed.

    Raises what the flow raised, and TransientError where Prefect could not run it.
    """
    from prefect.settings import (  # noqa: PLC0415
        PREFECT_SERVER_ANALYTICS_ENABLED,
        PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS,
        temporary_settings,
    )

    wait = max(PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS.value(), EMBEDDED_SERVER_SECONDS)
    embedded = {PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS: wait, PREFECT_SERVER_ANALYTICS_ENABLED: False}
    try:
        with temporary_settings(embedded):
            state = await flow(*arguments, **parameters, return_state=True)
    except Exception as error:  # what a flow raises is in its state, so this is Prefect's own
        message = f"Prefect could not run it: {type(error).__name__}: {error}"
        raise TransientError(
            message, way_out="see whether its API is up, or run without it: PREFECT_API_URL= with the same command"
        ) from error
    data = await state.result(raise_on_failure=False)
    if isinstance(data, dict):
        return data
    if isinstance(data, BaseException):
        raise data
    message = f"the flow ended as {state.name} and left no result: {state.message}"
    raise FatalError(message, way_out="see the run in Prefect")


def _read_report(workplace: Workplace, night: date, *, dry: bool) -> Mapping[str, Any]:
    """Return the report that the run has written; nothing where it could not."""
    path = report_path(workplace.home, night, dry=dry).with_suffix(".json")
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C act at once: a night never waits for its event loop, where asyncio would take the first one to."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are another thread's
        return
    before = signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
