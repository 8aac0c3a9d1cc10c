"""What a memory holds under `learnings/`, and whether any of it is false, told by the files alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bench.learnings.planted import TAUGHT, Plant, plants_in
from dream.guards.triggers import count_tokens
from dream.memory.skills import BrokenSkill, Lesson, check_skill, learning_name, lessons_of, parse_skill

STATE = ".dream/state.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """One `SKILL.md` as it landed; `findings` are what the published rules hold against it."""

    name: str
    trigger: str
    tokens: int
    lessons: tuple[Lesson, ...]
    text: str
    findings: tuple[str, ...]

    @property
    def plants(self) -> tuple[Plant, ...]:
        """The plants whose word stands in it."""
        return tuple(plants_in(self.text))


def learnings_in(files: Mapping[str, bytes]) -> dict[str, Learning]:
    """Return every learning of a memory's files by its name; one that cannot be read has its reason as a finding."""
    named = {learning_name(path): data for path, data in sorted(files.items()) if learning_name(path)}
    return {name: _learning(name, data) for name, data in named.items()}


def strangers_in(learnings: Iterable[Learning]) -> list[str]:
    """Return which plants that were not taught are in a learning, as `name: kind`."""
    return [f"{one.name}: {plant.kind}" for one in learnings for plant in one.plants if plant.kind != TAUGHT]


def observations_in(files: Mapping[str, bytes]) -> tuple[int, int]:
    """Return how many observations the state holds, and their bytes in it."""
    items = json.loads(files.get(STATE, b"{}")).get("observations", [])
    return len(items), sum(len(json.dumps(item, sort_keys=True)) + 2 for item in items)


def _learning(name: str, data: bytes) -> Learning:
    text = data.decode("utf-8", errors="replace")
    skill = parse_skill(data)
    if isinstance(skill, BrokenSkill):
        return Learning(name=name, trigger="", tokens=0, lessons=(), text=text, findings=(skill.reason,))
    return Learning(
        name=name,
        trigger=skill.description,
        tokens=count_tokens(skill.description),
        lessons=lessons_of(skill),
        text=text,
        findings=check_skill(skill, folder=name),
    )
