"""Which operations of a night a person means by the beginnings of ids that they give."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from dream.errors import UsageError
from dream.memory.operation_ids import beginning_with
from dream.memory.records import Effect, NightRecord
from dream.report.accounts import many
from dream.report.operations import heading

MOST_CANDIDATES = 10
"""How many operations are named to somebody whose choice fits none, or several."""


def choose_operations(
    given: Sequence[str],
    record: NightRecord,
    *,
    tasks: Collection[str],
    short: Mapping[str, str],
    organisation: str,
    others: Sequence[NightRecord] = (),
) -> tuple[Effect, ...]:
    """Return the operations of `record` that `given` name, each once; of `tasks` alone.

    Raises:
        UsageError: one fits no operation, or several; it names those that may be meant, be it one of `others` nights.
    """
    effects = [one for one in record.effects if one.task in tasks]
    chosen: dict[str, Effect] = {}
    for text in given:
        found = beginning_with(text, effects)
        if len(found) == 1:
            chosen[found[0].id] = found[0]
            continue
        night = record.night.isoformat()
        message = (
            f"{many(len(found), 'operation')} of the night {night} begin with {text[:40]!r}"
            if found
            else (f"no operation of the night {night} begins with {text[:40]!r}")
        )
        candidates = found or list({one.id: one for one in effects}.values())
        elsewhere = [] if found else _elsewhere(text, others, short, organisation)
        if elsewhere:
            raise UsageError(message, way_out="; ".join(elsewhere[:MOST_CANDIDATES]))
        named = [f"{short[one.id]} ({heading(one)})" for one in candidates[:MOST_CANDIDATES]]
        left = len(candidates) - len(named)
        more = f", and {left} more: dream log {organisation} --night {night} --operations" if left else ""
        raise UsageError(message, way_out=f"{'; '.join(named) or 'that night changed nothing'}{more}")
    return tuple(chosen.values())


def _elsewhere(text: str, others: Sequence[NightRecord], short: Mapping[str, str], organisation: str) -> list[str]:
    """Return the commands that take back what `text` names in other nights, newest first."""
    return [
        f"the night {record.night.isoformat()} has one: dream revert {organisation}"
        f" --night {record.night.isoformat()} --operation {short[one.id]}"
        for record in reversed(others)
        for one in beginning_with(text, record.effects)
    ]
