"""Models of a night that say what a test wants, behind everything that a night puts around a vendor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict

from config.models import Model as Configured
from dream.memory.operations import Add, Basis
from dream.memory.outcomes import Item, Plan
from dream.memory.tree import Tree
from dream.models.port import Model, Replied, Reply, Unanswered, Usage
from dream.models.prompt import Prompt
from dream.night.steps import Step
from flows.binding import ordered_steps
from flows.course import StepMaker
from flows.dreaming import ModelMaker, build_models
from flows.tonight import Tonight
from tasks import tidy

MODELS = {"dreamer": {"provider": "openai", "model": "large", "base_url": "http://127.0.0.1:9/v1"}}
"""A configuration with a dreamer, at an address where nobody is."""

SOURCE = "thread_7c2e0001"
"""The thread of a stage's ready summary, which its night has read."""

_ASKING = frozenset({"daily_note", "distil"})

USAGE = Usage(input=100, cached=40, output=10, calls=1)


class Line(BaseModel):
    """A reply of one line."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    line: str


@dataclass
class Vendor:
    """Stands in for the vendors of all roles; `says` answers by the text of the question, `refuses` the check."""

    says: Callable[[str], str | Unanswered] = lambda text: text.upper()
    refuses: Unanswered | None = None
    asked: list[str] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)

    @property
    def models(self) -> ModelMaker:
        """Makes a night's models, with this vendor behind them."""
        return partial(build_models, adapter=self.adapter)

    def adapter(self, configured: Configured, **told: Any) -> Model:
        """Stand in for one configured model."""
        del told
        return _Adapter(self, configured.name)


class _Adapter:
    def __init__(self, vendor: Vendor, name: str) -> None:
        self._vendor = vendor
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        text = prompt.user_text(b"")
        self._vendor.asked.append(text)
        said = self._vendor.says(text)
        if isinstance(said, Unanswered):
            return said
        return Replied(reply=reply.model_validate({"line": said}), usage=USAGE)

    def check(self) -> Unanswered | None:
        self._vendor.checked.append(self._name)
        return self._vendor.refuses


def asking(task: str, questions: Sequence[str]) -> StepMaker:
    """Return the night's steps, of which `task` asks its dreamer `questions` and writes down each answer.

    No other task asks anything.
    """

    def steps(tonight: Tonight, names: Sequence[str]) -> Sequence[Step]:
        def propose(tree: Tree) -> Plan:
            del tree
            dreamer = tonight.models.dreamer(task)
            return Plan(items=tuple(_item(dreamer, text) for text in questions))

        def by_code(tree: Tree) -> Plan:
            survey = tonight.survey
            return tidy.propose(
                tree=tree, notes=tonight.notes, renames=survey.renames, written_today=survey.changed, declined={}
            )

        made = ordered_steps(tonight, names)
        silent = [replace(step, propose=_nothing) if step.name in _ASKING else step for step in made]
        silent = [replace(step, propose=by_code) if step.name == "tidy" else step for step in silent]
        return [replace(step, propose=propose) if step.name == task else step for step in silent]

    return steps


def _nothing(tree: Tree) -> Plan:
    del tree
    return Plan()


def _item(dreamer: Model, text: str) -> Item:
    prompt = Prompt(name="test/ask", version="1", system="Answer.", parts=(text,))
    answer = dreamer.ask(prompt, Line)
    if isinstance(answer, Unanswered):
        return Item(id=text, digest="1", reason=answer.reason.value, pending=True)
    basis = Basis(sources=(SOURCE,), dated=date(2026, 10, 21), why="a model said so")
    entry = f"- 2026-10-21: {answer.reply.line}. [{SOURCE}, 2026-10-21]"
    add = Add(path="daily/2026-10-21.md", text=entry, opening="# 2026-10-21\n", basis=basis)
    return Item(id=text, digest="1", operations=(add,))
