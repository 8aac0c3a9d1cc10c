"""What real pull requests teach, as a night learns from them: by code alone, and with a model who believes anything.

The model makes a rule of every line that it is shown, and the judge agrees to everything, so that nothing but code
stands between a pull request that a system closed and a lesson.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from bench.outcomes.labels import OF_FATE, Label
from bench.tables import render_table
from dream.guards.screen import screen_line
from dream.guards.statements.gates import Gates
from dream.guards.statements.judging import Judge, Verdict
from dream.memory.notes import NoteCache
from dream.memory.operations import Add
from dream.memory.outcomes import Plan
from dream.memory.sources import Origin
from dream.memory.tree import MappingTree
from dream.memory.windows import Window
from dream.models.prompt import Prompt, Untrusted
from dream.models.scripted import ScriptedModel
from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.records import read_record
from dream.sources.pull_requests.values import PullRequest
from tasks import pr_outcomes
from tasks.lessons import lessons
from tasks.lessons.asking import ProposedLesson, ProposedLessons, ShownQuote
from tasks.lessons.finding import Asking, Finder
from tasks.lessons.lessons import Past
from tasks.lessons.limits import LessonLimits
from tasks.lessons.teachers import Teachers
from tasks.questions import judge_question
from tasks.subjects import Subject

_CLASSIFY = partial(classify, agents=KNOWN_AGENTS)
_ZONE = ZoneInfo("UTC")


def taught(records: Iterable[Mapping[str, Any]]) -> str:
    """Return, for each class that code gives, what came of its records: counted, asked about, candidates, lessons."""
    found = [read_record("record", record) for record in records]
    pull_requests = [one for one in found if isinstance(one, PullRequest)]
    assert len(pull_requests) == len(found)
    ended = [one.settled_at for one in pull_requests if one.settled_at]
    window = Window(start=min(ended), end=max(ended) + timedelta(seconds=1), days=())
    rows: list[tuple[object, ...]] = []
    counts = _by_class(pull_requests, [one.source for one in pull_requests])
    tally = _by_class(pull_requests, [item.id for item in _tally(pull_requests, window).items])
    for name, model in (("code alone", None), ("a model who believes anything", _Believer())):
        plan = _lessons(pull_requests, window, model)
        inputs = _by_class(pull_requests, [item.id.removesuffix("/lessons") for item in plan.items])
        waiting = _by_class(pull_requests, [str(item["pullRequest"]) for item in plan.observed])
        written = {one for item in plan.items for one in item.operations if isinstance(one, Add)}
        cited = _by_class(pull_requests, [source.rpartition("@")[2] for one in written for source in one.basis.sources])
        rows += [
            (name, label, counts[label], tally[label], inputs[label], waiting[label], cited[label]) for label in Label
        ]
    return render_table(("with", "class", "records", "counted", "looked at", "candidates", "cited by lessons"), rows)


def _by_class(pull_requests: Sequence[PullRequest], sources: Iterable[str]) -> Counter[Label]:
    labels = {one.source: OF_FATE[_CLASSIFY(one).fate] for one in pull_requests}
    return Counter(labels[source] for source in sources)


def _tally(pull_requests: Sequence[PullRequest], window: Window) -> Plan:
    return pr_outcomes.propose(
        tree=MappingTree({}),
        notes=NoteCache(),
        pull_requests=pull_requests,
        classify=_CLASSIFY,
        window_start=window.start,
        window_end=window.end,
        timezone=_ZONE,
        done={},
    )


def _lessons(pull_requests: Sequence[PullRequest], window: Window, model: _Believer | None) -> Plan:
    limits = LessonLimits(new=len(pull_requests))
    finder = Finder(
        classify=_CLASSIFY,
        teachers=Teachers.of(pull_requests, agents=KNOWN_AGENTS),
        timezone=_ZONE,
        screen=lambda line, _: line,
        passes=lambda text: screen_line(text, Origin.EXTERNAL) is None,
        standing={},
        limits=limits,
    )
    return lessons.propose(
        tree=MappingTree({}),
        notes=NoteCache(),
        pull_requests=pull_requests,
        classify=_CLASSIFY,
        find=lambda one: finder.find(one, asking=model.asking if model else None),
        past=Past(),
        window=window,
        night=datetime.now(UTC).date(),
        limits=limits,
    )


class _Believer:
    """Makes a rule of every line that it is shown, and finds every rule supported."""

    @property
    def asking(self) -> Asking:
        """Whom a night would ask."""
        return Asking(dreamer=ScriptedModel(self._states), gates=self._gates, unfit=lambda: "")

    def _gates(self, subject: Subject, people_only: bool) -> Gates:  # noqa: FBT001  # as the finder calls it
        agrees = ScriptedModel(lambda *_: Verdict(reasoning="", verdict="supported"))
        judge = Judge(agrees, judge_question, salt="bench")
        return Gates(subject.utterances, record=subject.record, judge=judge, people_only=people_only)

    def _states(self, prompt: Prompt, _reply: type[BaseModel]) -> ProposedLessons:
        shown = "\n".join(one.text for one in prompt.parts if isinstance(one, Untrusted))
        return ProposedLessons(reasoning="", lessons=list(_rules_of(shown)))


def _rules_of(shown: str) -> Iterable[ProposedLesson]:
    name = ""
    for line in shown.split("\n"):
        if line.startswith("w") and " by " in line:
            name = line.partition(" ")[0]
        elif name and line.startswith("    ") and len(line.split()) > 1:
            rule = line.strip()
            quotes = [ShownQuote(id=name, quote=rule)]
            yield ProposedLesson(statement=rule, resource=max(rule.split(), key=len), quotes=quotes, repeats="")
