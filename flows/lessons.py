"""The learnings of a memory as people see them: what they say, whose they are, and what they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from dream.memory.records import Effect, NightRecord
from dream.memory.skills import BrokenSkill, Skill, learning_name, lessons_of, parse_skill
from dream.memory.state import State
from dream.memory.tree import Tree
from dream.memory.undoing.undone import effect_paths
from dream.repository.commits import read_commit
from dream.repository.mirror import Mirror
from dream.repository.writers import writers

THE_NIGHT = "the night"

Resolve = Callable[[str], str | None]
"""Returns the words that a mark (`thread_x/m12:140-203 <digest>`) points at, None where they are not to be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """A learning as it stands; `by` is the night, or the person who wrote it last. `broken` says why it is no skill."""

    name: str
    path: str
    data: bytes
    by: str
    skill: Skill | None = None
    broken: str = ""

    @property
    def trigger(self) -> str:
        """When it is used; empty where that cannot be read."""
        return self.skill.description if self.skill else ""

    @property
    def sources(self) -> tuple[str, ...]:
        """Who its lines cite, each once."""
        lessons = lessons_of(self.skill) if self.skill else ()
        return tuple(dict.fromkeys(source for lesson in lessons for source in lesson.sources))

    def payload(self) -> dict[str, Any]:
        """Return it as values of JSON, without its text."""
        return {
            "name": self.name,
            "path": self.path,
            "trigger": self.trigger,
            "by": self.by,
            "sources": list(self.sources),
            "broken": self.broken,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What a night did to a learning, and the words that it rested on; None for those that are not to be had."""

    night: date
    kind: str
    sources: tuple[str, ...]
    quotes: tuple[tuple[str, str | None], ...]

    def payload(self) -> dict[str, Any]:
        """Return it as values of JSON."""
        return {
            "night": self.night.isoformat(),
            "kind": self.kind,
            "sources": list(self.sources),
            "quotes": [{"mark": mark, "words": words} for mark, words in self.quotes],
        }


def learnings_in(tree: Tree, *, state: State, mirror: Mirror, head: str) -> tuple[Learning, ...]:
    """Return every learning of `tree`, which is that of the commit `head`, by name."""
    found = []
    for path in sorted(tree.paths()):
        name = learning_name(path)
        data = tree.read(path) if name else None
        if data is None:
            continue
        skill = parse_skill(data)
        is_nights = state.learnings.get(path) == tree.blob(path)
        found.append(
            Learning(
                name=name,
                path=path,
                data=data,
                by=THE_NIGHT if is_nights else writer_of(mirror, path, head),
                skill=skill if isinstance(skill, Skill) else None,
                broken=skill.reason if isinstance(skill, BrokenSkill) else "",
            )
        )
    return tuple(found)


def grounds_of(path: str, records: Sequence[NightRecord], *, resolve: Resolve) -> Iterator[Grounds]:
    """Yield what the nights of `records` did to the learning at `path`, the newest first."""
    for record in reversed(records):
        for effect in record.effects:
            if path in effect_paths(effect) and not effect.reverted:
                yield _grounds(record.night, effect, resolve)


def writer_of(mirror: Mirror, path: str, head: str) -> str:
    """Return the name of whoever wrote the file at `path` as it stands at `head`."""
    commit = next(writers(mirror.repository, path, head, mirror.prefix), None)
    return read_commit(mirror.repository, commit).author.name if commit else "somebody"


def _grounds(night: date, effect: Effect, resolve: Resolve) -> Grounds:
    return Grounds(
        night=night,
        kind=effect.kind,
        sources=effect.sources,
        quotes=tuple((mark, resolve(mark)) for mark in effect.quotes),
    )
