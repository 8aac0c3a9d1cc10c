"""Answers by search alone, from a text and nothing else."""

from __future__ import annotations

import re

from bench.condense.questions import Question

_HEAD = re.compile(r"\[(m[0-9]+)(?::[0-9]+-[0-9]+)?(?: of [0-9]+)?\]")


class Searched:
    """A text that is searched: its lines, told apart by the heads of messages."""

    def __init__(self, text: str) -> None:
        """Split it once."""
        lines: dict[str, list[str]] = {"": []}
        name = ""
        for line in text.split("\n"):
            head = _HEAD.match(line)
            name = head[1] if head else name
            lines.setdefault(name, []).append(_plain(line))
        self._lines = lines
        self._whole = {name: " ".join(line for line in some if line) + " " for name, some in lines.items()}

    def answers(self, question: Question) -> bool:
        """Whether the expected words stand where those searched for are found."""
        search, expected = _plain(question.search), _plain_within(question.expected)
        for name, whole in self._whole.items():
            if search not in whole or expected not in whole:
                continue
            if not question.is_near or any(search in line and expected in line for line in self._lines[name]):
                return True
        return False


def _plain(line: str) -> str:
    """Return a line without the mark of a command's further lines, blanks collapsed."""
    return " ".join(line.removeprefix("> ").split())


def _plain_within(words: str) -> str:
    """Return words as they stand in a message's joined lines; a blank around them is one."""
    plain = " ".join(part for part in (_plain(line) for line in words.split("\n")) if part)
    return f"{' ' if words[:1] == ' ' else ''}{plain}{' ' if words[-1:] == ' ' else ''}"
