"""What of a person's message that person typed: not what is fenced, quoted, pasted, or printed by a machine.

Structure says whose message it is; this says which of its words are whose. It is strict: a typed line that looks like a
log is lost, and that costs an observation at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dream.guards.statements.utterances import Utterance

Stretch = tuple[int, int]

_FENCE = re.compile(r"[ \t]{0,12}(`{3,}|~{3,})")
_OPENED = re.compile(r"[ \t]{0,8}<([A-Za-z][A-Za-z0-9_-]{0,40})(?:\s[^<>\n]{0,400})?>")
_PRINTED = re.compile(
    r"[ \t]{4,}\S|\t\S|[ \t]{0,8}(?:"
    r">|\||\$ |\u276f |% |>>> |\.\.\. |PS [A-Z]:|[A-Za-z0-9_.-]{1,40}@[A-Za-z0-9_.-]{1,60}[:~]"
    r"|\[[0-9]{2}/[0-9]{2}/[0-9]{2}|\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}|\[?[0-9]{1,2}:[0-9]{2}:[0-9]{2}"
    r"|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|CRITICAL|NOTICE)\b"
    r"|npm (?:ERR|WARN)|error(?:\[[A-Z0-9]{1,12}\])?: |warning: |fatal: |E {2,}|FAILED |PASSED |=====|-----"
    r"|Traceback |File \"|at [\w.$<>]{1,120} ?\(|[\w.]{1,80}(?:Error|Exception): "
    r"|diff --git |index [0-9a-f]{6,}|@@ |\+\+\+ |--- |\+[^ 0-9]|[{}\[\]]|</?[A-Za-z!]"
    r"|\"[\w .-]{1,60}\": |[0-9]{1,5}(?:\||→|\t)"
    r")"
)
_CODE_END = re.compile(r"[{;][ \t]{0,4}\Z")
_INTRODUCES = re.compile(
    r"\b(?:logs?|output|page|docs?|documentation|article|readme|errors?|trace|traceback|stack|transcript|e-?mail|mail"
    r"|message|slack|thread|posts?|blog|website|site|guide|says|said|wrote|writes|states|pasted?|pasting|quot(?:e|ed|ing)"
    r"|following|below|here(?:'s| is| are)|review|comments?|ticket|issue|prompt|results?|response|answer|answered"
    r"|replied|got this|see this|snippet|file)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[ \t]{0,8}<?(?:https?://|www\.)[^\s<>]{3,2000}>?[ \t]{0,8}:?\Z")
_WROTE = re.compile(r"[ \t]{0,4}(?:From|Subject|Sent|Forwarded message|On .{4,120} wrote)\b.{0,200}:", re.IGNORECASE)
_TURN = re.compile(
    r"[ \t]{0,4}(?:[#*_\[<-]{1,4} ?)?(?:user|human|person|assistant|agent|system|developer|claude|chatgpt"
    r"|gpt|copilot|gemini|codex|cursor)(?: ?\([^()\n]{0,80}\))?(?:[*_\]>]{0,3}:|\*\*_?[ \t]{0,4}\Z)"
    r"|[ \t]{0,4}#{1,4} (?:user|human|assistant|agent|system)[ \t]{0,4}\Z"
    r"|[ \t]{0,4}<\|[a-z_]{1,40}\|>|\[m[0-9]{1,6}\] (?:person|agent|tool|harness|recalled)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    '(?<![^\\s(\\[{])"(?=\\S)[^"\n]{20,2000}"|\u201c[^\u201d\n]{20,2000}\u201d|\u00ab[^\u00bb\n]{20,2000}\u00bb'
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_LEFT_OUT = "… [left out: not typed]"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedLimits:
    """From how many lines or characters on a message counts as pasted, its first and last paragraph apart."""

    lines: int = 40
    characters: int = 4_000


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def typed_stretches(text: str, limits: TypedLimits | None = None) -> tuple[Stretch, ...]:
    """Return where in `text` its author typed, in order: code points from and to, without blanks at their ends.

    What is in a fence, a block quote, a tag, between quotation marks of twenty characters and more, after a line that
    introduces something pasted, is a bare address or the head of a turn, or looks like a log, a diff, code or a table,
    is not.
    """
    known = limits or TypedLimits()
    paragraphs = list(_paragraphs(_own_lines(text)))
    if len(text) > known.characters or text.count("\n") >= known.lines:
        paragraphs = [one for one in paragraphs if one[0].start == _first(text) or one[-1].end >= len(text.rstrip())]
    return tuple(stretch for lines in paragraphs for stretch in _spoken(text, lines))


def typed_alone(utterance: Utterance, limits: TypedLimits | None = None) -> Utterance:
    """Return `utterance` with blanks for what its author did not type, so that every offset still holds."""
    blank = [character if character == "\n" else " " for character in utterance.text]
    for start, end in typed_stretches(utterance.text, limits):
        blank[start:end] = utterance.text[start:end]
    return replace(utterance, text="".join(blank))


def typed_text(text: str, limits: TypedLimits | None = None) -> str:
    """Return what was typed, as it is shown: with a mark where something was left out, empty where nothing was."""
    parts: list[str] = []
    at = 0
    for start, end in typed_stretches(text, limits):
        if text[at:start].strip():
            parts.append(_LEFT_OUT)
        parts.append(text[start:end])
        at = end
    if parts and text[at:].strip():
        parts.append(_LEFT_OUT)
    return "\n".join(parts)


def _first(text: str) -> int:
    """Return where the first line starts that holds anything."""
    return text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for line in text.split("\n"):
        yield _Line(at, line.rstrip("\r"))
        at += len(line) + 1


def _own_lines(text: str) -> Iterator[_Line | None]:
    """Yield the lines that nothing fences, wraps or introduces; None stands between two that do not belong together."""
    closing = ""
    is_fence = False
    for line in _lines(text):
        if closing:
            done = line.text.strip().startswith(closing) if is_fence else closing in line.text
            closing = "" if done else closing
            yield None
        elif fence := _FENCE.match(line.text):
            closing, is_fence = fence[1], True
            yield None
        elif tag := _OPENED.match(line.text):
            ended = f"</{tag[1]}>"
            closing, is_fence = ("" if ended in line.text else ended), False
            yield None
        elif _WROTE.match(line.text) or _ADDRESS.match(line.text) or _TURN.match(line.text):
            return
        elif line.text.rstrip().endswith(":") and _INTRODUCES.search(line.text[-300:]):
            yield line
            return
        else:
            yield line if line.text.strip() else None


def _paragraphs(lines: Iterator[_Line | None]) -> Iterator[Sequence[_Line]]:
    """Yield lines that stand together, without what a machine prints; of what is mostly printed nothing is typed."""
    held: list[_Line] = []
    for line in (*lines, None):
        if line is not None:
            held.append(line)
            continue
        yield from _runs(held)
        held = []


def _runs(held: Sequence[_Line]) -> Iterator[Sequence[_Line]]:
    printed = [_is_printed(line.text) for line in held]
    if 2 * sum(printed) > len(held):
        return
    run: list[_Line] = []
    for line, is_printed in zip(held, printed, strict=True):
        if is_printed:
            if run:
                yield run
            run = []
        else:
            run.append(line)
    if run:
        yield run


def _is_printed(line: str) -> bool:
    return _PRINTED.match(line) is not None or _CODE_END.search(line[-8:]) is not None


def _spoken(text: str, lines: Sequence[_Line]) -> Iterator[Stretch]:
    """Yield what of lines that stand together is outside quotation marks."""
    at, last = lines[0].start, lines[-1].end
    for quoted in _QUOTED.finditer(text, at, last):
        yield from _trimmed(text, at, quoted.start())
        at = quoted.end()
    yield from _trimmed(text, at, last)


def _trimmed(text: str, start: int, end: int) -> Iterator[Stretch]:
    piece = text[start:end]
    if _WORD.search(piece):
        yield start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
