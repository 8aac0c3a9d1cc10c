"""The memory of an organisation as `dream check` sees it: as its remote has it, with what its systems can be asked."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from config.limits import Limits
from config.organisation import is_slug
from dream.checker.limits import CheckLimits
from dream.checker.pins import Asking
from dream.checker.subject import Subject, read_subject
from dream.errors import UsageError
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from dream.memory.tree import Tree
from dream.repository.lock import lock
from flows.bookkeeping import index_limits
from flows.installation import all_organisations, open_installation
from flows.opening import fetch_head
from flows.probes import unopened_probes
from flows.topics import topic_limits
from flows.workplace import Workplace


def organisations_memory(name: str) -> Subject | None:
    """Return the memory of the organisation `name`; None where there is none, or no configuration, and a path is meant.

    Raises:
        DreamError: its remote cannot be read.
    """
    workplace = _workplace(name)
    if workplace is None:
        return None
    index, limits = index_limits(workplace.organisation.limits), check_limits(workplace.organisation.limits)
    return read_subject(
        _tree(workplace),
        NoteCache(max_bytes=index.file_bytes),
        index,
        limits=limits,
        today=datetime.now(UTC).date(),
        asking=_asking(workplace),
    )


def configured_limits() -> tuple[IndexLimits, CheckLimits]:
    """Return how much is too much in a memory of no organisation; raises UsageError."""
    limits = open_installation().limits
    return index_limits(limits), check_limits(limits)


def check_limits(limits: Limits) -> CheckLimits:
    """Return the checker's own numbers."""
    return CheckLimits(
        stale_days=limits.checking.stale_days,
        line_characters=limits.checking.line_characters,
        per_note=limits.checking.per_note,
        topics=topic_limits(limits),
    )


def _workplace(name: str) -> Workplace | None:
    if not is_slug(name):
        return None
    try:
        settings = open_installation()
        organisation = all_organisations(settings).get(name)
    except UsageError:
        if Path(name).exists():
            return None
        raise
    return Workplace(organisation=organisation, settings=settings)


def _asking(workplace: Workplace) -> Asking:
    """Return what may be asked of the organisation's systems, none of which is asked."""
    probes = {probe.name: probe for probe in unopened_probes(workplace.organisation, home=workplace.home)}
    return Asking(probes=tuple(probes), objection=lambda name, operation, text: probes[name].objection(operation, text))


def _tree(workplace: Workplace) -> Tree:
    with lock(workplace.home, wait_seconds=workplace.settings.lock_wait_seconds):
        mirror = workplace.mirror()
        return mirror.tree(fetch_head(workplace, mirror) or None)
