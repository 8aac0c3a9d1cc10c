"""Code points that hide text from people's eyes, and the few places where a script or an emoji needs one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator

_REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_ALLOWED_CONTROLS = frozenset("\n\t")
# Not of a refused category, and blank all the same: fillers, the empty Braille cell, variation selectors.
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5") | frozenset(
    chr(point) for point in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x180B, 0x180C, 0x180D, 0x180F)
)
_ZWNJ, _ZWJ, _VS16, _KEYCAP = "\u200c", "\u200d", "\ufe0f", "\u20e3"
_JOINERS = frozenset((_ZWNJ, _ZWJ, _VS16))
_KEYCAP_BASES = frozenset("0123456789#*")
# Punctuation and symbols outside category So that have an emoji form.
_EMOJI_OTHERS = frozenset("\u203c\u2049\u2139\u2194\u25fb\u25fc\u25fd\u25fe\u3030")
_EMOJI_BLOCK = range(0x1F000, 0x1FB00)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
# Scripts whose letters change their shape at a joiner: Arabic to NKo, the Indic ones, Myanmar, Khmer, Mongolian.
_JOINING_BLOCKS = (
    range(0x0600, 0x0900),
    range(0x0900, 0x0E00),
    range(0x1000, 0x10A0),
    range(0x1780, 0x18B0),
    range(0xFB50, 0xFE00),
    range(0xFE70, 0xFEFD),
)
_SUBDIVISION_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)
# Everything that can never be refused, so that ordinary text costs one pass in C.
_PLAIN = re.compile(r"[\t\n -~\u00a1-\u00ac\u00ae-\u02ff\u0400-\u052f\u2010-\u2027\u3041-\u3096\u4e00-\u9fff]+")
_NAMED = 3
_WORD = re.compile(r"[^ \t\n]+")


def hidden_code_points(text: str, *, known: Collection[str] = (), carriage_returns: bool = False) -> tuple[int, ...]:
    """Return the offsets in `text` of invisible, bidirectional, control, private and unassigned code points.

    A word that stands letter for letter in one of the `known` texts passes. `carriage_returns` lets one stand at the
    end of a line, for notes whose habit that is.
    """
    if _PLAIN.fullmatch(text):
        return ()
    found = tuple(_refused(text, carriage_returns=carriage_returns))
    if not found or not known:
        return found
    standing = {word for other in known for word in _WORD.findall(other)}
    forgiven = {
        offset for word in _WORD.finditer(text) if word[0] in standing for offset in range(word.start(), word.end())
    }
    return tuple(offset for offset in found if offset not in forgiven)


def name_code_points(text: str, offsets: Iterable[int]) -> str:
    """Return how a report names the code points at `offsets`, which it must not print: `U+200B, U+202E`, at most 3."""
    names = sorted({f"U+{ord(text[offset]):04X}" for offset in offsets})
    return ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")


def _refused(text: str, *, carriage_returns: bool) -> Iterator[int]:
    flags = {
        place
        for flag in _SUBDIVISION_FLAGS
        for match in re.finditer(flag, text)
        for place in range(match.start(), match.end())
    }
    position = 0
    while position < len(text):
        plain = _PLAIN.match(text, position)
        if plain:
            position = plain.end()
            continue
        if _hides(text[position]) and position not in flags and not _belongs(text, position, carriage_returns):
            yield position
        position += 1


def _hides(character: str) -> bool:
    if character in _BLANKS:
        return True
    category = unicodedata.category(character)
    if category == "Cn" and ord(character) in _EMOJI_BLOCK:
        return False  # kept for emoji, and newer ones than this Python knows are in people's text
    return category in _REFUSED_CATEGORIES and character not in _ALLOWED_CONTROLS


def _belongs(text: str, position: int, carriage_returns: bool) -> bool:  # noqa: FBT001  # internal, one caller
    character = text[position]
    before = text[position - 1] if position else ""
    after = text[position + 1] if position + 1 < len(text) else ""
    if character == "\r":
        return carriage_returns and after in ("", "\n")
    if character not in _JOINERS:
        return False
    if character == _VS16:
        return _is_pictograph(before) or (before in _KEYCAP_BASES and after == _KEYCAP)
    if character == _ZWJ and _is_pictograph(after) and _ends_pictograph(text, position):
        return True
    return _is_joining(before) and _is_joining(after)


def _ends_pictograph(text: str, end: int) -> bool:
    """Whether an emoji, with at most one variation selector or skin tone, ends at `end`."""
    last = end - 1
    if last > 0 and (text[last] == _VS16 or ord(text[last]) in _SKIN_TONES):
        last -= 1
    return last >= 0 and _is_pictograph(text[last])


def _is_pictograph(character: str) -> bool:
    if not character or ord(character) in _SKIN_TONES:
        return False
    return ord(character) in _EMOJI_BLOCK or character in _EMOJI_OTHERS or unicodedata.category(character) == "So"


def _is_joining(character: str) -> bool:
    if not character or unicodedata.category(character)[0] not in "LM":
        return False
    return any(ord(character) in block for block in _JOINING_BLOCKS)
