"""What the labels say of a session, as a dreamer would offer it: wanted facts told truthfully, and labelled claims.

A truth is a sentence written for this bench with the places of its evidence, as claims have them;
`truths/<day>.json` holds those of a labelled day. Words of sessions are never copied.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.gates.claims import FOLDER as CLAIMS
from bench.gates.claims import Cited
from bench.nights.offering import Offer
from dream.guards.statements.utterances import Utterance
from tasks.proposals import CitedQuote

FOLDER = Path(__file__).parent / "truths"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One labelled sentence of the session whose id begins with `thread`."""

    thread: str
    statement: str
    resource: str
    kind: str
    is_true: bool
    evidence: tuple[Cited, ...]


def read_known(truths: Path = FOLDER, claims: Path = CLAIMS) -> Mapping[str, tuple[Known, ...]]:
    """Return everything that is labelled, by the plain name of a session or of its thread, wanted facts first."""
    found: dict[str, list[Known]] = {}
    for one in (*_documents(truths), *_documents(claims)):
        is_claim = "session" in one
        known = Known(
            thread=(one["session"] if is_claim else one["thread"]).replace("-", ""),
            statement=one["statement"],
            resource=one["resource"],
            kind=f"claim: {one['kind']}" if is_claim else "wanted",
            is_true=one.get("label", True),
            evidence=_cited(one["evidence"]),
        )
        found.setdefault(known.thread, []).append(known)
    return {thread: tuple(some) for thread, some in found.items()}


def known_of(known: Mapping[str, Sequence[Known]], source: str) -> list[Known]:
    """Return what is labelled of the session that entries cite as `source`, which begins or ends its name."""
    short = source.removeprefix("thread_").replace("-", "")
    return [
        one
        for name, some in known.items()
        if short and (name.startswith(short) or name.endswith(short))
        for one in some
    ]


def known_offers(known: Sequence[Known], utterances: Sequence[Utterance], ids: frozenset[str]) -> Iterator[Offer]:
    """Yield what is labelled of a session and rests on at least one message that was shown."""
    for one in known:
        quotes = tuple(_quotes(one.evidence, utterances))
        if len(quotes) == len(one.evidence) and any(quote.message in ids for quote in quotes):
            yield Offer(
                statement=one.statement,
                resource=one.resource,
                quotes=quotes,
                kind=one.kind,
                is_true=one.is_true,
                label=one.thread,
            )


def _quotes(evidence: Iterable[Cited], utterances: Sequence[Utterance]) -> Iterator[CitedQuote]:
    for cited in evidence:
        if cited.message_index < len(utterances):
            said = utterances[cited.message_index]
            text = said.text[cited.start : cited.end]
            if hashlib.sha256(text.encode()).hexdigest() == cited.sha256:
                yield CitedQuote(message=said.id, quote=text)


def _documents(folder: Path) -> Iterator[Mapping[str, Any]]:
    for path in sorted(folder.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        yield from document.get("claims", document.get("truths", ()))


def _cited(places: Iterable[tuple[int, int, int, str]]) -> tuple[Cited, ...]:
    return tuple(
        Cited(message_index=index, start=start, end=end, sha256=digest) for index, start, end, digest in places
    )
