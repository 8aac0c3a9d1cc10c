"""One scripted model for every role of a night, behind all that a night puts around a vendor."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
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
from tasks.proposals import CitedQuote, DayTold, Proposals, ProposedStatement, ToldStatement

Ruling = Literal["supported", "contradicted", "unsure"]


def stated(statement: str, quote: str, *, resource: str, message: str = "m1", **told: Any) -> ProposedStatement:
    """A proposed statement that cites one message."""
    return ProposedStatement.model_validate(
        {
            "reasoning": "",
            "kind": "said",
            "resource": resource,
            "statement": statement,
            "quotes": [{"message": message, "quote": quote}],
            "replaces": "",
            "note": "",
            "folder": "services",
            "tentative": False,
            **told,
        }
    )


def told(statement: str, quote: str, *, resource: str, message: str = "m1", tentative: bool = False) -> ToldStatement:
    """A statement for the day's note that cites one message."""
    quotes = [CitedQuote(message=message, quote=quote)]
    return ToldStatement(reasoning="", resource=resource, statement=statement, quotes=quotes, tentative=tentative)


def part(prompt: Prompt, label: str) -> str:
    """Return the untrusted text that a question shows under `label`."""
    return next(one.text for one in prompt.parts if isinstance(one, Untrusted) and one.label.startswith(label))


@dataclass(kw_only=True)
class Dreamer:
    """Proposes what `lasts` and `tells` say of a conversation, and judges: right on its examination, then as `rules`.

    `silent` is what every question gets once it is set.
    """

    lasts: Callable[[str], Sequence[ProposedStatement]] = lambda _: ()
    tells: Callable[[str], Sequence[ToldStatement]] = lambda _: ()
    rules: Callable[[str], Ruling] = lambda _: "supported"
    examined: Callable[[bool], Ruling] = lambda supported: "supported" if supported else "unsure"
    silent: Unanswered | None = None
    asked: list[type[BaseModel]] = field(default_factory=list)

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
        conversation = part(prompt, "one conversation")
        if reply is Proposals:
            return Proposals(reasoning="", statements=list(self.lasts(conversation)))
        return DayTold(reasoning="", statements=list(self.tells(conversation)))

    @cached_property
    def _canary(self) -> dict[str, bool]:
        data = resources.files("prompts").joinpath("judge/canary.json").read_bytes()
        return {case["statement"]: case["supported"] for case in json.loads(data)["cases"]}
