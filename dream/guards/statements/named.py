"""Names in a claim that nobody gave: people, products and things that neither the evidence nor the record names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from dream.guards.vocabulary import content_words
from dream.memory.similarity import word_set

_WORD = re.compile(r"[^\W_]+(?:[-'\u2019][^\W_]+){0,6}")
_SENTENCE_START = re.compile(r"(?:[.!?:;\u2014]\s|\n)[\s\"'(*_`\u201c-]{0,6}\Z")
_MARKS = " \"'(*_`\u201c-"
_REACH = 8


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LITERAL = re.compile(
    r"(?<![\w-])-[A-Za-z]\b(?!-)|(?<![\w./])\.[A-Za-z][A-Za-z0-9_-]{1,40}(?:\.[A-Za-z0-9]{1,10})?\b"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}"
    r"|[\"\u201c](?P<quoted>[^\"\u201c\u201d\n]{1,200})[\"\u201d]"
)
_CAPITALISED = _set(
    "I I'm I'd I'll I've OK ID IDs URL URLs API APIs JSON YAML HTML HTTP HTTPS CSS SQL PR PRs CI CD CLI UI UX UTC US "
    "README TODO Monday Tuesday Wednesday Thursday Friday Saturday Sunday "
    "MB GB KB TB AM PM LLM AI CPU RAM GPU OS IDE SDK VM DNS TLS SSH"
)
_OFFICE = (
    r"ceo|cto|cfo|ciso|ciio|coo|vp|boss|chief|director|manager|management|leadership|lead|head|admins?"
    r"|administrators?"
    r"|security|legal|compliance|ops|operations|sre|devops|on-?call|owner|auditors?|board|support|customers?"
    r"|vendor|qa"
)
_WHO = rf"(?P<{{name}}>(?i:{_OFFICE})|[A-Z][a-z]{{{{1,20}}}})"
_WITNESS = re.compile(
    r"\b(?i:according to|as|per|confirmed by|approved by|verified by|signed off by|authori[sz]ed by|ordered by"
    r"|decided by"
    r"|requested by|reported by|asked by|told by|instructed by) (?i:the |our |their |your )?"
    + _WHO.format(name="by")
    + r"\b"
    r"|\b(?i:the |our )?" + _WHO.format(name="who") + r"(?i: team| department| staff)?"
    r" (?i:said|says|confirmed|confirms|approved|approves|verified|signed off|authori[sz]ed|announced|insists"
    r"|insisted|told)\b"
)
_LATIN = ("LATIN", "MICRO", "MASCULINE", "FEMININE", "MODIFIER", "COMBINING")
_ALIKE = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "FULLWIDTH", "MATHEMATICAL", "LISU", "DOUBLE-STRUCK")
_LONGEST_SYMBOL = 2


def unknown_name(statement: str, known: str) -> str:
    """Return a name inside `statement`, by its capital letter, that does not stand in `known`; else nothing.

    A word that begins a sentence tells nothing by its capital.
    """
    words = word_set(known)
    stems = content_words(known)
    for match in _WORD.finditer(statement):
        word = match[0]
        if not word[0].isupper() or word in _CAPITALISED or _begins_sentence(statement, match.start()):
            continue
        parts = [part for part in re.split(r"[-'\u2019]", word) if len(part) > 1]
        if any(part[0].isupper() and not (word_set(part) & words or content_words(part) & stems) for part in parts):
            return word
    return ""


def _begins_sentence(text: str, at: int) -> bool:
    before = text[max(0, at - _REACH) : at]
    return (at < _REACH and not before.strip(_MARKS)) or _SENTENCE_START.search(before) is not None


def unknown_literal(statement: str, known: str) -> str:
    """Return a short flag, dotfile, address or quoted phrase of `statement` that `known` has not; else nothing."""
    plain = " ".join(known.split()).casefold()
    for match in _LITERAL.finditer(statement):
        found: str = match["quoted"] or match[0]
        literal = " ".join(found.split())
        if literal.casefold().rstrip(".,;:") not in plain:
            return literal
    return ""


def unknown_speaker(statement: str, known: str) -> str:
    """Return whom `statement` calls as a witness (`as the CTO said`) and `known` does not name; else nothing."""
    words = word_set(known)
    for match in _WITNESS.finditer(statement):
        who: str = match["by"] or match["who"]
        if not word_set(who) <= words:
            return who
    return ""


def disguised_word(statement: str, known: str) -> str:
    """Return a word in letters that look like Latin ones, or that mixes scripts, and does not stand in `known`."""
    if statement.isascii():
        return ""
    standing = frozenset(_words(known))
    for word in _words(statement):
        if not word.isascii() and word not in standing and _is_disguised(word):
            return word
    return ""


def unknown_resource(resource: str, known: str) -> str:
    """Return a word of the name of a resource that stands nowhere in `known`, in whatever spelling; else nothing."""
    plain = _spread(known)
    words = content_words(plain) | word_set(plain)
    run_together = "".join(_WORD.findall(known.lower()))
    for match in _WORD.finditer(_spread(resource)):
        word: str = match[0]
        if not content_words(word) <= words and word.lower() not in run_together:
            return word
    return ""


_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def _spread(text: str) -> str:
    return _CAMEL.sub(" ", text).replace("_", " ").replace("-", " ")


def _words(text: str) -> Iterator[str]:
    yield from (match[0] for match in _WORD.finditer(text))


def _is_disguised(word: str) -> bool:
    scripts = {_script(letter) for letter in word if letter.isalpha()}
    foreign = {script for script in scripts if script in _ALIKE}
    if foreign and any(script in _LATIN for script in scripts):
        return True
    return bool(foreign) and len(word) > _LONGEST_SYMBOL


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]
