"""`SKILL.md` as a value, by the published Agent Skills rules (agentskills.io), and the form that a learning has.

What is read is forgiving, because people and other tools write these files too: whatever has frontmatter that can be
read is a skill, and `check_skill` says what the rules hold against it. What is written is one form only, which every
YAML reader takes for the same strings.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dream.memory.frontmatter import MOST_BYTES
from dream.memory.notes import MAX_NOTE_BYTES, Unreadable, parse_note
from dream.memory.sources import render_citation, split_citation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

FOLDER = "learnings/"
FILE_NAME = "SKILL.md"
NO_FRONTMATTER = "no frontmatter"
LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1_024
LONGEST_COMPATIBILITY = 500
_NAME = re.compile(r"[a-z0-9-]+")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_METADATA = "metadata."
_FIELDS = ("name", "description", "license", "compatibility", "allowed-tools")
# Words of a scalar that no YAML reader takes for anything but text, and the ones that some take for a type.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ,.;()/_'-]*")
_TYPED = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})
_ESCAPED = re.compile("[\x7f-\x9f\xad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufe00-\ufe0f\ufeff\ufffe\uffff]")
_HALVES = re.compile("[\ud800-\udfff]")
_ITEM = "- "


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A skill: `description` says on one line what it is for and when to use it, `body` is Markdown.

    `body` has no blank lines at its ends. `unknown` names the fields that the published rules do not have; what they
    hold is not kept, nor are lists.
    """

    name: str
    description: str
    body: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    license: str = ""
    compatibility: str = ""
    allowed_tools: str = ""
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BrokenSkill:
    """A file that is no skill, and why, such as `no frontmatter` or `frontmatter: not closed`."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One line of a learning: what is to be done, who said so, and the day of the newest that was said."""

    text: str
    sources: tuple[str, ...]
    dated: date


def parse_skill(data: bytes, *, max_bytes: int = MAX_NOTE_BYTES) -> Skill | BrokenSkill:
    """Return the skill in `data`; a name or a description that is missing is empty, for `check_skill` to say."""
    note = parse_note(data, max_bytes=max_bytes)
    if isinstance(note, Unreadable):
        return BrokenSkill(note.reason)
    if note.broken:
        return BrokenSkill(f"frontmatter: {note.broken}")
    if note.frontmatter is None:
        return BrokenSkill(NO_FRONTMATTER)
    values = note.frontmatter.values
    return Skill(
        name=note.frontmatter.name,
        description=note.frontmatter.description,
        body="\n".join(note.lines[note.frontmatter.end :]).strip("\r\n"),
        metadata={key.removeprefix(_METADATA): value for key, value in values.items() if key.startswith(_METADATA)},
        license=values.get("license", ""),
        compatibility=values.get("compatibility", ""),
        allowed_tools=values.get("allowed-tools", ""),
        unknown=tuple(sorted({key for key in values if key not in _FIELDS and not key.startswith(_METADATA)})),
    )


def render_skill(skill: Skill) -> bytes:
    """Return the bytes of `SKILL.md`; `parse_skill` reads the same skill from them if `check_skill` finds nothing.

    Raises:
        UnicodeEncodeError: it holds half of a character, which `check_skill` would have said.
    """
    return f"{render_opening(skill)}\n\n{skill.body}\n".encode()


def render_opening(skill: Skill) -> str:
    """Return the frontmatter of `skill`, both rules included, without a final newline."""
    fields = {
        "name": skill.name,
        "description": skill.description,
        "license": skill.license,
        "compatibility": skill.compatibility,
        "allowed-tools": skill.allowed_tools,
    }
    lines = [f"{key}: {_scalar(value)}" for key, value in fields.items() if value or key in _FIELDS[:2]]
    if skill.metadata:
        lines += [
            "metadata:",
            *(f"  {_scalar(key)}: {_scalar(value)}" for key, value in sorted(skill.metadata.items())),
        ]
    return "\n".join(["---", *lines, "---"])


def check_skill(skill: Skill, *, folder: str) -> tuple[str, ...]:
    """Return what the published rules, and reading it back, hold against `skill` in the folder of that name."""
    return tuple(
        finding
        for finding, holds in (
            *_name_findings(skill.name, folder),
            ("no description", not skill.description.strip()),
            (f"description over {LONGEST_DESCRIPTION} characters", len(skill.description) > LONGEST_DESCRIPTION),
            ("description has line breaks or blanks beside blanks", not _is_one_line(skill.description)),
            (
                f"compatibility over {LONGEST_COMPATIBILITY} characters",
                len(skill.compatibility) > LONGEST_COMPATIBILITY,
            ),
            ("metadata with a key that is no plain word", not all(map(_KEY.fullmatch, skill.metadata))),
            (f"fields that the rules do not have: {', '.join(skill.unknown)}", bool(skill.unknown)),
            ("no body", not skill.body.strip()),
            ("body with blank lines at its ends", skill.body != skill.body.strip("\r\n")),
            ("half of a character", _HALVES.search("\n".join(_texts(skill))) is not None),
            ("NUL characters", "\0" in skill.body),
            (f"frontmatter over {MOST_BYTES // 1000} kB", len(render_opening(skill)) > MOST_BYTES),
            (f"over {MAX_NOTE_BYTES // 1000} kB", _size(skill) > MAX_NOTE_BYTES),
        )
        if holds
    )


def learning_path(name: str) -> str:
    """Return where the learning called `name` stands in a memory."""
    return f"{FOLDER}{name}/{FILE_NAME}"


def learning_name(path: str) -> str:
    """Return what the learning at `path` is called, empty where none can stand there."""
    name = path.removeprefix(FOLDER).removesuffix(f"/{FILE_NAME}")
    return name if name and "/" not in name and path == learning_path(name) else ""


def is_skill_name(name: str) -> bool:
    """Whether `name` is one by the published rules: 1 to 64 of `a-z`, `0-9` and single hyphens between them."""
    return not any(holds for _, holds in _name_findings(name, name))


def write_learning(
    name: str, trigger: str, lessons: Iterable[Lesson], *, heading: str = "", metadata: Mapping[str, str] | None = None
) -> Skill:
    """Return a learning: `trigger` says when to use it, each lesson is one item that cites who said it.

    The heading is the name's words where none is given.
    """
    title = heading or name.replace("-", " ").capitalize()
    return Skill(
        name=name,
        description=_on_one_line(trigger),
        body=f"# {_on_one_line(title)}\n\n{render_items(tuple(lessons))}".strip("\n"),
        metadata=dict(metadata or {}),
    )


def lessons_of(skill: Skill) -> tuple[Lesson, ...]:
    """Return the items of `skill` that cite a source and a day; what a person wrote without is none of them."""
    return tuple(lesson for line in skill.body.split("\n") if (lesson := _lesson(line)) is not None)


def render_items(lessons: Sequence[Lesson]) -> str:
    """Return the lines that `lessons` have in a learning's body, without a final newline."""
    return "\n".join(f"{_ITEM}{_on_one_line(one.text)} {render_citation(one.sources, one.dated)}" for one in lessons)


def _lesson(line: str) -> Lesson | None:
    if not line.startswith(_ITEM):
        return None
    text, citation = split_citation(line.rstrip())
    if citation is None or not citation.dates:
        return None
    return Lesson(text=text.removeprefix(_ITEM).strip(), sources=citation.sources, dated=max(citation.dates))


def _name_findings(name: str, folder: str) -> tuple[tuple[str, bool], ...]:
    hyphens = name.startswith("-") or name.endswith("-") or "--" in name
    return (
        ("no name", not name),
        (f"name over {LONGEST_NAME} characters", len(name) > LONGEST_NAME),
        ("name with other characters than a-z, 0-9 and -", bool(name) and _NAME.fullmatch(name) is None),
        ("name with a hyphen at an end or beside another", hyphens),
        ("name is not the folder's", bool(name) and name != folder),
    )


def _texts(skill: Skill) -> tuple[str, ...]:
    named = (skill.name, skill.description, skill.license, skill.compatibility, skill.allowed_tools, skill.body)
    return (*named, *skill.metadata, *skill.metadata.values())


def _size(skill: Skill) -> int:
    return len(f"{render_opening(skill)}\n\n{skill.body}\n".encode(errors="surrogatepass"))


def _scalar(value: str) -> str:
    """Return `value` as YAML: plain where every reader takes that for text, else quoted with nothing unseen in it."""
    if _PLAIN.fullmatch(value) and not value.endswith(" ") and value.lower() not in _TYPED:
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _is_one_line(text: str) -> bool:
    return text == _on_one_line(text)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
