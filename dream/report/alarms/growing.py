"""What grows night after night: the notes that nobody has checked, and statements in notes that are there already."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from dream.memory.allowance import VERIFICATION
from dream.memory.paths import is_topic
from dream.memory.records import Change, NightRecord
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.history import History


def unchecked_alarms(history: History) -> Iterator[Alarm]:
    """Yield that more notes waited for their first check after each of the last nights, by so much that it matters.

    Nights that tell no figures, or do not verify, tell nothing of it.
    """
    nights = history.every_night(before=1)
    counts = [record.figures.unchecked for record in nights if record.figures is not None and _verifies(record)]
    if not counts or len(counts) < len(nights):
        return
    grows = all(before < after for before, after in pairwise(counts))
    least = max(history.limits.unchecked_least, 1)
    if grows and counts[-1] >= least and _grew(counts[0], counts[-1], history.limits.unchecked_percent):
        yield Alarm(
            kind="unchecked-notes",
            why=f"the queue of unchecked notes grew in {len(counts) - 1} nights in a row, "
            f"from {counts[0]} to {counts[-1]}",
            since=nights[1].night,
            way_out=history.report(nights[-1].night),
            task=VERIFICATION,
        )


def growth_alarms(history: History) -> Iterator[Alarm]:
    """Yield that nights wrote many statements into the notes that were there, and not one new topic.

    A memory that holds few statements is still being filled. What people write is theirs, and what was taken back is
    not there.
    """
    nights = history.lately()
    if not nights or any(_new_topics(record) for record in nights):
        return
    sizes = [(record.loss.topic_notes, record.loss.statement_count) for record in nights]
    grown = [_written(record) for record in nights]
    topics, statements = sizes[0]
    if statements < history.limits.grown_least or max(notes for notes, _ in sizes) > topics:
        return
    total = sum(grown)
    if total >= history.limits.grown_least and _grew(statements, statements + total, history.limits.grown_percent):
        first = next((record for record, count in zip(nights, grown, strict=True) if count > 0), nights[0])
        yield Alarm(
            kind="growth",
            why=f"nights wrote {total} statements beside {statements} that stood, and no new topic note",
            since=first.night,
            way_out=f"dream log {history.organisation} --night {nights[-1].night.isoformat()}",
        )


def _verifies(record: NightRecord) -> bool:
    task = record.tasks.get(VERIFICATION)
    return task is not None and task.outcome != "skipped" and task.inputs > 0


def _grew(before: int, after: int, percent: int) -> bool:
    return 100 * (after - before) >= percent * before


def _new_topics(record: NightRecord) -> bool:
    return any(is_topic(path) for effect in record.effects if not effect.reverted for path in effect.created)


def _written(record: NightRecord) -> int:
    """Return how many more statements of topic notes a night wrote than it took away."""
    changes = (change for effect in record.effects if not effect.reverted for change in effect.changes)
    return sum(_statements(change) for change in changes if is_topic(change.path))


def _statements(change: Change) -> int:
    return _items(change.added) - _items(change.removed)


def _items(lines: tuple[str, ...]) -> int:
    return sum(line.lstrip().startswith(("- ", "* ", "+ ")) for line in lines)
