"""Statements that say much in many words, shorter: words are taken away, and none that carries anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict

from dream.guards.sameness.covering import cut
from dream.memory.operations import Basis, Shorten
from dream.memory.outcomes import Item
from dream.memory.sources import Origin, weakest
from dream.models.port import Model, Replied
from prompts.loading import load_template
from tasks.entries import key_of, span_of
from tasks.tidying.asking import WITHHELD, Screen
from tasks.tidying.merging import WRITTEN_TODAY, Rules
from tasks.tidying.nominations import Nomination
from tasks.tidying.wording import reworded
from tasks.unanswered import waits_for

LEAST_SAVED = 0.1
"""What share of a statement has to go for a shorter one to be worth the change."""


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ShorterStatement(_Reply):
    """How a statement reads without what says nothing, by its number; empty where nothing can go."""

    number: int
    wording: str


class Shorter(_Reply):
    """The shorter statements of one question."""

    reasoning: str
    shorter: list[ShorterStatement]


def shorten(nominations: Sequence[Nomination], model: Model, rules: Rules, *, screen: Screen, salt: str) -> list[Item]:
    """Return an item for each of `nominations`, all of which are asked about in one question."""
    shown: dict[int, str] = {}
    items: dict[int, Item] = {}
    for number, one in enumerate(nominations, 1):
        place = one.places[0]
        entry = place.entry
        item = Item(id=one.id, digest=one.digest)
        if entry is None or rules.fresh.is_fresh(place.path, entry):
            items[number] = replace(item, reason=WRITTEN_TODAY, pending=True)
        elif screen(entry.key, weakest(entry.sources) or Origin.AGENT) != entry.key:
            items[number] = replace(item, reason=WITHHELD)
        else:
            shown[number] = entry.key
    if shown:
        statements = "\n".join(f"{number}. {text}" for number, text in shown.items())
        prompt = load_template("tidy/shorten").render({"count": len(shown)}, {"statements": statements}, salt=salt)
        answer = model.ask(prompt, Shorter)
        said: Mapping[int, str] = {}
        if isinstance(answer, Replied):
            said = _by_number(answer.reply)
        for number in shown:
            item = Item(id=nominations[number - 1].id, digest=nominations[number - 1].digest)
            if isinstance(answer, Replied):
                items[number] = _shortened(item, nominations[number - 1], said.get(number, ""), rules)
            else:
                items[number] = replace(item, reason=waits_for("model", answer.reason), pending=True)
    return [items[number] for number in sorted(items)]


def _by_number(reply: Shorter) -> dict[int, str]:
    """Return the one wording that each number has; a number with two has none."""
    found: dict[int, list[str]] = {}
    for one in reply.shorter:
        found.setdefault(one.number, []).append(" ".join(one.wording.split()))
    return {number: wordings[0] for number, wordings in found.items() if len(wordings) == 1}


def _shortened(item: Item, nomination: Nomination, wording: str, rules: Rules) -> Item:
    place = rules.stage.place(nomination.places[0])
    if place is None or place.entry is None:
        return replace(item, reason="changed-tonight", pending=True)
    if not wording or len(wording) > (1 - LEAST_SAVED) * len(place.entry.key):
        return replace(item, reason="not-shorter")
    text = reworded(place.note, place.entry, wording)
    if text is None or cut(place.entry.key, key_of(text)):
        return replace(item, reason="differing-word")
    saved = len(place.entry.key) - len(wording)
    basis = Basis(sources=place.entry.sources, dated=place.entry.date, why=f"{place.shown}, {saved} characters less")
    return replace(
        item, operations=(Shorten(span=span_of(place.path, place.note, place.entry), new=text, basis=basis),)
    )
