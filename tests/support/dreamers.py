"""One scripted model for every role of a night, behind all that a night puts around a vendor."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import resources
from typing import Any, Literal

from pydantic import BaseModel

from dream.guards.statements.judging import Verdict
from dream.models.port import Unanswered
from dream.models.preflight import Echo
from dream.models.prompt import Prompt, Untrusted
from dream.models.scripted import ScriptedModel
from flows.dreaming import ModelMaker, build_models
from tasks.proposals import CitedQuote, LastingStatement, Place, Places, StaleStatement, TwoPartSummary
from tasks.tidying.asking import PairRuling, Rulings

Ruling = Literal["supported", "contradicted", "unsure"]


@dataclass(frozen=True, kw_only=True)
class Stated:
    """A statement that lasts, and where its proposer would have it."""

    statement: LastingStatement
    replaces: str = ""
    note: str = ""
    folder: str = "services"
    is_known: bool = False

    def placed(self, number: int) -> Place:
        """Its place, under the number that it was shown with."""
        return Place(
            statement=number, is_known=self.is_known, replaces=self.replaces, note=self.note, folder=self.folder
        )


def stated(statement: str, quote: str, *, resource: str, message: str = "m1", **told: Any) -> Stated:
    """A lasting statement that cites one message."""
    place = {key: told.pop(key) for key in ("replaces", "note", "folder", "is_known") if key in told}
    words = {"reasoning": "", "kind": "said", "resource": resource, "statement": statement, "tentative": False}
    quotes = [{"message": message, "quote": quote}]
    return Stated(statement=LastingStatement.model_validate({**words, "quotes": quotes, **told}), **place)


def told(statement: str, quote: str, *, resource: str, message: str = "m1", tentative: bool = False) -> StaleStatement:
    """A statement for the day's note that cites one message."""
    quotes = [CitedQuote(message=message, quote=quote)]
    return StaleStatement(reasoning="", resource=resource, statement=statement, quotes=quotes, tentative=tentative)


def two_part(lasting: Sequence[Stated] = (), stale: Sequence[StaleStatement] = ()) -> TwoPartSummary:
    """A summary of these statements."""
    statements = [one.statement for one in lasting]
    return TwoPartSummary(reasoning="", description="", lasting=statements, stale=list(stale))


def places(shown: str, known: Iterable[Stated]) -> Places:
    """The places of the statements that are shown, by their words."""
    found = []
    for row in shown.split("\n"):
        number, _, text = row.partition(". ")
        meant = (one for one in known if text.endswith(" ".join(one.statement.statement.split())))
        found += [one.placed(int(number)) for one in meant][:1]
    return Places(reasoning="", places=found)


def part(prompt: Prompt, label: str) -> str:
    """Return the untrusted text that a question shows under `label`."""
    return next(one.text for one in prompt.parts if isinstance(one, Untrusted) and one.label.startswith(label))


def unsure(prompt: Prompt) -> Rulings:
    """Rule on no pair that is shown."""
    shown = "\n".join(one.text for one in prompt.parts if isinstance(one, Untrusted))
    numbers = map(int, re.findall(r"^pair ([0-9]+)$", shown, re.MULTILINE))
    rulings = [PairRuling(number=number, ruling="unsure", best="neither", wording="") for number in numbers]
    return Rulings(reasoning="", rulings=rulings)


@dataclass(kw_only=True)
class Dreamer:
    """Summarises a conversation as `lasts` and `tells` say, and judges: right on its examination, then as `rules`.

    `silent` is what every question gets once it is set.
    """

    lasts: Callable[[str], Sequence[Stated]] = lambda _: ()
    tells: Callable[[str], Sequence[StaleStatement]] = lambda _: ()
    rules: Callable[[str], Ruling] = lambda _: "supported"
    examined: Callable[[bool], Ruling] = lambda supported: "supported" if supported else "unsure"
    silent: Unanswered | None = None
    asked: list[type[BaseModel]] = field(default_factory=list)
    known: list[Stated] = field(default_factory=list)

    @property
    def models(self) -> ModelMaker:
        """Makes a night's models, with this one behind every role."""
        return partial(build_models, adapter=lambda configured, **_: ScriptedModel(self.answer, name=configured.name))

    def answer(self, prompt: Prompt, reply: type[BaseModel]) -> BaseModel | Unanswered:
        """Return what it says."""
        if self.silent:
            return self.silent
        if reply is Echo:
            return Echo(word="ready")
        self.asked.append(reply)
        if reply is Verdict:
            claim = part(prompt, "the claim")
            known = self._canary.get(claim)
            return Verdict(reasoning="", verdict=self.rules(claim) if known is None else self.examined(known))
        if reply is Places:
            return places(part(prompt, "new statements"), self.known)
        if reply is Rulings:
            return unsure(prompt)
        conversation = part(prompt, "one conversation")
        lasting = list(self.lasts(conversation))
        self.known += lasting
        return two_part(lasting, self.tells(conversation))

    @cached_property
    def _canary(self) -> dict[str, bool]:
        data = resources.files("prompts").joinpath("judge/canary.json").read_bytes()
        return {case["statement"]: case["supported"] for case in json.loads(data)["cases"]}
