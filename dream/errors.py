"""The errors this project raises on purpose; anything else that escapes is a defect."""

from __future__ import annotations


class DreamError(Exception):
    """An expected failure: `str()` names the thing and the cause, `way_out` says what to do next."""

    exit_code = 3
    usual_way_out = ""
    """What to do next where whoever raises it says nothing else."""

    def __init__(self, message: str, *, way_out: str = "", **data: str | int) -> None:
        """Keep `data` (path, status, organisation, …) beside the text for logs and reports."""
        super().__init__(message)
        self.way_out = way_out or self.usual_way_out
        self.data = data


class TransientError(DreamError):
    """Trying again later can help: a remote that is down, a branch that keeps moving, a full disk."""


class FatalError(DreamError):
    """A person must act before trying again can help."""


class UsageError(FatalError):
    """The command or the configuration is wrong; nothing was started."""

    exit_code = 2


class HistoryRewrittenError(FatalError):
    """The branch no longer contains what this organisation's nights stood on."""


class NewerStateError(FatalError):
    """`.dream/state.json` was written by a newer version than this one understands."""


class NotAMemoryError(FatalError):
    """The address answers, but what is there cannot be dreamed over."""


class RemoteError(TransientError):
    """The remote could not be reached, refused, or did not answer in time."""
