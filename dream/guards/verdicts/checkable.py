"""Which entries say how something is now, so that a real system could show it otherwise."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from dream.guards.statements.moods import Mood, is_wanted, mood_of
from dream.guards.statements.quotes import split_sentences
from dream.guards.verdicts.rulings import Target
from dream.guards.verdicts.subjects import kinds_in
from dream.guards.verdicts.words import parts_of
from dream.memory.logbooks import is_dated, is_logbook_word, words_of
from dream.memory.operations import Refusal

_PEOPLES = frozenset({"preferences", "conventions", "learnings", "daily"})
_RULES = ("runbook", "roadmap", "plan", "proposal")
_RULE_WORDS = frozenset({"rfc", "rfcs", "todo"})
_PAST = re.compile(
    r"\b(?:mov(?:ed|ing)|renam(?:ed|ing)|was|were|been|had|did|former|formerly|previous|previously|used to|became"
    r"|delet(?:ed|ing)|remov(?:ed|ing)|deprecated|old|older|legacy|originally|initially|migrat(?:ed|ing|ion)"
    r"|replac(?:ed|ing)|anymore|no longer|until|till|ago|gone|dropped|split|merged|refactored|introduced|added|created"
    r"|fixed|changed|landed|shipped|released|superseded|history|yesterday|tomorrow"
    r"|last (?:week|month|year|night)|as of"
    r"|since|back then|at the time|once|(?:in|from|before|after|by) (?:20[0-9]{2}|january|february|march|april|june"
    r"|july"
    r"|august|september|october|november|december|q[1-4])|increased|decreased|raised|lowered|bumped|upgraded|downgraded"
    r"|scaled (?:up|down|to|from)|switched|turned|went|got|grew|rose|fell|incident|outage"
    r"|était|étaient|avant|jusqu\w*|depuis|ancien\w*|era|eran|antes|hasta|desde|antigu\w*"
    r"|war|waren|wurde|wurden|früher|ehemals|seit|bis|damals|vorher|umbenannt|gelöscht|entfernt|alte[rsn]?)\b",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"\b(?:should|shall|must|ought|need(?:s|ed)?(?: to)?|want(?:s|ed)?|prefer(?:s|red)?|please|recommend(?:s|ed)?|will"
    r"|would|could|might|may|plan(?:s|ned)?|goal|target|expect(?:s|ed)?|agreed|decided|rule|policy|don't|do not"
    r"|make sure|ensure|remember|avoid|always|never|assum(?:e|es|ed)|think|believe|seems?|suppose[ds]?|allegedly|todo"
    r"|in case|ask|says?|said|told|claims?|claimed|according|example|e\.g|soll(?:te|ten|en)?|muss|müssen|wird|werden"
    r"|doit|devrait|faut|toujours|debe|debería|hay que|siempre"
    r"|möchte|bitte|niemals|immer)\b|\best\.|\?|~~|~(?=\s?[0-9])",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\A\W{0,6}(?:use|prefer|avoid|call|point|choose|scale|raise|lower|route|send|treat|read|see|wait|connect|deploy|set|keep"
    r"|restart|run|check|ask|do|don't|give|put|store|write|name|pick|start|stop|limit|configure|expect|allow|enable|disable"
    r"|rotate|pin|bump|increase|decrease|verify|nutze|verwende|setze|halte|frage)\b(?!:)",
    re.IGNORECASE,
)
# Names and nouns that would pass for an order: `deploy/orders.yaml sets …`, `Log retention is …`, `Plan: small`.
_NAME = re.compile(r"`[^`]*`|(?<![\w.-])[\w.-]*[/_][\w./-]*")
_IDENTIFIER = re.compile(r"`[A-Za-z0-9]{1,100}(?:[-_.][A-Za-z0-9]{1,100})+`")
_NOUN = re.compile(
    r"\A\W{0,6}(?:log|plan|cache|backup|build|test|release|limit|schedule|call|request|run|store)"
    r"(?=(?: [a-z]+){0,2}(?::| is | are | has ))(?:: ?|\b)",
    re.IGNORECASE,
)
_DONE = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\[[ xX]\]|[ \t]*(?:[-*+][ \t]+)?~~")
_BLOCK = re.compile(r"(?m)^[ \t]{0,200}(?:\||```|~~~|>)")

LONGEST = 2_000
"""Characters of an entry that a verdict may be about: no more is shown to a model, and the rules read it many times."""


def objection_to_entry(target: Target) -> Refusal | None:
    """Return why no system could show the entry to be otherwise, None where it may say how something is now.

    What people want, plan, ask or suppose, what was once, what a record keeps, a table, a block of code and what is
    longer than a model is shown are `not-checkable`.
    """
    why = _unfit(target)
    if why:
        return Refusal("not-checkable", why)
    said = [_IDENTIFIER.sub("thing", text) for text in (target.entry.key, *_headings(target))]
    for text in said:
        for pattern, why in ((_PAST, "it speaks of the past or of a change"), (_WISHED, "it is no plain fact")):
            if pattern.search(text):
                return Refusal("not-checkable", why)
    for sentence in split_sentences(target.entry.key):
        plain = _NOUN.sub("Thing ", _NAME.sub("thing", sentence.lstrip("-*+# ")))
        if mood_of(plain) is not Mood.FACT or is_wanted(plain) or _ORDER.match(plain):
            return Refusal("not-checkable", "it is no plain fact")
    return None


def _unfit(target: Target) -> str:
    """Return why the entry is none to be read as a statement, by its form and place."""
    if len(target.entry.raw) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    if keeps_a_record(target.path):
        return "a note of people's rules, or a record"
    if _DONE.match(target.entry.raw) or _BLOCK.search(target.entry.raw):
        return "no statement in words"
    return "the note's frontmatter cannot be read" if target.note.broken else ""


def keeps_a_record(path: str) -> bool:
    """Whether a note is by its path one of people's rules, or of what happened, in which values stay as they were.

    In a folder of one kind of thing a note is called like its thing: of `services/session-cache.md` only the last word
    may say that it is a record (`services/orders-incidents.md`).
    """
    words = words_of(path)
    pure = PurePosixPath(path)
    if len(parts_of(pure.stem)) > 1 and kinds_in(pure.parts[:-1][-1:]):
        words = words_of(" ".join((*pure.parts[:-1], *parts_of(pure.stem)[-1:])))
    is_named = any(is_logbook_word(word) or word in _RULE_WORDS or word.startswith(_RULES) for word in words)
    return is_named or path.split("/", maxsplit=1)[0] in _PEOPLES or is_dated(path)


def _headings(target: Target) -> tuple[str, ...]:
    lines = target.note.lines[: target.entry.start]
    return tuple(line.lstrip("# ") for line in lines if line.startswith("#") and not line.startswith("# "))[-3:]
