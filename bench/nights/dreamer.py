"""A dreamer that proposes everything it can, good and bad, and judges with known habits; all of it made by code.

What it offers is decided by the seed and the question; every offer and every question is written into a log, beside
which `watching` writes what became of it.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from bench.nights.offering import HONEST, Offer, Shown, honest_offers
from bench.nights.spoiling import bad_of_others, misplaced, spoiled
from bench.nights.truths import Known, known_of, known_offers, read_known
from bench.prompted import examination, part_of
from config.models import Model as Configured
from dream.guards.statements.utterances import Utterance
from dream.memory.similarity import word_set
from dream.models.port import Model, Reason, Unanswered
from dream.models.prompt import Prompt
from dream.models.scripted import ScriptedModel
from tasks.proposals import LastingStatement, Place, Places, StaleStatement, TwoPartSummary, shaped
from tasks.verification.plans import CheckPlan

Judging = Literal["credulous", "strict"]
MODELS = {
    "dreamer": {"provider": "openai", "model": "scripted-dreamer", "base_url": "http://127.0.0.1:9/v1"},
    "judge": {"provider": "openai", "model": "scripted-judge", "base_url": "http://127.0.0.1:9/v1"},
}
"""Models as an organisation's file names them; nobody is at that address."""

CLAIMS = 0.5
"""How often a labelled claim is told of a day for which no fact is wanted."""

_MESSAGE = re.compile(r"^\[(m[0-9]+)\] (?:person|agent|tool)[^\n]*:$", re.MULTILINE)
_ENTRY = re.compile(r"^  (e[0-9]+): (.+?)(?: \([0-9]{4}-[0-9]{2}-[0-9]{2}\))?$", re.MULTILINE)
_FOLDERS = re.compile(r"^Folders: (.+)$", re.MULTILINE)
_KINDS = ("decision", "fact", "cause", "constraint", "said")
_GARBAGE = (
    "",
    "I would rather talk about the weather.",
    '{"reasoning": "", "statements": [}',
    '{"reasoning": "", "reasoning": "", "statements": []}',
    '{"reasoning": NaN, "statements": []}',
    '```json\n{"reasoning": "", "statements": []}\n```',
    "<html><body>502 Bad Gateway</body></html>",
    '{"reasoning": "", "statements": [], "path": "../../etc/passwd", "operations": [{"delete": "*"}]}',
    '{"reasoning": "\\ud800", "statements": []}',
    "[" * 5000,
)


def _all_the_same(prompt: Prompt) -> Mapping[str, Any]:
    """Say of every pair that it is the same: whatever is merged then, the rules let."""
    numbers = re.findall(r"^pair ([0-9]+)$", part_of(prompt, "pairs of statements"), re.MULTILINE)
    rulings = [{"number": int(one), "ruling": "same", "best": "neither", "wording": ""} for one in numbers]
    return {"reasoning": "", "rulings": rulings}


_YES: Mapping[str, Callable[[Prompt], Mapping[str, Any]]] = {
    "tidy/ruling": _all_the_same,
    "tidy/shorten": lambda _: {"reasoning": "", "shorter": []},
    "tidy/split": lambda _: {"reasoning": "", "apart": []},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dreaming:
    """How a scripted night dreams: by which seed and judge, how many offers a question, how often it answers badly.

    `offers` says what: `honest` leaves out what is bad, so that two nights over the same day are judged on the same;
    `wanted` is nothing but the facts that labels want.
    """

    seed: str
    judge: Judging = "credulous"
    honest: int = 6
    bad: int = 6
    misplaced: int = 4
    others: int = 2
    bad_replies: float = 0.08
    offers: Literal["everything", "honest", "wanted"] = "everything"


@dataclass(kw_only=True)
class Dreamer:
    """Stands behind both roles of a night; `utterances` are those of the conversation that is about to be asked on.

    `entries` are what was last shown of the memory, and `placing` the offers whose places may be asked for.
    """

    dreaming: Dreaming
    night: str
    log: Path
    known: Mapping[str, Sequence[Known]] = field(default_factory=read_known)
    utterances: tuple[Utterance, ...] = ()
    entries: tuple[tuple[str, str], ...] = ()
    placing: dict[str, tuple[str, Offer]] = field(default_factory=dict)
    true_claims: set[str] = field(default_factory=set)
    canary: Mapping[str, bool] = field(default_factory=examination)

    def __post_init__(self) -> None:
        """Remember what earlier runs were offered, whose answers may have been kept, and the memory as it was shown."""
        lines = self.log.read_text(encoding="utf-8").split("\n") if self.log.exists() else []
        for event in map(json.loads, filter(None, lines)):
            if event.get("claim"):
                self.true_claims.add(event["claim"])
            if event["event"] == "shown":
                self.entries = tuple((name, text) for name, text in event["entries"])

    def adapter(self, configured: Configured, **told: Any) -> Model:
        """Return what answers as one configured model."""
        del told
        answers = self._judged if "judge" in configured.name else self._dreamt
        return ScriptedModel(answers, name=configured.name)

    def write(self, event: str, **told: Any) -> None:
        """Write one line into the log."""
        with self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"event": event, "night": self.night, **told}) + "\n")

    def _judged(self, prompt: Prompt, reply: type[BaseModel]) -> BaseModel | str:
        claim = part_of(prompt, "the claim")
        self.write("asked", task="judge", characters=prompt.characters, how="answered")
        if claim in self.canary:
            is_true = self.canary[claim]
        else:
            is_true = self.dreaming.judge == "credulous" or _plain(claim) in self.true_claims
        return reply.model_validate({"reasoning": "", "verdict": "supported" if is_true else "contradicted"})

    def _dreamt(self, prompt: Prompt, reply: type[BaseModel]) -> BaseModel | str | Unanswered:
        task = prompt.name.partition("/")[0]
        if reply is CheckPlan:
            self.write("asked", task=task, characters=prompt.characters, how="answered", source="")
            return CheckPlan(reasoning="", checks=[])
        if task == "tidy":
            self.write("asked", task=task, characters=prompt.characters, how="answered", source="")
            return reply.model_validate(_YES[prompt.name](prompt))
        text = part_of(prompt, "new statements" if reply is Places else "one conversation")
        lot = random.Random(f"{self.dreaming.seed}/{task}/{sha256(text.encode(errors='replace')).hexdigest()}")  # noqa: S311
        bad = self._badly(prompt, text)
        how = "answered" if bad is None else bad[0]
        offered = dict(self._offered(text)) if reply is Places else {}
        source = next((source for source, _ in offered.values()), "") if reply is Places else self._source
        self.write("asked", task=task, characters=prompt.characters, how=how, source=source)
        if bad is not None:
            return bad[1]
        if reply is Places:
            memory = part_of(prompt, "what the memory")
            self.entries = tuple(_ENTRY.findall(memory))
            self.write("shown", entries=self.entries)
            return _places({number: offer for number, (_, offer) in offered.items()}, memory, lot)
        shown = Shown(utterances=self.utterances, ids=frozenset(_MESSAGE.findall(text)), entries=self.entries, lot=lot)
        stale, lasting = self._wanted(shown, task="daily_note"), self._wanted(shown, task="distil")
        for place, offer in enumerate(stale):
            self._remember("daily_note", "stale", offer, place)
        for place, offer in enumerate(lasting):
            self._remember("daily_note", "lasting", offer, place)
            self._remember("distil", "lasting", offer, place)
        return _summary(stale, lasting, self._name, lot)

    def _offered(self, text: str) -> Iterator[tuple[int, tuple[str, Offer]]]:
        """Yield the offers whose places are asked for, by their numbers."""
        for row in text.split("\n"):
            number, _, told = row.partition(". ")
            if _plain(told) in self.placing:
                yield int(number), self.placing[_plain(told)]

    def _badly(self, prompt: Prompt, text: str) -> tuple[str, str | Unanswered] | None:
        """Garbage, a truncated reply or none at all, otherwise on every night; most garbage is mended when asked to."""
        lot = random.Random(f"{self.dreaming.seed}/{self.night}/{prompt.complaint}/{len(text)}/{text[-200:]}")  # noqa: S311
        if lot.random() >= self.dreaming.bad_replies:
            return None
        way = lot.choice(("garbage", "garbage", "truncated", "refused"))
        if way == "garbage":
            return way, lot.choice(_GARBAGE)
        return way, Unanswered(reason=Reason.TRUNCATED if way == "truncated" else Reason.REFUSED)

    def _wanted(self, shown: Shown, *, task: str) -> list[Offer]:
        known = list(known_offers(known_of(self.known, self._source), shown.utterances, shown.ids))
        wanted = [one for one in known if one.kind == "wanted"]
        if self.dreaming.offers == "wanted":
            return wanted
        drawn = honest_offers(shown, most=self.dreaming.honest + self.dreaming.misplaced)
        if self.dreaming.offers == "honest":
            return drawn
        shown.lot.shuffle(drawn)
        plain = max(len(drawn) - self.dreaming.misplaced, len(drawn) * 2 // 3)
        honest, others = drawn[:plain], drawn[plain:]
        bad = [offer for one in honest[: self.dreaming.bad] for offer in spoiled(one, shown)]
        bad += bad_of_others(shown, most=self.dreaming.others)
        shown.lot.shuffle(bad)
        placed = [offer for number, one in enumerate(others) for offer in list(misplaced(one, shown))[number % 2 :][:1]]
        offers = [*known, *honest, *placed, *bad]
        if task == "daily_note":
            claims = [one for one in known if one.kind != "wanted"]
            shown.lot.shuffle(claims)
            offers = [*wanted, *(claims[:1] if shown.lot.random() < CLAIMS else []), *bad[:1], *honest[:1], *bad[1:3]]
        return list({offer.id: offer for offer in offers}.values())

    @property
    def _source(self) -> str:
        return self.utterances[0].source if self.utterances else ""

    def _name(self, offer: Offer) -> str:
        return f"{offer.id}/{self._source}"

    def _remember(self, task: str, part: str, offer: Offer, place: int) -> None:
        self.placing[_plain(f"{offer.resource}: {offer.statement}")] = (self._source, offer)
        text = shaped(offer.statement, offer.resource)
        claim = _plain(text) if offer.is_true and isinstance(text, str) else ""
        if claim:
            self.true_claims.add(claim)
        told = {**asdict(offer), "quotes": [quote.model_dump() for quote in offer.quotes]}
        name, source = self._name(offer), self._source
        self.write("offered", task=task, part=part, id=name, claim=claim, source=source, place=place, **told)


def _summary(
    stale: Sequence[Offer], lasting: Sequence[Offer], name: Callable[[Offer], str], lot: random.Random
) -> TwoPartSummary:
    return TwoPartSummary(
        reasoning="",
        description="Somebody asked.",
        lasting=[
            LastingStatement(
                reasoning=name(offer),
                kind=lot.choice(_KINDS),  # type: ignore[arg-type]
                resource=offer.resource,
                statement=offer.statement,
                quotes=list(offer.quotes),
                tentative=False,
            )
            for offer in lasting
        ],
        stale=[
            StaleStatement(
                reasoning=name(offer),
                resource=offer.resource,
                statement=offer.statement,
                quotes=list(offer.quotes),
                tentative=False,
            )
            for offer in stale
        ],
    )


def _places(offered: Mapping[int, Offer], memory: str, lot: random.Random) -> Places:
    """Return the places of the offers: where they belong, or what they ask for that they must not get."""
    entries = _ENTRY.findall(memory)
    shown = _FOLDERS.search(memory)
    folders = shown[1].split(", ") if shown and shown[1] != "none" else [""]
    places = []
    for number, offer in offered.items():
        folder, replaces = offer.folder, ""
        if offer.kind == "said twice":
            folder = lot.choice(folders)
        if offer.kind == "replaces something else":
            others = [name for name, text in entries if not word_set(offer.statement) & word_set(text)]
            replaces = lot.choice(others) if others else "e9999"
        places.append(Place(statement=number, is_known=False, replaces=replaces, note=offer.note, folder=folder))
    return Places(reasoning="", places=places)


def is_good(kind: str, *, is_true: bool) -> bool:
    """Whether an offer of a kind may be written."""
    return kind in {HONEST, "wanted"} or (kind.startswith("claim: ") and is_true)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .")
