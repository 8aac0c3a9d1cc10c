"""What is wrong with a memory as it stands, for people to mend: the checker behind `dream check`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from types import MappingProxyType

from dream.checker.links import LinkMap, map_links
from dream.checker.pins import Asking, check_pins
from dream.errors import NewerStateError
from dream.guards.codepoints import hidden_code_points, name_code_points
from dream.guards.ownership import is_flow_file
from dream.guards.secrets import find_secrets
from dream.memory.documents import UnreadableDocumentError
from dream.memory.limits import IndexLimits
from dream.memory.notes import Note, NoteCache, Unreadable
from dream.memory.paths import FLOW_FOLDER, INDEX, Kind, collisions, is_topic, kind_of
from dream.memory.reach import check_index
from dream.memory.records import parse_record
from dream.memory.skills import NO_FRONTMATTER, Skill, check_skill, learning_name, parse_skill
from dream.memory.state import STATE_PATH, parse_state
from dream.memory.tree import Tree


class Severity(StrEnum):
    """How bad a finding is: an ERROR stops a note or a night from being read right, a WARNING is only untidy."""

    ERROR = auto()
    WARNING = auto()


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing to mend: where (`line` counts from 1, 0 is the whole file), which rule, how bad, and what helps."""

    path: str
    line: int
    rule: str
    severity: Severity
    message: str
    way_out: str

    def __str__(self) -> str:
        """Read `path:line: rule: message; way out`, on one line, whatever the path holds."""
        place = ascii(self.path)[1:-1] + (f":{self.line}" if self.line else "")
        return f"{place}: {self.rule}: {self.message}; {self.way_out}"


RULES: Mapping[str, tuple[Severity, str]] = MappingProxyType(
    {
        "odd-file": (Severity.WARNING, "the night leaves it alone; replace it by a regular file if it is a note"),
        "path-collision": (Severity.ERROR, "rename one of them: some file systems can hold only one"),
        "note-unreadable": (Severity.ERROR, "save it as UTF-8 text"),
        "note-too-large": (Severity.ERROR, "split it into several notes"),
        "frontmatter-broken": (Severity.ERROR, "mend the YAML between the --- lines; until then nobody edits the note"),
        "conflict-marker": (Severity.ERROR, "finish the merge and delete the markers"),
        "invisible-character": (Severity.WARNING, "delete it, or write the word anew"),
        "secret": (Severity.ERROR, "revoke it, then take it out of the note: history keeps it"),
        "dangling-link": (Severity.WARNING, "point the link at a note that exists, or take it out"),
        "ambiguous-link": (Severity.WARNING, "write the folder into the link"),
        "learning-invalid": (
            Severity.WARNING,
            "mend it by the Agent Skills rules: as it stands agents may not load it",
        ),
        "check-unreadable": (Severity.ERROR, "mend it: as it stands no night asks it"),
        "check-unattached": (Severity.ERROR, "write it below the entry that it checks, indented by two blanks"),
        "check-unknown-probe": (Severity.ERROR, "name a system that the organisation's file has under production"),
        "check-refused": (Severity.ERROR, "ask it with `dream probe` until it is answered, and write that down"),
        "check-undecidable": (Severity.ERROR, "write a number as what is expected"),
        "check-not-asked": (Severity.WARNING, "pin it to an entry of a topic note"),
        "check-repeated": (Severity.WARNING, "take one of them away"),
        "check-unstated": (Severity.WARNING, "state it, so that the entry is corrected when it changes"),
        "orphan-note": (Severity.WARNING, "link it; the next night lists it in the catalog"),
        "index-missing": (Severity.WARNING, "the next night makes one, or run `dream init`"),
        "index-over-limits": (Severity.ERROR, "shorten your own lines: agents do not load the rest"),
        "dead-index-link": (Severity.WARNING, "the next night takes it out"),
        "flow-file-invalid": (Severity.ERROR, "restore it from history; only the flow writes under .dream/"),
        "flow-file-unknown": (Severity.ERROR, "move it: only the flow writes under .dream/"),
    }
)
_OF_THE_INDEX = {"no-index": "index-missing", "index-over-limits": "index-over-limits", "dead-link": "dead-index-link"}


def check(tree: Tree, notes: NoteCache, limits: IndexLimits, *, asking: Asking | None = None) -> tuple[Finding, ...]:
    """Return everything to mend in `tree`, by path and line; the work grows with the memory and no faster.

    Where `asking` says what its organisation can ask of its systems, pinned checks that it cannot ask are found.
    """
    links = map_links(tree, notes)
    found = [
        *_check_names(tree),
        *_check_index(tree, limits),
        *_check_links(tree, links, limits),
    ]
    for path in tree.paths():
        if path.startswith(FLOW_FOLDER):
            found.extend(_check_flow_file(tree, path))
        elif kind_of(path) is Kind.ASSET:
            found.extend(_check_secrets(path, _small_text(tree, path, limits)))
        elif kind_of(path) is not Kind.DOT:
            found.extend(_check_note(path, notes.note(tree, path)))
            found.extend(_check_pins(path, notes.note(tree, path), asking))
            if learning_name(path):
                found.extend(_check_learning(path, tree.read(path) or b""))
    return tuple(sorted(found))


def _finding(rule: str, path: str, message: str, *, line: int = 0) -> Finding:
    severity, way_out = RULES[rule]
    return Finding(path=path, line=line, rule=rule, severity=severity, message=message, way_out=way_out)


def _check_names(tree: Tree) -> Iterator[Finding]:
    for path, why in tree.oddities().items():
        yield _finding("odd-file", path, why)
    for group in collisions([*tree.paths(), *tree.oddities()]).values():
        yield _finding("path-collision", group[0], f"the same name as {', '.join(map(ascii, group[1:]))}")


def _check_index(tree: Tree, limits: IndexLimits) -> Iterator[Finding]:
    for found in check_index(tree, limits=limits):
        rule = _OF_THE_INDEX.get(found.reason)
        if rule:
            yield _finding(rule, found.path, _shown(found.detail) or "there is no index")


def _check_links(tree: Tree, links: LinkMap, limits: IndexLimits) -> Iterator[Finding]:
    for broken in links.broken:
        rule = "ambiguous-link" if broken.is_ambiguous else "dangling-link"
        yield _finding(rule, broken.path, _shown(broken.target), line=broken.line + 1)
    if tree.blob(INDEX) is None:
        return  # one finding says so already; that then no note is linked from it says nothing more
    reached = links.reached_from_index(tree, limits)
    for path in tree.paths():
        if is_topic(path) and path not in reached:
            yield _finding("orphan-note", path, "no link leads to it from the index")


def _check_flow_file(tree: Tree, path: str) -> Iterator[Finding]:
    data = tree.read(path) or b""
    if not is_flow_file(path):
        yield _finding("flow-file-unknown", path, "not a file of the flow")
        return
    try:
        if path == STATE_PATH:
            parse_state(data)
        else:
            parse_record(data)
    except (UnreadableDocumentError, NewerStateError) as error:
        yield _finding("flow-file-invalid", path, _shown(str(error)))


def _check_note(path: str, note: Note | Unreadable) -> Iterator[Finding]:
    if isinstance(note, Unreadable):
        yield _finding("note-too-large" if note.reason.startswith("over ") else "note-unreadable", path, note.reason)
        return
    if note.broken:
        yield _finding("frontmatter-broken", path, _shown(note.broken), line=1)
    yield from _check_conflicts(path, note)
    yield from _check_invisible(path, note)
    yield from _check_secrets(path, note.text)


def _check_pins(path: str, note: Note | Unreadable, asking: Asking | None) -> Iterator[Finding]:
    for trouble in check_pins(path, note, asking) if isinstance(note, Note) else ():
        finding = _finding(trouble.rule, path, _shown(trouble.message), line=trouble.line + 1)
        yield replace(finding, way_out=trouble.way_out) if trouble.way_out else finding


def _check_learning(path: str, data: bytes) -> Iterator[Finding]:
    skill = parse_skill(data)
    if isinstance(skill, Skill):
        # Fields that the rules do not have are some tool's own, and every tool passes over another's.
        for finding in check_skill(replace(skill, unknown=()), folder=learning_name(path)):
            yield _finding("learning-invalid", path, finding)
    elif skill.reason == NO_FRONTMATTER:  # whatever else is wrong with the file has a rule of its own
        yield _finding("learning-invalid", path, skill.reason)


def _check_conflicts(path: str, note: Note) -> Iterator[Finding]:
    if "\n>>>>>>> " not in note.text:
        return
    for number, line in enumerate(note.lines):
        if line.startswith("<<<<<<< "):
            yield _finding("conflict-marker", path, "a merge was left unfinished", line=number + 1)


def _check_invisible(path: str, note: Note) -> Iterator[Finding]:
    text = note.text.removeprefix("\ufeff")
    offsets = hidden_code_points(text, carriage_returns=True)
    if offsets:
        message = f"{len(offsets)} in this note: {name_code_points(text, offsets)}"
        yield _finding("invisible-character", path, message, line=text.count("\n", 0, offsets[0]) + 1)


def _check_secrets(path: str, text: str) -> Iterator[Finding]:
    for secret in find_secrets(text):
        message = f"{secret.kind} of {secret.end - secret.start} characters"
        yield _finding("secret", path, message, line=text.count("\n", 0, secret.start) + 1)


def _small_text(tree: Tree, path: str, limits: IndexLimits) -> str:
    if tree.size(path) > limits.file_bytes:
        return ""
    data = tree.read(path) or b""
    return "" if b"\0" in data else data.decode(errors="replace")


def _shown(text: str) -> str:
    return ascii(text[:200])[1:-1]
