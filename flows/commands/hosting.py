"""`dream init`: a new memory, and what to do next."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from config.environment import process_environment
from config.organisation import is_slug
from config.settings import Settings
from dream.report.escaping import visible
from dream.repository.commits import Identity
from dream.repository.git import Git
from dream.repository.hosting import MOST_BYTES, Created, init_memory
from dream.repository.receiving import Protected
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.installation import open_installation


def make_memory(
    settings: Settings,
    path: Path,
    *,
    branch: str = "main",
    folder: str = "",
    push_bytes: int = MOST_BYTES,
    clock: Clock,
) -> Answer:
    """Make a bare repository with an empty index and the hook that guards `.dream/`, or protect one that is there.

    `folder` is the one that is the memory, as `memory.path` names it; one push holds at most `push_bytes`.

    Raises:
        UsageError: something else is at `path`.
        DreamError: it cannot be written.
    """
    made = init_memory(
        path,
        identity=Identity(settings.identity.name, settings.identity.mail),
        at=clock.now(),
        branch=branch,
        prefix=folder,
        most_bytes=push_bytes,
        git=Git(environment=process_environment()),
    )
    created = isinstance(made, Created)
    if created:
        done = f"made {made.path}: a bare repository with an empty MEMORY.md and the hook that guards .dream/"
    else:
        done = f"{made.path} was there: it has the hook that guards .dream/ now, and its notes were not touched"
    said = "\n".join((done, *_settings_told(made.path, made.protected)))
    return Answer(
        text=visible(f"{said}\n\n{_next_steps(settings, made.path, branch=branch, folder=folder)}"),
        document={
            "path": str(made.path),
            "created": created,
            "commit": made.commit if isinstance(made, Created) else "",
            "added": list(made.protected.added),
            "differing": {one.name: one.value for one in made.protected.differing},
        },
    )


def init_command(path: Path, *, branch: str, folder: str, push_bytes: int) -> Answer:
    """Return the answer of `dream init`."""
    return make_memory(
        open_installation(), path, branch=branch, folder=folder, push_bytes=push_bytes, clock=system_clock()
    )


def _settings_told(path: Path, protected: Protected) -> tuple[str, ...]:
    """Return a line for each setting that was missing, and for each that somebody chose otherwise."""
    return (
        *(f"set:  {one}" for one in protected.added),
        *(
            f"left: {one.name} = {one.value}, and not {one.wanted}; to change it: "
            f"git config --file {shlex.quote(str(path / 'config'))} {one.name} {one.wanted}"
            for one in protected.differing
        ),
    )


def _next_steps(settings: Settings, path: Path, *, branch: str, folder: str) -> str:
    stem = path.name.removesuffix(".git").lower()
    name = stem if is_slug(stem) else "acme"
    file = settings.organisations / f"{name}.yaml"
    within = f", path: {json.dumps(folder)}" if folder else ""
    return f"""\
The hook lets only {settings.identity.name} <{settings.identity.mail}> change .dream/; set DREAM_IDENTITY__NAME and
DREAM_IDENTITY__MAIL before this if the nights are to commit as somebody else.

Next:
1. Write {file}:

   organisation: {name}
   memory: {{url: {json.dumps(str(path))}, branch: {branch}{within}}}
   sessions: [{{kind: claude-code, path: /path/to/sessions}}]

   Where agents and people push over the network, url is the address that they use.
2. See that all is well: dream doctor {name}
3. Dream the first night: dream run {name}"""
