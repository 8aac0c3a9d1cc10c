"""Which changes to a pull request say nothing of how work is to be done: form, order, versions, generated files."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dream.memory.similarity import word_set

_GENERATED = re.compile(
    r"(?:^|/)(?:[\w.-]{0,60}lock(?:file)?(?:\.\w{1,8})?|go\.sum|npm-shrinkwrap\.json|change(?:log|s)[\w.-]{0,40}"
    r"|release[-_]?notes[\w.-]{0,40}|history\.md|news\.md)$"
    r"|(?:^|/)(?:dist|build|out|vendor|node_modules|target|__snapshots__|__generated__|generated|gen|migrations"
    r"|\.changeset)/"
    r"|\.(?:min\.\w{1,4}|map|snap|lock|svg|xlf|po|pot|csv|ipynb)$|_pb2(?:_grpc)?\.pyi?$|\.pb\.\w{1,4}$"
    r"|\.(?:g|freezed|generated|gen|designer)\.\w{1,4}$",
    re.IGNORECASE,
)
_VERSION = re.compile(r"[\s\"'`v^~<>=!,@*-]{0,6}[0-9][\w.+-]{0,60}[\s\"'`,;]{0,4}")
_NUMBERS = re.compile(
    r"\b[0-9a-f]{7,64}\b|[0-9]+(?:\.[0-9]+){0,4}(?:\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b)?",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|--|<!--|%|;)")
_IMPORT = re.compile(r"\s*(?:import|from|use|using|require|include|#include|export \*|\w{1,40} = require)\b")
_LAID_OUT = str.maketrans({"'": '"', "`": '"', ";": None, ",": None, " ": None, "\t": None, "(": None, ")": None})
_COMPARISONS = frozenset({"==", "===", "!=", "!==", "||", "??", "&&"})
_SHORTEST = 2


def is_generated(path: str) -> bool:
    """Whether nobody writes this file by hand: a lock file, a build, a snapshot, a list of changes."""
    return _GENERATED.search(path) is not None


def is_moved(line: str, elsewhere: Mapping[str, int]) -> bool:
    """Whether a line stands `elsewhere` in the same edits, so that it was moved and not changed."""
    return elsewhere.get(line.strip(), 0) > 0


def is_trivial(part: str, became: str, *, old: str, new: str) -> bool:
    """Whether nothing can be learned from a `part` of the line `old` that `became` another in `new`.

    Form (blanks, quotes, commas), the order of imports, punctuation of comments, numbers and versions, one letter.
    """
    if {part, became} <= _COMPARISONS:
        return part == became
    if part.translate(_LAID_OUT) == became.translate(_LAID_OUT) or min(len(part), len(became)) < _SHORTEST:
        return True
    if not (any(map(str.isalpha, part)) and any(map(str.isalpha, became))):
        return True
    if _VERSION.fullmatch(part) and _VERSION.fullmatch(became):
        return True
    if _NUMBERS.sub("0", part) == _NUMBERS.sub("0", became):
        return True
    is_form = _COMMENT.match(old) and _COMMENT.match(new)
    is_form = is_form or (_IMPORT.match(old) and _IMPORT.match(new))
    return bool(is_form) and word_set(old) == word_set(new)
