"""What ruling and merging make of pairs whose relation is known, if the truth rules, a yes to everything, garbage."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from bench.tidy.corpus import Pair, Relation
from bench.tidy.judged import attested
from bench.tidy.nominating import thing
from dream.guards.linked import LinkedNotes, LinkGuard
from dream.guards.pinned import guard_pinned_checks
from dream.guards.specifics import guard_specifics
from dream.memory.notes import Note, NoteCache
from dream.memory.operations import Remove
from dream.memory.similarity import lost_specifics
from dream.memory.tree import MappingTree, Tree
from dream.models.port import Model
from dream.models.prompt import Prompt
from dream.models.scripted import ScriptedModel
from dream.night.planning import plan_task
from dream.night.steps import Step
from tasks import tidy
from tasks.tidying.asking import PairRuling, Rulings
from tasks.tidying.attesting import Attestations, Attester, Said, attest, packaged_controls
from tasks.tidying.deciding import Judging
from tasks.tidying.nominations import Matter, Nomination
from tasks.tidying.places import place_in

HEADS = ("ruler", "judge", "relation", "pairs", "merged", "of them into a new wording", "superseded", "specifics lost")
_TRUE: Mapping[Relation, str] = {
    Relation.PARAPHRASE: "same",
    Relation.OTHER_VALUE: "contradicts",
    Relation.NEGATED: "contradicts",
    Relation.NARROWER: "narrower",
    Relation.UNRELATED: "different",
    Relation.REWORDED: "same",
    Relation.OTHER_MATTER: "different",
}
_ONE = frozenset({Relation.PARAPHRASE, Relation.REWORDED})
_NAMED = frozenset({Relation.REWORDED, Relation.OTHER_MATTER})
"""Pairs whose statements name what they are about themselves."""
Rules = Callable[[Pair, Sequence[str]], Rulings | str]
Judge = Callable[[Pair], Attester]


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """What became of one pair."""

    is_merged: bool
    is_reworded: bool
    is_superseded: bool
    lost: frozenset[str]


def rows(pairs: Sequence[Pair], who: Sequence[tuple[str, str]] | None = None) -> list[tuple[object, ...]]:
    """Return a row for each relation, and each of those `who` rule and judge; all of them unless told."""
    return [row for ruler, judge in who or WHO for row in _rows_of(ruler, judge, pairs)]


def _rows_of(ruler: str, judge: str, pairs: Sequence[Pair]) -> Iterator[tuple[object, ...]]:
    ends = [(pair.relation, end_of(place, pair, RULERS[ruler], JUDGES[judge])) for place, pair in enumerate(pairs)]
    for relation in Relation:
        found = [end for one, end in ends if one is relation]
        if not found:
            continue
        yield (
            ruler,
            judge,
            relation,
            len(found),
            sum(end.is_merged for end in found),
            sum(end.is_merged and end.is_reworded for end in found),
            sum(end.is_superseded for end in found),
            sum(bool(end.lost) for end in found),
        )


def end_of(place: int, pair: Pair, rules: Rules, judge: Judge | None = None) -> End:
    """Return what becomes of `pair` under the rules and guards of a night, where `rules` answers and `judge` judges."""
    tree = _memory(place, pair)
    notes = NoteCache()
    paths = [path for path in tree.paths() if path.endswith(("/this.md", "/that.md"))]
    places = tuple(place_in(path, _note(notes, tree, path), _note(notes, tree, path).entries[0]) for path in paths)
    nomination = Nomination(matter=Matter.DUPLICATE, places=places, score=1.0)
    keys = [one.text for one in places]
    judging = Judging(
        model=_ruler(pair, keys, rules), screen=lambda line, _: line, attester=judge(pair) if judge else None
    )
    step = Step(
        name="tidy",
        propose=lambda now: tidy.propose(tree=now, notes=notes, renames={}, nominations=[nomination], judging=judging),
    )
    guards = (guard_specifics, guard_pinned_checks, LinkGuard(LinkedNotes(notes)))
    planned, after = plan_task(step, tree=tree, guards=guards)
    standing = [entry.key for path in after.paths() for entry in _note(notes, after, path).entries]
    superseded = any(isinstance(one, Remove) for one in planned.operations)
    return End(
        is_merged=any(key not in standing for key in keys) and not superseded,
        is_reworded=all(key not in standing for key in keys),
        is_superseded=superseded,
        lost=lost_specifics(keys, "\n".join(standing)) if not superseded else frozenset(),
    )


def _memory(place: int, pair: Pair) -> MappingTree:
    """Both statements name the thing that they are about, and stand in two notes that say something else as well."""
    name = thing(place)
    lead = "" if pair.relation in _NAMED else f"{name}: "
    files = {
        f"{name}/this.md": f"# {name}\n\n- {lead}{pair.one}\n- {name} was looked at by Ana Lind.\n",
        f"{name}/that.md": f"# {name}\n\n- {lead}{pair.other}\n- {name} has a page of its own.\n",
    }
    return MappingTree({path: text.encode() for path, text in files.items()})


def _note(notes: NoteCache, tree: Tree, path: str) -> Note:
    note = notes.note(tree, path)
    if not isinstance(note, Note):
        message = f"{PurePosixPath(path).name} was written a moment ago"
        raise TypeError(message)
    return note


def _ruler(pair: Pair, keys: Sequence[str], rules: Rules) -> Model:
    def answer(prompt: Prompt, _: object) -> Rulings | str:
        del prompt
        return rules(pair, keys)

    return ScriptedModel(answer)


def _said(ruling: str, wording: str = "", *, number: int = 1) -> Rulings:
    told = {"number": number, "ruling": ruling, "best": "neither", "wording": wording}
    return Rulings(reasoning="", rulings=[PairRuling.model_validate(told)])


def _truth(pair: Pair, keys: Sequence[str]) -> Rulings:
    ruling = _TRUE[pair.relation]
    return _said(ruling, "; ".join(key.rstrip(".") for key in keys) + "." if ruling == "same" else "")


def _yes(_: Pair, keys: Sequence[str]) -> Rulings:
    return _said("same", "; ".join(key.rstrip(".") for key in keys) + ".")


def _yes_and_short(_: Pair, keys: Sequence[str]) -> Rulings:
    """Say yes, with a wording out of words that both have: what differs between them is gone."""
    shared = [word for word in keys[0].split() if word in keys[1].split()]
    return _said("same", " ".join(shared))


def _garbage(pair: Pair, keys: Sequence[str]) -> Rulings | str:
    dice = random.Random(pair.one)  # noqa: S311  # dice, no secret
    words = [*keys[0].split(), *keys[1].split()]
    dice.shuffle(words)
    ruling = dice.choice(("same", "narrower", "contradicts", "different", "unsure"))
    told = _said(ruling, " ".join(words), number=dice.choice((1, 1, 1, 0, 7)))
    return dice.choice((told, told, Rulings(reasoning="", rulings=[*told.rulings] * 2), "yes", "{"))


RULERS: Mapping[str, Rules] = {
    "the truth": _truth,
    "yes to everything": _yes,
    "yes, and what both say": _yes_and_short,
    "garbage": _garbage,
}


def _judge(pair: Pair, *, is_honest: bool, right: float) -> Attester:
    """A judge that is right on a share of the pairs; one that is not honest says yes to everything."""
    dice = random.Random(f"{pair.one} judged")  # noqa: S311  # dice, no secret
    is_one = (pair.relation in _ONE) == (dice.random() < right) or not is_honest

    def answer(prompt: Prompt, _: object) -> Attestations:
        return attested(prompt.user_text(b""), lambda _one, _other: is_one, is_honest=is_honest)

    return Attester(model=ScriptedModel(answer), controls=packaged_controls(), salt="bench")


JUDGES: Mapping[str, Judge | None] = {
    "none": None,
    "yes to everything": partial(_judge, is_honest=False, right=1.0),
    "the truth": partial(_judge, is_honest=True, right=1.0),
    "95 % right, and through its examination": partial(_judge, is_honest=True, right=0.95),
}
WHO = (
    *((ruler, "none") for ruler in RULERS),
    ("the truth", "the truth"),
    *(("yes to everything", judge) for judge in JUDGES if judge != "none"),
)
"""Who rules and who judges, in the order of the table."""


def wrong_merges(pairs: Sequence[Pair], rules: Rules, judge: Judge | None = None) -> Counter[str]:
    """Return how many merges are wrong: contradictions, what is unrelated or another matter, and specifics lost."""
    found: Counter[str] = Counter()
    wrong = {Relation.OTHER_VALUE, Relation.NEGATED, Relation.UNRELATED, Relation.OTHER_MATTER}
    for place, pair in enumerate(pairs):
        end = end_of(place, pair, rules, judge)
        if end.is_merged and pair.relation in wrong:
            found[pair.relation] += 1
        if end.lost:
            found["specifics lost"] += 1
    return found


def nights_through(*, right: float, nights: int) -> int:
    """Return in how many nights a judge that is right on a share of the packaged cases passes its examination."""
    passed = 0
    for night in range(nights):
        dice = random.Random(f"night {night}")  # noqa: S311  # dice, no secret
        truth = {control.said: control.same for control in packaged_controls()}

        def follows(one: str, other: str, *, dice: random.Random = dice, truth: Mapping[Said, bool] = truth) -> bool:
            return truth.get((one, other), True) == (dice.random() < right)

        def answer(prompt: Prompt, _: object, *, follows: Callable[[str, str], bool] = follows) -> Attestations:
            return attested(prompt.user_text(b""), follows, is_honest=False)

        attester = Attester(model=ScriptedModel(answer), controls=packaged_controls(), salt=str(night))
        passed += not attest([("one", "other")], attester).unfit
    return passed
