"""What of a statement a rewording must keep to the letter: values, names and whether it says yes or no."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dream.memory.links.inline import find_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`]{1,2000})(?<!`)\1(?!`)")
_URL = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s<>()\[\]`\"'|]{1,2000}")
_SPACED_THOUSANDS = re.compile(r"(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_TOKEN = re.compile(r"[A-Za-z0-9_~./$€£@#%+:,'\u2019-]{1,400}")
_EDGES = ",:'\u2019+%"

_TEENS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen"
)
_TENS = "zero twenty thirty forty fifty sixty hundred thousand"
_NUMBER = re.compile(
    r"(?P<sign>-?)(?P<money>[$€£]?)(?P<digits>[0-9]{1,3}(?:[,_'\u2019][0-9]{3}){1,10}|[0-9]{1,50})(?P<part>\.[0-9]{1,50})?"
    r"(?P<unit>%|[A-Za-z]{1,7}(?:/[a-z]{1,6})?)?"
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SPELLED = {
    **dict(zip(_TEENS.split(), map(str, range(2, 20)), strict=True)),
    **dict(zip(_TENS.split(), ("0", "20", "30", "40", "50", "60", "100", "1000"), strict=True)),
}
UNITS = {
    name: unit
    for unit, names in {
        "ns": "ns",
        "us": "us",
        "ms": "ms msec millis millisecond milliseconds",
        "s": "s sec secs second seconds",
        "min": "min mins minute minutes",
        "h": "h hr hrs hour hours",
        "d": "d day days",
        "w": "week weeks",
        "month": "month months",
        "y": "y year years",
        "%": "% percent pct",
        "B": "b byte bytes",
        "kB": "kb",
        "MB": "mb",
        "GB": "gb",
        "TB": "tb",
        "KiB": "kib ki",
        "MiB": "mib mi",
        "GiB": "gib gi",
        "k": "k",
        "x": "x",
    }.items()
    for name in names.split()
}
_NEGATIONS = _words(
    "no not never none nor neither without cannot nothing nobody nowhere cant dont doesnt isnt wont didnt "
    "nicht kein keine keinen nie niemals ohne"
)
_POLAR = _words("true false enabled disabled")
_NEGATIONS_ELSEWHERE = re.compile(r"[不没沒未无無勿别別]")
_LIMITS = (
    ("≥", re.compile(r"≥|>=|\b(?:at least|no(?:t)? less than|no fewer than|minimum of)\b", re.IGNORECASE)),
    ("≤", re.compile(r"≤|<=|\b(?:at most|no(?:t)? more than|up to|maximum of)\b", re.IGNORECASE)),
)

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]{1,20}Z?)?")
_VERSION = re.compile(r"[vV]?([0-9]{1,9}(?:\.[0-9]{1,9}){1,5}(?:[-+.][A-Za-z0-9.+-]{1,40})?)|[vV]([0-9]{1,9})")
_CAMEL = re.compile(r"[a-z]+[A-Z]|[A-Z]+[a-z0-9]+[A-Z]|[A-Z]{2,50}[a-z]{2}")
_FILE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200}\.[A-Za-z][A-Za-z0-9]{0,9}")
_ORDINARY = _words("and/or either/or n/a w/o he/she yes/no e.g i.e a.m p.m u.s vs etc")
_RANGE = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,9})?-[0-9]{1,20}(?:\.[0-9]{1,9})?")
_ABOUT = re.compile(r"~[0-9]")
_BARE = re.compile(r"-?[0-9.]{1,60}")
_NEGATED = re.compile(r"not [0-9]+")


def specifics(text: str) -> frozenset[str]:
    """Return the specifics of a statement (its comparison key, so that its own date and sources are not among them).

    Numbers in one form with their unit (`1,000` is `1000`, `30 seconds` is `30 s`), dates, times, versions, paths, link
    targets, code spans, identifiers (`snake_case`, `CamelCase`, `eu-west-1`, `--flag`, `#41`), and one for each
    negation (`not 1`, `not 2`, …), so that one negation less differs and one more still contains them all.
    """
    found: set[str] = set()
    rest = _SPACED_THOUSANDS.sub("", _without_spans(text, found))
    for limit, pattern in _LIMITS:
        if pattern.search(rest):
            found.add(limit)
            rest = pattern.sub(" ", rest)
    negations = len(_NEGATIONS_ELSEWHERE.findall(rest))
    tokens = [part for token in _TOKEN.findall(rest) for part in _parts(token)]
    for place, token in enumerate(tokens):
        if token.lower().replace("\u2019", "'").endswith("n't") or token.lower() in _NEGATIONS:
            negations += 1
        else:
            found.update(_specific(token, tokens[place + 1 : place + 2]))
    found.update(f"not {count}" for count in range(1, negations + 1))
    return frozenset(found)


def lost_specifics(inputs: Iterable[str], result: str) -> frozenset[str]:
    """Return the specifics of `inputs` that `result` holds neither as such nor to the letter."""
    kept = specifics(result)
    plain = f" {' '.join(result.split())} "
    wanted = frozenset().union(*map(specifics, inputs))
    return frozenset(one for one in wanted - kept if _NEGATED.fullmatch(one) or not _stands_in(one, plain))


def _stands_in(specific: str, text: str) -> bool:
    standing = re.finditer(rf"(?<![\w.-]){re.escape(specific)}(?![\w-])(?: ?([A-Za-z%]{{1,12}}))?", text)
    is_bare = _BARE.fullmatch(specific) is not None
    return any(not is_bare or (match[1] or "").lower() not in UNITS for match in standing)


def _without_spans(text: str, found: set[str]) -> str:
    """Add link targets, code spans and addresses to `found`, and return what is left beside them."""
    for link in find_links(text):
        found.add(text[link.target_start : link.target_end].strip())
    text = re.sub(r"\]\([^()\s]{0,2000}", "] ", text) if "](" in text else text
    for pattern, group in ((_CODE, 2), (_URL, 0)):
        for match in pattern.finditer(text):
            found.add(" ".join(match[group].rstrip(".,;:!?").split()))
        text = pattern.sub(" ", text)
    found.discard("")
    return text


def _parts(token: str) -> Iterator[str]:
    """Yield what of a token stands for itself: without the marks of a sentence, and thousands kept in one."""
    if "," in token and not _NUMBER.fullmatch(token.strip(_EDGES + ".-")):
        pieces: Sequence[str] = token.split(",")
    else:
        pieces = (token,)
    for piece in pieces:
        bare = piece.strip(_EDGES.replace("%", "")).rstrip(".-").rstrip(_EDGES.replace("%", ""))
        bare = bare.removeprefix("~") if _ABOUT.match(bare) else bare
        if bare.strip("./~-_$@#%"):
            yield bare


def _specific(token: str, following: Sequence[str]) -> Iterator[str]:
    lower = token.lower()
    if lower in _ORDINARY:
        return
    if lower in _POLAR:
        yield lower
    elif lower in SPELLED:
        yield _with_unit(SPELLED[lower], "", following)
    elif _DATE.fullmatch(token):
        yield token
    elif number := _number(token, following):
        yield number
    elif _RANGE.fullmatch(token):
        yield _with_unit(token, "", following)
    elif version := _VERSION.fullmatch(token):
        yield version[1] or f"v{version[2]}"
    elif _is_name(token):
        yield token.removeprefix("./").rstrip("/") or token


def _number(token: str, following: Sequence[str]) -> str:
    match = _NUMBER.fullmatch(token)
    if match is None:
        return ""
    unit = match["unit"] or ""
    if unit and unit.lower() not in UNITS:
        return ""
    digits = re.sub(r"[,_'\u2019]", "", match["digits"])
    return _with_unit(f"{match['sign']}{match['money']}{digits}{match['part'] or ''}", unit, following)


def _with_unit(number: str, unit: str, following: Sequence[str]) -> str:
    named = unit or (following[0] if following else "")
    canonical = UNITS.get(named.lower(), "")
    return f"{number} {canonical}" if canonical else number


def _is_name(token: str) -> bool:
    """Whether a token is a name that somebody gave: it holds what no word of a sentence does."""
    if token.startswith(("--", "#", "@", "$")) or "_" in token.strip("_") or "/" in token.strip("/"):
        return True
    has_digit = any(char.isdigit() for char in token)
    has_letter = any(char.isalpha() for char in token)
    return (
        has_digit or (has_letter and (bool(_CAMEL.match(token)) or _FILE.fullmatch(token) is not None)) or "::" in token
    )
