"""A dreamer that plans checks and gives verdicts as a test says, beside all that a scripted dreamer does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from pydantic import BaseModel

from dream.models.port import Unanswered
from dream.models.prompt import Prompt
from dream.models.scripted import ScriptedModel
from flows.dreaming import ModelMaker, build_models
from tasks.verification.model_verdicts import EntryVerdict, OutputQuote, Verdicts
from tasks.verification.plans import CheckPlan, PlannedCheck
from tests.support.dreamers import Dreamer, part

_NUMBERED = re.compile(r"^([0-9]+)\. (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a question for verdicts shows: the note, its entries by number, and the recorded outputs."""

    title: str
    entries: dict[int, str]
    outputs: str


def about(entry: int, text: str, *, probe: str = "metrics", operation: str = "get") -> PlannedCheck:
    """A planned check."""
    return PlannedCheck(entry=entry, probe=probe, operation=operation, text=text)


def says(entry: int, verdict: str, *quotes: tuple[str, str], statement: str = "") -> EntryVerdict:
    """A verdict that quotes words of outputs."""
    cited = [OutputQuote(output=output, quote=quote) for output, quote in quotes]
    return EntryVerdict.model_validate({"entry": entry, "verdict": verdict, "quotes": cited, "statement": statement})


def line_of(outputs: str, words: str) -> tuple[str, str]:
    """Return the id of the output and the whole line in which `words` stand first."""
    identity = ""
    for line in outputs.split("\n"):
        if not line.startswith("  "):
            identity = line.split(" ", 1)[0]
        elif words in line:
            return identity, line[2:]
    message = f"{words!r} stands in no line of {outputs!r}"
    raise AssertionError(message)


@dataclass(kw_only=True)
class Verifier:
    """Plans as `plans` says, by the title and the entries, and gives the verdicts of `judges`.

    All else is the `dreamer`'s to answer.
    """

    plans: Callable[[str, dict[int, str]], Sequence[PlannedCheck]] = lambda *_: ()
    judges: Callable[[Shown], Sequence[EntryVerdict]] = lambda _: ()
    dreamer: Dreamer = field(default_factory=Dreamer)
    planned: list[Prompt] = field(default_factory=list)
    judged: list[Prompt] = field(default_factory=list)

    @property
    def models(self) -> ModelMaker:
        """Makes a night's models, with this one behind every role."""
        return partial(build_models, adapter=lambda configured, **_: ScriptedModel(self.answer, name=configured.name))

    @property
    def questions(self) -> int:
        """How often it was asked about notes."""
        return len(self.planned) + len(self.judged)

    def answer(self, prompt: Prompt, reply: type[BaseModel]) -> BaseModel | Unanswered:
        """Return what it says."""
        if self.dreamer.silent:
            return self.dreamer.silent
        if reply is CheckPlan:
            self.planned.append(prompt)
            entries = numbered(part(prompt, "the entries"))
            return CheckPlan(reasoning="", checks=list(self.plans(part(prompt, "the note"), entries)))
        if reply is Verdicts:
            self.judged.append(prompt)
            shown = Shown(
                title=part(prompt, "the note"),
                entries=numbered(part(prompt, "the entries")),
                outputs=part(prompt, "recorded output"),
            )
            return Verdicts(reasoning="", verdicts=list(self.judges(shown)))
        return self.dreamer.answer(prompt, reply)


def numbered(text: str) -> dict[int, str]:
    """Return the entries that a question shows, by their numbers."""
    return {int(number): entry for number, entry in _NUMBERED.findall(text)}
