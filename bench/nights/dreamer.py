"""A dreamer that proposes everything it can, good and bad, and judges with known habits; all of it made by code.

What it offers is decided by the seed and the question; every offer and every question is written into a log, beside
which `watching` writes what became of it.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from bench.nights.offering import HONEST, Offer, Shown, honest_offers
from bench.nights.spoiling import bad_of_others, misplaced, spoiled
from bench.nights.truths import Known, known_of, known_offers, read_known
from config.models import Model as Configured
from dream.guards.statements.utterances import Utterance
from dream.models.port import Model, Reason, Unanswered
from dream.models.prompt import Prompt, Untrusted
from dream.models.scripted import ScriptedModel
from tasks.proposals import DayTold, Proposals, ProposedStatement, ToldStatement, shaped

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
    """Stands behind both roles of a night; `utterances` are those of the conversation that is about to be asked on."""

    dreaming: Dreaming
    night: str
    log: Path
    known: Mapping[str, Sequence[Known]] = field(default_factory=read_known)
    utterances: tuple[Utterance, ...] = ()
    true_claims: set[str] = field(default_factory=set)
    canary: Mapping[str, bool] = field(default_factory=lambda: dict(_canary()))

    def __post_init__(self) -> None:
        """Remember what was offered in earlier runs, whose answers may have been kept."""
        lines = self.log.read_text(encoding="utf-8").split("\n") if self.log.exists() else []
        self.true_claims |= {one["claim"] for one in map(json.loads, filter(None, lines)) if one.get("claim")}

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
        claim = next(one.text for one in prompt.parts if isinstance(one, Untrusted) and one.label == "the claim")
        self.write("asked", task="judge", characters=prompt.characters, how="answered")
        if claim in self.canary:
            is_true = self.canary[claim]
        else:
            is_true = self.dreaming.judge == "credulous" or _plain(claim) in self.true_claims
        return reply.model_validate({"reasoning": "", "verdict": "supported" if is_true else "contradicted"})

    def _dreamt(self, prompt: Prompt, reply: type[BaseModel]) -> BaseModel | str | Unanswered:
        task = prompt.name.partition("/")[0]
        text = next(one.text for one in prompt.parts if isinstance(one, Untrusted) and one.label == "one conversation")
        lot = random.Random(f"{self.dreaming.seed}/{task}/{sha256(text.encode(errors='replace')).hexdigest()}")  # noqa: S311
        bad = self._badly(prompt, text)
        how = "answered" if bad is None else bad[0]
        self.write("asked", task=task, characters=prompt.characters, how=how, source=self._source)
        if bad is not None:
            return bad[1]
        shown = self._shown(prompt, text, lot)
        offers = self._wanted(shown, task=task)
        for place, offer in enumerate(offers):
            self._remember(task, offer, place)
        return _reply(reply, [(self._name(offer), offer) for offer in offers], lot)

    def _badly(self, prompt: Prompt, text: str) -> tuple[str, str | Unanswered] | None:
        """Garbage, a truncated reply or none at all, otherwise on every night; most garbage is mended when asked to."""
        lot = random.Random(f"{self.dreaming.seed}/{self.night}/{prompt.complaint}/{len(text)}/{text[-200:]}")  # noqa: S311
        if lot.random() >= self.dreaming.bad_replies:
            return None
        way = lot.choice(("garbage", "garbage", "truncated", "refused"))
        if way == "garbage":
            return way, lot.choice(_GARBAGE)
        return way, Unanswered(reason=Reason.TRUNCATED if way == "truncated" else Reason.REFUSED)

    def _shown(self, prompt: Prompt, text: str, lot: random.Random) -> Shown:
        memory = "".join(
            one.text for one in prompt.parts if isinstance(one, Untrusted) and one.label.startswith("what")
        )
        folders = _FOLDERS.search(memory)
        return Shown(
            utterances=self.utterances,
            ids=frozenset(_MESSAGE.findall(text)),
            entries=tuple(_ENTRY.findall(memory)),
            folders=tuple(folders[1].split(", ")) if folders and folders[1] != "none" else (),
            lot=lot,
        )

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

    def _remember(self, task: str, offer: Offer, place: int) -> None:
        text = shaped(offer.statement, offer.resource)
        claim = _plain(text) if offer.is_true and isinstance(text, str) else ""
        if claim:
            self.true_claims.add(claim)
        told = {**asdict(offer), "quotes": [quote.model_dump() for quote in offer.quotes]}
        self.write("offered", task=task, id=self._name(offer), claim=claim, source=self._source, place=place, **told)


def _reply(reply: type[BaseModel], offers: Iterable[tuple[str, Offer]], lot: random.Random) -> BaseModel:
    if reply is DayTold:
        told = [
            ToldStatement(
                reasoning=name,
                resource=offer.resource,
                statement=offer.statement,
                quotes=list(offer.quotes),
                tentative=False,
            )
            for name, offer in offers
        ]
        return DayTold(reasoning="", statements=told)
    return Proposals(
        reasoning="",
        statements=[
            ProposedStatement(
                reasoning=name,
                kind=lot.choice(_KINDS),  # type: ignore[arg-type]
                resource=offer.resource,
                statement=offer.statement,
                quotes=list(offer.quotes),
                replaces=offer.replaces,
                note=offer.note,
                folder=offer.folder,
                tentative=False,
            )
            for name, offer in offers
        ],
    )


def is_good(kind: str, *, is_true: bool) -> bool:
    """Whether an offer of a kind may be written."""
    return kind in {HONEST, "wanted"} or (kind.startswith("claim: ") and is_true)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .")


def _canary() -> Iterator[tuple[str, bool]]:
    document = json.loads(resources.files("prompts").joinpath("judge/canary.json").read_bytes())
    for case in document["cases"]:
        yield case["statement"], case["supported"]
