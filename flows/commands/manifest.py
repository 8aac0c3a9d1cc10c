"""`dream manifest`: the notes that an agent is shown first, the most relevant on top; it writes to no memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from config.settings import Settings
from dream.errors import TransientError, UsageError
from dream.memory.links.relinked import is_relinked
from dream.memory.notes import NoteCache
from dream.memory.paths import CATALOG, Kind, is_topic, kind_of
from dream.memory.ranking.edges import EdgeLimits, edges_of
from dream.memory.ranking.lexical import match_notes
from dream.memory.ranking.relevance import RankingLimits, Signs, rank
from dream.memory.state import State
from dream.memory.tree import Tree
from dream.repository.change_dates import change_dates
from dream.repository.lock import lock
from dream.repository.mirror import Mirror
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.installation import open_installation, open_workplace
from flows.opening import fetch_head
from flows.stories import read_state
from flows.workplace import Workplace
from tasks.note_list import NoteList, list_notes

LEAST_TOKENS = 300
"""What the lines around the list may take."""

_OWN_LOADING = {Kind.PREFERENCE: "preferences", Kind.LEARNING: "learnings"}


def tell_manifest(settings: Settings, name: str, *, budget: int, query: str, clock: Clock) -> Answer:
    """Return the ranked list of an organisation's notes in up to `budget` tokens (0: as configured).

    A remote that cannot be asked, or a run at work, is remarked on: the list is then of the branch as last fetched.

    Raises:
        UsageError: the budget is too small for any list.
        TransientError: the remote cannot be asked, and never was before.
        HistoryRewrittenError: the branch lost what nights stood on.
    """
    workplace = open_workplace(settings, name)
    ranking = workplace.organisation.limits.ranking
    tokens = budget or ranking.tokens
    if tokens < LEAST_TOKENS:
        message = f"a budget of {tokens} tokens holds no list"
        raise UsageError(message, way_out=f"give at least {LEAST_TOKENS}")
    mirror = workplace.mirror()
    remarks: list[str] = []
    head = _head(workplace, mirror, remarks)
    tree, today = mirror.tree(head or None), clock.now().date()
    notes = NoteCache(max_bytes=workplace.organisation.limits.notes.most_bytes)
    state = read_state(tree)
    paths = [path for path in tree.paths() if is_topic(path)]
    signs = _signs(paths, state, changed=_changed(mirror, head))
    ranked = rank(
        signs,
        today=today,
        limits=RankingLimits(half_life_days=ranking.half_life_days, grace_days=ranking.grace_days),
        matches=match_notes(tree, notes, paths, query) if query.strip() else None,
    )
    listed = list_notes(
        tree,
        notes,
        ranked=ranked,
        signs=signs,
        unverified=frozenset(state.unverified),
        near=partial(edges_of, tree, notes, limits=EdgeLimits(neighbours=ranking.neighbours)),
        today=today,
        budget=tokens,
        opening=_opening(name, head, today, remarks),
        closing=_closing(tree, matching=len(ranked), notes=len(paths), is_asked=bool(query.strip())),
    )
    document = _document(listed, organisation=name, head=head, today=today, budget=tokens, remarks=remarks)
    return Answer(text=listed.text, document={**document, "query": query, "of": len(paths), "matching": len(ranked)})


def manifest_command(name: str, *, budget: int, query: str) -> Answer:
    """Return the answer of `dream manifest`."""
    return tell_manifest(open_installation(), name, budget=budget, query=query, clock=system_clock())


def _head(workplace: Workplace, mirror: Mirror, remarks: list[str]) -> str:
    try:
        with lock(workplace.home):
            return fetch_head(workplace, mirror)
    except TransientError:
        head = mirror.tracked()
        if head is None:
            raise
        remarks.append("the branch as it was last fetched: the remote could not be asked, or a run is at work")
        return head


def _changed(mirror: Mirror, head: str) -> Mapping[str, date]:
    dates = change_dates(mirror, head, alike=is_relinked) if head else {}
    return {path: at.date() for path, at in dates.items()}


def _signs(paths: Sequence[str], state: State, *, changed: Mapping[str, date]) -> dict[str, Signs]:
    return {
        path: Signs(
            changed=changed.get(path),
            checked=state.checked.get(path),
            read=state.read.get(path),
            shown=state.shown.get(path),
        )
        for path in paths
    }


def _opening(name: str, head: str, today: date, remarks: Sequence[str]) -> list[str]:
    place = f" at {head[:12]}" if head else ""
    return [
        f"# Notes of {name}{place} on {today.isoformat()}, the most relevant first; what stands in “” the notes say",
        *(f"# {remark}" for remark in remarks),
    ]


def _closing(tree: Tree, *, matching: int, notes: int, is_asked: bool) -> Callable[[int], list[str]]:
    kinds = Counter(kind_of(path) for path in tree.paths())
    own = [f"{name}/ ({kinds[kind]})" for kind, name in _OWN_LOADING.items() if kinds[kind]]
    where = f"; {CATALOG} lists every note" if tree.blob(CATALOG) is not None else ""
    asked = f" that have a word of the question, {notes - matching} have none" if is_asked else ""

    def told(left_out: int) -> list[str]:
        more = f"; {left_out} more found no room{where}" if left_out else ""
        lines = [f"# {matching - left_out} of {matching} notes{asked}{more}"]
        if own:
            lines.append(f"# not listed, since what they are for loads them: {', '.join(own)}")
        return lines

    return told


def _document(
    listed: NoteList, *, organisation: str, head: str, today: date, budget: int, remarks: Sequence[str]
) -> dict[str, Any]:
    return {
        "organisation": organisation,
        "head": head,
        "date": today.isoformat(),
        "budget": budget,
        "tokens": listed.tokens,
        "left_out": listed.left_out,
        "notes": [one.payload() for one in listed.notes],
        "remarks": list(remarks),
    }
