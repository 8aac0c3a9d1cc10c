"""What a claim writes as a name stands so in its evidence, code point for code point, and so do the parts of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dream.guards.vocabulary import content_words
from dream.memory.similarity import word_set


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TOKEN = re.compile(r"(?<![\w./~@-])[\w./~@-]{2,200}")
_CAMEL = re.compile(r"[a-z0-9][A-Z]")
_SNAKE = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]")
_FILE = re.compile(r"[\w/~-][\w./~@-]{0,200}\.[A-Za-z][A-Za-z0-9]{0,5}")
_SHORTENED = frozenset({"e.g", "i.e", "a.m", "p.m", "u.s", "vs", "etc"})
_SLASHES = 2
_SPAN = re.compile(r"`([^`\n]{1,200})`")
_QUOTED = re.compile(r"[\"\u201c]([^\"\u201c\u201d\n]{1,200})[\"\u201d]")
_NAMES = re.compile(r"(?<![\w.])[A-Z][a-z0-9]{1,30}(?: [A-Z][A-Za-z0-9]{0,30}){1,6}")
_ENDS = ".,;:!?"
# Abbreviations for a kind of thing, which a name may be given as its last word: `Codex CLI`, `Billing API`.
_KINDS = _set("API APIs CLI CLIs DB ID IDs IDE PR PRs SDK UI UX URL URLs VM VMs")
_STARTS = re.compile(r"(?:\A|[.!?:;\u2014]\s|\n)[\"'(*_`\u201c-]{0,6}\Z")
_REACH = 8
_PAIR = re.compile(r"(?<![\w/.:=-])([A-Za-z_][\w.-]{1,40})(?:: ?|=)([A-Za-z_][\w.-]{1,40})")
_LIST = re.compile(r"(?:[\w`./@-]{1,40}, ){2,20}(?:[\w`./@-]{1,40},? )?(?:and|or) [\w`./@-]{1,40}")
_COMMAS = re.compile(r",? (?:and|or) |, ")
_LEAST_ITEMS = 4
_NO_VOWEL = re.compile(r"(?<![\w./'\u2019@-])[b-df-hj-np-tv-xz]{2,8}(?![\w/'\u2019-])")
_NO_NAMES = _set("vs ms ns kb mb gb tb st nd rd th px hr hrs min mins pm cm mm km kg nth")


def changed_name(statement: str, known: str) -> str:
    """Return what `statement` writes as a name and `known` has not so, code point for code point; else nothing.

    That is a code span, a quoted phrase (but for the case of its first letter), an identifier in camel or snake case, a
    path, and a name of several words with capitals. How a line is broken counts for nothing.
    """
    plain = " ".join(known.split())
    for found in _quoted(statement):
        if found not in plain and found[:1].swapcase() + found[1:] not in plain:
            return found
    for found in (*_identifiers(statement), *_names(statement)):
        if not _stands(found, plain):
            return found
    return ""


def changed_pair(statement: str, known: str) -> str:
    """Return a setting (`mode: print`, `mode=print`) that `known` gives another value each time; else nothing."""
    for match in _PAIR.finditer(statement):
        name, value = match[1], match[2].rstrip(_ENDS)
        given = [one[2].rstrip(_ENDS) for one in _PAIR.finditer(known) if one[1] == name]
        if given and value not in given:
            return match[0]
    return ""


def changed_item(statement: str, known: str) -> str:
    """Return the one item of a list in `statement` that `known` has not, where it has all others; else nothing.

    The rest of a list shows that its items are names, however they are written: `help, login, resume and check`.
    """
    words = content_words(known) | word_set(known)
    for match in _LIST.finditer(statement):
        items = [item.strip("`") for item in _COMMAS.split(match[0]) if item]
        missing = [item for item in items if not content_words(item) <= words]
        if len(items) >= _LEAST_ITEMS and len(missing) == 1:
            return missing[0]
    return ""


def changed_abbreviation(statement: str, known: str) -> str:
    """Return a word of `statement` without a vowel (`npm`, `tls`), which is a name, that `known` has not."""
    words = word_set(known)
    for match in _NO_VOWEL.finditer(statement):
        if match[0] not in words and match[0] not in _NO_NAMES:
            return match[0]
    return ""


def _quoted(statement: str) -> Iterator[str]:
    for pattern in (_SPAN, _QUOTED):
        for match in pattern.finditer(statement):
            found = " ".join(match[1].split()).rstrip(_ENDS)
            if found:
                yield found


def _identifiers(statement: str) -> Iterator[str]:
    for match in _TOKEN.finditer(_SPAN.sub(" ", statement)):
        found = match[0].rstrip(".-/")
        if found.lower() in _SHORTENED or found.startswith("//"):
            continue
        is_path = found.count("/") >= _SLASHES or _FILE.fullmatch(found) is not None
        if is_path or _CAMEL.search(found) or _SNAKE.search(found):
            yield found


def _names(statement: str) -> Iterator[str]:
    for match in _NAMES.finditer(statement):
        if _STARTS.search(statement[max(0, match.start() - _REACH) : match.start()]):
            continue
        words = match[0].split(" ")
        while words and words[-1] in _KINDS:
            words.pop()
        if len(words) > 1:
            yield " ".join(words)


def _stands(name: str, text: str) -> bool:
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(name) : at + len(name) + 1]
        if not (_goes_on(before) or _goes_on(after)):
            return True
        at = text.find(name, at + 1)
    return False


def _goes_on(character: str) -> bool:
    return character.isalnum() or character == "_"
