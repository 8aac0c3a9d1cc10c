"""Which files a tool call shows, by its structure alone: the name of its tool, or the words of a command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from dream.sources.sessions.tools import LONGEST_CALL
from dream.sources.sessions.values import Message, Role

_OF_OUTPUT = frozenset({Role.TOOL, Role.RECALLED})
_READERS = re.compile(
    r"(?:mcp__[A-Za-z0-9_.-]{1,80}__)?"
    r"(?:(?:read|view|open|get|fetch|show|cat)(?:_?[a-z]{1,20}){0,3}|notebook_?read|grep|attachment)",
    re.IGNORECASE,
)
_PRINT = frozenset({"bat", "cat", "head", "less", "more", "nl", "tail", "type", "Get-Content"})
_PRINT_SOME = frozenset({"ag", "awk", "egrep", "fgrep", "grep", "rg", "sed"})
"""Commands whose first argument says what of the files is printed."""

_ASKED_BY_OPTION = ("-e", "-f", "--expression", "--regexp", "--file")
_IN_PLACE = ("-i", "--in-place")
_SHELLS = frozenset({"bash", "dash", "sh", "zsh"})
_MARKS = ";&|()<>"
_HEREDOC = "<<"
_CONTINUED = re.compile(r"\\\r?\n")
_LONGEST_COMMAND = 4_000
_DEEPEST = 2


def shown_files(message: Message) -> tuple[str, ...]:
    """Return the paths of the files that the call shows whose output `message` is; none of what failed or was edited.

    Paths are as the call has them, with `/`, below the folder that a command went to with `cd`. Globs, variables and
    folders name no file.
    """
    if message.role not in _OF_OUTPUT or message.failed or message.exit_code or message.edits:
        return ()
    if message.command:
        return tuple(dict.fromkeys(_in_command(message.command, _DEEPEST)))
    tool, _, details = message.tool.partition(": ")
    if not details or len(message.tool) >= LONGEST_CALL or not _READERS.fullmatch(tool):
        return ()
    return (_plain(details.strip("`")),)


def _in_command(command: str, deepest: int) -> Iterator[str]:
    text = _CONTINUED.sub(" ", command[:_LONGEST_COMMAND]).partition(_HEREDOC)[0]
    lexer = shlex.shlex(text.replace("\n", " ; "), posix=True, punctuation_chars=_MARKS)
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return
    folder = ""
    for simple in _simple_commands(words):
        if simple[0] == "cd":
            folder = _joined(folder, simple[-1]) if len(simple) > 1 else ""
        elif _name(simple[0]) in _SHELLS and deepest and len(simple) > 2 and simple[1].endswith("c"):  # noqa: PLR2004
            yield from (_joined(folder, path) for path in _in_command(simple[2], deepest - 1))
        else:
            yield from (_joined(folder, path) for path in _printed(simple))


def _simple_commands(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the commands of a line, each without what is redirected and without the settings before it."""
    command: list[str] = []
    redirects = False
    for word in (*words, ";"):
        is_mark = not set(word) - set(_MARKS)
        if is_mark and (">" in word or "<" in word):
            redirects = True
        elif is_mark:
            if command:
                yield command
            command, redirects = [], False
        elif redirects:
            redirects = False
        elif command or not ("=" in word.partition("/")[0] or word == "sudo"):
            command.append(word)


def _printed(command: Sequence[str]) -> Iterator[str]:
    """Yield the files among the arguments of a command that prints what stands in files."""
    name, given = _name(command[0]), command[1:]
    if name not in _PRINT | _PRINT_SOME or (name == "sed" and any(word.startswith(_IN_PLACE) for word in given)):
        return
    arguments = [word for word in given if not word.startswith("-")]
    asks = name in _PRINT_SOME and not any(word.startswith(_ASKED_BY_OPTION) for word in given)
    yield from (_plain(word) for word in arguments[asks:] if not any(char in word for char in "*?[$`{~"))


def _name(word: str) -> str:
    return word.rpartition("/")[2]


def _plain(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./")


def _joined(folder: str, path: str) -> str:
    path = _plain(path)
    return path if not folder or path.startswith("/") else f"{folder.rstrip('/')}/{path}"
