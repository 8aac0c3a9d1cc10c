"""What ruling and merging make of pairs whose relation is known, if the truth rules, a yes to everything, garbage."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from bench.tidy.corpus import Pair, Relation
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
from tasks.tidying.deciding import Judging
from tasks.tidying.nominations import Matter, Nomination
from tasks.tidying.places import place_in

HEADS = ("ruler", "relation", "pairs", "merged", "of them into a new wording", "superseded", "specifics lost")
_TRUE: Mapping[Relation, str] = {
    Relation.PARAPHRASE: "same",
    Relation.OTHER_VALUE: "contradicts",
    Relation.NEGATED: "contradicts",
    Relation.NARROWER: "narrower",
    Relation.UNRELATED: "different",
}
Rules = Callable[[Pair, Sequence[str]], Rulings | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """What became of one pair."""

    is_merged: bool
    is_reworded: bool
    is_superseded: bool
    lost: frozenset[str]


def rows(pairs: Sequence[Pair]) -> list[tuple[object, ...]]:
    """Return a row for each ruler and relation."""
    return [row for name, rules in RULERS.items() for row in _rows_of(name, rules, pairs)]


def _rows_of(name: str, rules: Rules, pairs: Sequence[Pair]) -> Iterator[tuple[object, ...]]:
    ends = [(pair.relation, end_of(place, pair, rules)) for place, pair in enumerate(pairs)]
    for relation in Relation:
        found = [end for one, end in ends if one is relation]
        yield (
            name,
            relation,
            len(found),
            sum(end.is_merged for end in found),
            sum(end.is_merged and end.is_reworded for end in found),
            sum(end.is_superseded for end in found),
            sum(bool(end.lost) for end in found),
        )


def end_of(place: int, pair: Pair, rules: Rules) -> End:
    """Return what becomes of `pair` under the rules and guards of a night, where `rules` answers."""
    tree = _memory(place, pair)
    notes = NoteCache()
    paths = [path for path in tree.paths() if path.endswith(("/this.md", "/that.md"))]
    places = tuple(place_in(path, _note(notes, tree, path), _note(notes, tree, path).entries[0]) for path in paths)
    nomination = Nomination(matter=Matter.DUPLICATE, places=places, score=1.0)
    keys = [one.text for one in places]
    judging = Judging(model=_ruler(pair, keys, rules), screen=lambda line, _: line)
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
    files = {
        f"{name}/this.md": f"# {name}\n\n- {name}: {pair.one}\n- {name} was looked at by Ana Lind.\n",
        f"{name}/that.md": f"# {name}\n\n- {name}: {pair.other}\n- {name} has a page of its own.\n",
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


def wrong_merges(pairs: Sequence[Pair], rules: Rules) -> Counter[str]:
    """Return how many merges are wrong whoever ruled: contradictions, what is unrelated, and specifics lost."""
    found: Counter[str] = Counter()
    for place, pair in enumerate(pairs):
        end = end_of(place, pair, rules)
        if end.is_merged and pair.relation in {Relation.OTHER_VALUE, Relation.NEGATED, Relation.UNRELATED}:
            found[pair.relation] += 1
        if end.lost:
            found["specifics lost"] += 1
    return found
