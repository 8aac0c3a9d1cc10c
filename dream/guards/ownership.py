"""Who may write where: one table from task to paths, asked by every rule that needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dream.memory.operations import Move, Proposal, Refusal
from dream.memory.paths import Kind, is_topic, kind_of
from dream.memory.records import is_record_path
from dream.memory.state import STATE_PATH

_RETIRING = frozenset({"production_verification", "tidy"})
_ARCHIVE = "archive/"


def _is_daily(path: str) -> bool:
    return kind_of(path) is Kind.DAILY


def _is_convention(path: str) -> bool:
    return path.startswith("conventions/") and is_topic(path)


def _is_learning(path: str) -> bool:
    return kind_of(path) is Kind.LEARNING


def _is_index(path: str) -> bool:
    return kind_of(path) in {Kind.INDEX, Kind.CATALOG}


def is_flow_file(path: str) -> bool:
    """Whether `path` is one of the flow's own files: the state or the record of a night."""
    return path == STATE_PATH or is_record_path(path)


OWNERS: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {
        "daily_note": _is_daily,
        "distil": is_topic,
        "pr_outcomes": _is_convention,
        "learnings": _is_learning,
        "production_verification": is_topic,
        "tidy": is_topic,
        "index_rewrite": _is_index,
        "state_update": is_flow_file,
    }
)


def may_write(task: str, path: str) -> bool:
    """Whether `task` may make, change or take away `path`; nobody writes `preferences/`, an unknown task nothing."""
    owns = OWNERS.get(task)
    return owns is not None and owns(path)


def guard_ownership(proposal: Proposal) -> Refusal | None:
    """Refuse (`not-owner`) an operation that touches a path outside its task's own.

    Retiring a note into `archive/` is the one way there, for the tasks that may remove notes, and only as a move.
    """
    for path in sorted(proposal.touched):
        if not may_write(proposal.task, path) and not _retires(proposal, path):
            return Refusal("not-owner", f"{proposal.task} may not write {path}")
    return None


def _retires(proposal: Proposal, path: str) -> bool:
    operation = proposal.operation
    return (
        isinstance(operation, Move)
        and operation.span.text is None
        and proposal.task in _RETIRING
        and path == operation.to
        and path.startswith(_ARCHIVE)
        and path[-3:].lower() == ".md"
        and is_topic(operation.span.path)
    )
