"""Phrases that talk to whoever reads the memory instead of telling them something.

An alarm and not the wall: what stops an attack is where text comes from and that facts are typed. So the list is short,
each pattern is one idea, and every repetition is bounded, which keeps the work linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from dream.guards.carrying import orders_to_carry_out
from dream.guards.hidden import Hiding

_AGENT = (
    r"(?:ai|llm|(?:chat)?gpt|claude|copilot|gemini|codex"
    r"|(?:ai |coding |language )?(?:agent|assistant|model|bot)s?)"
)
_ORDERS = r"(?:instruction|prompt|command|directive|rule|guideline|polic(?:y|ie)|guardrail|restriction|programming)s?"
_PEOPLE = r"(?:user|human|operator|anyone|owner|developer|reviewer|people)s?"

_KEEP_FROM_PEOPLE = re.compile(
    r"\b(?:do not|don't|never|must not) (?:ever )?(?:tell|mention|reveal|disclose|show|report)"
    rf" (?:(?:this|these|it|that|any of this|the above|anything about this)\b[^.!?\n]{{0,40}}\b{_PEOPLE}\b"
    rf"|(?:the |your |any )?{_PEOPLE} (?:anything )?about (?:this|these|it)\b)"
)
_TO_AGENTS = {
    "set aside your orders": (
        r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|bypass(?:ing)?|violate|not follow)\b"
        r"[^.!?\n]{0,50}\b(?:previous|prior|earlier|above|preceding|existing|original|initial|system|safety|your|all"
        rf"|any)\b[^.!?\n]{{0,40}}\b{_ORDERS}\b"
        r"|\b(?:forget|ignore|disregard) (?:all of |all )?(?:everything|anything|what)\b"
        r"[^.!?\n]{0,30}\b(?:above|before|told|learned|said|instructed)\b"
    ),
    "the same elsewhere": (
        r"\b(?:ignor(?:a|e|ez|iere|ieren|iert)|olvida|oublie[zr]?|vergiss|vergesst|dimentica|missachte|esque[cç]a)\b"
        r"[^.!?\n]{0,40}\b(?:instrucciones|instructions?|anweisungen|instru[cç][oõ]es|istruzioni|consignes|reglas"
        r"|r[eè]gles|regras|regole)\b"
        r"|(?:игнорируй|забудь|не следуй)[^.!?\n]{0,40}(?:инструкци|указани|правил)"
        r"|(?:忽略|无视|忘记|不要理会)[^\u3002\n]{0,20}(?:指令|指示|提示|规则|命令)|(?:指示|命令)[^\u3002\n]{0,8}無視"
        r"|(?:지시|명령|지침)[^.!?\n]{0,8}(?:무시|잊)"
    ),
    "be somebody else": (
        r"\b(?:you are now|you will now|(?:from|for) now on,? (?:you|act|your)|henceforth,? you)\b"
        r"|\b(?:i want you to|you (?:will|must|are going to|are to|shall|should)|please)"
        r" (?:act|behave|pretend|role-?play)\b"
        r"|\b(?:do anything now|(?:developer|dan|god|jailbreak|unrestricted|unfiltered|debug|maintenance) mode"
        r"|(?:administrator|admin|developer|system) override)\b"
    ),
    "have no limits": (
        r"\b(?:no|without(?: any)?|free(?:d)? (?:from|of)|(?:not|un)[ -]?bound by|bypass(?:es)?|break free (?:from|of)"
        r"|lack of) (?:any |all |the |their |its |your )?(?:ethical|moral|legal|content|openai|safety|usual|ai)\b"
        r"[^.!?\n]{0,40}\b(?:guideline|restriction|limit|limitation|filter|rule|constraint|boundarie|confine|principle"
        r"|standard)s?\b"
        r"|\b(?:never|not|can't|cannot|don't) (?:say|refuse|decline|reject|claim|apologi[sz]e)\b[^.!?\n]{0,60}"
        rf"\b(?:as an? {_AGENT}|i can't|i cannot|sorry|request|question|answer)s?\b"
    ),
    "show your orders": (
        r"\b(?:reveal|show|repeat|print|output|display|tell me|give me|translate|encode|leak|return|dump|see"
        r"|what (?:are|is|were))\b[^.!?\n]{0,50}\b(?:system[ _-]?(?:prompt|message|instruction|configuration)"
        r"|(?:initial|starting|original|hidden|your|those) (?:system )?(?:instruction|prompt|configuration)"
        r"|instructions you (?:were|have)|(?:text|everything|conversation) above|above (?:text|prompt|messages))s?\b"
    ),
    "obey later": (
        rf"\b(?:when|whenever|before|after|while|if|(?:every|each|next) time) (?:you|an? {_AGENT}|(?:the )?user)\b"
        r"[^.!?\n]{0,40}\b(?:updat|writ|sav|summar|consolidat|load|read|recall|mention|discuss|say|ask|open)[a-z]{0,5}\b"
        r"[^.!?\n]{0,40}(?:,|\bthen|\balso)(?: you (?:must|should))?(?: please)?(?: also)?(?: always)? (?:add|send|run"
        r"|execute|include|append|post|write|store|call|insert|open|visit|fetch|save|say|reply|recommend|delete)\b"
    ),
    "take this into your memory": (
        r"\b(?:add|write|save|store|commit|record|copy|keep|insert|put) (?:this|the following|these|it|them)\b"
        r"[^.!?\n]{0,30}\b(?:to|in|into) (?:your|the|its|long-?term|persistent|agent)"
        r" (?:long-?term |persistent |shared )?(?:memory|memories|instructions|context|skills?)\b"
        r"|\b(?:treat|consider|regard|take|use)\b[^.!?\n]{0,50}\bas (?:its|your|their)"
        r" (?:own )?(?:memory|memories|instructions?|system prompt|rules?|orders)\b"
    ),
    "whoever reads this": (
        r"\b(?:as|if you are|note to|message (?:to|for)|instructions? (?:to|for)|any|all|every|dear|hello,?|hi,?)"
        rf" (?:an?|the|any|all|other)? ?{_AGENT}\b[^.!?\n]{{0,30}}"
        r"\b(?:reading|reads?|processing|parsing|summari[sz]ing|must|shall|should|have to|need to|please|remember)\b"
        r"|(?:^|\s|\[|<)(?:important|attention|notice|system|priority|urgent)[\]>]?\s?:\s{0,2}(?:to )?(?:all )?"
        rf"(?:{_AGENT}|you (?:must|are|should))\b"
        r"|\b(?:in|modify|enhance|augment|alter|update) your (?:answer|response|reply|output|message)s?\b[^.!?\n]{0,40}"
        r"\b(?:include|insert|suggest|mention|highlight|promot|hint|reference|allud|announc|with)[a-z]{0,4}\b"
    ),
    "a turn that only a runtime writes": (
        r"\[/?inst\]|<</?sys>>|<\|[a-z_]{2,20}\|>|</?(?:system|system-reminder|system_prompt|assistant|instructions)>"
        r"|^\W{0,4}(?:system|assistant|human)\s?(?:prompt|message)?\s?:\s\S"
    ),
    "run what comes from elsewhere": (
        r"\b(?:curl|wget|iwr|invoke-webrequest|base64)\b[^\n|]{0,200}\|\s{0,3}(?:sudo )?(?:ba|z|da)?sh\b"
    ),
}
TO_AGENTS = tuple(re.compile(pattern, re.MULTILINE) for pattern in _TO_AGENTS.values())

_BLANKS = re.compile(r"[ \t\r\f\v\u00a0]+")
_EMPHASIS = re.compile(r"[*~`\\]{1,3}(?=\w)|(?<=\w)[*~`\\]{1,3}")
_QUOTES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'"})
_INVISIBLE = frozenset({"Cf", "Cc", "Co", "Mn"})


def leaks_or_hides(text: str) -> Iterator[Hiding]:
    """Yield what nobody may put into a memory: orders to keep something from people, or to carry out what one holds."""
    plain = plain_form(text)
    for match in _KEEP_FROM_PEOPLE.finditer(plain):
        yield Hiding("hides-or-leaks", match[0])
    yield from (Hiding("hides-or-leaks", order) for order in orders_to_carry_out(plain))


def instructions_to_agents(text: str) -> Iterator[Hiding]:
    """Yield phrases aimed at an agent that reads the text; they count where nobody answers for it as a person."""
    plain = plain_form(text)
    for pattern in TO_AGENTS:
        for match in pattern.finditer(plain):
            yield Hiding("agent-instruction", match[0])


def plain_form(text: str) -> str:
    """Return `text` as the patterns read it: NFKC, nothing invisible, no emphasis, lower case, single blanks.

    A single line break counts as a blank, so that no phrase escapes by being wrapped.
    """
    if not text.isascii():
        normal = unicodedata.normalize("NFKC", text).translate(_QUOTES)
        text = "".join(char for char in normal if char in "\n\t" or unicodedata.category(char) not in _INVISIBLE)
    paragraphs = _EMPHASIS.sub("", text.lower()).split("\n\n")
    return "\n".join(_BLANKS.sub(" ", paragraph.replace("\n", " ")) for paragraph in paragraphs)
