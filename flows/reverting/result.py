"""What taking something back comes to: shown before it lands, and told when it has."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from dream.memory.records import Effect
from dream.memory.undoing.rewinding import Conflict, Edit
from dream.report.accounts import many
from dream.report.escaping import one_line
from dream.report.operations import change_lines, change_payload, effect_payload, heading

MOST_LINES = 40
"""Of the lines of one operation that are shown before it is taken back."""

_WHY = {
    "changed-since": "somebody changed its lines since, so they are left; edit them by hand",
    "note-gone": "that note was renamed, split or deleted since; edit by hand where its lines are now",
    "path-taken": "another note stands where one is to come back; move that one first",
    "not-kept": "its bytes are no longer known here; git has them",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertResult:
    """What was taken back, what conflicts, what follows of it, and where the branch now stands.

    `short` are the names of operations by id, `remarks` what no night will do again although it was asked to, and
    which tasks are paused by themselves from then on.
    """

    organisation: str
    night: date
    tip: str
    commits: tuple[str, ...]
    edits: tuple[Edit, ...]
    conflicts: tuple[Conflict, ...]
    dry_run: bool
    retry: bool = False
    lifted: tuple[Effect, ...] = ()
    remarks: tuple[str, ...] = ()
    short: Mapping[str, str] = field(default_factory=dict)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What is taken back."""
        return tuple(edit.effect for edit in self.edits)

    @property
    def exit_code(self) -> int:
        """1 where something could not be taken back, else 0."""
        return 1 if self.conflicts else 0

    @property
    def digest(self) -> str:
        """What tells whether two of them come to the same: the operations, their lines, and what conflicts."""
        conflicts = [(one.effect.id, one.reason, one.path) for one in self.conflicts]
        said = [(one.effect.id, one.changes, one.gone, one.back) for one in self.edits]
        lifted = [one.id for one in self.lifted]
        return hashlib.sha256(repr((said, conflicts, lifted)).encode()).hexdigest()

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person is told, a line each."""
        verb = "would be taken back" if self.dry_run else "taken back"
        return (
            *(f"{verb}: {heading(one)} [{self._name(one)}]" for one in self.effects),
            *(line for one in self.conflicts for line in self._conflict(one)),
            *(() if self.edits or self.conflicts else (self._nothing,)),
            *self.remarks,
        )

    @property
    def preview(self) -> tuple[str, ...]:
        """What a person is shown first, a line each: the lines that go and come back, conflicts, and what follows."""
        lines: list[str] = []
        for edit in self.edits:
            lines.append(f"would be taken back: {heading(edit.effect)} [{self._name(edit.effect)}]")
            shown = change_lines(edit.changes, gone=edit.gone, back=edit.back, most=MOST_LINES)
            lines += [f"  {line}" for line in shown]
        lines += [line for one in self.conflicts for line in self._conflict(one)]
        lines += [] if self.edits or self.conflicts else [self._nothing]
        return (*lines, *self._follows())

    def payload(self) -> dict[str, Any]:
        """Return the JSON document of the revert."""
        return {
            "organisation": self.organisation,
            "night": self.night.isoformat(),
            "tip": self.tip,
            "commits": list(self.commits),
            "taken_back": [
                {**self._payload(one.effect), "changes": [change_payload(change) for change in one.changes]}
                for one in self.edits
            ],
            "conflicts": [
                {
                    **self._payload(one.effect),
                    "reason": one.reason,
                    "path": one.path,
                    "later": [{"night": night.isoformat(), **_named(effect)} for night, effect in one.later],
                }
                for one in self.conflicts
            ],
            "remarks": list(self.remarks),
            "follows": list(self._follows()),
            "dry_run": self.dry_run,
            "exit": self.exit_code,
        }

    @property
    def _nothing(self) -> str:
        return f"nothing of it stands any more; {'it is done again' if self.commits else 'nothing to take back'}"

    def _follows(self) -> tuple[str, ...]:
        """Return what the same push and the next night do about it."""
        if not self.edits and not self.lifted:
            return ()
        tasks = ", ".join(dict.fromkeys(one.task for one in (*self.effects, *self.lifted)))
        checked = sorted(
            {path for one in self.effects if one.task == "production_verification" for path in _paths(one)}
        )
        return (
            "index, catalog and state are made afresh in the same push",
            f"the next night does it again: {tasks} looks at its inputs once more, and no mark is left"
            if self.retry
            else f"no night does it again: {many(len(self.edits), 'mark')} in .dream/state.json",
            *((f"checked anew by the next night: {one_line(', '.join(checked))}",) if checked else ()),
            *self.remarks,
        )

    def _conflict(self, conflict: Conflict) -> list[str]:
        effect = conflict.effect
        where = one_line(conflict.path)
        told = f"conflict: {effect.task}: {effect.kind} in {where}: {conflict.reason} [{self._name(effect)}]"
        return [told, f"  {self._way_out(conflict)}"]

    def _way_out(self, conflict: Conflict) -> str:
        if not conflict.later:
            return _WHY.get(conflict.reason, "later edits stand on it")
        named = ", ".join(f"{self._name(one)} ({one.task}, {night.isoformat()})" for night, one in conflict.later)
        elsewhere = [(night, one) for night, one in conflict.later if night != self.night]
        begin = f"dream revert {self.organisation} --night"
        if elsewhere:
            night, one = elsewhere[-1]
            return f"{named} stands on it; first: {begin} {night.isoformat()} --operation {self._name(one)}"
        both = " ".join(self._name(one) for one in (conflict.effect, *(one for _, one in conflict.later)))
        return f"{named} stands on it; together: {begin} {self.night.isoformat()} --operation {both}"

    def _name(self, effect: Effect) -> str:
        return self.short.get(effect.id, effect.id)

    def _payload(self, effect: Effect) -> dict[str, Any]:
        told = effect_payload(effect, self._name(effect))
        return {key: told[key] for key in ("task", "kind", "paths", "id", "short")}


def _named(effect: Effect) -> dict[str, str]:
    return {"task": effect.task, "id": effect.id}


def _paths(effect: Effect) -> Sequence[str]:
    return [change.path for change in effect.changes]
