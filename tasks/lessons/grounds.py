"""Whether a rule that rests on changed lines alone speaks of what stands there. English. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dream.guards.vocabulary import content_words

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][a-z]{1,2})?")
_MOST_UNKNOWN = 0.3
_SHORTEST = 3
_ENOUGH = 5
# What a sentence about any change says beside the names of the things themselves.
_OF_RULES = content_words(
    "use using used prefer always never not no only avoid without instead rather than over replace change call calling "
    "write writing add remove drop put keep set make do does should must when where whenever before after all any each "
    "every other new agent agents pull request code file files folder line lines name names named function functions "
    "method methods call calls class module package import imports type types value values argument parameter constant "
    "variable field string text test tests comment comments here there them one same directly explicitly error errors"
)
_WIDE = re.compile(
    r"\b(?:always|anywhere|everything|everywhere|throughout|without exception"
    r"|(?:all|any|each|every|entire|whole)\s(?:\w{1,30}\s){0,2}(?:agent|app|code\w{0,6}|file|folder|module|package"
    r"|place|project|repositor(?:y|ies)|service|source|system|test)s?)\b",
    re.IGNORECASE,
)
_WANTS = re.compile(
    r"\b(?:use|using|prefer|call|import|adopt|add|install|with|via|through|to|write|pass|throw|return|be)\s+"
    r"(?:(?:a|an|the|its|their|our|only|always|plain)\s+){0,2}$",
    re.IGNORECASE,
)


def wider_word(statement: str, evidence: Iterable[str]) -> str:
    """Return a word by which `statement` holds for more than the changed lines and their places say, else nothing."""
    there = " ".join("\n".join(evidence).casefold().split())
    return next((match[0] for match in _WIDE.finditer(statement) if match[0].casefold() not in there), "")


def unfounded_word(statement: str, evidence: Iterable[str]) -> str:
    """Return a word of `statement` that the changed lines and their places do not have, where that makes it unfounded.

    That is one that the rule asks for by name (`use winston`), or the first of several beside the words that any rule
    is made of; else nothing.
    """
    known = content_words(_CAMEL.sub(" ", "\n".join(evidence))) | content_words("\n".join(evidence))
    unknown: list[str] = []
    count = 0
    for match in _WORD.finditer(_CAMEL.sub(" ", statement)):
        stems = content_words(match[0])
        if not stems or stems <= _OF_RULES:
            continue
        count += 1
        if all(_stands(stem, known) for stem in stems):
            continue
        if _WANTS.search(_CAMEL.sub(" ", statement)[: match.start()]):
            return match[0]
        unknown.append(match[0])
    return unknown[0] if len(unknown) > _MOST_UNKNOWN * count else ""


def _stands(stem: str, known: frozenset[str]) -> bool:
    """Whether a word stands there, if only as the beginning of a name, or the other way round (`log`, `logger`)."""
    if stem in known:
        return True
    return len(stem) >= _SHORTEST and any(
        word.startswith(stem) or (len(word) >= _ENOUGH and stem.startswith(word)) for word in known
    )
