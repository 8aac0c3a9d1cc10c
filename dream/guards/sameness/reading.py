"""A statement as the row of what it says: names and values to the letter, words by what they mean, the rest dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dream.guards.sameness.tables import BECAUSE, GUARDED, LEADS, PAUSES, PHRASES, SAME, SAYS_NOTHING
from dream.guards.vocabulary import content_words
from dream.memory.specifics import SPELLED, UNITS

_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\(([^()\s]{0,1000})[^()]{0,200}\)")
_NAMED = re.compile(r"\[\[([^\[\]|]{1,300})(?:\|[^\[\]]{0,300})?\]\]")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`]{1,2000})(?<!`)\1(?!`)")
_MARKED = "\ue000"
_TOKEN = re.compile(
    rf"{_MARKED}[^\s{_MARKED}]{{1,2000}}|<[a-z-]{{2,9}}>|[A-Za-z][A-Za-z0-9+.-]{{1,15}}://[^\s<>()]{{1,2000}}"
    r"|[-+~$€£@#]{0,2}[^\W_](?:[\w./:%+'-]{0,400}[\w%+])?%?|[,;:.!?()\[\]\u2014\u2013\n]|[^\s\w*_~`\"]"
)
_AMOUNT = re.compile(r"(?P<number>[-+]?[$€£]?[0-9][0-9.,_]{0,40})(?P<unit>[A-Za-z%]{0,7})")
_PLAIN = re.compile(r"[a-z]{1,60}")
_MOST_LEADING = 6
VALUE = re.compile(r"=(?:[-+]?[$€£]?[0-9][0-9.,]{0,40}%?|[vV]?[0-9]{1,9}(?:\.[0-9]{1,9}){1,5})")
"""A number or a version, among the names and values that are kept to the letter."""


@dataclass(frozen=True, slots=True)
class Word:
    """What a word says (`means`, empty for a pause), how it reads, and whether it may be in one wording alone."""

    means: str
    said: str
    is_free: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it is a name or a value, to be kept to the letter."""
        return self.means.startswith("=")


@lru_cache(maxsize=20_000)
def read_saying(text: str) -> tuple[tuple[Word, ...], ...]:
    """Return the clauses of a statement, in order, each as the row of its words; a clause that leads goes behind."""
    clauses: list[tuple[Word, ...]] = []
    leading: tuple[Word, ...] = ()
    for clause in _clauses(list(_words(_plain(text)))):
        is_leading = not clauses and not leading and clause[0].said in LEADS and len(clause) <= _MOST_LEADING
        if is_leading:
            leading = clause
        else:
            clauses.append((*_flipped(clause), *leading))
            leading = ()
    if leading:
        clauses.append(leading)
    return tuple(clauses)


def read_words(text: str) -> tuple[Word, ...]:
    """Return the words of a statement as they stand, without pauses."""
    return tuple(word for word in _words(_plain(text)) if word.means)


def _plain(text: str) -> str:
    """Return `text` with its code and the targets of its links marked, and its phrases in one form each."""
    text = _NAMED.sub(lambda match: f" {_MARKED}{match[1].strip().replace(' ', '-')} ", text)
    text = _LINK.sub(lambda match: f"{match[1]} {_MARKED}{match[2]} ", text)
    pieces, at = [], 0
    for match in _CODE.finditer(text):
        pieces += [_in_one_form(text[at : match.start()]), *(f" {_MARKED}{part} " for part in match[2].split())]
        at = match.end()
    return "".join((*pieces, _in_one_form(text[at:])))


def _in_one_form(text: str) -> str:
    for pattern, plain in PHRASES:
        text = pattern.sub(plain, text)
    return text


def _words(text: str) -> Iterator[Word]:
    for match in _TOKEN.finditer(text):
        yield from _read(match[0])


def _read(token: str) -> Iterator[Word]:
    lower = token.casefold().removesuffix("'s")
    if token in PAUSES:
        yield Word("", token)
    elif token.startswith(_MARKED):
        bare = token.removeprefix(_MARKED)
        is_word = _PLAIN.fullmatch(bare) and bare not in SAYS_NOTHING and bare not in GUARDED
        yield Word(_meaning(bare), bare) if is_word else Word(f"={bare.removeprefix('./')}", bare)
    elif token.startswith("<"):
        yield Word(token, token)
    elif lower in GUARDED:
        yield Word(GUARDED[lower], lower)
    elif lower in SPELLED:
        yield Word(f"={SPELLED[lower]}", lower)
    elif lower in UNITS and len(lower) > 1:
        yield Word(f"u:{UNITS[lower]}", lower)
    elif amount := _AMOUNT.fullmatch(token):
        yield from _amount(amount, token)
    elif not _PLAIN.fullmatch(lower):
        yield Word(f"={token.removeprefix('./').removesuffix(chr(39) + 's')}", lower)
    elif lower in SAYS_NOTHING:
        yield Word(lower, lower, is_free=True)
    else:
        yield Word(_meaning(lower), lower)


def _amount(match: re.Match[str], token: str) -> Iterator[Word]:
    unit = match["unit"].lower()
    number = match["number"].rstrip(".,")
    if unit and unit not in UNITS:
        yield Word(f"={token}", token)
        return
    yield Word(f"={number}", number)
    if unit:
        yield Word(f"u:{UNITS[unit]}", unit)


def _meaning(word: str) -> str:
    return SAME.get(word) or min(content_words(word), default=word)


def _clauses(words: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    clause: list[Word] = []
    for word in words:
        if not word.means or word.means == BECAUSE:
            if clause:
                yield tuple(clause)
            clause = []
        if word.means:
            clause.append(word)
    if clause:
        yield tuple(clause)


def _flipped(clause: Sequence[Word]) -> Iterator[Word]:
    """Yield the words of a clause, `port of search-api` as `search-api port`."""
    row = list(clause)
    for at in range(1, len(row) - 1):
        after = next((n for n in range(at + 1, min(at + 3, len(row))) if not row[n].is_free), None)
        if row[at].said == "of" and not row[at - 1].is_free and after is not None and row[after].is_name:
            row[at - 1], row[after] = row[after], row[at - 1]
    yield from row
