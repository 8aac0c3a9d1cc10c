"""Whether learnings are skills that every tool loads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dream.checker.finding import Finding, find
from dream.memory.skills import NO_FRONTMATTER, Skill, check_skill, learning_name, parse_skill


def check_learning(path: str, data: bytes) -> Iterator[Finding]:
    """Yield what the published rules hold against the learning at `path`, nothing where none stands there."""
    name = learning_name(path)
    if not name:
        return
    skill = parse_skill(data)
    if isinstance(skill, Skill):
        # Fields that the rules do not have are some tool's own, and every tool passes over another's.
        for finding in check_skill(replace(skill, unknown=()), folder=name):
            yield find("learning-invalid", path, finding)
    elif skill.reason == NO_FRONTMATTER:  # whatever else is wrong with the file has a rule of its own
        yield find("learning-invalid", path, skill.reason)
