"""What of our events Prefect is shown, and how Prefect's own lines are written where logs are JSON."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import structlog
from structlog.typing import Processor

SHOWN = ("organisation", "night", "task")
"""What is bound to every event of a night."""

_WORDS = frozenset({"outcome", "status", "error", "provider", "model", "operation", "tip", "base", *SHOWN})
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,79}")
_ORGANISATIONS = "dream-organisation"


def hand_to_prefect(_logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Show an event in the page of the flow run or task run in which it happens; elsewhere do nothing.

    Of its values numbers and the names of code get there, and no other text: not everybody there may read a memory.
    """
    if _in_run():
        _api_logger().log(logging.getLevelName(method.upper()), "%s", shown_event(event))
    return event


def shown_event(event: Mapping[str, Any]) -> str:
    """Return an event as Prefect shows it: `task.planned task=tidy inputs=3`."""
    told = [str(event.get("event", "")).partition(" ")[0]]
    told += [f"{key}={value}" for key, value in event.items() if _is_shown(key, value)]
    return " ".join(told)


def write_prefect_as_json() -> None:
    """Write what Prefect logs in this process as one JSON document a line, with organisation, night and task."""
    if "prefect" not in sys.modules:
        return
    before: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        _bind_run,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    after: list[Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(sort_keys=True),
    ]
    formatter = structlog.stdlib.ProcessorFormatter(processors=after, foreign_pre_chain=before)
    for handler in prefect_consoles():
        handler.setFormatter(formatter)


def prefect_consoles() -> Iterator[logging.Handler]:
    """Yield what writes Prefect's lines to standard error; Prefect has to be imported already."""
    from prefect.logging.handlers import PrefectConsoleHandler  # noqa: PLC0415  # it is loaded, or nothing is written

    for name in ("", "prefect", "uvicorn", "fastapi"):
        yield from (one for one in logging.getLogger(name).handlers if isinstance(one, PrefectConsoleHandler))


def _bind_run(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Name organisation and task by the run that a line is about, where nothing bound says it."""
    record = event.get("_record")
    if getattr(record, "flow_name", "") == _ORGANISATIONS:
        event.setdefault("organisation", str(getattr(record, "flow_run_name", "")).partition(" ")[0])
    if name := getattr(record, "task_run_name", ""):
        event.setdefault("task", name)
    return event


def _in_run() -> bool:
    context = sys.modules.get("prefect.context")
    return context is not None and bool(context.FlowRunContext.get() or context.TaskRunContext.get())


def _api_logger() -> logging.Logger:
    """Return the logger whose lines go to Prefect's API and nowhere else; they are on standard error already."""
    from prefect.logging.handlers import APILogHandler  # noqa: PLC0415  # a run is under way, so it is loaded

    found = logging.getLogger("dream")
    if not any(isinstance(handler, APILogHandler) for handler in found.handlers):
        found.addHandler(APILogHandler())
        found.setLevel(logging.DEBUG)
        found.propagate = False
    return found


def _is_shown(key: str, value: object) -> bool:
    if isinstance(value, bool | int | float):
        return True
    return key in _WORDS and isinstance(value, str) and _WORD.fullmatch(value) is not None
