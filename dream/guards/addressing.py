"""Whether a text tells its reader what to do, by its grammar: what nobody vouches for is told in the third person.

No list of attacks, and no reading of what is meant: a `you` or an `I`, or a sentence that begins as orders begin.
People give orders all day, and theirs pass; where it matters who speaks, such a text is told as what somebody said.
"""

from __future__ import annotations

import re

from dream.guards.instructions import plain_form

_IN_PERSON = re.compile(
    r"\b(?:you|your|yours|yourself|yourselves|vous|votre|ты|вы|me|my)\b|[你您]"
    r"|\bi(?:'m|'ve|'ll|'d| am| have| will| want| need| can| cannot| do| was)\b"
)
# Whoever reads a memory is one of these, so that what such a one must or will do is said to the reader.
_MUST = r"\b(?:must|should|shall|will|can|cannot|can't|may|has to|have to|has no|does not|doesn't|never|always)\b"
_THING = (
    r"(?!(?:agent|assistant|bot|helper|model|reader|system|tool)s?\b|(?:that|which|who|when|if|in|on|with|by|or|and)\b"
    r"|[a-z]{1,20}ing\b)[a-z]{2,20}"
)
_DONE = (
    r"(?:[a-z]{2,20}ed|built|done|found|held|kept|left|made|put|read|run|seen|sent|set|shown|split|taken|told|written)"
)
_ABOUT_READER = re.compile(
    r"\b(?:ais|llms|(?:chat)?gpts?|chatbots?|(?:ai |language |virtual )(?:model|agent)s?|assistants?"
    # `The AI provenance library should be covered` is about a library; `the AI should be told` is not.
    rf"|(?:ai|llm)(?!(?: {_THING}){{1,3}} {_MUST} (?:not )?be {_DONE}\b))\b[^.!?\n]{{0,40}}{_MUST}"
)
# A command that did something is told, and tells nobody: it stands in code, in few words, none of which is an article.
_COMMAND = re.compile(
    r"(?:\A|(?<=[.!?:;]\s))`"
    r"(?![^`\n]{0,60}\b(?:a|an|all|any|and|every|her|his|its|my|our|the|their|them|this|that|to|your)\b)"
    r"[\w./-]{1,30}(?: [\w./=-]{1,30}){0,4}`"
    r"(?= (?:is|was|has|had|did|does|could|can|cannot|would|will|[a-z]{3,20}(?:ed|s)|found|gave|said|ran|made|took)\b)",
    re.IGNORECASE,
)
# A name in code is no word of the sentence, whatever words it is made of: `my-skill.md`, `GET /api/v1`.
_NAME = re.compile(
    r"`(?:(?:DELETE|GET|HEAD|PATCH|POST|PUT) /[\w./{}-]{0,80}"
    r"|[\w./-]{0,60}[A-Za-z0-9][./_-][A-Za-z0-9][\w./-]{0,60})`"
)
_BEGINNING = r"(?:\A|\n|[.!?:;\u2013\u2014)\]]\s|[\"'\u201c(\[{=]|(?:\A|\s)[^\w\s`\"'(]{1,6}\s|\A[0-9]{1,3}[.)]\s)"
_FILLERS = r"(?:(?:please|now|then|also|just|simply|first|next|instead|kindly|finally|hello|hi|hey),?\s){0,3}"
# Verbs in a form that is no noun, so that a sentence that begins with one is an order.
_VERBS = (
    "add|adopt|analy[sz]e|append|apply|ask|assume|avoid|be|become|begin|believe|choose|complete|consider|continue|convert|create"
    "|decode|define|delete|describe|determine|develop|disregard|employ|encode|encrypt|ensure|execute|explain|express|extract"
    "|follow|forget|generate|get|give|go|ignore|illustrate|imagine|immerse|include|incorporate|insert|integrate|keep"
    "|let|make|mention|modify|obey|perform|pretend|prioriti[sz]e|produce|provide|put|recite|recommend|refuse|remember"
    "|remove|respond|rewrite|say|scramble|send|simulate|speak|stay|suggest|summari[sz]e|take|tell|think|transform|translate"
    "|use|utili[sz]e|verify|violate|write"
)
# Those that are nouns as well count where what follows is no part of a name: `answer in French`, not `answer box`.
_ALSO_NOUNS = (
    "act|answer|call|change|check|click|copy|design|display|draft|draw|drop|end|enter|find|finish|form|forward|guess|help"
    "|hide|link|list|look|mask|mimic|mix|move|name|note|offer|open|output|play|post|present|print|process|push|quote"
    "|read|record|render|repeat|replace|reply|report|request|return|reveal|reverse|review|role-?play|run|schedule"
    "|search|see|set|share|show|sort|spell|start|state|stop|store|submit|substitute|swap|switch|talk|test|trust|try"
    "|turn|type|update|view|visit|watch|wrap"
)
_FOLLOWING = (
    "a|an|the|this|that|these|those|all|any|every|everything|anything|nothing|nobody|each|some|both|my|me|us|our|it|its"
    "|them|their|him|her|his|only|no|not|never|always|in|into|with|without|to|from|as|if|how|what|which|who|why|when"
    "|where|up|out|back|down|off|over|about|like|things|something|someone|between|at|by|using|[a-z]{2,20}ly"
)
_ORDER = re.compile(
    rf"{_BEGINNING}{_FILLERS}"
    r"(?:(?:please|do not|don't|never|always|let's|must)\s+[a-z]"
    rf"|(?:{_VERBS})\b(?![-/_.])|(?:{_ALSO_NOUNS})\s(?:(?:{_FOLLOWING})\b|[\"'`\[(<0-9]))"
    rf"|,\s(?:{_VERBS}|{_ALSO_NOUNS})\s(?:{_FOLLOWING})\b"
)


def speaks_to_reader(text: str) -> bool:
    """Return whether a sentence of `text` says `you`, `I` or what an AI must do, or begins as an English order does."""
    plain = plain_form(_NAME.sub("code", _COMMAND.sub("code", text)))
    return any(pattern.search(plain) for pattern in (_IN_PERSON, _ABOUT_READER, _ORDER))
