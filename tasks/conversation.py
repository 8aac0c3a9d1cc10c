"""A session as evidence and as excerpts that a model is shown: what people and the agent said, and how commands ended.

Ids are `m1` to `mn` in the order of the session's messages, whatever part of it is shown, so that a quote names the
same message in every excerpt and on every night.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from dream.guards.secrets import fold_secrets
from dream.guards.statements.utterances import Speaker, Utterance
from dream.sources.sessions.lookups import is_lookup
from dream.sources.sessions.values import Message, Session, Summary
from tasks.titles import statements_of

_SHOWN = frozenset({Speaker.PERSON, Speaker.AGENT, Speaker.TOOL})
_TROUBLE = re.compile(r"error|fail|exception|traceback|fatal|denied|refused|not found|exit code", re.IGNORECASE)
_TROUBLES = 4
_SEEN = 3
_LONG = 200
_SMALLEST_HALF = 400
_BREAK = "\n\n"

Screen = Callable[[str, Speaker], str]
"""Returns what of one line of a speaker may be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcerptLimits:
    """How much is shown, in characters: of a message by a person or by an agent, of an output's line, in one excerpt.

    Of the output of a command the last `output_lines` are shown, and the first few that tell of trouble.
    """

    excerpt: int = 24_000
    person: int = 6_000
    agent: int = 1_600
    line: int = 300
    output_lines: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One message as it is shown: a line that says whose it is, and its words."""

    header: str
    text: str

    @property
    def shown(self) -> str:
        """The piece as it stands in an excerpt."""
        return f"{self.header}\n{self.text}" if self.text else self.header


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Pieces of one conversation, in order."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The excerpt as a model is shown it."""
        return _BREAK.join(piece.shown for piece in self.pieces)

    def halves(self) -> tuple[Excerpt, Excerpt] | None:
        """Return two excerpts of about half the length, None where it is too short to be worth it."""
        if len(self.pieces) == 1:
            return self._halves_of_one()
        total, size, cut = sum(len(piece.shown) for piece in self.pieces), 0, 1
        for number, piece in enumerate(self.pieces[:-1], 1):
            size += len(piece.shown)
            cut = number
            if 2 * size >= total:
                break
        return Excerpt(pieces=self.pieces[:cut]), Excerpt(pieces=self.pieces[cut:])

    def _halves_of_one(self) -> tuple[Excerpt, Excerpt] | None:
        (piece,) = self.pieces
        middle = len(piece.text) // 2
        if middle < _SMALLEST_HALF:
            return None
        at = piece.text.find("\n", middle)
        cut = at + 1 if 0 <= at < len(piece.text) - _SMALLEST_HALF else middle
        first, second = replace(piece, text=piece.text[:cut]), replace(piece, text=piece.text[cut:])
        return Excerpt(pieces=(first,)), Excerpt(pieces=(second,))


def utterances_of(session: Session) -> tuple[Utterance, ...]:
    """Return every message of `session` as evidence, whole, also those that no excerpt shows."""
    return tuple(
        Utterance(
            id=f"m{number}",
            source=session.source,
            speaker=Speaker(message.role.value),
            text=message.text,
            at=message.at,
            author=message.author,
            tool=message.tool,
            cut=message.cut,
        )
        for number, message in enumerate(session.messages, 1)
    )


def utterances_of_summary(summary: Summary) -> tuple[Utterance, ...]:
    """Return each lasting statement of a ready summary as the record of a tool, which is nobody's own words."""
    return tuple(
        Utterance(
            id=f"m{number}",
            source=summary.source,
            speaker=Speaker.TOOL,
            text=statement,
            at=summary.ended,
            tool="ready summary",
        )
        for number, statement in enumerate(statements_of(summary.lasting), 1)
    )


def excerpts_of(
    utterances: Iterable[Utterance],
    *,
    limits: ExcerptLimits,
    screen: Screen = lambda line, _: line,
    only: Collection[str] | None = None,
) -> tuple[Excerpt, ...]:
    """Return what is shown of `utterances`, in excerpts of at most `limits.excerpt` characters or of one message.

    `only` are the ids that may be shown; None is all. What the harness wrote and what was recalled never is. Repeated
    lines and repeated messages are shown once or a few times, and the rest counted.
    """
    pieces = list(_pieces([one for one in utterances if only is None or one.id in only], limits, screen))
    excerpts: list[list[Piece]] = []
    size = 0
    for piece in pieces:
        length = len(piece.shown) + len(_BREAK)
        if not excerpts or size + length > limits.excerpt:
            excerpts.append([])
            size = 0
        excerpts[-1].append(piece)
        size += length
    return tuple(Excerpt(pieces=tuple(some)) for some in excerpts)


def ids_of(session: Session, messages: Sequence[Message]) -> frozenset[str]:
    """Return the ids that `messages` of `session` have as evidence."""
    wanted = {id(message) for message in messages}
    return frozenset(f"m{number}" for number, one in enumerate(session.messages, 1) if id(one) in wanted)


def _pieces(utterances: Sequence[Utterance], limits: ExcerptLimits, screen: Screen) -> Iterator[Piece]:
    seen: dict[tuple[Speaker, str], str] = {}
    for utterance in utterances:
        if utterance.speaker not in _SHOWN or not utterance.text.strip():
            continue
        header, text = _header(utterance, screen), _text(utterance, limits, screen)
        if not text:
            continue
        first = seen.setdefault((utterance.speaker, text), utterance.id)
        if first != utterance.id and len(text) > _LONG:
            text = f"… [the same as {first}]"
        yield Piece(header=header, text=text)


def _header(utterance: Utterance, screen: Screen) -> str:
    name = utterance.tool if utterance.speaker is Speaker.TOOL else utterance.author
    shown = _cut(screen(" ".join(name.split()), utterance.speaker), _LONG) if name else ""
    return f"[{utterance.id}] {utterance.speaker}{' ' if shown else ''}{shown}:"


def _text(utterance: Utterance, limits: ExcerptLimits, screen: Screen) -> str:
    """Return what of an utterance is shown; nothing of what was merely looked up."""
    if utterance.speaker is Speaker.TOOL:
        return "" if is_lookup(utterance.tool) else _output(fold_secrets(utterance.text), limits, screen)
    text = fold_secrets(utterance.text).strip("\n")
    lines = [screen(line, utterance.speaker) for line in _collapsed(text.split("\n"))]
    most = limits.person if utterance.speaker is Speaker.PERSON else limits.agent
    return _shortened("\n".join(lines), most)


def _output(text: str, limits: ExcerptLimits, screen: Screen) -> str:
    lines = [line for line in _collapsed(text.rstrip().split("\n")) if line.strip()]
    last = lines[-limits.output_lines :]
    before = lines[: -limits.output_lines]
    troubles = [line for line in before if _TROUBLE.search(line[: limits.line])][:_TROUBLES]
    left_out = len(before) - len(troubles)
    marks = [f"… [{left_out} lines left out]"] if left_out else []
    return "\n".join(
        [*(_cut(screen(one, Speaker.TOOL), limits.line) for one in troubles), *marks]
        + [_cut(screen(one, Speaker.TOOL), limits.line) for one in last]
    )


def _collapsed(lines: Sequence[str]) -> Iterator[str]:
    """Yield `lines` without those that were there three times already; how many these are is told at the end."""
    seen: Counter[str] = Counter()
    dropped = 0
    for line in lines:
        seen[line] += 1
        if line.strip() and seen[line] > _SEEN:
            dropped += 1
        else:
            yield line
    if dropped:
        yield f"… [{dropped} repeated lines left out]"


def _cut(line: str, most: int) -> str:
    return line if len(line) <= most else f"{line[:most]}… [{len(line) - most} characters left out]"


def _shortened(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    tail = most // 3
    return f"{text[: most - tail]}\n… [{len(text) - most} characters left out]\n{text[-tail:]}"
