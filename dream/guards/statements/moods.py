"""How a sentence is meant: as a fact, or as a question, a plan, a proposal, a supposition, a guess. English.

Only open marks count (a question mark, `should we`, `I think`); what is meant without one is left to the judge.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Mood(StrEnum):
    """What a sentence does; everything but FACT needs a claim that says so."""

    FACT = "fact"
    QUESTION = "question"
    SUPPOSITION = "supposition"
    PROPOSAL = "proposal"
    PLAN = "plan"
    GUESS = "guess"
    ORDER = "order"


_I = re.IGNORECASE
_QUESTION = re.compile(r"\?[)\]\"'\u201d\u2019*_`!?]{0,6}\s{0,5}\Z")
_ASKS = re.compile(
    r"^\W{0,4}(?:(?:so|and|but|ok|okay|hmm+|well|or|also|then),? ){0,2}(?:"
    r"(?:should|shall|could|can|would|will|do|does|did|is|are|was|were|has|have) (?:we|you|i|it|they|this|that"
    r"|there|the)\b"
    r"|(?:i |i'm |am )?wonder(?:ing)? (?:if|whether|how|what|why)\b"
    r"|(?:not sure|no idea|don't know|do not know|unclear|unsure) (?:if|whether|how|what|why|which)\b)",
    _I,
)
_SUPPOSITION = re.compile(
    r"\b(?:what if|suppose|supposing|imagine|hypothetically|in theory|theoretically|let's say|say we|if we (?:were"
    r"|did|had)"
    r"|if (?:we|you|they|i|it|someone|somebody) [a-z' ]{1,60},? (?:then )?(?:we|it|they|i|that|you|the [a-z]{2,20})"
    r" (?:would|could|might)\b|(?:we|it|that|this|i) would have(?: to)?\b|would be (?:nice|good|great|better"
    r"|cool))\b",
    _I,
)
_PROPOSAL = re.compile(
    r"\b(?:(?:we|you|i|it|this|that|they) (?:should|could|ought to|might want to|may want to)(?! not be able)\b"
    r"|(?:i|we|i'd|we'd) (?:would )?(?:suggest|propose|recommend|vote)\b|how about|what about|why don't we|maybe we"
    r"|perhaps we|one option|another option|an alternative|proposal:|proposed:|idea:|suggestion:|my proposal"
    r"|could be (?:moved|changed|replaced|simplified|switched|used|renamed|removed|split))\b",
    _I,
)
_PLAN = re.compile(
    r"\b(?:(?:i|we|i'm|we're|i am|we are|they|they're|he|she|[A-Z][a-z]{2,15}) "
    r"(?:plan|plans|intend|intends|aim|aims|hope|hopes|want|wants|need|needs|'?d like|would like|will need"
    r"|still have) to\b"
    r"|(?:i'm|we're|i am|we are|they're|they are|is|are) (?:going to|gonna|planning|about to|hoping to)\b"
    r"|(?:we'll|i'll|we will|i will|they'll|they will)\b"
    r"|(?:plan|roadmap|backlog|next steps?|next up|to ?do|goal)\b ?(?:is|:)"
    r"|(?:tomorrow|next (?:week|month|sprint|quarter|year|release)|later (?:today|this week|on)|soon|eventually"
    r"|someday"
    r"|down the road|at some point|in the future|one day)\b"
    r"|(?:is|are) (?:planned|scheduled|slated|due) (?:to|for)|on the roadmap|not (?:yet )?(?:done|merged"
    r"|implemented|deployed)"
    r" yet|once (?:we|it|that|this) (?:is|are|has|have|get|gets|land|lands))\b"
    r"|\bTODO\b|\bFIXME\b",
    _I,
)
_GUESS = re.compile(
    r"\b(?:i (?:don't |do not |really )?(?:think|guess|believe|assume|suspect|suppose|imagine|wonder|bet|reckon"
    r"|expect|would guess)|maybe|perhaps"
    r"|probably|possibly|presumably|apparently|supposedly|i'm guessing|my instinct|my gut|i'd say|my guess"
    r"|my hunch|not (?:entirely |quite |100% )?sure"
    r"|unsure|might(?: be| have)?|may be|may have|could be|seems?|seemed|looks like|sounds like|afaik|iirc|afaict"
    r"|as far as i (?:know|can tell|remember)|if i (?:recall|remember)|(?:very |most |more )?likely|unconfirmed"
    r"|consider if|could (?:allow|cause|lead|be)|hypothesis|my theory|suspected"
    r"|i have a feeling|it appears)\b",
    _I,
)

_VERBS = (
    r"add|fix|move|remove|delete|drop|change|update|make|create|use|implement|rename|replace|write|refactor"
    r"|extract|set|put"
    r"|apply|address|resolve|merge|revert|run|build|test|check|ensure|verify|include|exclude|keep|leave|skip"
    r"|switch|convert"
    r"|migrate|split|clean|simplify|handle|support|enable|disable|configure|install|upgrade|bump|commit|push"
    r"|deploy|ship"
    r"|release|document|describe|explain|show|scaffold|wire|hook|stop|start|redo|undo|finish|proceed|take|give|get"
    r"|do|go|try"
    r"|look|find|investigate|review|audit|clarify|validate|capture|consider|pass|return|call|throw|log|print|hide"
    r"|expose|allow"
    r"|don't|do not|never|always"
)
_LEAD = (
    r"^[\W0-9]{0,8}(?:(?:ok|okay|mmm?k|yes|yeah|yep|yup|sure|great|good|looks good|so|and|then|now|also|next|first"
    r"|no|please"
    r"|can you|could you|would you|go ahead and|just|actually|alright|perfect"
    r"|recommendation:)[,.!:\u2026 -]{1,5}){0,4}"
)
_INQUIRY = re.compile(
    _LEAD + r"(?:check|see|verify|confirm|find out|tell me|explain|investigate|look into|figure out"
    r"|help me understand"
    r"|consider|ask|decide|determine|double-check)\b[^.!?\n]{0,80}\b(?:if|whether|what|why|how|about|where|which)\b",
    _I,
)
_ORDER = re.compile(rf"{_LEAD}(?:(?:{_VERBS})\b|let'?s\b|we(?:'re| are)? ready to\b)", _I)
_ORDER_WITHIN = re.compile(r"\b(?:let'?s|lets|please|make sure|go ahead)\b", _I)
_DONE = re.compile(
    r"(?<!that )(?<!which )\b(?:is|are|was|were|been|got|gets|being|now|already|has|have) (?:[a-z]{2,15}ly |all "
    r"|now |already |been )*"
    r"(?!called|named|known|meant|based|located|owned|needed|supposed|aimed|related)(?:[a-z]{2,20}ed|made|done"
    r"|built|written|set|put|run|split|kept|left|given|gone|taken|sent|found|hidden"
    r"|reset|rewritten"
    r"|rebuilt|redone|undone|thrown|begun|in place)\b"
    r"|\b(?:has|have) (?:been )?[a-z]{2,20}(?:ed|en)\b",
    _I,
)

# What a claim says that does not pass a mood off as a fact.
_ASKED = (
    r"ask(?:s|ed|ing)?|question(?:s|ed)?|whether|wonder(?:s|ed)?|unclear|unknown|undecided|unsure|open"
    r"|consider(?:s|ed|ing)?|request(?:s|ed)?|want(?:s|ed)?|discuss(?:es|ed)?|wish(?:es)?"
)
_PROPOSED = (
    r"propos(?:e|es|ed|al)|suggest(?:s|ed|ion)?|recommend(?:s|ed|ation)?|idea|an option|should|could|may|might|would"
    r"|prefer(?:s|red|ence|able)?|ought|alternative|opinion|needs?|candidate|belongs?|concern(?:s|ed)?"
)
_GUESSED = (
    r"think(?:s)?|thought|believe(?:s|d)?|guess(?:es|ed)?|assum(?:e|es|ed|ption)|suspect(?:s|ed)?|probabl[ey]"
    r"|possib(?:ly|le)"
    r"|likely|perhaps|maybe|presumabl[ey]|apparent(?:ly)?|reportedly|seem(?:s|ed|ingly)?|appear(?:s|ed)?|looks? like"
    r"|unconfirmed|unverified|hypothe(?:sis|tical)|tentative(?:ly)?|may|might|could|expect(?:s|ed)?|unsure|not sure"
    r"|suspicion|impression|in (?:his|her|their) (?:view|opinion)"
)
_PLANNED = (
    r"plan(?:s|ned|ning)?|intend(?:s|ed)?|aim(?:s|ed)?|hope(?:s|d)?|goal|roadmap|todo|pending|will|shall|should"
    r"|must|needs?"
    r"|needed|required?|requires|to be|going to|is to|are to|decid(?:e|es|ed)|decision|agreed|chose|chosen|told"
    r"|instruct(?:s|ed)?"
    r"|upcoming|next|later|tomorrow|soon|eventually|yet|scheduled|due|would like|wanted|until|once"
)
_TOLD_AS = {
    Mood.QUESTION: re.compile(rf"\b(?:{_ASKED}|{_PROPOSED}|{_GUESSED})\b", _I),
    Mood.SUPPOSITION: re.compile(rf"\b(?:{_ASKED}|{_PROPOSED}|{_GUESSED}|if|unless|were)\b", _I),
    Mood.PROPOSAL: re.compile(rf"\b(?:{_ASKED}|{_PROPOSED}|{_GUESSED})\b", _I),
    Mood.GUESS: re.compile(rf"\b(?:{_ASKED}|{_PROPOSED}|{_GUESSED})\b", _I),
    Mood.PLAN: re.compile(rf"\b(?:{_ASKED}|{_PROPOSED}|{_GUESSED}|{_PLANNED})\b", _I),
    Mood.ORDER: re.compile(rf"\b(?:{_ASKED}|{_PROPOSED}|{_GUESSED}|{_PLANNED}|when|if|before|after|goes?)\b", _I),
}
_WANTED = re.compile(
    r"\b(?:(?:we|you|it|this|that|they|there|everybody|everyone|nobody|agents?|[a-z]{3,20}s) "
    r"(?:should|ought to|must|have to|has to|need to|needs to)(?! (?:have|get|be able)\b)"
    r"|(?:i|we) (?:want|would like|'?d like|expect) (?:you|it|them|the|all|every|each|no|our|my|to (?:see|have|be))\b"
    r"|please|make sure|let'?s|always|never)\b",
    _I,
)
_LEFT_OPEN = re.compile(
    r"\b(?:could|might|may|maybe|perhaps|possibly|probably|how about|what about|why don't we|options?|alternatives?"
    r"|idea|suggest(?:ion)?|propos(?:e|al)|recommend|consider|if we|what if|i (?:think|guess|suppose|wonder)"
    r"|tomorrow|later|next (?:week|month|sprint|quarter|year)|soon|eventually|someday|at some point|once we|todo"
    r"|fixme)\b",
    _I,
)
_FIRM = re.compile(
    r"\b(?:confirm(?:s|ed)|verified|proven|proved|certain(?:ly)?|definite(?:ly)?|established|known to be)\b", _I
)
_NOT_YET = re.compile(
    r"\b(?:not|never|nobody|no one|none|nothing|hasn't|isn't|yet to be)\b[a-z ]{0,16}"
    r"\b(?:confirm(?:s|ed)|verified|prove[nd]|established|certain|definite)\b|\bun(?:confirmed|verified|proven)\b",
    _I,
)


def mood_of(sentence: str) -> Mood:
    """Return how `sentence` is meant, by the first open mark that it has; FACT where it has none."""
    if any(pattern.search(sentence) for pattern in (_QUESTION, _ASKS, _INQUIRY)):
        return Mood.QUESTION
    for mood, pattern in (
        (Mood.SUPPOSITION, _SUPPOSITION),
        (Mood.ORDER, _ORDER),
        (Mood.PROPOSAL, _PROPOSAL),
        (Mood.GUESS, _GUESS),
        (Mood.PLAN, _PLAN),
        (Mood.ORDER, _ORDER_WITHIN),
    ):
        if pattern.search(sentence):
            return mood
    return Mood.FACT


def tells_as(statement: str, mood: Mood) -> bool:
    """Whether `statement` tells what was said in `mood` as no more than that."""
    if mood is Mood.FACT:
        return True
    if mood is Mood.ORDER:
        return _DONE.search(statement) is None or _TOLD_AS[mood].search(statement) is not None
    return not tells_firmly(statement) and _TOLD_AS[mood].search(statement) is not None


def is_wanted(sentence: str) -> bool:
    """Whether `sentence` says what somebody wants done, and not merely what could be, or what is to come."""
    return _WANTED.search(sentence) is not None and not _LEFT_OPEN.search(sentence)


def tells_firmly(statement: str) -> bool:
    """Whether `statement` calls something confirmed."""
    return _FIRM.search(statement) is not None and not _NOT_YET.search(statement)
