"""A scripted dreamer, judge and reviewer of learnings: the first proposes everything, the others are as told."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from bench.learnings.marking import marks_of
from bench.learnings.offers import Mark, Proposal, Seen, Shown
from bench.learnings.proposing import proposals_of
from bench.prompted import bare, examination, part_of
from config.models import Model as Configured
from dream.guards.statements.judging import Verdict
from dream.guards.statements.utterances import Utterance
from dream.models.port import Model, Reason, Unanswered
from dream.models.preflight import Echo
from dream.models.prompt import Prompt
from dream.models.scripted import ScriptedModel
from tasks.candidates import Observed, ProposedLearning, ProposedLearnings, ProposedLine, Review
from tasks.observations import Observation
from tasks.proposals import CitedQuote
from tasks.standing import Standing

Ruling = Literal["credulous", "strict"]
_ADDRESS = "http://127.0.0.1:9/v1"
MODELS: Mapping[str, Any] = {
    role: {"provider": "openai", "model": f"scripted-{role}", "base_url": _ADDRESS}
    for role in ("dreamer", "judge", "reviewer")
}
"""Models as an organisation's file names them; nobody is at that address."""

_ITEM = re.compile(r"^- (.+?)(?: \[[^\[\]\n]*\])?$", re.MULTILINE)
_PROPOSED = re.compile(r"- (.+) \((o[0-9]+(?:, o[0-9]+)*)\)")
_TRIGGER = re.compile(r'^description: "?(.+?)"?$', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Minding:
    """How the scripted roles behave: by which seed, how judge and reviewer rule, how much is offered of each way."""

    seed: str
    ruling: Ruling = "credulous"
    marks: int = 2
    proposals: int = 2


@dataclass(kw_only=True)
class Mind:
    """Stands behind all roles of a night; what is about to be asked on is put into `said`, `shown` and `standing`."""

    minding: Minding
    night: str
    log: Path
    said: Sequence[Utterance] = ()
    source: str = ""
    shown: Mapping[str, Observation] = field(default_factory=dict)
    standing: Sequence[Standing] = ()
    true_lines: set[str] = field(default_factory=set)
    true_triggers: set[str] = field(default_factory=set)
    canary: Mapping[str, bool] = field(default_factory=examination)

    def __post_init__(self) -> None:
        """Remember what was offered in earlier nights, which may be approved in this one."""
        lines = self.log.read_text(encoding="utf-8").split("\n") if self.log.exists() else []
        for one in map(json.loads, filter(None, lines)):
            if one["event"] == "proposed" and one["is_true"]:
                self._believe(one["trigger"], [line["text"] for line in one["lines"]])

    def adapter(self, configured: Configured, **told: Any) -> Model:
        """Return what answers as one configured model."""
        del told
        return ScriptedModel(self._answer, name=configured.name)

    def write(self, event: str, **told: Any) -> None:
        """Write one line into the log."""
        with self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"event": event, "night": self.night, **told}) + "\n")

    def _answer(self, prompt: Prompt, reply: type[BaseModel]) -> BaseModel | Unanswered:
        answers: Mapping[type[BaseModel], Callable[[Prompt], BaseModel]] = {
            Echo: lambda _: Echo(word="ready"),
            Verdict: self._judged,
            Review: self._reviewed,
            Observed: self._marked,
            ProposedLearnings: self._revised if prompt.name.endswith("revise") else self._proposed,
        }
        return answers[reply](prompt) if reply in answers else Unanswered(reason=Reason.REFUSED)

    def _judged(self, prompt: Prompt) -> Verdict:
        claim = part_of(prompt, "the claim")
        is_true = self.canary.get(claim, self._is_credulous or bare(claim) in self.true_lines)
        return Verdict(reasoning="", verdict="supported" if is_true else "contradicted")

    def _reviewed(self, prompt: Prompt) -> Review:
        learning = part_of(prompt, "the learning")
        lines = [bare(line) for line in _ITEM.findall(learning)]
        trigger = _TRIGGER.search(learning)
        is_true = bool(lines) and all(line in self.true_lines for line in lines)
        is_true = is_true and trigger is not None and bare(trigger[1]) in self.true_triggers
        approves = self._is_credulous or is_true
        why = "" if approves else "somebody must have said it, often enough"
        return Review(reasoning="", verdict="approved" if approves else "not-approved", why=why)

    def _marked(self, prompt: Prompt) -> Observed:
        conversation = part_of(prompt, "one conversation")
        lot = self._lot("mark", conversation)
        marks = marks_of(conversation, self.said, lot, most=self.minding.marks)
        for mark in marks:
            self.write("marked", source=self.source, **_told(mark))
        quotes = [CitedQuote(message=mark.message, quote=mark.quote) for mark in marks]
        return Observed(reasoning="", observations=quotes)

    def _revised(self, prompt: Prompt) -> ProposedLearnings:
        """Take away what nobody said; where nothing is left, or the trigger is the fault, propose nothing."""
        first, *others = part_of(prompt, "the learning").split("\n")
        name, _, trigger = first.partition(": ")
        lines = [
            ProposedLine(text=found[1], observations=found[2].split(", "), replaces="")
            for line in others
            if (found := _PROPOSED.fullmatch(line)) and bare(found[1]) in self.true_lines
        ]
        if not lines or bare(trigger) not in self.true_triggers:
            return ProposedLearnings(reasoning="", learnings=[])
        self.write("revised", trigger=trigger)
        again = ProposedLearning(reasoning="", action="create", name=name, trigger=trigger, lines=lines, absorbs=[])
        return ProposedLearnings(reasoning="", learnings=[again])

    def _proposed(self, prompt: Prompt) -> ProposedLearnings:
        del prompt
        shown = Shown(
            seen=[_seen(name, one) for name, one in self.shown.items()],
            standing=[(one.name, one.trigger, one.is_own, tuple(one.lines)) for one in self.standing],
        )
        proposals = proposals_of(shown, self._lot("propose", self.night), most=self.minding.proposals)
        for one in proposals:
            if one.is_true:
                self._believe(one.trigger, [line.text for line in one.lines])
            self.write("proposed", id=one.id, is_true=one.is_true, **asdict(one))
        return ProposedLearnings(reasoning="", learnings=[_reply(one) for one in proposals])

    @property
    def _is_credulous(self) -> bool:
        return self.minding.ruling == "credulous"

    def _believe(self, trigger: str, lines: Sequence[str]) -> None:
        self.true_triggers.add(bare(trigger))
        self.true_lines |= {bare(line) for line in lines}

    def _lot(self, *parts: str) -> random.Random:
        text = "/".join((self.minding.seed, *parts))
        return random.Random(sha256(text.encode(errors="surrogatepass")).hexdigest())  # noqa: S311


def _told(mark: Mark) -> dict[str, Any]:
    return {**asdict(mark), "is_true": mark.is_true}


def _seen(name: str, one: Observation) -> Seen:
    return Seen(
        id=name,
        session=one.session,
        day=one.day.isoformat(),
        person=one.person,
        at=one.at.isoformat(),
        words=one.words,
    )


def _reply(one: Proposal) -> ProposedLearning:
    return ProposedLearning(
        reasoning=one.id,
        action=one.action,
        name=one.name or "of-what-was-said",
        trigger=one.trigger,
        lines=[
            ProposedLine(text=line.text, observations=list(line.observations), replaces=line.replaces)
            for line in one.lines
        ],
        absorbs=list(one.absorbs),
    )
