"""Claims that people labelled true or false of what real sessions say, and the words of the sessions that they cite.

A claim is a sentence written for this bench. What it rests on is never copied: it is told as the file of a transcript,
the message of a session and the characters in it, with a hash of them, and found again in the data beside the checkout.
A true claim is supported by its cited lines as a note would need it. A false one is not, in one of ten ways: five
change a true claim in one place (`of` names it), five use only words of what they cite. `against` are later lines of
the session that take a withdrawn claim back. No session is in both splits.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Session, SessionSource

FOLDER = Path(__file__).parent / "claims"
TRUE_KINDS = frozenset({"decision", "fact", "cause", "constraint", "said"})
ALTERED_KINDS = frozenset({"number", "name", "negation", "resource", "date"})
SAME_WORDS_KINDS = frozenset(
    {"proposed-as-done", "question-as-fact", "withdrawn", "wrong-subject", "guess-as-confirmed"}
)

_SUFFIXES = {".md": "specstory", ".jsonl": "claude-code"}
_FROM, _TO = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


class StaleClaimError(Exception):
    """What a claim cites is not in the data as it was when the claim was written; `what` says what is amiss."""

    def __init__(self, claim: LabelledClaim, *, what: str) -> None:
        """Tell which claim, and where its transcript is."""
        super().__init__(f"{claim.id}: {what} in {claim.transcript}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """Characters of one message of the claim's session: `message_index` counts `Session.messages` from 0."""

    message_index: int
    start: int
    end: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledClaim:
    """A sentence about `resource`, whether the lines it cites support it, and why not if they do not."""

    id: str
    statement: str
    resource: str
    label: bool
    kind: str
    split: str
    transcript: str
    session: str
    evidence: tuple[Cited, ...]
    against: tuple[Cited, ...]
    of: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A claim's session with the texts that it cites, in the claim's order, and those that take it back."""

    claim: LabelledClaim
    session: Session
    spans: tuple[str, ...]
    against: tuple[str, ...]


def load_claims(folder: Path = FOLDER) -> tuple[LabelledClaim, ...]:
    """Return every labelled claim, by file and in the order of the files."""
    return tuple(
        _claim(one)
        for path in sorted(folder.glob("*.json"))
        for one in json.loads(path.read_text(encoding="utf-8"))["claims"]
    )


def read_transcript(transcripts: Path, transcript: str) -> tuple[Session, ...]:
    """Return the sessions of one transcript, read alone so that indexes into its messages hold.

    `transcripts` is the folder that a claim's `transcript` is relative to.
    """
    path = transcripts / transcript
    source = SessionSource(kind=_SUFFIXES[path.suffix], path=str(path))
    return read_sessions([source], since=_FROM, now=_TO).sessions


def resolve(claim: LabelledClaim, sessions: Iterable[Session]) -> Resolved:
    """Return the session and the texts that a claim cites; raises `StaleClaimError` where they are other ones now."""
    for session in sessions:
        if session.id == claim.session:
            return Resolved(
                claim=claim,
                session=session,
                spans=tuple(_text(claim, session, cited) for cited in claim.evidence),
                against=tuple(_text(claim, session, cited) for cited in claim.against),
            )
    raise StaleClaimError(claim, what=f"no session {claim.session}")


def resolve_all(claims: Iterable[LabelledClaim], transcripts: Path) -> tuple[Resolved, ...]:
    """Return what every claim cites, with each transcript read once; raises as `resolve` does."""
    read: dict[str, tuple[Session, ...]] = {}
    found = []
    for claim in claims:
        if claim.transcript not in read:
            read[claim.transcript] = read_transcript(transcripts, claim.transcript)
        found.append(resolve(claim, read[claim.transcript]))
    return tuple(found)


def _text(claim: LabelledClaim, session: Session, cited: Cited) -> str:
    if cited.message_index >= len(session.messages):
        raise StaleClaimError(claim, what=f"no message {cited.message_index}")
    text = session.messages[cited.message_index].text[cited.start : cited.end]
    if hashlib.sha256(text.encode("utf-8")).hexdigest() != cited.sha256:
        raise StaleClaimError(claim, what=f"other words in message {cited.message_index}")
    return text


def _claim(one: Mapping[str, Any]) -> LabelledClaim:
    return LabelledClaim(
        id=one["id"],
        statement=one["statement"],
        resource=one["resource"],
        label=one["label"],
        kind=one["kind"],
        split=one["split"],
        transcript=one["transcript"],
        session=one["session"],
        evidence=_cited(one["evidence"]),
        against=_cited(one.get("against", [])),
        of=one.get("of", ""),
        why=one["why"],
    )


def _cited(places: Iterable[tuple[int, int, int, str]]) -> tuple[Cited, ...]:
    return tuple(
        Cited(message_index=index, start=start, end=end, sha256=sha256) for index, start, end, sha256 in places
    )
