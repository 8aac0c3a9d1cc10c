"""Credentials, and what talks to agents where no person answers for it.

Place and origin decide first, as in the night's own screen: what people tell agents is what a memory is for. So these
are looked for in entries that cite an agent or something external, and in comments, which no reader sees. In all text
of unknown origin they were wrong more often than right: notes about agents quote such phrases.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from dream.checker.finding import Finding, find
from dream.checker.subject import Subject
from dream.guards.hidden import Hiding
from dream.guards.instructions import instructions_to_agents, leaks_or_hides
from dream.guards.secrets import Secret, find_secrets
from dream.memory.notes import Note
from dream.memory.paths import Kind, kind_of
from dream.memory.sources import Origin, weakest

_UNTRUSTED = frozenset({Origin.AGENT, Origin.EXTERNAL})
_LONGEST_SHOWN = 60
_MARK = 12
_MASK = 3
_MASKED = re.compile(r"\*{0,3}(?:\*{3}|\.{3}|\u2026)")
_NEAR = 40
_ID = re.compile(r"(?:\b|_)(?:id|uuid|sha|hash|digest|etag)[\"']?\s{0,3}[:=]\s{0,3}[\"']?\Z", re.IGNORECASE)

_Finder = Callable[[str], Iterable[Hiding]]
_FINDERS: Mapping[str, _Finder] = {"agent-instruction": instructions_to_agents, "hides-or-leaks": leaks_or_hides}


def check_secrets(path: str, text: str) -> Iterator[Finding]:
    """Yield the credentials in a file, none of which is shown."""
    lines, at, line = text.split("\n"), 0, 0
    for secret in find_secrets(text):
        line, at = line + text.count("\n", at, secret.start), secret.start
        if _is_named_id(text, secret) or _MASKED.match(text, max(secret.start, secret.end - _MASK)):
            continue
        last = line + text.count("\n", secret.start, secret.end)
        message = f"{secret.kind} of {secret.end - secret.start} characters"
        yield find("secret", path, message, line=line + 1, mark=mark_of(path, lines[line : last + 1]))


def _is_named_id(text: str, secret: Secret) -> bool:
    """Whether what looks random is called an id, as ids of messages and calls are in notes about transcripts."""
    return secret.kind == "high-entropy" and _ID.search(text, max(0, secret.start - _NEAR), secret.start) is not None


def check_instructions(path: str, note: Note) -> Iterator[Finding]:
    """Yield what is aimed at the agents that read the note at `path`."""
    told = set[tuple[str, int, str]]()
    for text, lines in _said_by_nobody(path, note):
        for rule, finder in _FINDERS.items():
            for finding in _placed(rule, path, note, tuple(finder(text)), lines):
                if (place := (rule, finding.line, finding.mark)) not in told:
                    told.add(place)
                    yield finding


def text_of(subject: Subject, path: str) -> str:
    """Return the text of a file that is no note; empty where it is large or no text."""
    if subject.tree.size(path) > subject.index.file_bytes:
        return ""
    data = subject.tree.read(path) or b""
    return "" if b"\0" in data else data.decode(errors="replace")


def mark_of(path: str, lines: Sequence[str]) -> str:
    """Return what a waiver names lines by: it holds for these in this file as they stand, and for no others."""
    said = "\n".join(line.strip() for line in lines)
    return hashlib.sha256(f"{path}\n{said}".encode(errors="surrogatepass")).hexdigest()[:_MARK]


def _said_by_nobody(path: str, note: Note) -> Iterator[tuple[str, range]]:
    """Yield the texts that no person answers for, each with its lines."""
    if kind_of(path) is not Kind.PREFERENCE:
        for entry in note.entries:
            if weakest(entry.sources) in _UNTRUSTED:
                yield entry.raw, range(entry.start, entry.end)
    yield from _comments(note.text)


def _comments(text: str) -> Iterator[tuple[str, range]]:
    """Yield what stands in comments, each with its lines; one pass, however many are opened and never closed."""
    at, line = 0, 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        line += text.count("\n", at, start)
        inner = text[start + 4 : end]
        yield inner, range(line, line + inner.count("\n") + 1)
        at, line = end, line + inner.count("\n")


def _placed(rule: str, path: str, note: Note, found: Sequence[Hiding], lines: range) -> Iterator[Finding]:
    """Yield a finding for each of `lines` that says some of what is `found`, and one for what they say together."""
    together, places = dict.fromkeys(hiding.text for hiding in found), dict[int, tuple[str, range]]()
    for number in lines if found else ():
        for hiding in _FINDERS[rule](note.lines[number]):
            together.pop(hiding.text, None)
            places.setdefault(number, (hiding.text, range(number, number + 1)))
    whole = [(text, lines) for text in together][:1]
    for text, says_it in (*places.values(), *whole):
        message = f"`{ascii(text[:_LONGEST_SHOWN])[1:-1]}`"
        mark = mark_of(path, note.lines[says_it.start : says_it.stop])
        yield find(rule, path, message, line=says_it.start + 1, mark=mark)
