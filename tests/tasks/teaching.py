"""Some days of people saying how work is done, and a scripted dreamer, judge and reviewer who make learnings of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from pydantic import BaseModel

from dream.memory.outcomes import Item, Plan
from dream.memory.tree import MappingTree, Tree
from dream.models.port import Unanswered
from dream.models.prompt import Prompt, Untrusted
from dream.models.scripted import ScriptedModel
from dream.sources.sessions.values import Session
from flows.gating import shown_to_models
from tasks import learnings
from tasks.candidates import Observed, ProposedLearning, ProposedLearnings, ProposedLine, Review
from tasks.proposals import CitedQuote
from tasks.subjects import Subject
from tasks.teaching import LearningsLimits, Past
from tests.tasks.gating import gates_of
from tests.tasks.stories import ZONE, talk, thread

NIGHT = date(2026, 10, 22)
SINCE = datetime(2026, 10, 8, tzinfo=UTC)
EMPTY = MappingTree({})
PATH = "learnings/run-make-fmt/SKILL.md"
LINE = "Run `make fmt` before you commit"
TRIGGER = "Use when committing in acme/web."
TOLD = (
    "Please run `make fmt` before you commit in acme/web.",
    "again: run `make fmt` before you commit anything in acme/web",
    "You have to run `make fmt` before every commit, acme/web checks it.",
)


def told_on(day: int, text: str, *, name: str, by: str = "ana", hour: int = 12) -> Session:
    """A session of October in which somebody says something, answered by the agent."""
    start = datetime(2026, 10, day, hour, tzinfo=UTC)
    return replace(
        thread(name, *talk("agent: I have changed the page.", f"{by}: {text}", "agent: I will.", start=start)),
        repository="acme/web",
    )


def three_days() -> tuple[Session, ...]:
    """Three sessions of one person on three days, each saying the same."""
    return tuple(told_on(18 + n, text, name=f"a{n:03}") for n, text in enumerate(TOLD))


def marking(prompt: Prompt) -> Observed:
    """Mark every line that a person typed, whole."""
    quotes: list[CitedQuote] = []
    message = ""
    for line in part(prompt, "one conversation").split("\n"):
        if line.startswith("[m"):
            message = line[1:].partition("]")[0] if "] person" in line else ""
        elif message and line.strip() and not line.startswith("…"):
            quotes.append(CitedQuote(message=message, quote=line.strip()))
    return Observed(reasoning="", observations=quotes)


def part(prompt: Prompt, label: str) -> str:
    """Return the untrusted text that a question shows under `label`."""
    return next(one.text for one in prompt.parts if isinstance(one, Untrusted) and one.label.startswith(label))


def ids_of(prompt: Prompt, *words: str) -> list[str]:
    """Return the ids of the shown observations that have one of `words`."""
    rows = part(prompt, "what people said").split("\n")
    return [row.split()[0] for row in rows if any(word in row for word in words or (" ",))]


def line(text: str = LINE, *observations: str, replaces: str = "") -> ProposedLine:
    return ProposedLine(text=text, observations=list(observations), replaces=replaces)


def learning(*lines: ProposedLine, **told: Any) -> ProposedLearning:
    return ProposedLearning(
        **{
            "reasoning": "",
            "action": "create",
            "name": "run-make-fmt",
            "trigger": TRIGGER,
            "lines": list(lines),
            "absorbs": [],
            **told,
        }
    )


def proposing(*made: ProposedLearning) -> ProposedLearnings:
    return ProposedLearnings(reasoning="", learnings=list(made))


def the_one(prompt: Prompt) -> ProposedLearnings:
    """Propose the learning that the three days give, citing whatever is shown."""
    return proposing(learning(line(LINE, *ids_of(prompt, "make fmt"))))


Answer = BaseModel | str | Unanswered


def approves(_: Prompt) -> Answer:
    return Review(reasoning="", verdict="approved", why="")


@dataclass
class Teaching:
    """Nights of learning: who marks, proposes, revises, judges and reviews, and what each was asked."""

    marks: Callable[[Prompt], Answer] = marking
    proposes: Callable[[Prompt], Answer] = the_one
    revises: Callable[[Prompt], Answer] = lambda _: proposing()
    reviews: Callable[[Prompt], Answer] = approves
    rules: str | Unanswered = "supported"
    unfit: str = ""
    limits: LearningsLimits = field(default_factory=LearningsLimits)
    past: Past = field(default_factory=Past)
    people: Sequence[str] = ()
    reviewer_name: str = "reviewer"

    def __post_init__(self) -> None:
        self.dreamer = ScriptedModel(self._dreamt, name="dreamer")
        self.reviewer = ScriptedModel(lambda prompt, _: self.reviews(prompt), name=self.reviewer_name)

    def plan(self, *sessions: Session, tree: Tree = EMPTY, night: date = NIGHT, **past: Any) -> Plan:
        return learnings.propose(
            tree=tree,
            sessions=sessions,
            past=replace(self.past, **past),
            night=night,
            since=SINCE + timedelta(days=(night - NIGHT).days),
            timezone=ZONE,
            dreamer=self.dreamer,
            reviewer=self.reviewer,
            gates=self._gates,
            unfit=lambda: self.unfit,
            screen=shown_to_models,
            people=self.people,
            limits=self.limits,
        )

    def _gates(self, subject: Subject) -> Any:
        return gates_of(subject, self.rules, rejected=self.past.rejected, people_only=True)

    def _dreamt(self, prompt: Prompt, reply: type[BaseModel]) -> Answer:
        if reply is Observed:
            return self.marks(prompt)
        return self.revises(prompt) if prompt.name == "learnings/revise" else self.proposes(prompt)


def ends(plan: Plan) -> dict[str, str]:
    """How every input and candidate ended: its reason, `written` where there is an operation."""
    return {item.id: "written" if item.operations else item.reason for item in plan.items}


def candidate(plan: Plan) -> Item:
    """The one candidate of a plan."""
    (item,) = [item for item in plan.items if not item.digest]
    return item


def own(tree: Tree) -> Mapping[str, str]:
    """All learnings of a tree as the night's own."""
    return {path: tree.blob(path) or "" for path in tree.paths() if path.startswith("learnings/")}
