"""Links that lead nowhere, by our account and by the link checker's, one by one, and why the two differ."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from bench.check.others import Dead
from bench.check.trees import Memory
from dream.checker.links import check_links
from dream.checker.subject import Subject
from dream.memory.links.notation import Link, is_external, scan_links
from dream.memory.notes import Note
from dream.memory.paths import Kind, kind_of

_BOTH = "both"


@dataclass(frozen=True, slots=True, order=True)
class Account:
    """One link that somebody says leads nowhere: whose account it is, and why the other does not say so."""

    whose: str
    why: str
    file: str
    line: int
    target: str


def compare(memory: Memory, subject: Subject, theirs: Iterable[Dead]) -> tuple[Account, ...]:
    """Return every link that either calls dead, once, by whose account and why; `theirs` do not say which line."""
    others = {(dead.file, _plain(dead.target)) for dead in theirs}
    ours = list(_ours(subject))
    found = {
        Account(_BOTH, "the same link", file, line, target)
        if (file, _plain(target)) in others
        else Account("ours alone", _why_not_theirs(file, link), file, line, target)
        for file, line, target, link in ours
    }
    told = {(file, _plain(target)) for file, _, target, _ in ours}
    for file, target in sorted(others - told):
        line, why = _why_not_ours(memory, subject, file, target)
        found.add(Account("theirs alone", why, file, line, target))
    return tuple(sorted(found))


def _plain(target: str) -> str:
    return unquote(target.strip().strip("<>"))


def _ours(subject: Subject) -> Iterator[tuple[str, int, str, Link]]:
    """Yield the links that are found dead, each with where it stands."""
    links = {}
    for path, note in subject.notes.items():
        for link in scan_links(note.text) if isinstance(note, Note) else ():
            links[path, link.line + 1, link.target, link.anchor] = link
    dead = {(one.path, one.line, one.message) for one in check_links(subject) if one.line}
    addresses = {(path, link.line + 1) for path, found in subject.links.addresses.items() for link in found}
    for (path, line, target, anchor), link in sorted(links.items()):
        whole = f"{target}#{anchor}" if anchor else target
        shown = {ascii(text[:200])[1:-1] for text in (target, whole)}
        is_address = (path, line) in addresses and link in subject.links.addresses[path]
        if is_address or any((path, line, text) in dead for text in shown):
            yield path, line, whole, link


def _why_not_theirs(file: str, link: Link) -> str:
    if link.kind == "wiki":
        return "`[[name]]`, which is no Markdown to it"
    if link.anchor and link.target:
        return "a heading of another note, which it does not look for"
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(file), unquote(link.target)))
    if link.target.startswith("/"):
        return "from the root: of the disk to it, of the memory to us"
    if joined.startswith(".."):
        return "beside the memory, where it finds a file"
    return "it takes the same target for found"


def _why_not_ours(memory: Memory, subject: Subject, file: str, target: str) -> tuple[int, str]:
    note = subject.notes.get(file)
    if kind_of(file) in {Kind.DOT, Kind.ASSET} or not isinstance(note, Note):
        return 0, "in a file that no night reads"
    line = next((number for number, text in enumerate(note.lines, start=1) if target.partition("#")[0] in text), 0)
    for link in scan_links(note.text):
        whole = f"{link.target}#{link.anchor}" if link.anchor else link.target
        if _plain(whole) != target:
            continue
        if is_external(link):
            return link.line + 1, "an address of another kind, which we do not open"
        folder = posixpath.normpath(posixpath.join(posixpath.dirname(file), _plain(link.target)))
        if any(path.startswith(f"{folder}/") for path in memory.tree.paths()):
            return link.line + 1, "a folder that is there"
        return link.line + 1, "found by our reading of it"
    return line, "no link to us: in code, in HTML, or no Markdown"
