"""What each pull request teaches if it is said again: found once a night, whichever task asks first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from zoneinfo import ZoneInfo

from dream.guards.statements.gates import Gates
from dream.memory.entries import collapse
from dream.memory.notes import entries_in
from dream.models.port import Model, Unanswered
from dream.sources.pull_requests.values import Classification, Fate, PullRequest
from tasks.conversation import Screen
from tasks.lessons.asking import Work
from tasks.lessons.candidates import Candidate, key_of_matter, mark_of
from tasks.lessons.diffs import runs_of
from tasks.lessons.edits import Change, changes_in
from tasks.lessons.limits import LessonLimits
from tasks.lessons.lineage import marks_of
from tasks.lessons.stating import Stating
from tasks.lessons.teachers import Teachers
from tasks.lessons.telling import place_of, tells_change, told_change, told_words
from tasks.lessons.trivia import is_generated
from tasks.lessons.words import asked_for, matter_of
from tasks.ruling import account_of
from tasks.subjects import Subject
from tasks.unanswered import is_unjudged, waits_for

TEACHES = frozenset({Fate.MERGED_EDITED, Fate.CLOSED_BY_PERSON})
"""Ends that can teach anything. What a system closed, what is open and what nobody knows the end of never does."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Why nothing can be said of a pull request tonight: whoever was to be asked had no answer."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Whom a task asks: who proposes, the gates of one pull request's lines, and why tonight's judge is unfit."""

    dreamer: Model
    gates: Callable[[Subject, bool], Gates]
    unfit: Callable[[], str]


@dataclass(kw_only=True)
class Finder:
    """Finds the candidates of each pull request once; `standing` are those of earlier nights, by repository.

    `standing` is what can be repeated: what was seen once, and the lessons that nights wrote. What is found tonight is
    added, so that it can be repeated by what is looked at later in the same night.
    """

    classify: Callable[[PullRequest], Classification]
    teachers: Teachers
    timezone: ZoneInfo
    screen: Screen
    passes: Callable[[str], bool]
    standing: dict[str, list[Candidate]]
    limits: LessonLimits = field(default_factory=LessonLimits)
    ends: Counter[str] = field(default_factory=Counter)
    _known: dict[tuple[str, str], tuple[Candidate, ...]] = field(default_factory=dict)

    def find(self, pull_request: PullRequest, *, asking: Asking | None) -> tuple[Candidate, ...] | Waits:
        """Return what `pull_request` teaches, by code alone where nobody is there to be asked; else why it waits."""
        key = (pull_request.source, pull_request.digest)
        if key in self._known:
            return self._known[key]
        work = self._work(pull_request)
        if work is None:
            return ()
        found = list(self._by_code(work))
        if asking is not None and (work.runs or work.words):
            stated = self._stated(work, asking)
            if isinstance(stated, Waits):
                return stated
            found = [*stated, *found]
        marks = marks_of(pull_request, commits=self.limits.commits)
        kept = tuple(replace(one, marks=marks) for one in _each_once(found)[: self.limits.candidates])
        self._known[key] = kept
        self.standing.setdefault(pull_request.repository, []).extend(kept)
        return kept

    def is_repeated(self, one: Candidate) -> bool:
        """Whether another pull request, as far as has been seen, founds the same."""
        known = self.standing.get(one.repository, ())
        others = [other for other in known if other.pull_request != one.pull_request]
        is_told = one.old and any(tells_change(other.statement, old=one.old, new=one.new) for other in others)
        return bool(is_told) or any(other.key == one.key for other in others)

    def findings(self) -> tuple[str, ...]:
        """Return the account of what a model proposed tonight."""
        return account_of("lessons", self.ends)

    def _work(self, pull_request: PullRequest) -> Work | None:
        """What of a pull request may teach; None where it ended in a way that teaches nothing."""
        ended, said = pull_request.settled_at, self.classify(pull_request)
        if ended is None or said.fate not in TEACHES:
            return None
        editors = self.teachers.editors(pull_request, said.commits) if said.fate is Fate.MERGED_EDITED else ()
        edits = [edit for edit in (pull_request.edits or ())[: self.limits.edits] if not is_generated(edit.path)]
        return Work(
            pull_request=pull_request,
            ended=ended,
            runs=runs_of(edits, characters=self.limits.characters) if editors else (),
            words=tuple(
                replace(one, text=one.text[: self.limits.characters])
                for _, one in zip(range(self.limits.words), self.teachers.words(pull_request), strict=False)
            ),
            editors=editors,
        )

    def _by_code(self, work: Work) -> Iterator[Candidate]:
        pull_request = work.pull_request
        edits = pull_request.edits if work.editors else None
        for change in changes_in(edits or (), most=self.limits.edits, characters=self.limits.characters):
            one = self._changed(work, change)
            if self._may_stand(one.statement):
                yield one
        yield from self._said(work)

    def _changed(self, work: Work, change: Change) -> Candidate:
        source = work.pull_request.source
        mark = mark_of(source, "file", 0, change.old)
        if change.run is not None:
            text = change.run.text
            mark = mark_of(source, change.run.id, max(text.find(change.old), 0), change.old)
        return Candidate(
            kind="edit" if change.run else "file",
            key=key_of_matter(work.pull_request.repository, change.key),
            opposite=key_of_matter(work.pull_request.repository, change.opposite.key) if change.run else "",
            statement=told_change(change, place_of([change.path])),
            repository=work.pull_request.repository,
            pull_request=source,
            sources=(source,),
            day=work.ended.astimezone(self.timezone).date(),
            place=change.path,
            quotes=(mark,),
            evidence=tuple(change.run.text.split("\n")) if change.run else (f"removed {change.path}",),
            old=change.old,
            new=change.new,
            covers=(change.run.id,) if change.run else (),
        )

    def _said(self, work: Work) -> Iterator[Candidate]:
        pull_request = work.pull_request
        by_agent = "\n".join((pull_request.body, *(commit.message for commit in pull_request.commits or ())))
        for said in asked_for(work.words, by_agent=by_agent, most=self.limits.words, characters=self.limits.characters):
            login, text = said.spoken.actor.login, said.text
            if not self._may_stand(told_words(login, text)):
                continue
            yield Candidate(
                kind="words",
                key=key_of_matter(pull_request.repository, login.casefold(), matter_of(text)),
                statement=told_words(login, text),
                repository=pull_request.repository,
                pull_request=pull_request.source,
                sources=(f"person:{login}@{pull_request.source}",),
                day=work.ended.astimezone(self.timezone).date(),
                quotes=(mark_of(pull_request.source, said.spoken.id, said.start, text),),
                evidence=(text,),
                covers=(f"w{work.words.index(said.spoken) + 1}",),
            )

    def _may_stand(self, statement: str) -> bool:
        """Whether a statement passes the screen and stands in a note as one entry of just these words."""
        entries = entries_in(f"- 2026-01-01: {statement}.")
        return self.passes(statement) and [one.key for one in entries] == [collapse(f"{statement}.")]

    def _stated(self, work: Work, asking: Asking) -> Sequence[Candidate] | Waits:
        why = asking.unfit()
        if why:
            return Waits("judge-unfit")
        stating = Stating(
            work=work,
            subject=work.subject(self.timezone),
            standing=_to_repeat(self.standing.get(work.pull_request.repository, ()), work.pull_request.source),
            gates=asking.gates,
            screen=self.screen,
            limits=self.limits,
        )
        stated = stating.ask(asking.dreamer)
        if isinstance(stated, Unanswered):
            return Waits(waits_for("model", stated.reason.value))
        unjudged = next((end.reason for end in stating.refused if is_unjudged(end.reason)), "")
        if unjudged:
            return Waits(waits_for("judge", unjudged.removeprefix("judge-")))
        self.ends.update(stating.ends)
        return stated


def _each_once(found: Sequence[Candidate]) -> list[Candidate]:
    return list({one.key: one for one in reversed(found)}.values())[::-1]


def _to_repeat(standing: Sequence[Candidate], source: str) -> Mapping[str, Candidate]:
    """What other pull requests have taught, the newest first, each once, under the ids that a model is shown."""
    others = {one.key: one for one in standing if one.pull_request != source}
    return {f"c{number}": one for number, one in enumerate(reversed(list(others.values())), 1)}
