"""The one way in for a new statement: shape, quotes, evidence, screen, values, what was refused before, the judge."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from dream.guards.addressing import speaks_to_reader
from dream.guards.hidden import Hiding
from dream.guards.instructions import instructions_to_agents, leaks_or_hides, plain_form
from dream.guards.screen import screen_text
from dream.guards.secrets import find_secrets
from dream.guards.statements.claims import Claim
from dream.guards.statements.entailment import check_claim
from dream.guards.statements.evidence import Evidenced, basis_of
from dream.guards.statements.judging import NoJudge, Ruling
from dream.guards.statements.limits import GateLimits
from dream.guards.statements.quotes import Located, Quote, locate
from dream.guards.statements.shapes import check_shape
from dream.guards.statements.utterances import Record, Speaker, Utterance
from dream.memory.operations import Refusal
from dream.memory.sources import Origin

REMEMBERED = frozenset({"not-entailed", "judge-unsure"})
"""What a judge was paid to decide; all else costs nothing to find out anew, or may change by tomorrow."""

_DIGEST_CHARACTERS = 32
_SHOWN = 40
_NOBODY = frozenset({Origin.AGENT, Origin.EXTERNAL})
_PUNCTUATION = ".,;:!?\"'`()[]{}*_"
_TAG = re.compile(r"(?<!\\)<[a-z/!?][^<>\n]{0,200}", re.IGNORECASE)
_TAG_CHARACTERS = re.compile("[\U000e0000-\U000e007f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What a task makes of one item of a dreamer's reply; nothing of it is believed."""

    statement: str
    resource: str
    quotes: tuple[Quote, ...]
    tentative: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteMark:
    """A quote as it is remembered: where it stands, and a hash of it, but not its words.

    `str()` of it is what a night's record keeps: `thread_7c2e/m12:140-203 <digest>`.
    """

    source: str
    message: str
    start: int
    end: int
    digest: str

    def __str__(self) -> str:
        """Return where the quote stands and its digest, on one line."""
        return f"{self.source}/{self.message}:{self.start}-{self.end} {self.digest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """A statement that may be written, with what code says of it: sources, day, origin, cited lines, quotes."""

    statement: str
    resource: str
    sources: tuple[str, ...]
    origin: Origin
    dated: date
    lines: tuple[str, ...]
    tentative: bool
    quotes: tuple[QuoteMark, ...]


class Gates:
    """Admits candidates that rest on the utterances of one reading, or refuses them with a named reason."""

    def __init__(
        self,
        utterances: Sequence[Utterance],
        *,
        record: Record,
        judge: Ruling | None = None,
        rejected: Collection[str] = (),
        limits: GateLimits | None = None,
        people_only: bool = False,
    ) -> None:
        """Take what was said, the session's record, and the digests of what a judge has turned down before.

        Without a judge nothing is admitted (`judge-no-model`). With `people_only` these are rules of work, and nothing
        but what people said carries one.
        """
        self._utterances = tuple(utterances)
        self._record = record
        self._judge: Ruling = judge or NoJudge("judge-no-model")
        self._rejected = frozenset(rejected)
        self._limits = limits or GateLimits()
        self._people_only = people_only

    def admit(self, candidate: Candidate, *, beside: Sequence[str] = ()) -> Admitted | Refusal:
        """Return the statement as it may be written, or why not; the checks go from cheap to dear, the judge is last.

        `beside` are texts that will stand around it, so that nothing hides by being split between several.
        """
        found = self.check(candidate, beside=beside)
        if isinstance(found, Refusal):
            return found
        admitted, claim = found
        if digest_of(admitted.statement, admitted.sources) in self._rejected:
            return Refusal("rejected-before")
        return self._judge.rules_on(claim) or admitted

    def check(self, candidate: Candidate, *, beside: Sequence[str] = ()) -> tuple[Admitted, Claim] | Refusal:
        """Return what the judge is asked and what is written if it agrees, or why code alone refuses."""
        statement = candidate.statement.strip().rstrip(".")
        shape = check_shape(statement, self._limits, is_rule=self._people_only)
        shape = shape or _check_secrets(statement, candidate.resource)
        located = shape or self._locate(candidate.quotes)
        if isinstance(located, Refusal):
            return located
        evidenced = basis_of(
            located,
            self._utterances,
            statement=statement,
            zone=self._record.zone,
            people_only=self._people_only,
            limits=self._limits,
        )
        if isinstance(evidenced, Refusal):
            return evidenced
        claim = Claim(
            statement=statement,
            quotes=evidenced.quotes,
            record=self._record,
            resource=candidate.resource,
            tentative=candidate.tentative,
            is_rule=self._people_only,
            later=self._later_than(evidenced),
        )
        refusal = _screen(statement, evidenced, beside) or check_claim(claim, self._limits)
        return refusal or (_admitted(candidate, statement, evidenced), claim)

    def _locate(self, quotes: Sequence[Quote]) -> list[Located] | Refusal:
        """Return where the quotes stand; one that is too short to prove anything counts beside others."""
        if len(quotes) > self._limits.most_quotes:
            return Refusal("too-many-quotes", f"{len(quotes)}, at most {self._limits.most_quotes}")
        located: list[Located] = []
        for quote in quotes:
            found = locate(quote, self._utterances, least=1, most=self._limits.most_quote)
            if isinstance(found, Refusal):
                return found
            if find_secrets(found.lines):
                return Refusal("secret", f"in the lines of {found.utterance.id}")
            located.append(found)
        limits = self._limits
        proofs = [locate(quote, self._utterances, least=limits.least_quote, most=limits.most_quote) for quote in quotes]
        too_short = [one for one in proofs if isinstance(one, Refusal)]
        return too_short[0] if too_short and len(too_short) == len(proofs) else located

    def _later_than(self, evidenced: Evidenced) -> tuple[Utterance, ...]:
        sources = {quote.utterance.source for quote in evidenced.quotes}
        first = min(quote.utterance.at for quote in evidenced.quotes)
        return tuple(one for one in self._utterances if one.source in sources and one.at >= first)


def digest_of(statement: str, sources: Sequence[str]) -> str:
    """Return the digest (32 hex) under which a judge's no is remembered: of the words in order, and the sources."""
    words = (word.strip(_PUNCTUATION) for word in statement.casefold().split())
    text = "\n".join((" ".join(word for word in words if word), *sorted(set(sources))))
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:_DIGEST_CHARACTERS]


def _check_secrets(statement: str, resource: str) -> Refusal | None:
    for place, text in (("statement", statement), ("resource", resource)):
        for secret in find_secrets(text):
            return Refusal("secret", f"{secret.kind} of {secret.end - secret.start} characters in its {place}")
    return None


def _screen(statement: str, evidenced: Evidenced, beside: Sequence[str]) -> Refusal | None:
    """Screen what is to be written, and what the judge will read, by who said it.

    An instruction passes where people alone are cited and it stands so in their words. One that only shows when the
    statement stands beside its neighbours is refused with them.
    """
    withheld = screen_text(statement, origin=Origin.PERSON)
    if withheld:
        return Refusal(withheld.reason, withheld.detail)
    cited = "\n".join(evidenced.lines)
    for tag in _TAG.finditer(statement):
        if tag[0] not in cited:
            return Refusal("raw-html", _brief(tag[0]))
    said = plain_form(cited) if evidenced.by_people else ""
    for found in instructions_to_agents(statement):
        if found.text not in said:
            return Refusal(found.reason, _brief(found.text))
    if evidenced.origin in _NOBODY and speaks_to_reader(statement):
        return Refusal("speaks-to-reader")
    return _screen_evidence(evidenced) or _screen_together(statement, beside)


def _screen_evidence(evidenced: Evidenced) -> Refusal | None:
    for quote in evidenced.quotes:
        lines, speaker = quote.lines, quote.utterance.speaker
        found = next(leaks_or_hides(lines), None)
        if found is None and speaker is not Speaker.PERSON:
            found = next(instructions_to_agents(lines), None)
        if found is not None:
            return Refusal(found.reason, f"in the lines of {quote.utterance.id}")
        if _TAG_CHARACTERS.search(lines):
            return Refusal("invisible-characters", f"in the lines of {quote.utterance.id}")
    return None


def _screen_together(statement: str, beside: Sequence[str]) -> Refusal | None:
    others = [one for one in dict.fromkeys(beside) if one != statement]
    alone = {found.text for text in (statement, *others, "\n".join(others)) for found in _hidings(text)}
    whole = [(*others, statement), (statement, *others)] if len(others) > 1 else []
    pairs = [pair for one in others for pair in ((one, statement), (statement, one))]
    for parts in (*whole, *pairs):
        for found in _hidings("\n".join(parts)):
            if found.text not in alone:
                return Refusal("split-instruction", _brief(found.text))
    return None


def _hidings(text: str) -> Iterator[Hiding]:
    yield from leaks_or_hides(text)
    yield from instructions_to_agents(text)


def _admitted(candidate: Candidate, statement: str, evidenced: Evidenced) -> Admitted:
    return Admitted(
        statement=statement,
        resource=candidate.resource,
        sources=evidenced.sources,
        origin=evidenced.origin,
        dated=evidenced.dated,
        lines=evidenced.lines,
        tentative=candidate.tentative,
        quotes=tuple(
            QuoteMark(
                source=quote.utterance.source,
                message=quote.utterance.id,
                start=quote.start,
                end=quote.end,
                digest=quote.digest,
            )
            for quote in evidenced.quotes
        ),
    )


def _brief(text: str) -> str:
    return ascii(text[:_SHOWN])[1:-1]
