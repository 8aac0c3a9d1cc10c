"""Checks that people pin to an entry: what to ask a probe, and what it is to answer, so that no model is needed.

A check is an indented line of its entry, below its first: ``check: PROBE OPERATION `TEXT` RELATION `EXPECTED` ``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from dream.memory.codespans import code_span, span_at
from dream.memory.quantities import is_same_value, number_of, plain_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Relation(StrEnum):
    """How what a probe answers is to stand to what is expected; the words are those of a check."""

    IS = "is"
    IS_NOT = "is not"
    CONTAINS = "contains"
    AT_LEAST = "at least"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedCheck:
    """One check, on line `line` (from 0) of its entry; where it stands makes no two checks different."""

    probe: str
    operation: str
    text: str = ""
    relation: Relation
    expected: str
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        """Return the check as it is written, without indentation."""
        asked = [code_span(self.text)] if self.text else []
        return " ".join(["check:", self.probe, self.operation, *asked, self.relation, code_span(self.expected)])


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenCheck:
    """A line that is meant as a check and cannot be read as one: `reason` says how to mend it."""

    reason: str
    line: int


FORM = "check: PROBE OPERATION `TEXT` RELATION `EXPECTED`"
LONGEST = 4_000
"""Characters of one check."""

LONGEST_EXPECTED = 500
"""Characters of a value that the night writes as expected."""

_LONGEST_SHOWN = 80
_LINE = re.compile(
    r"(?P<indent>[ \t]*)(?P<marker>[-+*][ \t]+)?(?P<stars>\*\*|__)?[Cc]heck:(?:\*\*|__)?[ \t]*"
    r"(?P<rest>.*)",
    re.DOTALL,
)
_WITHOUT_COLON = re.compile(r"[ \t]+[Cc]heck[ \t]+(?=[^:])")
_ASKED = re.compile(
    r"(?P<probe>[a-z0-9]{1,63}(?:-[a-z0-9]{1,63})*)[ \t]+(?P<operation>[A-Za-z0-9_][A-Za-z0-9_./-]*)(?:[ \t]+|\Z)"
)
_RELATION = re.compile(r"[ \t]*(is[ \t]+not|is|contains|at[ \t]+least|at[ \t]+most)(?=[ \t`]|\Z)[ \t]*")
_END = re.compile(r"[ \t]*+\.?[ \t]*+")
_MEANT = re.compile(r"`|\b(?:is|contains|at[ \t]+least|at[ \t]+most)\b")
_FENCE = re.compile(r"[ \t]*(?:[-+*][ \t]+)?(?P<run>`{3,}|~{3,})")
_CODE = re.compile(r"(?: {4}|[ ]{0,3}\t)(?![ \t]*[-+*][ \t])")
_OF_SENTENCES = frozenset({"all", "each", "every", "how", "if", "that", "the", "this", "what", "whether", "which"})
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def pinned_checks(raw: str) -> tuple[PinnedCheck | BrokenCheck, ...]:
    """Return the checks of an entry, in the order of its lines; blocks of code and comments hold none."""
    if "heck" not in raw:
        return ()
    found = (_found(line, number) for number, line in text_lines(raw.split("\n")))
    return tuple(one.check if isinstance(one, _Reading) else one for one in found if one)


def without_checks(raw: str) -> str:
    """Return what an entry states: its lines without its checks; what cannot be read as one stays."""
    return _without(raw, {one.line for one in pinned_checks(raw) if isinstance(one, PinnedCheck)})


def check_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return which of `lines`, a whole note or an entry, are checks or meant as such, broken ones with them."""
    found = ((number, _found(line, number)) for number, line in text_lines(lines) if "heck" in line)
    return frozenset(number for number, one in found if one)


def carry_checks(new: str, *raws: str) -> str:
    """Return the entry `new` with every check of `raws` that it has not below it, each as it stands there."""
    known = set(pinned_checks(new))
    lines = [new]
    for raw in raws:
        standing = raw.split("\n")
        for check in pinned_checks(raw):
            if isinstance(check, PinnedCheck) and check not in known:
                known.add(check)
                lines.append(standing[check.line].removesuffix("\r"))
    return "\n".join(lines)


def with_expected(raw: str, check: PinnedCheck, observed: str) -> str | None:
    """Return `raw` with `observed` as what `check` expects, every other byte as it was.

    None where that cannot be written: it is blank, too long or holds what cannot be seen, there is no such check on its
    line, or it says anything but `is`: what a value must not be, or how far it may go, is for people to say.
    """
    value = observed.strip()
    if check.relation is not Relation.IS or not 0 < len(value) <= LONGEST_EXPECTED:
        return None
    if any(unicodedata.category(char) in _UNSEEN for char in value):
        return None
    lines = raw.split("\n")
    for number, line in text_lines(lines):
        one = _found(line, number) if number == check.line else None
        if isinstance(one, _Reading) and one.check == check:
            lines[number] = line[: one.start] + code_span(value) + line[one.end :]
            return "\n".join(lines)
    return None


def compare(check: PinnedCheck, values: Sequence[str], lines: Sequence[str], *, cut: bool = False) -> bool | None:
    """Return whether an answer is as expected; None where it settles nothing.

    That is where there are no `values`, where several disagree, where one is no number and has to be, where `1.10` and
    `1.1` may be one number or two versions, and where what is missing may be in what was `cut`.
    """
    if check.relation is Relation.CONTAINS:
        wanted = plain_value(check.expected)
        if any(wanted in plain_value(one) for one in (*values, *lines)):
            return True
        return None if cut or not (values or lines) else False
    if (
        not values
        or (cut and len(values) > 1)
        or any(is_same_value(values[0], other) is not True for other in values[1:])
    ):
        return None
    if check.relation in {Relation.IS, Relation.IS_NOT}:
        is_same = is_same_value(values[0], check.expected)
        return is_same if is_same is None or check.relation is Relation.IS else not is_same
    observed, bound = number_of(values[0]), number_of(check.expected)
    if observed is None or bound is None:
        return None
    return observed >= bound if check.relation is Relation.AT_LEAST else observed <= bound


class _Reading(NamedTuple):
    """A check, and where in its line what it expects stands, backticks included."""

    check: PinnedCheck
    start: int
    end: int


def text_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield every line with its number, without blocks of code and comments; a block of code throughout has none."""
    fence = "~~~~" if lines and _CODE.match(lines[0]) else ""
    is_comment = False
    for number, line in enumerate(lines):
        opened = _FENCE.match(line)
        if is_comment:
            is_comment = "-->" not in line
        elif not fence and line.rpartition("<!--")[1] and "-->" not in line.rpartition("<!--")[2]:
            is_comment = True
        elif fence:
            if opened and opened["run"].startswith(fence) and not line[opened.end() :].strip():
                fence = ""
        elif opened:
            fence = opened["run"]
        else:
            yield number, line


def _found(line: str, number: int) -> _Reading | BrokenCheck | None:
    """Return what is on a line of an entry: a check, one that is to be mended, or neither."""
    match = _LINE.fullmatch(line.removesuffix("\r"))
    if match is None:
        is_meant = number and _lacks_a_colon(line)
        return BrokenCheck(reason="write a colon after `check`", line=number) if is_meant else None
    read = _read(line.removesuffix("\r"), match.start("rest"), number)
    if match["indent"] and number and not match["marker"] and not match["stars"]:
        if isinstance(read, _Reading):
            return read
        return BrokenCheck(reason=read, line=number) if _MEANT.search(match["rest"]) else None
    # Anything else may well be a sentence, unless it is a check in all but its place.
    return BrokenCheck(reason=_misplaced(match, number), line=number) if isinstance(read, _Reading) else None


def _lacks_a_colon(line: str) -> bool:
    """Whether a line is a check but for its colon: a sentence about checking has no two words, a span and a relation.

    Where nothing is asked in a code span, the words may be those of a sentence (``check that it is `5` ``).
    """
    match = _WITHOUT_COLON.match(line)
    asked = _ASKED.match(line, match.end()) if match and len(line) <= LONGEST else None
    if asked is None:
        return False
    text = span_at(line, asked.end())
    relation = _RELATION.match(line, text[1] if text else asked.end())
    if relation is None:
        return False
    return text is not None or (asked["probe"] not in _OF_SENTENCES and span_at(line, relation.end()) is not None)


def _misplaced(match: re.Match[str], number: int) -> str:
    if not number:
        return "write it below the entry that it checks, indented by two blanks"
    if match["marker"]:
        return "write it without the list marker"
    return "write `check:` without stars" if match["stars"] else "indent it by two blanks, as part of its entry"


def _read(line: str, at: int, number: int) -> _Reading | str:
    """Return the check that begins at `at` of a line, or how to mend it."""
    if len(line) > LONGEST:
        return f"make it shorter than {LONGEST:,} characters"
    asked = _ASKED.match(line, at)
    if asked is None:
        return f"name the probe and the operation first: {FORM}"
    text, at = span_at(line, asked.end()) or ("", asked.end())
    if line[at : at + 1] == "`":
        return "close the backticks around what is asked, with as many as open them"
    relation = _RELATION.match(line, at)
    if relation is None:
        return _no_relation(line[at:])
    expected = _read_expected(line, relation.end())
    if isinstance(expected, str):
        return expected
    check = PinnedCheck(
        probe=asked["probe"],
        operation=asked["operation"],
        text=text,
        relation=Relation(" ".join(relation[1].split())),
        expected=expected[0],
        line=number,
    )
    return _Reading(check, relation.end(), expected[1])


def _no_relation(rest: str) -> str:
    """Return how to mend what stands between the operation, or what is asked, and the expected value."""
    words = rest.split()
    folded = [word.lower() for word in words]
    told = [number for number in range(len(words)) if any(_stands(one, folded, number) for one in Relation)]
    bare = " ".join(words[: told[0]]) if told else "`"
    if not bare:
        return "write it in small letters: is, is not, contains, at least or at most"
    if "`" in bare:
        return f"write one of {', '.join(Relation)} before what is expected"
    return f"put what is asked in backticks: {code_span(bare[:_LONGEST_SHOWN].strip())}"


def _stands(relation: Relation, words: Sequence[str], at: int) -> bool:
    told = relation.split()
    return list(words[at : at + len(told)]) == told


def _read_expected(line: str, at: int) -> tuple[str, int] | str:
    span = span_at(line, at)
    if span is None:
        return "put what is expected in backticks: `5`"
    if not span[0]:
        return "say what is expected: between its backticks there is nothing"
    if not _END.fullmatch(line, span[1]):
        return "take away what stands after the expected value, or write it on a line of its own"
    return span


def _without(raw: str, gone: set[int]) -> str:
    if not gone:
        return raw
    return "\n".join(line for number, line in enumerate(raw.split("\n")) if number not in gone)
