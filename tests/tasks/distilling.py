"""A night's distilling with a scripted dreamer and a scripted judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pydantic import BaseModel

from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, Tree
from dream.models.port import Unanswered
from dream.models.prompt import Prompt
from dream.models.scripted import ScriptedModel
from dream.sources.sessions.values import Session, Summary
from tasks import distil
from tasks.conversation import Screen
from tasks.distil import DistilLimits
from tasks.proposals import Places
from tasks.subjects import subjects_of
from tasks.two_part import Summariser, SummaryLimits
from tests.support.dreamers import Stated, places, stated, two_part
from tests.support.dreamers import part as shown
from tests.tasks.gating import gates_of
from tests.tasks.stories import ZONE, talk, thread

CHECKOUT = "# Checkout\n\n- 2026-10-01: The checkout API listens on port 8443. [thread_0001, 2026-10-01]\n"
SAID = "The checkout API listens on port 9443 since the move."
MOVED = thread("7c2e", *talk(f"ana: {SAID}", "agent: Noted."))
EMPTY = MappingTree({})


def stating(statement: str = "The checkout API listens on port 9443", **told: Any) -> Stated:
    more = {"resource": "checkout API", **told}
    quote = more.pop("quote", SAID)
    return stated(statement, quote, **more)


def lasting(*statements: Stated) -> Sequence[Stated]:
    return statements


@dataclass
class Distilling:
    """A night's distilling with a scripted dreamer and a scripted judge, and what was asked."""

    says: Callable[[Prompt], Sequence[Stated] | str | Unanswered]
    rules: str | Unanswered = "supported"
    unfit: str = ""
    limits: SummaryLimits = field(default_factory=SummaryLimits)
    placing: DistilLimits = field(default_factory=DistilLimits)
    known: Mapping[str, str] = field(default_factory=dict)
    screen: Screen = lambda line, _: line

    def __post_init__(self) -> None:
        self.stated: list[Stated] = []
        self.dreamer = ScriptedModel(self._answer)
        self.summariser = Summariser(screen=self.screen, limits=self.limits)

    @property
    def asked(self) -> Sequence[Prompt]:
        """The questions for a summary."""
        return [one for one in self.dreamer.asked if one.name == "summary/two_part"]

    @property
    def placed(self) -> Sequence[Prompt]:
        """The questions for places."""
        return [one for one in self.dreamer.asked if one.name == "distil/place"]

    def _answer(self, prompt: Prompt, reply: type[BaseModel]) -> BaseModel | str | Unanswered:
        if reply is Places:
            return places(shown(prompt, "new statements"), self.stated)
        answer = self.says(prompt)
        if isinstance(answer, str | Unanswered):
            return answer
        self.stated += answer
        return two_part(answer)

    def plan(self, *inputs: Session | Summary, tree: Tree = EMPTY) -> Plan:
        sessions = [one for one in inputs if isinstance(one, Session)]
        summaries = [one for one in inputs if isinstance(one, Summary)]
        return distil.propose(
            tree=tree,
            notes=NoteCache(),
            subjects=subjects_of(sessions, summaries, timezone=ZONE),
            done=self.known,
            summarise=partial(self.summariser.summarise, model=self.dreamer),
            dreamer=self.dreamer,
            gates=lambda subject: gates_of(subject, self.rules),
            unfit=lambda: self.unfit,
            screen=self.screen,
            limits=self.placing,
        )


def always(*statements: Stated, **told: Any) -> Distilling:
    return Distilling(says=lambda _: statements, **told)


def conversation(prompt: Prompt) -> str:
    return shown(prompt, "one conversation")
