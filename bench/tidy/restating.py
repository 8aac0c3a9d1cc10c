"""Writers who say the same hundred facts again every day in new words, and a model that mostly knows they are the same.

The wordings are a grammar: ways to say a fact, words to begin with, words to end with. It was written as people and
agents write, without a look at the tables of what code takes for the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bench.tidy.judged import attested
from bench.tidy.wordings import is_reworded, reworded
from config.models import Model as Configured
from dream.models.port import Model, Unanswered
from dream.models.prompt import Prompt
from dream.models.scripted import ScriptedModel
from flows.dreaming import ModelMaker, build_models
from tasks.tidying.asking import PairRuling, Rulings
from tasks.tidying.attesting import Attestations

_NOBODY = {"provider": "openai", "base_url": "http://127.0.0.1:9/v1"}
MODELS = {"dreamer": {**_NOBODY, "model": "ruler"}, "judge": {**_NOBODY, "model": "judge"}}
"""A configuration with a dreamer and a judge; nobody is at that address."""

_RESOURCES = tuple(
    f"{kind}-{part}"
    for kind, parts in {
        "orders": "api worker", "search": "api index", "billing": "api ledger", "cart": "api store",
        "mail": "worker proxy", "image": "worker cache", "price": "feed engine", "stock": "sync job",
        "user": "store cache", "audit": "log bridge",
    }.items()
    for part in parts.split()
)  # fmt: skip
_TEAMS = ("Falcon", "Heron", "Otter", "Lynx", "Marten", "Badger", "Swift", "Plover")
_VALUES = ("5", "10", "20", "30", "45", "60", "90", "8080", "9000")
_SAID: Mapping[str, tuple[str, ...]] = {
    "port": (
        "{r} listens on port {v}",
        "The port of {r} is {v}",
        "{r} is reached on port {v}",
        "{r}: port {v} is in use",
        "{v} is the port on which {r} answers",
        "Requests to {r} go to port {v}",
    ),
    "pool": (
        "The connection pool of {r} holds {v} connections",
        "{r} keeps {v} connections in its pool",
        "{r} has a pool of {v} connections",
        "In its pool, {r} has {v} connections",
        "The pool size of {r} is {v} connections",
        "{r} pools {v} connections",
    ),
    "timeout": (
        "{r} has a timeout of {v} seconds",
        "The timeout of {r} is {v} s",
        "{r} times out after {v} s",
        "Requests to {r} time out after {v} seconds",
        "{r} gives up after {v} s",
        "A timeout of {v} s is set for {r}",
    ),
    "retention": (
        "Logs of {r} are kept for {v} days",
        "{r} keeps its logs for {v} days",
        "{v} days is the log retention of {r}",
        "The log retention of {r} is {v} days",
        "{r} retains logs {v} days",
        "Logs of {r} are deleted after {v} days",
    ),
    "owner": (
        "{r} is owned by team {v}",
        "Team {v} owns {r}",
        "{v} is the team that owns {r}",
        "{r} belongs to team {v}",
        "Ask team {v} about {r}",
        "Team {v} maintains {r}",
    ),
}
_LEADS = ("", "", "", "Note that ", "As of today, ", "Confirmed: ")
_TAILS = ("", "", "", ", as the dashboard shows", "; see the runbook", " (seen again today)")
_PAIR = re.compile(
    r"^pair ([0-9]+)\nfirst: [^\n]*\n  (.*?)\nsecond: [^\n]*\n  (.*?)(?=\n\npair |\Z)", re.DOTALL | re.MULTILINE
)
_RULINGS = ("same", "contradicts", "different", "unsure", "narrower")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What is so: the `attribute` of a `resource` has a `value`."""

    resource: str
    attribute: str
    value: str

    def is_said(self, text: str) -> bool:
        """Whether `text` says the fact, whatever stands before and behind it."""
        bodies = (words.format(r=self.resource, v=self.value) for words in _SAID[self.attribute])
        return any(body in text for body in bodies) or is_reworded(text, self.attribute, self.resource, self.value)

    def reworded(self, dice: random.Random, *, unseen: bool = False) -> str:
        """Return the fact in really new words that the dice choose, of those that nobody had in view if `unseen`."""
        return reworded(self.attribute, self.resource, self.value, dice, unseen=unseen)

    def said(self, dice: random.Random) -> str:
        """Return the fact in words that the dice choose."""
        words = dice.choice(_SAID[self.attribute]).format(r=self.resource, v=self.value)
        lead, tail = dice.choice(_LEADS), dice.choice(_TAILS)
        return f"{lead}{words}{tail}."


def facts(count: int) -> tuple[Fact, ...]:
    """Return `count` of a hundred facts about twenty services, of every kind some."""
    dice = random.Random("facts")  # noqa: S311  # dice, no secret
    found = []
    for attribute in _SAID:
        for resource in _RESOURCES:
            value = (
                dice.choice(_TEAMS)
                if attribute == "owner"
                else str(dice.choice((5, 10, 20, 30, 45, 60, 90, 8080, 9000)))
            )
            found.append(Fact(resource=resource, attribute=attribute, value=value))
    return tuple(found[:: max(len(found) // count, 1)][:count])


@dataclass(kw_only=True)
class TruthfulRuler:
    """Models that say of pairs what is true, but for a share of them; `known` are the facts that there are.

    One rules, the other judges; the judge is right on a share `judging` of the pairs, and on the packaged cases.
    """

    known: Sequence[Fact]
    truthful: float = 0.9
    judging: float = 1.0
    seed: str = "ruler"
    questions: int = 0
    tokens: int = 0
    rulings: dict[str, int] = field(default_factory=dict)

    @property
    def models(self) -> ModelMaker:
        """A night's models, with this one behind them."""
        return partial(build_models, adapter=self.adapter)

    def adapter(self, configured: Configured, **told: Any) -> Model:
        """Stand in for the configured model."""
        del told
        return ScriptedModel(lambda prompt, _: self.answer(prompt), configured.name)

    def answer(self, prompt: Prompt) -> Rulings | Attestations | str | Unanswered:
        """Return the rulings on the pairs of a question; to anything else it says that it is ready."""
        if prompt.name not in {"tidy/ruling", "judge/equivalence"}:
            return '{"word": "ready"}'
        text = prompt.user_text(b"")
        self.questions += 1
        self.tokens += prompt.characters // 4
        if prompt.name == "judge/equivalence":
            return attested(text, self._follows)
        return Rulings(reasoning="", rulings=list(self._rulings(text)))

    def _rulings(self, text: str) -> Iterator[PairRuling]:
        for match in _PAIR.finditer(text):
            one, other = self._fact(match[2]), self._fact(match[3].partition("\n")[0])
            if match[2].startswith("# "):
                one, other = (fact_about(text, self.known) for text in (match[2], match[3]))
            dice = random.Random(f"{self.seed} {match[2]} {match[3]}")  # noqa: S311  # dice, no secret
            said = "same" if one is not None and one == other else "different"
            ruling = said if dice.random() < self.truthful else dice.choice(_RULINGS)
            self.rulings[ruling] = self.rulings.get(ruling, 0) + 1
            wording = _both(match[2], match[3].partition("\n")[0]) if ruling in {"same", "narrower"} else ""
            told = {"number": int(match[1]), "ruling": ruling, "best": "neither", "wording": wording}
            yield PairRuling.model_validate(told)

    def _follows(self, one: str, other: str) -> bool:
        facts = self._fact(one), self._fact(other)
        is_one = facts[0] is not None and facts[0] == facts[1]
        dice = random.Random(f"{self.seed} {one} {other} judged")  # noqa: S311  # dice, no secret
        return is_one if dice.random() < self.judging else not is_one

    def _fact(self, text: str) -> Fact | None:
        return fact_in(text, self.known)


def fact_in(text: str, known: Sequence[Fact]) -> Fact | None:
    """Return which of the `known` facts `text` says."""
    return next((fact for fact in known if fact.resource in text and fact.is_said(text)), None)


def fact_about(text: str, known: Sequence[Fact]) -> Fact | None:
    """Return a fact about the service that a note has for its title."""
    title = text.partition("\n")[0].removeprefix("# ").strip()
    return next((fact for fact in known if fact.resource == title), None)


def _both(one: str, other: str) -> str:
    """Return the first of two statements with what the second says beside the fact as well."""
    ends = [tail for tail in dict.fromkeys(_TAILS) if tail and any(tail in said for said in (one, other))]
    bare = one.rstrip(".")
    for tail in ends:
        bare = bare.replace(tail, "")
    return f"{bare}{''.join(ends)}."
