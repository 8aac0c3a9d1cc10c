"""How fast past sessions are kept, listed and searched, beside reading the same text with nothing done to it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bench.figures.making import sessions as write_sessions
from bench.figures.measuring import Row, cold_and_warm, seconds, shown
from dream.history.searching import Query, hits_in, told_by, told_in
from dream.history.store import HistoryStore
from dream.sources.sessions.condensing import CondensingLimits, condense
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Session, SessionSource

_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
_END = datetime(2100, 1, 1, tzinfo=UTC)
_NOWHERE = Query(["said-nowhere-at-all"])
_SOMEWHERE = Query(["the", "queue"])


def history(*, short: bool) -> Iterator[Row]:
    """Keep 1,000 invented sessions, keep them again, list them, and search them in both ways."""
    count = 100 if short else 1_000
    with tempfile.TemporaryDirectory(prefix="dream-figures-") as folder:
        told = _sessions(Path(folder) / "made", count)
        place = Path(folder) / "store"
        yield from _keeping(place, told)
        yield from _finding(place, count)


def _sessions(folder: Path, count: int) -> list[Session]:
    write_sessions(folder, count=min(count, 50), turns=100)
    source = SessionSource(kind="claude-code", path=str(folder))
    made = read_sessions([source], since=_BEGINNING, now=_END).sessions
    return [replace(made[number % len(made)], id=f"{number:08d}-made", short="") for number in range(count)]


def _keep(place: Path, told: list[Session]) -> None:
    limits = CondensingLimits()
    store = HistoryStore(str(place), organisation="acme")
    store.expect(told)
    for session in told:
        store.keep(session, condense=lambda one: condense(one, limits=limits).text)


def _keeping(place: Path, told: list[Session]) -> Iterator[Row]:
    size = sum(len(message.text) for session in told for message in session.messages)
    limits = CondensingLimits()
    condensing, _ = seconds(lambda: [condense(session, limits=limits).text for session in told])
    first, _ = seconds(lambda: _keep(place, told))
    again = cold_and_warm(lambda: _keep(place, told))
    yield Row(
        what=f"keeping {len(told)} sessions, {size / 1e6:.1f} MB of text",
        cold=f"{shown(first)} ({size / 1e6 / first:.0f} MB/s)",
        reference=f"condensing them: {shown(condensing)}",
    )
    yield Row(what="keeping them again, unchanged", cold=shown(again[0]), warm=shown(again[1]))


def _finding(place: Path, count: int) -> Iterator[Row]:
    def store() -> HistoryStore:
        return HistoryStore(str(place), organisation="acme")

    def condensed(query: Query) -> int:
        kept = store()
        texts = kept.texts(kept.lines())
        found = (
            hits_in(line, told_in(text), query, most=200) for line, text in texts if text and query.may_be_in(text)
        )
        return sum(len(list(hits)) for hits in found)

    def full(query: Query) -> int:
        kept = store()
        return sum(len(list(hits_in(line, told_by(kept.full(line) or ()), query, most=200))) for line in kept.lines())

    texts = sorted(place.rglob("*.txt"))
    plain = cold_and_warm(lambda: [path.read_bytes() for path in texts])
    reference = f"reading every .txt: {shown(plain[0])}, {shown(plain[1])}"
    listed = cold_and_warm(lambda: store().lines())
    yield Row(what=f"listing {count} sessions", cold=shown(listed[0]), warm=shown(listed[1]))
    for what, query in (("finding nothing", _NOWHERE), ("finding much", _SOMEWHERE)):
        taken = cold_and_warm(lambda query=query: condensed(query))  # type: ignore[misc]
        yield Row(what=f"searching them, {what}", cold=shown(taken[0]), warm=shown(taken[1]), reference=reference)
    taken = cold_and_warm(lambda: full(_NOWHERE), times=1)
    yield Row(what="searching all that was said, finding nothing", cold=shown(taken[0]), warm=shown(taken[1]))
