"""A session in a fraction of its length, by plain code: what people and agents said, what was run and how it ended."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from dream.sources.sessions.condensed import Condensed, Passage, Turn
from dream.sources.sessions.heads import about_lines, label_of, notes_of
from dream.sources.sessions.kept import (
    Span,
    beginning_of,
    has_value,
    head_and_tail,
    last_lines,
    line_of_value,
    lines_of_trouble,
    links_of,
    merged,
    prose_of,
)
from dream.sources.sessions.lookups import is_lookup, is_viewing
from dream.sources.sessions.values import Message, Role, Session

_NEW_LINE = "\n"
_REMINDER = "<system-reminder>"
_DATE = slice(0, 10)
_TIME = slice(11, 19)
_WHOLE = slice(0, 19)


@dataclass(frozen=True, slots=True, kw_only=True)
class CondensingLimits:
    """How much is kept, in characters unless a name says lines.

    Of what a person says `person`, of an agent's message `agent`, of its last one `final`, both without what goes
    beyond `code_lines` of a block of code, of the harness `harness`, of a call's command `command`. Of a command's
    output the last `output_lines`, if it failed `failed_lines`, if it printed a file `viewed_lines`, and up to
    `troubles` other lines that tell of an error; of no line more than `line`. A change is shown whole up to
    `diff_lines` and `diff`, and else counted. Up to `links` are kept wherever they stand.
    """

    person: int = 8_000
    agent: int = 900
    final: int = 3_000
    code_lines: int = 4
    harness: int = 120
    command: int = 1_200
    output_lines: int = 5
    output: int = 600
    failed_lines: int = 12
    failed: int = 1_500
    viewed_lines: int = 2
    troubles: int = 3
    line: int = 400
    diff_lines: int = 10
    diff: int = 500
    links: int = 200


_UNLIMITED = CondensingLimits(command=sys.maxsize, diff_lines=sys.maxsize, diff=sys.maxsize)


def condense(session: Session, *, limits: CondensingLimits) -> Condensed:
    """Return what of `session` is worth keeping; ids are m1 to mn in the order of its messages."""
    return _condensed(session, limits=limits, spans_of=_Keeper(limits, final=_final(session)).spans)


def whole(session: Session) -> Condensed:
    """Return all of `session` in the same form."""
    return _condensed(session, limits=_UNLIMITED, spans_of=_everything)


class _Keeper:
    """Says which stretches of a message are kept, knowing those before it."""

    def __init__(self, limits: CondensingLimits, *, final: Message | None) -> None:
        self._limits = limits
        self._final = final
        self._links: set[str] = set()
        self._told: set[str] = set()

    def spans(self, message: Message) -> list[Span]:
        """Return what of the next message is kept."""
        text = message.text
        spans = self._worth_keeping(message)
        if message.role is not Role.RECALLED and "://" in text:
            spans = self._with_links(text, spans)
        return spans

    def _worth_keeping(self, message: Message) -> list[Span]:
        limits = self._limits
        match message.role:
            case Role.PERSON:
                return head_and_tail(message.text, limits.person)
            case Role.AGENT:
                most = limits.final if message is self._final else limits.agent
                return prose_of(message.text, most, code_lines=limits.code_lines)
            case Role.HARNESS:
                return self._of_harness(message.text)
            case Role.RECALLED:
                return []
            case Role.TOOL:
                return self._of_output(message)

    def _of_harness(self, text: str) -> list[Span]:
        """Return how it begins, unless it reminds an agent of something or was there before."""
        beginning = text[: self._limits.harness]
        if text.startswith(_REMINDER) or beginning in self._told:
            return []
        self._told.add(beginning)
        return beginning_of(text, self._limits.harness)

    def _of_output(self, message: Message) -> list[Span]:
        limits, text = self._limits, message.text
        failed = message.failed or bool(message.exit_code)
        if not failed and (message.edits or (not message.command and is_lookup(message.tool))):
            return []
        is_view = not failed and is_viewing(message.command)
        lines = limits.failed_lines if failed else limits.viewed_lines if is_view else limits.output_lines
        tail = last_lines(text, lines=lines, characters=limits.failed if failed else limits.output, line=limits.line)
        before = tail[0][0] if tail else 0
        if not before:
            return merged(tail, len(text))
        kept = list(tail)
        if not has_value(text, before):
            kept += line_of_value(text, before=before, line=limits.line)
        searched = min(before, text.find(_NEW_LINE) + 1) if is_view else before
        kept += lines_of_trouble(text, before=searched, most=limits.troubles, line=limits.line, weak=failed)
        return merged(kept, len(text))

    def _with_links(self, text: str, spans: list[Span]) -> list[Span]:
        """Return `spans` with the links that stand in no passage yet, each with the first message that has it."""
        added = []
        for start, end in links_of(text):
            link = text[start:end]
            if link in self._links or len(self._links) >= self._limits.links:
                continue
            self._links.add(link)
            if not any(first <= start and end <= last for first, last in spans):
                added.append((start, end))
        return merged([*spans, *added], len(text)) if added else spans


def _everything(message: Message) -> list[Span]:
    return [(0, len(message.text))] if message.text else []


def _final(session: Session) -> Message | None:
    return next((message for message in reversed(session.messages) if message.role is Role.AGENT), None)


def _condensed(session: Session, *, limits: CondensingLimits, spans_of: Callable[[Message], list[Span]]) -> Condensed:
    turns = []
    day = ""
    for number, message in enumerate(session.messages, 1):
        name, at, text = f"m{number}", message.at.isoformat(), message.text
        when = at[_TIME] if at[_DATE] == day else f"{at[_WHOLE]}Z"
        day = at[_DATE]
        passages = [
            Passage(message=name, start=start, end=end, text=text[start:end]) for start, end in spans_of(message)
        ]
        turns.append(
            Turn(
                message=name,
                size=len(text),
                label=label_of(message, when=when, command=limits.command),
                notes=notes_of(message, command=limits.command, diff_lines=limits.diff_lines, diff=limits.diff),
                passages=tuple(passages),
            )
        )
    return Condensed(source=session.source, id=session.id, about=about_lines(session), turns=tuple(turns))
