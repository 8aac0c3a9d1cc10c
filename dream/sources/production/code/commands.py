"""Whether a command that somebody wrote down is defined in a repository. Pure."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise

from dream.sources.production.code.manifests import Manifest, Tool
from dream.sources.production.code.values import Presence

_LONGEST = 1_000
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}=.*", re.DOTALL)
_SHELL = re.compile(r"[|&;<>`$(){}*?\n]")
_PREFIXES = frozenset({"sudo", "time", "env", "nohup"})
_INTERPRETERS = frozenset({"bash", "sh", "zsh", "python", "python3", "node", "ruby", "tsx", "ts-node", "source"})
_NODE_RUNNERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_NODE_STRICT = frozenset({"npm", "pnpm"})
_NPM_SHORT = frozenset({"test", "start", "stop", "restart"})
_PYTHON_RUNNERS = frozenset({"uv", "poetry", "pdm", "rye"})

PathPresence = Callable[[str], Presence]


def presence_of(command: str, manifests: Sequence[Manifest], presence: PathPresence) -> Presence:
    """Return whether a command is defined: PRESENT or ABSENT only where a file of the repository settles it.

    Several commands at once, substitutions, and programs that are none of the repository's are UNKNOWN.
    """
    words = _words(command)
    if not words:
        return Presence.UNKNOWN
    program, rest = words[0], words[1:]
    if program == "make":
        return _make(rest, manifests, presence)
    if program in _NODE_RUNNERS:
        return _node(program, rest, manifests)
    if program in _PYTHON_RUNNERS:
        return _run(rest[1:], manifests, presence) if rest[:1] == ["run"] else Presence.UNKNOWN
    return _run(words, manifests, presence)


def _words(command: str) -> list[str]:
    """Return the words of one simple command, nothing for any other."""
    bare = command.strip().removeprefix("$ ")
    if len(bare) > _LONGEST or _SHELL.search(bare):
        return []
    try:
        words = shlex.split(bare)
    except ValueError:
        return []
    while words and (words[0] in _PREFIXES or _ASSIGNMENT.fullmatch(words[0])):
        words.pop(0)
    return words


def _make(words: Sequence[str], manifests: Sequence[Manifest], presence: PathPresence) -> Presence:
    folder, targets, skip = "", [], False
    for word, following in pairwise((*words, "")):
        if skip:
            skip = False
        elif word in {"-C", "--directory"}:
            folder, skip = following.strip("/"), True
        elif word.startswith(("-f", "--file", "--makefile", "-C", "--directory")):
            return Presence.UNKNOWN
        elif word == "-j":
            skip = following.isdecimal()
        elif not word.startswith("-") and not _ASSIGNMENT.fullmatch(word):
            targets.append(word)
    held = [made for made in manifests if made.tool is Tool.MAKE and (not folder or made.folder == folder)]
    here = any(made.folder == folder for made in held)
    if not targets:
        return Presence.PRESENT if here else Presence.UNKNOWN
    settled = here and all(made.whole for made in held)
    return _all(_target(target, held, presence, settled=settled) for target in targets)


def _target(target: str, held: Sequence[Manifest], presence: PathPresence, *, settled: bool) -> Presence:
    names = frozenset(name for manifest in held for name in manifest.names)
    if target in names:
        return Presence.PRESENT
    if any("%" in name and fnmatchcase(target, name.replace("%", "*")) for name in names):
        return Presence.UNKNOWN
    return Presence.ABSENT if settled and presence(target) is not Presence.PRESENT else Presence.UNKNOWN


def _node(program: str, words: Sequence[str], manifests: Sequence[Manifest]) -> Presence:
    runs = words[:1] in (["run"], ["run-script"])
    named = [word for word in (words[1:] if runs else words) if not word.startswith("-")]
    if not named or (program == "npm" and not runs and named[0] not in _NPM_SHORT):
        return Presence.UNKNOWN
    script, held = named[0], [manifest for manifest in manifests if manifest.tool is Tool.NODE]
    if any(script in manifest.names for manifest in held):
        return Presence.PRESENT
    plain = not any(word.startswith("-") for word in words[: words.index(script)])
    strict = plain and ((runs and program in _NODE_STRICT) or (program == "npm" and script == "test"))
    settled = any(not manifest.folder for manifest in held) and all(manifest.whole for manifest in held)
    return Presence.ABSENT if strict and settled else Presence.UNKNOWN


def _run(words: Sequence[str], manifests: Sequence[Manifest], presence: PathPresence) -> Presence:
    """Judge a program that is a script of the repository, a file of it, or an interpreter with one of its files."""
    if not words or words[0].startswith("-"):
        return Presence.UNKNOWN
    program, rest = words[0], words[1:]
    if any(program in manifest.names for manifest in manifests if manifest.tool is Tool.PYTHON):
        return Presence.PRESENT
    if program in _INTERPRETERS:
        return _interpreted(rest, presence)
    return presence(program) if "/" in program or program.endswith((".py", ".sh")) else Presence.UNKNOWN


def _interpreted(words: Sequence[str], presence: PathPresence) -> Presence:
    if words[:1] == ["-m"] and len(words) > 1:
        module = words[1].replace(".", "/")
        found = (presence(f"{module}.py"), presence(f"{module}/__init__.py"), presence(f"{module}/__main__.py"))
        return Presence.PRESENT if Presence.PRESENT in found else Presence.UNKNOWN
    if not words or words[0].startswith("-") or not ("/" in words[0] or "." in words[0]):
        return Presence.UNKNOWN
    return presence(words[0])


def _all(found: Iterable[Presence]) -> Presence:
    together = set(found)
    if Presence.ABSENT in together:
        return Presence.ABSENT
    return Presence.PRESENT if together == {Presence.PRESENT} else Presence.UNKNOWN
