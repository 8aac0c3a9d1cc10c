"""What is told of a session, and of each message, beside what was said: whose, when, which call, how it ended."""

from __future__ import annotations

from collections.abc import Iterator

from dream.sources.sessions.values import Message, Role, Session

_LONGEST_NAME = 80
_NEW_LINE = "\n"
_DIFF_MARKS = frozenset({" ", "+", "-", "@"})


def about_lines(session: Session) -> tuple[str, ...]:
    """Return lines of `name: value` on the whole of a session; what is not known has none."""
    people = sum(message.role is Role.PERSON for message in session.messages)
    told = (
        ("session", f"{session.source} ({one_line(session.id)})"),
        ("tool", session.tool),
        ("from", f"{session.started.isoformat()[:19]}Z to {session.ended.isoformat()[:19]}Z"),
        ("title", session.title),
        ("repository", session.repository),
        ("branch", session.branch),
        ("pull requests", ", ".join(session.pull_requests)),
        ("edited", ", ".join(session.files)),
        ("messages", f"{len(session.messages)}, {people} by people"),
    )
    return tuple(f"{name}: {one_line(value)}" for name, value in told if value)


def label_of(message: Message, *, when: str, command: int) -> str:
    """Return in one line whose a message is, when, and of a tool's which call it answers and how that ended.

    Of the first line of a command `command` characters are shown.
    """
    words: list[str] = [message.role]
    if message.author:
        words.append(one_line(message.author)[:_LONGEST_NAME])
    words.append(when)
    if message.exit_code is not None:
        words.append(f"exit {message.exit_code}")
    if message.failed:
        words.append("failed")
    if message.cut:
        words.append(f"({message.cut} more not read)")
    if message.edits:
        words.append(f"edited {one_line(message.edits)}{_changed(message.diff)}")
    if message.command:
        words.append(f"$ {_cut(one_line(message.command.split(_NEW_LINE, 1)[0]), command)}")
    elif message.tool and not message.edits:
        words.append(one_line(message.tool))
    return " ".join(words)


def notes_of(message: Message, *, command: int, diff_lines: int, diff: int) -> tuple[str, ...]:
    """Return what a message edited if that is no more than `diff_lines` lines and `diff` characters.

    Where it edited nothing it is the further lines of the command that it answers, up to `command` characters in all.
    """
    if message.diff:
        return _diff_lines(message.diff.rstrip(_NEW_LINE), diff_lines, diff)
    first, _, rest = message.command.partition(_NEW_LINE)
    return tuple(_command_lines(rest.rstrip(), command - len(first))) if rest else ()


def one_line(text: str) -> str:
    """Return `text` with its blanks collapsed."""
    return " ".join(text.split())


def _diff_lines(diff: str, most_lines: int, most: int) -> tuple[str, ...]:
    if len(diff) > most or diff.count(_NEW_LINE) >= most_lines:
        return ()
    return tuple(line if line[:1] in _DIFF_MARKS else f" {line}" for line in diff.split(_NEW_LINE))


def _command_lines(rest: str, most: int) -> Iterator[str]:
    """Yield the first of these lines, and how many were left out."""
    lines = rest.split(_NEW_LINE)
    size = 0
    for number, line in enumerate(lines):
        size += len(line) + 3
        if size > most:
            yield f"> … {len(lines) - number} lines left out"
            return
        yield f"> {line}"


def _changed(diff: str) -> str:
    if not diff:
        return ""
    added, removed = (diff.count(f"{_NEW_LINE}{mark}") + diff.startswith(mark) for mark in "+-")
    return f" (+{added} -{removed})"


def _cut(line: str, most: int) -> str:
    return line if len(line) <= most else f"{line[:most]}… {len(line) - most} characters left out"
