"""Other entries that state the value which one was just put right from: of one thing a memory has one current value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from dream.guards.verdicts.corrections import check_correction
from dream.guards.verdicts.rulings import Correction, Target
from dream.memory.logbooks import is_logbook
from dream.memory.notes import Entry, NoteCache, Unreadable
from dream.memory.paths import is_topic
from dream.memory.pinned import pinned_checks
from dream.memory.tree import Tree
from tasks.verification.corrected_values import stated_places
from tasks.verification.model_verdicts import Bench, Settled
from tasks.verification.note_checks import Change, Look, Probing
from tasks.verification.past import speaks_of_the_past
from tasks.verification.recorded_outputs import shown
from tasks.verification.same_things import Told, same_thing


@dataclass(frozen=True, slots=True, kw_only=True)
class Sameness:
    """Looks for entries that the evidence for a change corrects as well; `others` names all notes but one."""

    tree: Tree
    notes: NoteCache
    probing: Probing
    others: Callable[[str], tuple[str, ...]]
    today: date

    def spread(self, looks: Mapping[str, Look]) -> Iterator[str]:
        """Put right in the notes of `looks` what else states an old value, and yield a line for what is elsewhere."""
        changes = [(path, change) for path, look in looks.items() for change in look.changes]
        if not changes:
            return
        olds = {change.old.encode() for _, change in changes}
        for path in self.tree.paths():
            if not is_topic(path) or is_logbook(path):
                continue
            data = self.tree.read(path) or b""
            if any(old in data for old in olds):
                yield from self._in_note(path, changes, looks)

    def _in_note(self, path: str, changes: Sequence[tuple[str, Change]], looks: Mapping[str, Look]) -> Iterator[str]:
        note = self.notes.note(self.tree, path)
        if isinstance(note, Unreadable) or note.broken:
            return
        look = looks.get(path)
        for entry in note.entries:
            if look is not None and entry.start in look.verified:
                continue
            target = Target(path=path, note=note, entry=entry, others=self.others(path))
            ruled = ((change, self._ruling(target, change)) for _, change in changes)
            change, ruling = next((one for one in ruled if one[1] is not None), (None, None))
            if change is None or ruling is None:
                if look is None or not pinned_checks(entry.raw):
                    yield from self._doubtful(target, changes, looks)
                continue
            if look is None or not self._put_right(look, target, change, ruling):
                yield (
                    f"{path}:{entry.start + 1} says {shown(change.old)} of the same thing, "
                    f"{change.output.probe} says {shown(change.new)}"
                )

    def _doubtful(
        self, target: Target, changes: Sequence[tuple[str, Change]], looks: Mapping[str, Look]
    ) -> Iterator[str]:
        """Yield a line where an entry may say the old value of the same thing in words that no rule reads."""
        for path, change in changes:
            if change.old not in target.entry.raw:
                continue
            origin = Target(path=path, note=looks[path].note, entry=change.entry, others=self.others(path))
            told = Told(
                target=origin, old=change.old, new=change.new, output=change.output, quote=change.citation.quote
            )
            name = same_thing(told, target)
            if name:
                yield (
                    f"{target.path}:{target.entry.start + 1} says {shown(change.old)} and may mean {shown(name)}, of "
                    f"which {change.output.probe} says {shown(change.new)}; left, because code cannot tell that it does"
                )
                return

    def _ruling(self, target: Target, change: Change) -> Correction | None:
        """Return the correction of an entry by the evidence for `change`, None unless it is the same change."""
        entry = target.entry
        if len(stated_places(entry, entry.raw, change.old)) != 1 or speaks_of_the_past(entry):
            return None
        statement = _with(entry, change)
        ruling = check_correction(target, statement, [change.citation], [change.output])
        if not isinstance(ruling, Correction):
            return None
        return ruling if [(one.old, one.new) for one in ruling.changed] == [(change.old, change.new)] else None

    def _put_right(self, look: Look, target: Target, change: Change, ruling: Correction) -> bool:
        bench = Bench(
            path=look.path,
            note=look.note,
            entries={1: target.entry},
            outputs=[change.output],
            others=lambda: target.others,
            rules_on=self.probing.rules_on,
            unfit=self.probing.unfit,
            today=self.today,
        )
        one = bench.judged(target, ruling) if change.is_judged else bench.corrected(target, ruling)
        if not isinstance(one, Settled):
            return False
        return look.settle(one.entry, one.operation, "corrected", probing=self.probing)


def _with(entry: Entry, change: Change) -> str:
    """Return the statement of an entry with the new value for the old one, where it stands there once."""
    before, old, after = entry.key.partition(change.old)
    return f"{before}{change.new}{after}" if old and change.old not in after else entry.key
