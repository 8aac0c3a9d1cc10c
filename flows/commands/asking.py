"""Asking a person at a terminal, who has seen what would happen; whatever is no clear yes is no."""

from __future__ import annotations

import sys
from collections.abc import Callable

Ask = Callable[[str, str], str]
"""Shows a text, asks a question under it and returns the answer; empty for none."""


def terminal_question() -> Ask | None:
    """Return how to ask the person who started this command, None where nobody is there to answer."""
    return ask if sys.stdin.isatty() and sys.stderr.isatty() else None


def ask(shown: str, question: str) -> str:
    """Show and ask on standard error, so that standard output holds the answer of the command alone; empty is no."""
    try:
        sys.stderr.write(f"{shown}\n{question} ")
        sys.stderr.flush()
        answer = sys.stdin.readline()
    except KeyboardInterrupt:
        answer = ""
    if not answer.endswith("\n"):
        sys.stderr.write("\n")
    return answer.strip()
