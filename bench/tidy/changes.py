"""What makes one statement into another whose relation to it is known: said anew, another value, denied, narrowed.

The words are a table of this program's own, written without a look at what the code under test takes for the same.
A change that cannot be sure to keep its label true gives nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Change = Callable[[str, random.Random], str]

_SAME = (
     ("uses", "employs"),  ("shows", "displays"),
      ("remove", "delete"), ("removes", "deletes"), ("removed", "deleted"),
     ("starts", "begins"),  ("checks", "verifies"),
    ("fixed", "repaired"),    ("often", "frequently"),
    ("keep", "retain"), ("keeps", "retains"),   ("big", "large"),
     ("errors", "failures"),
    ("allow", "permit"), ("allows", "permits"),   ("folder", "directory"),
      ("send", "transmit"), ("sends", "transmits"), ("store", "save"),
    ("stores", "saves"), ("stored", "saved"), ("find", "locate"), ("finds", "locates"),

      ("whole", "entire"),
    ("provides", "offers"), ("provide", "offer"), ("returns", "yields"), ("because", "since"), ("before", "prior to"),
    ("automatically", "by itself"), ("about", "regarding"),
)  # fmt: skip
_ONE_WAY = {
    "every": "each",
    "error": "failure",
    "errors": "failures",
    "several": "a number of",
    "enough": "sufficient",
    "allowing": "permitting",
    "using": "by means of",
    "rather than": "instead of",
}
_OTHER_WORDS = {**dict(_SAME), **{new: old for old, new in _SAME}, **_ONE_WAY}
_WORD = re.compile(r"(?<![\w./`~-])[A-Za-z]+(?![\w/`-])(?!\.\w)")
_CODE = re.compile(r"`[^`]*`|\[[^\]]*\]\([^)]*\)|https?://\S+|\*\*")
_NUMBER = re.compile(r"(?<![\w.,:/#~-])([1-9][0-9]{0,5})(?![\w.,:/-]*[0-9/])(?=[\s%),.;]|\Z|ms\b|s\b)")
_COUNTED_OFF = re.compile(
    r"\b(?:lines?|option|phase|step|task|level|tier|stage|round|week|day|section|chapter|part|page|layer|to|the|#|pr|issue|id)"
    r"[ #]*\Z|[-+/$]\Z",
    re.IGNORECASE,
)
_UNITS = (("seconds", "s"), ("minutes", "min"), ("hours", "h"), ("days", "d"), ("percent", "%"))
_CLAUSES = re.compile(
    r"(?P<lead>When|If|After|Before|Once|Because|While) (?P<first>[^,.;:]{8,90}), (?P<rest>[^.;:]{8,140})\.?"
)
_BEHIND = re.compile(
    r"(?P<rest>[A-Z][^,.;:]{8,140}?) (?P<lead>when|if|after|before|because|while) (?P<first>[^,.;:]{8,90})\.?"
)
_ACTIVE = re.compile(
    r"(?P<who>(?:The |A )?[\w-]{2,30}) (?P<does>uses|reads|writes|creates|stores|sends|checks)"
    r" (?P<what>[^,.;:]{4,90})\.?"
)
_DONE = {
    "uses": "used",
    "reads": "read",
    "writes": "written",
    "creates": "created",
    "stores": "stored",
    "sends": "sent",
    "checks": "checked",
}
_LIST = re.compile(r"(?P<one>[\w-]{3,30}), (?P<two>[\w-]{3,30}),? and (?P<three>[\w-]{3,30})")
_SAYS = re.compile(r"\b(?P<does>is|are|was|were|must|can|should|will|uses|requires|supports|returns|allows)\b")
_SUBORDINATE = re.compile(
    r"\b(?:that|which|who|what|how|where|whether|why|if|when|because|since|let|there|only|ensure|make)\b", re.IGNORECASE
)
_AUXILIARY = frozenset({"is", "are", "was", "were", "must", "can", "should", "will"})
_DENIES = re.compile(r"\b(?:no|not|never|none|without|cannot|nothing)\b|n['\u2019]t\b", re.IGNORECASE)
_CONDITIONS = (
    "only in the staging environment", "but only for customers in Norway", "except on the first day of a month",
    "only while the nightly export is running", "but only for uploads over 10 MB", "as long as the beta flag is set",
)  # fmt: skip
_BARELY = 0.8
_LEADS = ("Note that ", "Remember: ", "As noted again, ", "To be clear, ")


def said_anew(text: str, chance: random.Random) -> str:
    """Return `text` with other words and another order and the same meaning; empty where next to nothing changed."""
    changed = text
    done = 0
    for change in (_other_order, _passive, _other_list, _other_numbers, _other_words):
        now = change(changed, chance)
        done += now != changed
        changed = now
    if not done or (_overlap(text, changed) > _BARELY and changed.lower().split()[:3] == text.lower().split()[:3]):
        return ""
    return _led_in(changed, chance) if chance.random() < 0.3 else changed


def another_value(text: str, chance: random.Random) -> str:
    """Return `text` with one number that is not the same in any form, said anew half of the time; empty without one."""
    hidden = _CODE.sub(lambda code: "x" * len(code[0]), text)
    found = [match for match in _NUMBER.finditer(hidden) if not _COUNTED_OFF.search(hidden[: match.start()])]
    if not found:
        return ""
    at = chance.choice(found)
    number = int(at[1])
    other = number * chance.choice((2, 3, 5)) + chance.randint(1, 9)
    changed = text[: at.start(1)] + str(other) + text[at.end(1) :]
    return _other_words(changed, chance) if chance.random() < 0.5 else changed


def denied(text: str, chance: random.Random) -> str:
    """Return `text` with its first verb denied, said anew half of the time; empty where it denies something already."""
    if _DENIES.search(text) or ". " in text or "?" in text or ":" in text:
        return ""
    hidden = _CODE.sub(lambda code: "x" * len(code[0]), text)
    match = _SAYS.search(hidden)
    if match is None or _SUBORDINATE.search(hidden[: match.start()]):
        return ""
    does = match["does"]
    new = f"{does} not" if does in _AUXILIARY else f"never {does}"
    changed = text[: match.start()] + new + text[match.end() :]
    return _other_words(changed, chance) if chance.random() < 0.5 else changed


def narrowed(text: str, chance: random.Random) -> str:
    """Return `text` with a condition that it did not have."""
    return f"{text.rstrip(' .')}, {chance.choice(_CONDITIONS)}."


def _overlap(one: str, other: str) -> float:
    ours, theirs = (set(re.findall(r"\w+", text.lower())) for text in (one, other))
    return len(ours & theirs) / max(1, len(ours | theirs))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    parts, last = [], 0
    for match in _CODE.finditer(text):
        parts += [change(text[last : match.start()]), match[0]]
        last = match.end()
    return "".join((*parts, change(text[last:])))


def _other_words(text: str, chance: random.Random) -> str:
    def other(match: re.Match[str]) -> str:
        new = _OTHER_WORDS.get(match[0].lower(), "")
        if not new or chance.random() < 0.2:
            return match[0]
        return new.capitalize() if match[0][0].isupper() else new

    return _outside_code(text, lambda part: _WORD.sub(other, part))


def _other_order(text: str, _: random.Random) -> str:
    match = _CLAUSES.fullmatch(text)
    if match:
        rest = match["rest"]
        return f"{rest[0].upper()}{rest[1:]} {match['lead'].lower()} {match['first']}."
    match = _BEHIND.fullmatch(text)
    if match and match["rest"].split()[-1].lower() not in {"only", "not", "even", "right", "just", "shortly", "long"}:
        rest = match["rest"]
        return f"{match['lead'].capitalize()} {match['first']}, {_lowered(rest)}."
    return text


def _passive(text: str, _: random.Random) -> str:
    match = _ACTIVE.fullmatch(text)
    if match is None or match["what"].split()[0] in {"to", "in", "on", "for", "that", "as", "from", "by"}:
        return text
    verb = "are" if match["what"].split()[-1].endswith("s") else "is"
    what = match["what"]
    return f"{what[0].upper()}{what[1:]} {verb} {_DONE[match['does']]} by {_lowered(match['who'])}."


def _other_list(text: str, _: random.Random) -> str:
    return _outside_code(text, lambda part: _LIST.sub(r"\g<three>, \g<one> and \g<two>", part))


def _other_numbers(text: str, _: random.Random) -> str:
    def change(part: str) -> str:
        for long, short in _UNITS:
            part = re.sub(rf"\b([0-9]+) {long}\b", rf"\1 {short}" if short != "%" else r"\1%", part)
        return re.sub(r"(?<![\w.,:/#-])([1-9])([0-9]{3})(?= [a-z])", r"\1,\2", part)

    return _outside_code(text, change)


def _led_in(text: str, chance: random.Random) -> str:
    return f"{chance.choice(_LEADS)}{_lowered(text)}" if text[:1].isupper() and text[1:2].islower() else text


def _lowered(text: str) -> str:
    word = text.partition(" ")[0]
    return text[0].lower() + text[1:] if word in {"The", "A", "An", "It", "This", "All", "Each", "Every"} else text
