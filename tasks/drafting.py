"""A proposed learning as the one operation that writes it, or the rule that it breaks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from dream.guards.statements.gates import digest_of
from dream.guards.statements.polarity import negation_added, negation_dropped
from dream.guards.triggers import TriggerLimits, check_trigger
from dream.guards.vocabulary import content_words, is_negation
from dream.memory.operations import Add, Basis, Merge, Operation, Refusal, Remove, Revise
from dream.memory.paths import is_creatable
from dream.memory.similarity import lost_specifics, word_set
from dream.memory.skills import (
    Lesson,
    Skill,
    check_skill,
    learning_path,
    render_items,
    render_opening,
    render_skill,
    write_learning,
)
from dream.memory.state import Tombstone
from tasks.candidates import Action, ProposedLearning
from tasks.sayings import Said, Sayings, basis_of_lines, evidence_text
from tasks.standing import Standing, nearest, says_already
from tasks.writing import slug_of

_LONGEST_NAME = 48
_STEM = 5
_OPPOSED = 0.5
_OF_A_TRIGGER = word_set("use used using when whenever for while before after in on of to the a an this skill working")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a candidate comes to: one operation, the file as it would read, and the words that each line rests on."""

    name: str
    action: Action
    operation: Operation
    text: str
    said: tuple[Said, ...] = ()

    @property
    def evidence(self) -> str:
        """Its lines, each with the words under it."""
        return evidence_text(self.said)

    @property
    def digest(self) -> str:
        """Under what a reviewer's no is remembered: what is to be done, and the words that are cited for it."""
        marks = sorted({one.mark for line in self.said for one in line.observations})
        return digest_of(self.action, [*marks, *([] if self.action == "create" else [self.name, self.text])])


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftLimits:
    """What a learning may be: its lines, its trigger, and from which similarity on something is the same."""

    trigger: TriggerLimits = field(default_factory=TriggerLimits)
    lines: int = 6
    same: float = 0.85


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafting:
    """Makes drafts of candidates: `sayings` rule on their lines.

    What is like one of `tombstones` needs words that are newer than its undoing.
    """

    sayings: Sayings
    tombstones: Sequence[Tombstone]
    limits: DraftLimits

    def draft(self, proposed: ProposedLearning, standing: Sequence[Standing]) -> Draft | Refusal:
        """Return the draft of `proposed` beside the learnings that stand, or why there is none."""
        if len(proposed.lines) > self.limits.lines:
            return Refusal("too-many-lines", f"{len(proposed.lines)}, at most {self.limits.lines}")
        known = {one.name: one for one in standing}
        refusal = None if proposed.action == "create" else _out_of_reach(proposed, known)
        if refusal:
            return refusal
        match proposed.action:
            case "create":
                return self._create(proposed, standing)
            case "update":
                return self._update(proposed, known[proposed.name])
            case "merge":
                others = dict.fromkeys(name for name in proposed.absorbs if name != proposed.name)
                return self._merge(known[proposed.name], [known[name] for name in others])
            case "delete":
                return self._delete(proposed, known[proposed.name])

    def _create(self, proposed: ProposedLearning, standing: Sequence[Standing]) -> Draft | Refusal:
        texts = [line.text for line in proposed.lines]
        name = name_of(proposed)
        near = nearest(proposed.trigger, texts, standing, same=self.limits.same)
        near = near or next((one for one in standing if one.name == name), None)
        if near is not None:
            return self._update(proposed, near) if near.is_own else Refusal("a-persons-own", near.name)
        path = learning_path(name)
        if not is_creatable(path):
            return Refusal("malformed-name")
        said = self.sayings.rule_on(proposed.lines, after=self._undone(texts, path), trigger=proposed.trigger)
        if isinstance(said, Refusal):
            return said
        trigger = " ".join(proposed.trigger.split())
        skill = write_learning(name, trigger, [line.lesson for line in said])
        refusal = self._trigger_refused(trigger, said, standing) or _invalid(skill, name)
        if refusal:
            return refusal
        # What stands before the items is what makes the note, so that the operation is an add like any other.
        heading, _, items = skill.body.partition("\n\n")
        operation = Add(
            path=path,
            text=items,
            opening=f"{render_opening(skill)}\n\n{heading}",
            basis=basis_of_lines(said, "create"),
        )
        return Draft(name=name, action="create", operation=operation, text=render_skill(skill).decode(), said=said)

    def _update(self, proposed: ProposedLearning, one: Standing) -> Draft | Refusal:
        replaced = {line.replaces for line in proposed.lines if line.replaces}
        if not replaced <= one.lines.keys():
            return Refusal("no-such-line", one.name)
        stays = [lesson.text for name, lesson in one.lines.items() if name not in replaced]
        same = self.limits.same
        fresh = [
            line
            for line in proposed.lines
            if not says_already(line.text, stays, same=same)
            and not (line.replaces and line.text.strip().rstrip(".") == one.lines[line.replaces].text.rstrip("."))
        ]
        if not fresh:
            return Refusal("already-learned", one.name)
        undone = self._undone([line.text for line in fresh], one.path)
        said = self.sayings.rule_on(fresh, after=undone, trigger=one.trigger)
        if isinstance(said, Refusal):
            return said
        if not _is_of_its_matter(one, said):
            return Refusal("another-matter", one.name)
        taking = {line.replaces: line.lesson for line in said if line.replaces}
        lessons = [taking.get(name, lesson) for name, lesson in one.lines.items()]
        lessons += [line.lesson for line in said if not line.replaces]
        skill = self._with_lessons(one, lessons)
        if isinstance(skill, Refusal):
            return skill
        text = render_skill(skill).decode()
        operation = Revise(span=one.span, new=text, basis=basis_of_lines(said, "update"))
        return Draft(name=one.name, action="update", operation=operation, text=text, said=said)

    def _merge(self, into: Standing, absorbed: Sequence[Standing]) -> Draft | Refusal:
        if not absorbed:
            return Refusal("no-such-learning", "nothing to merge")
        lessons: Sequence[Lesson] = tuple(into.lines.values())
        same = self.limits.same
        for one in absorbed:
            stands = [lesson.text for lesson in lessons]
            is_alike = word_set(one.trigger) == word_set(into.trigger)
            if not is_alike and not any(says_already(text, stands, same=same) for text in one.said):
                return Refusal("not-alike", one.name)
            lessons = _united(lessons, one.lines.values(), same=same)
        skill = self._with_lessons(into, lessons)
        if isinstance(skill, Refusal):
            return skill
        text = render_skill(skill).decode()
        basis = Basis(
            sources=tuple(dict.fromkeys(source for lesson in lessons for source in lesson.sources)),
            dated=min(lesson.dated for lesson in lessons),
            why=f"merge of {', '.join(one.name for one in absorbed)}, which says the same",
        )
        operation = Merge(into=into.span, new=text, absorbed=tuple(one.span for one in absorbed), basis=basis)
        return Draft(name=into.name, action="merge", operation=operation, text=text)

    def _delete(self, proposed: ProposedLearning, one: Standing) -> Draft | Refusal:
        """Return the removal of a learning against which people have since spoken as often as it takes to make one."""
        newest = max((lesson.dated for lesson in one.lines.values()), default=None)
        said = self.sayings.rule_on(proposed.lines[:1], after=newest)
        if isinstance(said, Refusal):
            return said
        if not any(_opposes(line.lesson.text, text) for line in said for text in one.said):
            return Refusal("not-against-it", one.name)
        operation = Remove(span=one.span, basis=basis_of_lines(said, "delete, people say otherwise"))
        return Draft(
            name=one.name, action="delete", operation=operation, text=render_skill(one.skill).decode(), said=said
        )

    def _with_lessons(self, one: Standing, lessons: Sequence[Lesson]) -> Skill | Refusal:
        """Return the skill of `one` with these lessons, its heading and frontmatter as they were."""
        if len(lessons) > self.limits.lines:
            return Refusal("too-many-lines", f"{len(lessons)}, at most {self.limits.lines}")
        heading = one.skill.body.split("\n", 1)[0] if one.skill.body.startswith("#") else ""
        body = f"{heading}\n\n{render_items(tuple(lessons))}".strip("\n")
        skill = Skill(name=one.skill.name, description=one.skill.description, body=body, metadata=one.skill.metadata)
        return _invalid(skill, one.name) or skill

    def _undone(self, texts: Sequence[str], path: str) -> date | None:
        """Return the day on which somebody last undid a learning like this; None where nobody did."""
        days = [
            stone.undone
            for stone in self.tombstones
            if stone.task == "learnings"
            and (path in stone.paths or any(says_already(text, _items(stone), same=self.limits.same) for text in texts))
        ]
        return max(days, default=None)

    def _trigger_refused(self, trigger: str, said: Sequence[Said], standing: Sequence[Standing]) -> Refusal | None:
        cited = [one for line in said for one in line.observations]
        evidence = [*(one.words for one in cited), *(one.repository for one in cited if one.repository)]
        others: Mapping[str, str] = {one.name: one.trigger for one in standing}
        refusal = check_trigger(trigger, evidence=evidence, others=others, limits=self.limits.trigger)
        added = {one for one in lost_specifics([trigger], "\n".join(evidence)) if not is_negation(one)}
        return refusal or (Refusal("trigger-adds", ascii(", ".join(sorted(added)[:3]))[1:-1]) if added else None)


def name_of(proposed: ProposedLearning) -> str:
    """Return what a new learning is called: as proposed if its words are the learning's own, else after its trigger."""
    known = word_set("\n".join((proposed.trigger, *(line.text for line in proposed.lines)))) | _OF_A_TRIGGER
    wanted = slug_of(proposed.name)[:_LONGEST_NAME].strip("-")
    if wanted and all(_stands(word, known) for word in wanted.split("-")):
        return wanted
    words = [word for word in slug_of(proposed.trigger).split("-") if word not in _OF_A_TRIGGER]
    return "-".join(words)[:_LONGEST_NAME].strip("-")


def _out_of_reach(proposed: ProposedLearning, known: Mapping[str, Standing]) -> Refusal | None:
    """Refuse what is about a learning that is not there, or that a person wrote or edited."""
    wanted = [proposed.name, *(proposed.absorbs if proposed.action == "merge" else ())]
    missing = [name for name in wanted if name not in known]
    if missing:
        return Refusal("no-such-learning", ascii(missing[0][:60])[1:-1])
    foreign = [name for name in wanted if not known[name].is_own]
    return Refusal("a-persons-own", foreign[0]) if foreign else None


def _stands(word: str, known: Collection[str]) -> bool:
    return word in known or any(
        min(len(word), len(other)) >= _STEM and word[:_STEM] == other[:_STEM] for other in known
    )


def _is_of_its_matter(one: Standing, said: Sequence[Said]) -> bool:
    """Whether the words of `said` name anything that says when `one` is used."""
    cited = [seen for line in said for seen in line.observations]
    evidence = [*(seen.words for seen in cited), *(seen.repository for seen in cited)]
    refusal = check_trigger(one.trigger, evidence=evidence, others={})
    return refusal is None or refusal.reason != "trigger-names-nothing"


def _items(stone: Tombstone) -> list[str]:
    """Return what the items said that were undone."""
    return [key.removeprefix("- ").rpartition(" [")[0] for key in stone.keys if key.startswith("- ") and " [" in key]


def _invalid(skill: Skill, name: str) -> Refusal | None:
    findings = check_skill(skill, folder=name)
    return Refusal("invalid-skill", findings[0]) if findings else None


def _opposes(text: str, standing: str) -> bool:
    """Whether `text` is about what a line says, and says no where that says yes, or the other way round."""
    words, others = content_words(text), content_words(standing)
    if not others or len(words & others) < _OPPOSED * len(others):
        return False
    return bool(negation_added(text, [standing]) or negation_dropped(text, [standing]))


def _united(lessons: Sequence[Lesson], others: Collection[Lesson], *, same: float) -> list[Lesson]:
    """Return both; of two that say the same the one that stood, with the sources of both and the older day."""
    kept = list(lessons)
    for other in others:
        place = next((n for n, one in enumerate(kept) if says_already(other.text, [one.text], same=same)), None)
        if place is None:
            kept.append(other)
        else:
            one = kept[place]
            sources = tuple(dict.fromkeys((*one.sources, *other.sources)))
            kept[place] = Lesson(text=one.text, sources=sources, dated=min(one.dated, other.dated))
    return kept
