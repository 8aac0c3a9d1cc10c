"""Orders to carry what their reader holds to somewhere outside: secrets, what was said, a memory, whole stores of data.

Three things in one sentence: a verb that takes something along, what it takes, and an address. Which things is an idea
and no list of attacks: what an agent holds for others. To publish what was made for others (a page, a build, release
notes) is work, and passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_CONFIDED = (
    r"secret|token|password|passphrase|credential|api[ _-]?key|private key|ssh key|env(?:ironment)? (?:file|variable)"
    r"|\.env|cookie|session id|bank detail|card number"
)
_SAID = r"conversation|chat history|chat log|transcript|system prompt|message history|context window|prompt history"
_REMEMBERED = (
    r"(?:memory|catalog|claude|agents|skill)\.md|memory (?:file|folder|repository|store)|memories"
    r"|memory(?! (?:alert|allocation|consumption|figure|footprint|graph|limit|leak|metric|pressure|profile|size|stat"
    r"|usage|use))"
    r"|knowledge base"
    r"|(?:all|any|every|its|my|our|the|their|these|those|your) (?:own |other |saved |stored |team |daily )?"
    r"(?:note|learning|preference)"
    r"|(?:everything|anything|all|what) (?:that )?(?:you|it|the (?:agent|assistant|team)) "
    r"(?:know|remember|learn|learned|learnt|read|store|have)"
)
_STORES = (
    r"(?:contents?|copy|copies|dump|archive|rest) of (?:all |any |every |its |my |our |the |their |this |your )?"
    r"(?:[\w./-]{1,40} )?[\w./-]{1,40}"
    r"|(?:all|every|its|my|our|the|their|these|those|your|whole)"
    r" (?:own |other |local |internal |private |whole |entire )?"
    r"(?:file|source|source code|code ?base|repositor(?:y|ie)|database|customer (?:data|record|list)"
    r"|user (?:data|record)|home (?:directory|folder)|workspace|history|data|record)"
)
_HELD = re.compile(rf"(?<![\w-])(?:{_CONFIDED}|{_SAID}|{_REMEMBERED}|{_STORES})s?(?![\w-])")
_VERBS = (
    r"send|post|upload|forward|exfiltrate|leak|e-?mail|mail|submit|transmit|transfer|copy|append|curl|share|paste|publish"
    r"|relay|beam|deliver|report|export|mirror|ship|smuggle|put|push|sync|back up|hand(?: over)?|disclose|reveal|fax"
)
_TAKES = re.compile(rf"\b(?:{_VERBS})\b[^.!?\n]{{0,90}}\Z")
_TAKES_IT = re.compile(
    rf"[^.!?\n]{{0,60}}\b(?:{_VERBS}) (?:it|them|that|this|all of (?:it|them)"
    r"|the (?:result|archive|output|lot|whole|copy|contents?|summary|answer))\b"
)
_ADDRESS = re.compile(
    r"\b(?:https?|ftps?|sftp|wss?|s3|gs|ssh)://|\bwww\.|[a-z0-9]@[a-z0-9-]{1,40}\.[a-z]|\bwebhook\b|\bpastebin\b"
    r"|(?<![\w.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![\w.])"
    r"|(?<![\w.@/-])[a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,40}){0,3}\.(?:com|net|org|io|dev|xyz|site|info|ru|cn|sh|example)/"
)
_REACH = 120


def orders_to_carry_out(plain: str) -> Iterator[str]:
    """Yield each order in a text in its plain form (`plain_form`), from its first word to where its address begins."""
    for held in _HELD.finditer(plain):
        low, high = max(0, held.start() - _REACH), held.end() + _REACH
        verb = _TAKES.search(plain, low, held.start())
        later = None if verb else _TAKES_IT.match(plain, held.end(), high)
        after = _ADDRESS.search(plain, later.end() if later else held.end(), high + _REACH * (later is not None))
        if after and (verb or later):
            yield plain[(verb or held).start() : after.end()]
        elif verb:
            before = _last_address(plain, max(0, verb.start() - _REACH), verb.start())
            if before is not None and not re.search(r"[.!?]\s|\n", plain[before : verb.start()]):
                yield plain[before : held.end()]


def _last_address(plain: str, low: int, high: int) -> int | None:
    return max((match.start() for match in _ADDRESS.finditer(plain, low, high)), default=None)
