"""Where agents look for skills in a project."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from dream.errors import UsageError
from dream.memory.skills import is_skill_name

NAME = "{name}"
_SHARED = f".agents/skills/{NAME}/SKILL.md"

TOOLS: Mapping[str, str] = MappingProxyType(
    {
        "claude-code": f".claude/skills/{NAME}/SKILL.md",
        "codex": _SHARED,
        "cursor": _SHARED,
        "opencode": _SHARED,
        "pi": _SHARED,
    }
)
"""The tools that are known by name, each with where it looks; `.agents/skills` is read by all of them but one."""

_ENDINGS = (".md", ".mdc")
_SEGMENT = re.compile(r"[A-Za-z0-9._@+ {}-]{1,100}")
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Place:
    """A path in a project, with `{name}` where a learning's name goes."""

    template: str

    def path(self, name: str) -> str:
        """Return where the learning called `name` is written."""
        return self.template.replace(NAME, name)

    @property
    def has_own_folder(self) -> bool:
        """Whether each learning has a folder of its own, which goes when its file does."""
        return NAME in self.template.rpartition("/")[0].rpartition("/")[2]

    def holds(self, path: str) -> bool:
        """Whether a learning of some name would be written at `path`."""
        parts = [re.escape(part) for part in self.template.split(NAME)]
        pattern = f"{parts[0]}(?P<name>[a-z0-9-]{{1,64}}){'(?P=name)'.join(parts[1:])}"
        match = re.fullmatch(pattern, path)
        return match is not None and is_skill_name(match["name"])


def places_for(tools: Sequence[str], template: str) -> tuple[Place, ...]:
    """Return the places of `tools`, or of all that are known where there are neither those nor a template, each once.

    Raises:
        UsageError: a tool is not known, or the template leaves the project, names one file for all learnings, or
            leads into git's own folder.
    """
    unknown = [tool for tool in tools if tool not in TOOLS]
    if unknown:
        message = f"nobody knows where {unknown[0]!r} looks for skills"
        raise UsageError(message, way_out=f"known are {', '.join(TOOLS)}; for another: --template '.tool/{NAME}.md'")
    chosen = [TOOLS[tool] for tool in tools] if tools or template else list(TOOLS.values())
    if template:
        trouble = _trouble(template)
        if trouble:
            message = f"the template {template!r} {trouble}"
            raise UsageError(message, way_out=f"a path in the project, such as '.tool/skills/{NAME}/SKILL.md'")
        chosen.append(template)
    return tuple(Place(one) for one in dict.fromkeys(chosen))


def _trouble(template: str) -> str:
    segments = template.split("/")
    troubles = (
        (f"has no {NAME}", NAME not in template),
        (f"has braces that are not {NAME}", re.search(r"[{}]", template.replace(NAME, "")) is not None),
        (
            "is no plain path inside the project",
            len(template) > _LONGEST or not all(map(_SEGMENT.fullmatch, segments)),
        ),
        (
            "has a name that is only dots, or ends in one or in a blank",
            any(segment.endswith((".", " ")) or segment.startswith(" ") for segment in segments),
        ),
        ("leads into git's own folder", any(segment.lower() == ".git" for segment in segments)),
        (f"does not end in {' or '.join(_ENDINGS)}", not template.endswith(_ENDINGS)),
    )
    return next((trouble for trouble, holds in troubles if holds), "")
