"""Logs: structured events on standard error, one a line, as key=value or as JSON."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog
from structlog.typing import Processor

from dream.report.escaping import visible
from flows.telling.board import is_shown
from flows.telling.log_streams import lasting, let_prefect_outlive_its_reader
from flows.telling.run_logs import hand_to_prefect, write_prefect_as_json

KEYS = ("timestamp", "level", "event", "organisation", "night", "task")
"""What stands first in a line, in this order."""


def configure_logs(*, level: str = "INFO", form: str = "text", stream: TextIO | None = None) -> None:
    """Send every event from `level` on to `stream`, standard error by default; `form` is `text` or `json`.

    Whatever is bound with `structlog.contextvars` (organisation, night, task) is in every line. Within a run of Prefect
    an event is in the log of that run too, without any text; as JSON, Prefect's own lines are documents as well.
    """
    render: list[Processor] = (
        [structlog.processors.JSONRenderer(sort_keys=True)]
        if form == "json"
        else [structlog.processors.LogfmtRenderer(key_order=list(KEYS), drop_missing=True, bool_as_flag=False)]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            hand_to_prefect,
            _leave_out_what_is_shown,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _show_controls,
            *render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        logger_factory=lambda *_: structlog.PrintLogger(lasting(stream or sys.stderr)),
        cache_logger_on_first_use=False,
    )
    let_prefect_outlive_its_reader()
    if form == "json":
        write_prefect_as_json()


def _leave_out_what_is_shown(_logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Say nothing of how a night goes where a terminal shows it already."""
    if is_shown() and logging.getLevelName(method.upper()) < logging.WARNING:
        raise structlog.DropEvent
    return event


def _show_controls(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Let no value act on the terminal that shows it, nor begin a line of its own."""
    return {
        key: visible(value).replace("\n", "\\n") if isinstance(value, str) else value for key, value in event.items()
    }
