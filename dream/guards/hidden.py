"""Markup, links and encodings that carry what a person who reads the rendered page does not see."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

MIN_DECODED = 16
_SHARE_PRINTABLE = 0.95


@dataclass(frozen=True, slots=True)
class Hiding:
    """A place where something is hidden: why, and the characters that say so."""

    reason: str
    text: str


_HTML = re.compile(
    r"""
    <!--
    | <\s{0,3}/?\s{0,3}(?:details|script|style|iframe|object|embed|template|noscript|meta|link|base|svg|form)\b
    | <[a-z][a-z0-9]{0,15}\s[^<>]{0,400}?(?:\bhidden\b|\b(?:title|alt|aria-label|on[a-z]{3,20})\s{0,3}=)
    | \b(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|(?:font-size|opacity)\s{0,3}:\s{0,3}0(?![.0-9]))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MARKDOWN = re.compile(
    r"""
    \]\(\s{0,3}<?[^\s()<>]{0,500}>?\s{1,3}["'(]            # a link with a title
    | ^[ ]{0,3}\[[^\[\]\n]{0,200}\]:[ \t]{0,3}\S           # a reference definition, which renders as nothing
    """,
    re.VERBOSE | re.MULTILINE,
)
_SCHEME = re.compile(
    r"""
    (?<![a-z0-9])(?:
      (?:javascript|vbscript):[^\s/]
      | data:(?:[a-z]{2,20}/[a-z0-9.+-]{1,60})?(?:;[a-z0-9=-]{1,40}){0,4},
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_URL = re.compile(r"(?:https?|wss?|ftp)://[^\s<>\"'`]{1,2000}|(?:https?|wss?|ftp)://(?=[<{$])", re.IGNORECASE)
_IMAGE = re.compile(r"!\[[^\[\]\n]{0,300}\]\(\s{0,3}<?(?:[a-z][a-z0-9+.-]{1,15}:)?//", re.IGNORECASE)
# A slot in a link that whoever follows it is to fill: `?q={secret}`, `/$(env)`, `?d=<conversation>`, `=[SUMMARY]`.
_SLOT = re.compile(r"\{[^{}]{0,80}\}|\$\(|\$[A-Za-z_]|%(?:s|24|7B)|=\[|<[a-z]", re.IGNORECASE)

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEX = re.compile(r"(?<![0-9A-Fa-f])(?:0x)?[0-9A-Fa-f]{32,}")
_ESCAPES = re.compile(
    r"(?:%[0-9A-Fa-f]{2}){8,}|(?:&\#x?[0-9A-Fa-f]{1,6};){6,}|(?:\\x[0-9A-Fa-f]{2}){6,}|(?:\\u[0-9A-Fa-f]{4}){6,}"
)


def hidden_markup(text: str) -> Iterator[Hiding]:
    """Yield the HTML and Markdown that a rendered page does not show: comments, folded parts, titles, definitions."""
    for match in _HTML.finditer(text):
        yield Hiding("hidden-html", match[0])
    for match in _MARKDOWN.finditer(text):
        yield Hiding("hidden-html", match[0])


def unsafe_links(text: str) -> Iterator[Hiding]:
    """Yield links that run code or carry data out: `javascript:`, `data:`, foreign images, userinfo, slots to fill."""
    for match in _SCHEME.finditer(text):
        yield Hiding("unsafe-link", match[0])
    for match in _IMAGE.finditer(text):
        yield Hiding("exfiltrating-link", match[0])
    for match in _URL.finditer(text):
        after = text[match.end() : match.end() + 2]
        if _carries_out(match[0] + after):
            yield Hiding("exfiltrating-link", match[0])


def encoded_payloads(text: str) -> Iterator[Hiding]:
    """Yield long runs of base64, hex or escapes that decode to text; digests, ids and keys decode to noise and pass."""
    for match in _BASE64.finditer(text):
        if _decodes_as_base64(match[0]):
            yield Hiding("encoded-payload", match[0])
    for match in _HEX.finditer(text):
        digits = match[0].removeprefix("0x")
        if _reads(bytes.fromhex(digits[: len(digits) // 2 * 2])):
            yield Hiding("encoded-payload", match[0])
    for match in _ESCAPES.finditer(text):
        yield Hiding("encoded-payload", match[0])


def _carries_out(url: str) -> bool:
    rest = url.split("://", 1)[1]
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if "@" in authority:
        return True
    beyond = rest[len(authority) :]
    query = beyond.partition("?")[2] or beyond.partition("#")[2]
    return bool(_SLOT.search(query) or _SLOT.search(authority))


def _decodes_as_base64(run: str) -> bool:
    standard = run.rstrip("=").replace("-", "+").replace("_", "/")
    for skip in range(4):
        part = standard[skip:]
        part = part[: len(part) // 4 * 4]
        try:
            if _reads(base64.b64decode(part, validate=True)):
                return True
        except binascii.Error:
            continue
    return False


def _reads(data: bytes) -> bool:
    """Whether bytes are text that somebody can read, as random bytes practically never are."""
    if len(data) < MIN_DECODED:
        return False
    if b" " not in data and len(set(data)) <= MIN_DECODED // 2:
        return False
    decoded = data.decode(errors="ignore")  # the run may begin or end inside a character
    readable = "".join(character for character in decoded if character.isprintable() or character in "\n\r\t")
    return len(readable.encode()) >= _SHARE_PRINTABLE * len(data)
