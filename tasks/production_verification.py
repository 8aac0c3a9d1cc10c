"""Looks at the chosen notes and checks what they name against the real systems.

Offline, code can tell whether a path, a command or a link is there; it cannot tell whether what is said of it is
true. So a note counts as unverified as long as any of its entries says more than names that are there. What moved is
put right in place, with the commit as evidence; what is gone is reported and kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType

from dream.memory.notes import Note, NoteCache, Unreadable
from dream.memory.outcomes import Item, Plan
from dream.memory.tree import Tree
from dream.sources.production.code.tree import CodeTree
from tasks.reference_checks import Alive, Dead, Production, Renamed, Verdict, finding
from tasks.reference_repairs import corrected_entries, says_only
from tasks.verification_choice import choose

__all__ = ["choose", "propose"]


def propose(
    *,
    tree: Tree,
    notes: NoteCache,
    chosen: Sequence[str],
    code: Sequence[CodeTree],
    today: date,
    renames: Mapping[str, str] = MappingProxyType({}),
) -> Plan:
    """Return an item for each of the `chosen` notes, with a revision for each entry whose paths moved in `code`.

    Findings name what is gone, and what moved where an entry speaks of the past. `checked` are the notes that could be
    read, whatever the verdict. No correction is dated after `today`. A link that `renames` of notes left behind is no
    finding: it is mended tonight.
    """
    production = Production(code, tree.paths(), renames)
    items: list[Item] = []
    findings: list[str] = []
    checked: set[str] = set()
    unverified: set[str] = set()
    for path in chosen:
        note = notes.note(tree, path)
        if isinstance(note, Unreadable):
            items.append(Item(id=path, digest=tree.blob(path) or "", reason="unreadable"))
            findings.append(f"{path} was left alone: {note.reason}")
            continue
        if note.broken:
            findings.append(f"{path}: its frontmatter cannot be read ({note.broken}), so no task edits the note")
        verdicts = production.verdicts(path, note)
        revisions, settled = corrected_entries(path, note, verdicts, today=today)
        left = [
            verdict
            for verdict in verdicts
            if isinstance(verdict, Dead) or (isinstance(verdict, Renamed) and verdict not in settled)
        ]
        findings += [finding(path, verdict) for verdict in left]
        reason = "" if revisions else "dead-reference" if left else _reason(verdicts)
        items.append(Item(id=path, digest=tree.blob(path) or "", operations=revisions, reason=reason))
        checked.add(path)
        if _is_unverified(note, verdicts):
            unverified.add(path)
    return Plan(
        items=tuple(items),
        findings=tuple(findings),
        checked=frozenset(checked),
        unverified=frozenset(unverified),
    )


def _reason(verdicts: Sequence[Verdict]) -> str:
    if any(isinstance(verdict, Alive | Renamed) for verdict in verdicts):
        return "references-alive"
    return "not-resolvable" if verdicts else "no-reference"


def _is_unverified(note: Note, verdicts: Sequence[Verdict]) -> bool:
    """Whether an entry says anything beside names that were found."""
    for entry in note.entries:
        inside = [verdict for verdict in verdicts if entry.start <= verdict.reference.line < entry.end]
        found = [verdict.reference for verdict in inside if isinstance(verdict, Alive)]
        if len(found) < len(inside) or not says_only(entry, found):
            return True
    return False
