"""Models that rule on pairs as a test has them do, without a word about what the rules let follow."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dream.memory.notes import Note, NoteCache
from dream.memory.outcomes import Plan
from dream.memory.tree import Tree
from dream.models.port import Reason, Replied, Reply, Unanswered
from dream.models.prompt import Prompt, Untrusted
from tasks import tidy
from tasks.tidying.deciding import Judging
from tasks.tidying.freshness import Freshness
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominations import Matter, Nomination, Place
from tasks.tidying.places import place_in

_PAIR = re.compile(
    r"^pair ([0-9]+)\nfirst: [^\n]*\n(.*?)\nsecond: [^\n]*\n(.*?)(?=\n\npair |\Z)", re.DOTALL | re.MULTILINE
)


def ruled(number: int, ruling: str, best: str = "neither", wording: str = "") -> dict[str, Any]:
    """One ruling as a model writes it."""
    return {"number": number, "ruling": ruling, "best": best, "wording": wording}


@dataclass(kw_only=True)
class Ruler:
    """Answers each question about pairs by `rules(first, second)`, or whatever else it is asked by `answers`."""

    rules: Callable[[str, str], str] = lambda _one, _other: "same"
    wording: Callable[[str, str], str] = lambda _one, _other: ""
    answers: Callable[[Prompt], dict[str, Any]] | None = None
    fails: Sequence[Reason] = ()
    asked: list[Prompt] = field(default_factory=list)
    name: str = "scripted/ruler"

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        """Return the reply that the test has it give."""
        self.asked.append(prompt)
        if len(self.asked) <= len(self.fails):
            return Unanswered(reason=self.fails[len(self.asked) - 1])
        said = self.answers(prompt) if self.answers and prompt.name != "tidy/ruling" else self._rulings(prompt)
        return Replied(reply=reply.model_validate_json(json.dumps(said)))

    def _rulings(self, prompt: Prompt) -> dict[str, Any]:
        text = next(part.text for part in prompt.parts if isinstance(part, Untrusted))
        rulings = []
        for match in _PAIR.finditer(text):
            one, other = ("\n".join(line.strip() for line in match[n].split("\n")) for n in (2, 3))
            rulings.append(ruled(int(match[1]), self.rules(one, other), wording=self.wording(one, other)))
        return {"reasoning": "as told", "rulings": rulings}


def places_in(tree: Tree, *paths: str, entries: Sequence[int] = ()) -> tuple[Place, ...]:
    """The entries of notes, the first of each unless `entries` says which."""
    found = []
    for number, path in enumerate(paths):
        note = NoteCache().note(tree, path)
        assert isinstance(note, Note), path
        found.append(place_in(path, note, note.entries[entries[number] if entries else 0]))
    return tuple(found)


def pair(tree: Tree, *paths: str, entries: Sequence[int] = (), matter: Matter = Matter.DUPLICATE) -> Nomination:
    """Two entries, nominated."""
    return Nomination(matter=matter, places=places_in(tree, *paths, entries=entries), score=1.0)


def tidied(
    tree: Tree, *nominations: Nomination, ruler: Ruler, fresh: Freshness | None = None, chain: int = 3, **told: Any
) -> Plan:
    """Return what tidying proposes where `ruler` rules on `nominations`."""
    judging = Judging(model=ruler, screen=lambda line, _: line, limits=TidyLimits(chain=chain))
    return tidy.propose(
        tree=tree, notes=NoteCache(), renames={}, nominations=nominations, judging=judging, fresh=fresh, **told
    )
