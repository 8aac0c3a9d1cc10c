"""The words of a trigger: without their disguises, those that claim everything, and those that name nothing.

What stops a trigger that claims every task is not that each such word is known, but that a trigger has to name a task
or a resource of its evidence; the lists say which words are no such names.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from dream.guards.vocabulary import content_words
from dream.memory.similarity import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

# Letters that look like Latin ones, in lower case; as escapes, because in this file they would look like them as well.
_LOOK_ALIKES = str.maketrans(
    "\u0430\u0432\u0435\u0451\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456"
    "\u0457\u0458\u04bb\u04cf\u0501\u051b\u051d"
    "\u03b1\u03b5\u03b7\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7"
    "\u0578\u057d\u0131\u0261\u0251\u1d00\u0299\u1d04\u1d05\u1d07\u0262\u029c\u026a\u1d0a\u1d0b"
    "\u029f\u1d0d\u0274\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22",
    "abeekmhopctyxsiijhldqwaenikvoptuxnuigaabcdeghijklmnoprstuvwyz",
)
_DIGITS = str.maketrans("0134578", "oleastb")
_MARKS = frozenset({"Mn", "Me", "Cf"})
_SPELLED_OUT = re.compile(r"(?<!\w)\w(?:[ ._*-]\w){2,30}(?!\w)")
_WORD = re.compile(r"[^\W_]+")
_PULL_REQUESTS = re.compile(r"\b(?:pull|merge)[ -]requests?\b|\b(?:prs?|mrs?)\b")
_LATIN_AND_OTHER = re.compile(r"[a-z]")

_CLAIMS_ALL = word_set(
    """
    all always any anybody anyhow anyone anything anytime anyway anywhere each every everybody everyday everyone
    everything everytime everywhere forever constantly continuously continually permanently invariably
    unconditionally universally globally generally whatever whatsoever whenever wherever whichever whoever
    regardless irrespective immer stets jede jeder jedes jeden jedem jegliche alle alles allen jederzeit
    toujours chaque tout toute tous toutes siempre cada cualquier cualquiera sempre ogni qualsiasi tutti tutte
    qualquer altijd elke iedere всегда любой любая любую любое любые каждый каждая каждое каждом каждой
    """
)
_JOINED = re.compile(r"(?:any|every|each|all)(?:task|time|thing|where|one|body|request|prompt|question|session|work)s?")
_CLAIMS_ALL_ELSEWHERE = re.compile(
    "[\u603b\u7e3d]\u662f|\u59cb\u7ec8|\u59cb\u7d42|\u6c38[\u8fdc\u9060]|\u4efb\u4f55|\u6240\u6709|\u4e00\u5207|\u6bcf[\u6b21\u4e2a\u500b\u5f53\u7576]"
    "|\u3044\u3064\u3082|\u5e38\u306b|\u3059\u3079\u3066|\u5168\u3066|\u3042\u3089\u3086\u308b|\u6bce\u56de|\ud56d\uc0c1|\ubaa8\ub4e0|\uc5b8\uc81c\ub098"
)
_YOU = r"(?:you|the agent|the assistant|an agent|the model)"
_BEGINS = (
    r"(?:do|start|begin|answer|respond|reply|act|work|continue|think|proceed|finish|run|write|code|wake up"
    r"|are (?:working|used))s?"
)
_PHRASES = re.compile(
    r"\bno matter (?:what|which|how|the)\b|\bin general\b|\bby default\b|\bas a default\b|\bwithout exceptions?\b"
    r"|\bmost (?:tasks|times|things|requests|questions|work)\b|\bthroughout\b|\bcatch[- ]?all\b|\bgeneral[- ]purpose\b"
    r"|\bthe (?:whole|entire) (?:time|session|conversation)\b|\buse (?:this |it )?first\b"
    r"|\b(?:before|after|prior to) (?:doing|starting|beginning|answering|responding|replying|acting|working|continuing"
    r"|proceeding|finishing|ending)(?! (?:on |with |to )?(?:a|an|the) )"
    rf"|\b(?:before|after|while|when|once|as soon as|if) {_YOU} {_BEGINS}\b(?! (?:about|for|in|on|to|with|a|an|the) )"
    r"|\b(?:on|at) (?:startup|start-up|session start|the (?:start|beginning) of (?:a|the|your|this) "
    r"(?:session|conversation|task|turn|chat|day|work))\b"
    r"|\bper (?:task|session|turn|conversation|request|prompt|message)\b"
    r"|\betc\b|\band so (?:on|forth)\b|\b(?:and|or) (?:the like|more|others?|similar)(?:\Z|[.,;:])|\bamong others?\b"
    r"|\bother (?:tasks?|work|things?|requests?|code|files?|purposes?|questions?)\b"
)

_GENERIC = content_words(
    """
    use used uses using do does doing done make made work works working write writes writing wrote written read
    edit run ran change update fix create build add remove plan answer respond reply ask help need want start
    begin finish complete handle process think code coding coder program programming implement develop
    developing developer engineer engineering deal perform execute act operate interact proceed continue try let
    say tell talk mention discuss seek require give get go come take keep have see look know like apply load
    invoke trigger call follow consult activate please should must may might would could perhaps task job item
    thing stuff something work action activity operation step request prompt question query message conversation
    chat session turn thread response output input result issue problem case situation scenario context
    circumstance kind sort type way time moment day user agent assistant ai llm model bot human person people
    team you your we us our me my they it one ones who what which when where why how file folder directory repo
    repository codebase project software source app system data information text content skill learning tool
    command instruction guideline rule new other more most many several various multiple some general usual
    normal common typical good better best important relevant necessary needed possible appropriate applicable
    specific certain given current own real actual next first here now then today also only just even still
    about before after during within without through over under between whether if once unless until because
    since such as too very not no yes please up down out off back
    """
)

# Words that name nothing and need nothing beside them: `working`, `a task`; `writing` is of what is named with it.
_ALONE = content_words(
    """
    task job thing stuff something work action activity operation request prompt question query message conversation
    chat session turn response problem situation scenario user people anybody code coding program programming develop
    development engineering software project codebase repository file start begin think proceed continue respond reply
    answer act
    """
)


def undisguised(text: str) -> str:
    """Return `text` in lower case and NFKC, without marks, look-alikes of Latin letters and letters set apart."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if unicodedata.category(char) not in _MARKS)
    folded = unicodedata.normalize("NFKC", plain).casefold().translate(_LOOK_ALIKES)
    return _SPELLED_OUT.sub(lambda match: re.sub(r"[\W_]", "", match[0]), folded)


def mixes_scripts(text: str) -> bool:
    """Whether a word of `text` has Latin letters beside those that only look like them."""
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _LATIN_AND_OTHER.search(word) and word.translate(_LOOK_ALIKES) != word and not _is_latin(word):
            return True
    return False


def claim_on_everything(text: str) -> str:
    """Return the word or phrase by which `text` claims every task, as a report shows it; empty where it claims none."""
    original = unicodedata.normalize("NFKC", text).casefold()
    for form in (undisguised(text), original):
        for word in _WORD.findall(form):
            for spelling in (word, word.translate(_DIGITS)) if not word.isdigit() else ():
                if spelling in _CLAIMS_ALL or _JOINED.fullmatch(spelling):
                    return ascii(word)[1:-1]
        phrase = _CLAIMS_ALL_ELSEWHERE.search(form) or _PHRASES.search(" ".join(form.split()))
        if phrase:
            return ascii(phrase[0])[1:-1]
    return ""


def names_in(text: str) -> tuple[str, ...]:
    """Return the stems in `text` that name a task or a resource, in order, each once."""
    return tuple(
        dict.fromkeys(_names(_PULL_REQUESTS.sub(" pullrequest ", unicodedata.normalize("NFKC", text).casefold())))
    )


def claims_all_alone(text: str) -> bool:
    """Whether `text`, which names nothing, speaks of tasks as such and not of what is named beside it."""
    return bool(content_words(undisguised(text)) & _ALONE)


def _names(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if word.translate(_LOOK_ALIKES) != word and content_words(word.translate(_LOOK_ALIKES)) <= _GENERIC:
            continue
        yield from sorted(content_words(word) - _GENERIC)


def _is_latin(word: str) -> bool:
    return all("LATIN" in unicodedata.name(char, "") for char in word if char.isalpha())
