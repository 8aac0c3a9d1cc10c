"""The ranked list of a large memory: fading, neighbours of what is shown, a question, beside the plainest of each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta

from bench.figures.making import DAY, memory
from bench.figures.measuring import Row, cold_and_warm, seconds, shown
from dream.memory.notes import NoteCache
from dream.memory.paths import is_topic
from dream.memory.ranking.edges import edges_of
from dream.memory.ranking.lexical import match_notes
from dream.memory.ranking.relevance import RankingLimits, Signs, rank
from dream.memory.tree import MappingTree

_SHOWN = 60
"""About as many as 2,000 tokens hold without their neighbours."""


def ranking(*, short: bool) -> Iterator[Row]:
    """Rank all notes, find what is near the first of them, and answer a question of three words."""
    notes = 1_000 if short else 10_000
    tree = MappingTree({path: text.encode() for path, text in memory(notes).items()})
    paths = [path for path in tree.paths() if is_topic(path)]
    chance = random.Random(7)  # noqa: S311 - repeatable on purpose
    today = DAY.date()
    signs = {path: Signs(changed=today - timedelta(days=chance.randrange(900))) for path in paths}
    cold, warm = cold_and_warm(lambda: rank(signs, today=today, limits=RankingLimits()))
    plain = seconds(lambda: sorted(signs, key=lambda path: (signs[path].changed or today, path)))[0]
    yield Row(
        what=f"ranking of {notes:,} notes",
        cold=shown(cold),
        warm=shown(warm),
        reference=f"sorting them by date: {shown(plain)}",
    )
    first = [one.path for one in rank(signs, today=today, limits=RankingLimits())[:_SHOWN]]
    cache = NoteCache()
    cold, warm = cold_and_warm(lambda: edges_of(tree, cache, first))
    plain = seconds(lambda: [frozenset((tree.read(path) or b"").split()) for path in paths])[0]
    yield Row(
        what=f"neighbours of {_SHOWN} notes among {notes:,}",
        cold=shown(cold),
        warm=shown(warm),
        reference=f"splitting every note at its blanks: {shown(plain)}",
        target="≤ 5 s cold",
        is_met=cold <= 5,
    )
    asked = " ".join((tree.read(paths[0]) or b"").decode().split()[1:4])
    cold, warm = cold_and_warm(lambda: match_notes(tree, NoteCache(), paths, asked))
    yield Row(what=f"a question of three words to {notes:,} notes", cold=shown(cold), warm=shown(warm))
