"""Questions on a session, made by code from all of it: what one would search for, and what one has to find there.

Nothing here knows what is kept of a session; the answers are the session's own characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from dream.sources.sessions.values import Message, Role, Session

_KEY = 60
_LINE = 200
_ERROR = re.compile(r"[ \t]{0,8}(?:[\w./:-]{1,80}:[ \t])?(?:error|fatal|panic|exception|traceback)\b", re.IGNORECASE)
_LINK = re.compile(r"https?://[A-Za-z0-9][^\s\"'<>()\[\]{}\\^`|*,]{3,1000}")
_VALUE = re.compile(r"[^\s\"'`,;()\[\]{}<>=|]{0,200}[0-9][^\s\"'`,;()\[\]{}<>=|]{0,200}")
_END_OF_SENTENCE = ".:!?…"


class Kind(StrEnum):
    """What is asked for."""

    COMMAND = "commands run"
    EXIT_CODE = "exit codes"
    ERROR = "errors"
    PATH = "paths edited"
    LINK = "links"
    PULL_REQUEST = "pull requests"
    VALUE = "last values printed"
    EARLIER = "values on the two lines before (not in the share)"


COUNTED = frozenset(Kind) - {Kind.EARLIER}
"""What the share of answered questions is of; the rest tells how soon a text ends to answer beyond that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Where `search` is found, `expected` has to stand: on that line if `is_near`, else in that message.

    `message` is where the question was made from; who answers does not know it.
    """

    kind: Kind
    search: str
    expected: str
    message: str = ""
    is_near: bool = False


def questions_of(session: Session) -> tuple[Question, ...]:
    """Return every question there is on `session`, none twice."""
    made: dict[tuple[Kind, str, str], Question] = {}
    for number, message in enumerate(session.messages, 1):
        for make in _MAKERS:
            for question in make(message, f"m{number}"):
                made.setdefault((question.kind, question.search, question.expected), question)
    for question in (*_paths(session), *_pull_requests(session)):
        made.setdefault((question.kind, question.search, question.expected), question)
    return tuple(made.values())


def _command(message: Message, name: str) -> Iterator[Question]:
    if message.command.strip():
        yield Question(
            kind=Kind.COMMAND, search=_asked(message.command), expected=message.command.strip(), message=name
        )


def _exit_code(message: Message, name: str) -> Iterator[Question]:
    if message.command.strip() and message.exit_code is not None:
        expected = f" exit {message.exit_code} "
        yield Question(kind=Kind.EXIT_CODE, search=_asked(message.command), expected=expected, message=name)


def _errors(message: Message, name: str) -> Iterator[Question]:
    """Ask for the first line that says so, and for the last line of what failed."""
    if message.role is not Role.TOOL:
        return
    lines = [line for line in message.text.split("\n") if line.strip()]
    failed = message.failed or bool(message.exit_code)
    told = [line for line in lines if (failed or message.command) and _ERROR.match(line)][:1]
    for line in (*told, *(lines[-1:] if failed else ())):
        shown = line.strip()[:_LINE]
        yield Question(kind=Kind.ERROR, search=shown[:_KEY], expected=shown, message=name, is_near=True)


def _links(message: Message, name: str) -> Iterator[Question]:
    """Ask for each link that was said or printed; what agents are made to remember is not of this session."""
    if message.role is Role.RECALLED:
        return
    for found in _LINK.findall(message.text):
        link = found.rstrip(_END_OF_SENTENCE)
        yield Question(kind=Kind.LINK, search=link[:_KEY], expected=link, message=name, is_near=True)


def _values(message: Message, name: str) -> Iterator[Question]:
    """Ask for the last thing with a digit in it that a command printed, by the words before it on its line.

    The same is asked of the two lines before with a digit, as another kind.
    """
    if not message.command.strip() or message.role is not Role.TOOL:
        return
    lines = (line for line in reversed(message.text.split("\n")) if _VALUE.search(line))
    for line, kind in zip(lines, (Kind.VALUE, Kind.EARLIER, Kind.EARLIER), strict=False):
        found = list(_VALUE.finditer(line))[-1]
        before = line[: found.start()].strip()[-_KEY:]
        yield Question(
            kind=kind,
            search=before or _asked(message.command),
            expected=found[0].rstrip(_END_OF_SENTENCE),
            message=name,
            is_near=bool(before),
        )


def _paths(session: Session) -> Iterator[Question]:
    for number, message in enumerate(session.messages, 1):
        if message.edits:
            yield _path(message.edits, f"m{number}")
    for path in session.files:
        yield _path(path, "")


def _path(path: str, name: str) -> Question:
    return Question(kind=Kind.PATH, search=path.replace("\\", "/").rpartition("/")[2], expected=path, message=name)


def _pull_requests(session: Session) -> Iterator[Question]:
    for reference in session.pull_requests:
        _, mark, number = reference.partition("#")
        yield Question(kind=Kind.PULL_REQUEST, search=mark + number, expected=reference)


def _asked(command: str) -> str:
    return command.strip().split("\n", 1)[0].strip()[:_KEY]


_MAKERS: tuple[Callable[[Message, str], Iterator[Question]], ...] = (_command, _exit_code, _errors, _links, _values)
