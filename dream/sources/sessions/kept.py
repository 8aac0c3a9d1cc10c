"""Which stretches of a text are worth keeping, as spans of characters; pure, and never more work than the text is long.

A span is `(start, end)`; a list of them is in order, and none touches another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

Span = tuple[int, int]

_NEAR = 24
"""What is left out between two spans is kept if it is shorter than the words that would tell of it."""

_LINK = re.compile(r"https?://[^\s\"'<>()\[\]{}\\^`|*]{4,2000}")
_TROUBLE = ("error", "fail", "exception", "traceback", "fatal", "panic")
_MENTIONS = ("denied", "refused", "not found", "cannot")
_SAYS_SO = re.compile(
    r"[ \t>]{0,8}(?:[\w./:-]{1,80}:[ \t]|e[ \t]{1,8})?[\w.]{0,60}"
    r"(?:error|fatal|panic|exception|traceback|failed|failure)\b"
)
_FENCE = "```"
_FENCES = re.compile(r"^[ \t]{0,12}```[^\n]{0,200}$", re.MULTILINE)
_DIGIT = re.compile(r"[0-9]")
_LOOKED_AT = 40
_LATEST_CUT = 0.8
_BLANKS = " \t\r\n"


def head_and_tail(text: str, most: int) -> list[Span]:
    """Return all of `text`, or its first two thirds and last third of `most` characters, cut at lines or words."""
    start, end = _stripped(text)
    return _both_ends(text, [(start, end)], most)


def prose_of(text: str, most: int, *, code_lines: int) -> list[Span]:
    """Return `head_and_tail` of `text` without its long blocks of code, of which the first `code_lines` are kept."""
    start, end = _stripped(text)
    if _FENCE not in text:
        return _both_ends(text, [(start, end)], most)
    spans = []
    opened = -1
    for fence in _FENCES.finditer(text, start, end):
        if opened < 0:
            opened = fence.start()
            continue
        cut = _after_lines(text, opened, code_lines + 1)
        if cut < fence.start():
            spans.append((start, cut - 1))
            start = fence.start()
        opened = -1
    return _both_ends(text, merged([*spans, (start, end)], len(text)), most)


def beginning_of(text: str, most: int) -> list[Span]:
    """Return the first `most` characters of `text`, cut at a line or a word."""
    start, end = _stripped(text)
    if end - start > most:
        end = _break_before(text, start, start + most)
    return merged([(start, end)], len(text))


def last_lines(text: str, *, lines: int, characters: int, line: int) -> list[Span]:
    """Return the last `lines` lines that are not blank, at most about `characters` of them.

    Of a line longer than `line` both ends are kept: how it begins tells what it is, and values stand at its end.
    """
    spans: list[Span] = []
    end = _stripped(text)[1]
    left = characters
    while end > 0 and lines and left > 0:
        start = text.rfind("\n", 0, end) + 1
        if not _is_blank(text, start, end):
            spans.extend(reversed(_ends_of(start, end, min(line, max(left, line // 2)))))
            left -= min(line, end - start)
            lines -= 1
        end = start - 1
    spans.reverse()
    return spans


def line_of_value(text: str, *, before: int, line: int) -> list[Span]:
    """Return the last line with a digit in it that stands before character `before`."""
    last = max(text.rfind(digit, 0, before) for digit in "0123456789")
    if last < 0:
        return []
    start = text.rfind("\n", 0, last) + 1
    return _ends_of(start, _line_end(text, last, before), line)


def has_value(text: str, start: int) -> bool:
    """Return whether there is a digit from character `start` on."""
    return _DIGIT.search(text, start) is not None


def lines_of_trouble(text: str, *, before: int, most: int, line: int, weak: bool) -> list[Span]:
    """Return up to `most` lines that tell of an error, out of what stands before character `before`.

    Lines that begin with it come first; with `weak` those that only mention one are taken where there are fewer.
    """
    lowered = text[:before].lower()
    if len(lowered) != before:
        return []  # a character that is longer in lower case: positions would not hold
    words = (*_TROUBLE, *_MENTIONS) if weak else _TROUBLE
    starts = sorted({lowered.rfind("\n", 0, found) + 1 for word in words for found in _found(lowered, word)})
    strong = [start for start in starts if _SAYS_SO.match(lowered, start)]
    chosen = strong[:most]
    if weak and len(chosen) < most:
        chosen += [start for start in starts if start not in strong][: most - len(chosen)]
    return [(start, min(_line_end(text, start, before), start + line)) for start in sorted(chosen)]


def links_of(text: str) -> Iterator[Span]:
    """Yield where the links of `text` stand, without the punctuation of the sentence around them."""
    if "://" not in text:
        return
    for match in _LINK.finditer(text):
        yield match.start(), match.start() + len(match[0].rstrip(".,;:!?…"))


def merged(spans: Iterable[Span], size: int) -> list[Span]:
    """Return `spans` sorted and joined where little or nothing is left out between them, within `size` characters."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if end <= start:
            continue
        if joined and start - joined[-1][1] <= _NEAR:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    if joined and joined[0][0] <= _NEAR // 2:
        joined[0] = (0, joined[0][1])
    if joined and size - joined[-1][1] <= _NEAR // 2:
        joined[-1] = (joined[-1][0], size)
    return joined


def _found(lowered: str, word: str) -> Iterator[int]:
    """Yield where `word` stands first in each line, in up to `_LOOKED_AT` lines."""
    position = lowered.find(word)
    for _ in range(_LOOKED_AT):
        if position < 0:
            return
        yield position
        position = lowered.find(word, _line_end(lowered, position, len(lowered)))


def _both_ends(text: str, spans: list[Span], most: int) -> list[Span]:
    left = sum(end - start for start, end in spans) - most
    if left <= 0:
        return [span for span in spans if span[0] < span[1]]
    first, last = most - most // 3, most // 3
    head, tail = [], []
    for start, end in spans:
        if end - start >= first:
            head.append((start, _break_before(text, start, start + first)))
            break
        head.append((start, end))
        first -= end - start
    for start, end in reversed(spans):
        if end - start >= last:
            tail.append((_break_after(text, end - last, end), end))
            break
        tail.append((start, end))
        last -= end - start
    return merged([*head, *tail], len(text))


def _after_lines(text: str, position: int, lines: int) -> int:
    """Return where the line begins that comes `lines` lines after the one at `position`, the end if there is none."""
    for _ in range(lines):
        position = text.find("\n", position) + 1
        if not position:
            return len(text)
    return position


def _ends_of(start: int, end: int, most: int) -> list[Span]:
    if end - start <= most + _NEAR:
        return [(start, end)]
    return [(start, start + most // 2), (end - most // 2, end)]


def _stripped(text: str) -> Span:
    return len(text) - len(text.lstrip(_BLANKS)), len(text.rstrip(_BLANKS))


def _is_blank(text: str, start: int, end: int) -> bool:
    return start >= end or (text[start] in _BLANKS and text[start:end].isspace())


def _line_end(text: str, start: int, most: int) -> int:
    end = text.find("\n", start, most)
    return most if end < 0 else end


def _break_before(text: str, start: int, end: int) -> int:
    """Return where to cut at or before `end`: at a line's end, else between words, else there."""
    least = start + int((end - start) * _LATEST_CUT)
    cut = text.rfind("\n", least, end)
    if cut < 0:
        cut = text.rfind(" ", least, end)
    return end if cut < 0 else cut


def _break_after(text: str, start: int, end: int) -> int:
    most = start + int((end - start) * (1 - _LATEST_CUT))
    cut = text.find("\n", start, most)
    if cut < 0:
        cut = text.find(" ", start, most)
    return start if cut < 0 else cut + 1
