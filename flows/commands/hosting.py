"""`dream init`: a new memory, and what to do next."""

from __future__ import annotations

import json
from pathlib import Path

from config.environment import process_environment
from config.organisation import is_slug
from config.settings import Settings
from dream.report.escaping import visible
from dream.repository.commits import Identity
from dream.repository.git import Git
from dream.repository.hosting import Created, init_memory
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.installation import open_installation


def make_memory(settings: Settings, path: Path, *, clock: Clock) -> Answer:
    """Make a bare repository with an empty index and the hook that guards `.dream/`, or put the hook into one.

    Raises:
        UsageError: something else is at `path`.
        DreamError: it cannot be written.
    """
    identity = Identity(settings.identity.name, settings.identity.mail)
    made = init_memory(path, identity=identity, at=clock.now(), git=Git(environment=process_environment()))
    if isinstance(made, Created):
        done = f"made {made.path}: a bare repository with an empty MEMORY.md and the hook that guards .dream/"
        commit = made.commit
    else:
        done = f"{made.path} was there: it has the hook that guards .dream/ now, and nothing else of it was touched"
        commit = ""
    return Answer(
        text=visible(f"{done}\n\n{_next_steps(settings, made.path)}"),
        document={"path": str(made.path), "created": isinstance(made, Created), "commit": commit},
    )


def init_command(path: Path) -> Answer:
    """Return the answer of `dream init`."""
    return make_memory(open_installation(), path, clock=system_clock())


def _next_steps(settings: Settings, path: Path) -> str:
    stem = path.name.removesuffix(".git").lower()
    name = stem if is_slug(stem) else "acme"
    file = settings.organisations / f"{name}.yaml"
    return f"""\
The hook lets only {settings.identity.name} <{settings.identity.mail}> change .dream/; set DREAM_IDENTITY__NAME and
DREAM_IDENTITY__MAIL before this if the nights are to commit as somebody else.

Next:
1. Write {file}:

   organisation: {name}
   memory: {{url: {json.dumps(str(path))}, branch: main}}
   sessions: [{{kind: claude-code, path: /path/to/sessions}}]

   Where agents and people push over the network, url is the address that they use.
2. See that all is well: dream doctor {name}
3. Dream the first night: dream run {name}"""
