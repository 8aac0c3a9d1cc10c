"""A night's distilling with a scripted dreamer and a scripted judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, Tree
from dream.models.port import Unanswered
from dream.models.prompt import Prompt, Untrusted
from dream.models.scripted import ScriptedModel
from dream.sources.sessions.values import Session, Summary
from tasks import distil
from tasks.conversation import Screen
from tasks.distil import DistilLimits
from tasks.proposals import CitedQuote, Proposals, ProposedStatement
from tasks.subjects import subjects_of
from tests.tasks.gating import gates_of
from tests.tasks.stories import ZONE, talk, thread

CHECKOUT = "# Checkout\n\n- 2026-10-01: The checkout API listens on port 8443. [thread_0001, 2026-10-01]\n"
SAID = "The checkout API listens on port 9443 since the move."
MOVED = thread("7c2e", *talk(f"ana: {SAID}", "agent: Noted."))
EMPTY = MappingTree({})


def stating(statement: str = "The checkout API listens on port 9443", **told: Any) -> ProposedStatement:
    quote = told.pop("quote", SAID)
    return ProposedStatement(
        **{
            "reasoning": "ana said so",
            "kind": "said",
            "resource": "checkout API",
            "statement": statement,
            "quotes": [CitedQuote(message=told.pop("message", "m1"), quote=quote)],
            "replaces": "",
            "note": "",
            "folder": "services",
            "tentative": False,
            **told,
        }
    )


def proposals(*statements: ProposedStatement) -> Proposals:
    return Proposals(reasoning="", statements=list(statements))


@dataclass
class Distilling:
    """A night's distilling with a scripted dreamer and a scripted judge, and what was asked."""

    says: Callable[[Prompt], BaseModel | str | Unanswered]
    rules: str | Unanswered = "supported"
    unfit: str = ""
    limits: DistilLimits = field(default_factory=DistilLimits)
    known: Mapping[str, str] = field(default_factory=dict)
    screen: Screen = lambda line, _: line

    def __post_init__(self) -> None:
        self.dreamer = ScriptedModel(lambda prompt, _: self.says(prompt))

    def plan(self, *inputs: Session | Summary, tree: Tree = EMPTY) -> Plan:
        sessions = [one for one in inputs if isinstance(one, Session)]
        summaries = [one for one in inputs if isinstance(one, Summary)]
        return distil.propose(
            tree=tree,
            notes=NoteCache(),
            subjects=subjects_of(sessions, summaries, timezone=ZONE),
            done=self.known,
            dreamer=self.dreamer,
            gates=lambda subject: gates_of(subject, self.rules),
            unfit=lambda: self.unfit,
            screen=self.screen,
            limits=self.limits,
        )


def always(*statements: ProposedStatement, **told: Any) -> Distilling:
    return Distilling(says=lambda _: proposals(*statements), **told)


def conversation(prompt: Prompt) -> str:
    return next(one.text for one in prompt.parts if isinstance(one, Untrusted) and one.label == "one conversation")
