"""What a block of a tool tells in SpecStory's Markdown: the call, its output, how it ended, what it edited. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dream.sources.sessions.changes import bounded_patch, patch_of_text
from dream.sources.sessions.formats.specstory_turns import Block
from dream.sources.sessions.tools import EDITORS, SHELLS

_TICKED = re.compile(r"`([^`\n]{1,1000})`")
_EDITED = re.compile(
    r"(?:The file (\S{1,1000}) has been updated|File created successfully at: (\S{1,1000})"
    r"|• (?:Edit|Write) file: (\S{1,1000}?)(?:</summary>|\s|\Z))"
)
_PATCHED = re.compile(r"\*\*(?:Add|Update|Delete|Move): `([^`\n]{1,1000})`\*\*")
_EXIT = re.compile(r"Exit code:? ([0-9]{1,10})\r?(?:\n|\Z)")
_EXITED = re.compile(r"(?:\A|\n)Process exited with code ([0-9]{1,10})\r?(?:\n|\Z)")
_OUTPUT = "\nOutput:"
_WRAPPER = 400
_FAILURES = ("<tool_use_error>", "The user doesn't want to ", "User rejected ")
_SUMMARY_END = "</summary>"
_LISTS = "LS"
_WRITES = "write"
_COMMANDS = frozenset({"```bash", "```sh", "```shell", "```zsh", "```powershell"})
_TICK = "&#96;"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A file that a call edited, and what changed there."""

    path: str
    diff: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One call: `details` is what was asked in one line, `command` a shell's command, `output` what was printed."""

    details: str
    output: str
    command: str = ""
    exit_code: int | None = None
    failed: bool = False
    edits: tuple[Edit, ...] = ()


@dataclass(slots=True, kw_only=True)
class _Asked:
    """What stands above the output: words, fenced texts with their fences' openings, and where the output begins."""

    words: list[str] = field(default_factory=list)
    fenced: list[tuple[str, str, list[str]]] = field(default_factory=list)
    ends: int | None = None

    @property
    def details(self) -> str:
        return " ".join(self.words).strip()


def told_by(block: Block, *, most: int) -> Told:
    """Return what a block of a tool tells, with diffs of at most `most` characters."""
    asked = _asked(block)
    last = _last_fence(block.lines)
    output = "" if asked.ends is None else "\n".join(block.lines[asked.ends + 1 : max(last, asked.ends + 1)])
    exit_code = _exit_code(output)
    failed = bool(exit_code) or output.startswith(_FAILURES)
    return Told(
        details=asked.details,
        output=output,
        command=_command(block, asked),
        exit_code=exit_code,
        failed=failed,
        edits=() if failed else tuple(_edits(block, asked, most)),
    )


def _asked(block: Block) -> _Asked:
    """Return what was asked; the first fence that is plain is where the output begins."""
    asked, fence, patched = _Asked(), "", ""
    for place, raw in enumerate(block.lines):
        line = raw.rstrip("\r")
        if line in {"```", "```text"} and not fence:
            asked.ends = place
            break
        if line.startswith("```"):
            fence = "" if fence else line
            if fence:
                asked.fenced.append((fence, patched, []))
        elif not line.startswith(("<tool-use", "<details", "</")):
            shown = line.removeprefix("<summary>").split(_SUMMARY_END)[0]
            asked.words.append(shown.removeprefix(f"Tool use: **{block.tool}**").strip())
            if fence:
                asked.fenced[-1][2].append(line)
            else:
                named = _PATCHED.search(line)
                patched = named[1] if named else patched
    return asked


def _last_fence(lines: Sequence[str]) -> int:
    return next((place for place in range(len(lines) - 1, -1, -1) if lines[place].rstrip() == "```"), len(lines))


def _exit_code(output: str) -> int | None:
    wrapper = output[:_WRAPPER].split(_OUTPUT, 1)[0]
    found = _EXIT.match(wrapper) or (_EXITED.search(wrapper) if "Process exited" in wrapper else None)
    return int(found[1]) if found else None


def _command(block: Block, asked: _Asked) -> str:
    if block.tool not in SHELLS and (block.family != "shell" or block.tool == _LISTS):
        return ""
    for opening, _, lines in asked.fenced:
        if opening in _COMMANDS:
            return "\n".join(lines)
    ticked = (word[1:-1] for word in asked.words if len(word) > len("``") and word[0] == word[-1] == "`")
    return next(ticked, "")


def _edits(block: Block, asked: _Asked, most: int) -> Iterator[Edit]:
    if block.family != _WRITES and block.tool not in EDITORS:
        return
    path = _edited_path(block, asked.details)
    edits: dict[str, list[str]] = {path: []} if path and not any(patched for _, patched, _ in asked.fenced) else {}
    for opening, patched, lines in asked.fenced:
        of = patched or path
        if of:
            edits.setdefault(of, []).extend(_diff(block, opening, lines, most))
    yield from (Edit(path=of, diff=bounded_patch(diff, most=most)) for of, diff in edits.items())


def _diff(block: Block, opening: str, lines: Sequence[str], most: int) -> list[str]:
    if opening == "```diff":
        return [line.replace(_TICK, "`") for line in lines]
    if "write" not in block.tool.lower():
        return []
    written = "\n".join(line.replace("\\```", "```") for line in lines)
    return patch_of_text(written, most=most).split("\n")


def _edited_path(block: Block, details: str) -> str:
    said = _EDITED.search("\n".join(block.lines))
    if said is not None:
        return next(path for path in said.groups() if path)
    ticked = _TICKED.search(details)
    return ticked[1] if ticked else ""
