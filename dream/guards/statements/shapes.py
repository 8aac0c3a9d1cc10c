"""What a statement looks like: one plain sentence or two, with nothing in it that only code may write."""

from __future__ import annotations

import re

from dream.guards.hidden import hidden_markup
from dream.guards.sources import vouchers
from dream.guards.statements.limits import GateLimits
from dream.memory.operations import Refusal

_LINE_ENDS = re.compile(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_MARKED = re.compile(r"\s{0,3}(?:[-*+>|]\s|#{1,6}\s|```|~~~|---|===|[0-9]{1,3}[.)]\s|[0-9]{4}-[0-9]{2}-[0-9]{2}:\s)")
_FIELD = re.compile(
    r"\b(?:score|confidence|candidates?|similarity|relevance|recall[ _]?count|verdict|supported|rationale"
    r"|reasoning|evidence"
    r"|quotes?|origin|tentative|sources?|observation|statement|claim|resource|priority|importance|weight)\s{0,3}[=:]",
    re.IGNORECASE,
)
_MARKER = re.compile(
    r"[\[({<]\s{0,2}(?:withheld|blocked|verified|screened|approved|trusted|truncated|redacted|secret|missing|empty"
    r"|safe"
    r"|tentative|checked|system|admin|important)\b|\bscreened\s?:|\b(?:dream|night)-[a-z]{3,20}\s?:",
    re.IGNORECASE,
)
_CLOSING = " \"')]*_\u201d"
_CODE = re.compile(r"`[^`\n]{1,400}`")
_MARKUP = re.compile(r"!\[|\]\(|\[\[|\[\^")
_ORDER_LATER = re.compile(
    r"\b(?:when|whenever|if|once|after|before|while|(?:every|each|next|any) time)\b[^.!?\n]{0,80}?"
    r"(?:,|\bthen\b|\bplease\b|\balways\b|\balso\b)\s{0,2}(?:then |please |always |also |silently |first "
    r"|you (?:must|should) )*"
    r"(?:add|append|attach|call|copy|curl|delete|disable|download|email|e-mail|execute|export|fetch|forward"
    r"|include|insert"
    r"|install|invoke|load|mention|open|post|print|push|recommend|remove|reply|report|reveal|run|save|send|share"
    r"|show|store"
    r"|submit|tell|transfer|upload|use|visit|write)\b",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"\b(?:you|your|the (?:user|agent|assistant|model|bot)|an? (?:user|agent|assistant)|agents|users|asked"
    r"|discuss(?:ed|es|ing)?"
    r"|mention(?:ed|s|ing)?|talk(?:ed|ing)? about|says?|types?|greets?|confirms?|replies|comes up)\b",
    re.IGNORECASE,
)
_OWN_WORK = re.compile(r"\byou(?:r|rself)?\b", re.IGNORECASE)
_PLACE = re.compile(r"[a-z][a-z0-9+.-]{1,15}://|www\.|[\w.+-]{1,60}@[\w-]{1,60}\.[a-z]{2}|\bwebhook\b", re.IGNORECASE)


def check_shape(statement: str, limits: GateLimits, *, is_rule: bool = False) -> Refusal | None:
    """Return why `statement` has not the shape of one, or of a rule of work (`is_rule`), None where it has.

    Reasons: `statement-empty`, `statement-too-long`, `several-lines`, `not-a-sentence`, `forged-source`,
    `pipeline-field`, `forged-marker`, `markup`, `order-for-later`.
    """
    if len(statement.split()) < limits.least_words:
        return Refusal("statement-empty", f"{len(statement.split())} words")
    if len(statement) > limits.most_characters:
        return Refusal("statement-too-long", f"{len(statement)} characters, at most {limits.most_characters}")
    if _LINE_ENDS.search(statement):
        return Refusal("several-lines")
    if _MARKED.match(statement) or statement.rstrip(_CLOSING).endswith(("?", "\uff1f")):
        return Refusal("not-a-sentence", ascii(statement[:12])[1:-1])
    voucher = next(vouchers(statement), None)
    if voucher is not None:
        return Refusal("forged-source", ascii(voucher[:80])[1:-1])
    return _check_marks(statement, is_rule=is_rule)


def _check_marks(statement: str, *, is_rule: bool) -> Refusal | None:
    plain = _CODE.sub(" ", statement)
    for reason, pattern, text in (
        ("pipeline-field", _FIELD, statement),
        ("forged-marker", _MARKER, statement),
        ("markup", _MARKUP, plain),
    ):
        match = pattern.search(text)
        if match:
            return Refusal(reason, ascii(match[0])[1:-1])
    if next(hidden_markup(statement), None) is not None:
        return Refusal("hidden-html")
    if orders_for_later(statement, is_rule=is_rule):
        return Refusal("order-for-later")
    return None


def orders_for_later(statement: str, *, is_rule: bool = False) -> bool:
    """Whether `statement` tells whoever reads it what to do once something is said or asked.

    That is no fact about a thing, whoever said it; it belongs into preferences, which people write. A rule of work says
    what the reader is to do when it does such work itself, and never when somebody says something or where to send it.
    """
    later = [match[0] for match in _ORDER_LATER.finditer(statement)]
    cues = [_OWN_WORK.sub(" ", cue) for cue in later] if is_rule else later
    return any(_ADDRESSED.search(cue) or _PLACE.search(statement) for cue in cues)
