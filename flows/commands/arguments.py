"""The command line's words before they are read: options that take several tasks, and tasks as people spell them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.order import TASKS

SEVERAL = ("--only", "--redo")
PAUSING = ("pause", "resume")
"""Commands whose `--task` names several as well."""

OPERATION = "--operation"
_ID = re.compile("[0-9a-fA-F]{4,64}")


def spread(arguments: Sequence[str]) -> list[str]:
    """Return `--only a b ORG` as `--only a --only b ORG`: what follows and is a task belongs to the option.

    After `--operation` that holds for whatever could be the beginning of an id.
    """
    words: list[str] = []
    option = ""
    several = (*SEVERAL, "--task") if arguments and arguments[0] in PAUSING else SEVERAL
    for word in arguments:
        before = words[-1] if words else ""
        if before in several:
            option = before
            words.append(task_name(word))
        elif before == OPERATION:
            option = before
            words.append(word)
        elif option == OPERATION and _ID.fullmatch(word):
            words += [option, word]
        elif option not in {"", OPERATION} and task_name(word) in TASKS:
            words += [option, task_name(word)]
        else:
            option = ""
            words.append(word)
    return words


def task_name(word: str) -> str:
    """Return a task's name as code has it: `daily-note` and `daily_note` are one."""
    name = word.replace("-", "_")
    return name if name in TASKS else word
