"""The files in which a repository defines commands: makefiles, package.json, pyproject.toml. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from dream.sources.strict_json import BadJSONError, parse_json


class Tool(StrEnum):
    """The programs whose commands a repository defines in a file."""

    MAKE = "make"
    NODE = "node"
    PYTHON = "python"


MANIFESTS = {
    "GNUmakefile": Tool.MAKE,
    "makefile": Tool.MAKE,
    "Makefile": Tool.MAKE,
    "package.json": Tool.NODE,
    "pyproject.toml": Tool.PYTHON,
}
_RULE = re.compile(r"\A([^\s#:=][^:=#\t]{0,500}):{1,2}(?![:=])")
_OPAQUE = re.compile(
    r"(?m)^[ ]{0,8}(?:-?include|sinclude|define)[ \t]|\$\(eval[ \t]|^\.DEFAULT[ \t]{0,4}:"
    r"|^(?=[^\s#])[^#\n=]{0,200}\$[({][^\n=]{0,200}:(?!=)"
)
_PYTHON_TABLES = (("project", "scripts"), ("tool", "poetry", "scripts"), ("tool", "pdm", "scripts"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A file that defines commands; one that is not `whole` may define more than its `names`."""

    path: str
    tool: Tool
    names: frozenset[str]
    whole: bool = True

    @property
    def folder(self) -> str:
        """The folder that it stands in, "" for the root."""
        return self.path.rpartition("/")[0]


def read_manifest(path: str, data: bytes) -> Manifest:
    """Return the commands that a file defines, by its name; what cannot be read defines nothing for certain."""
    tool = MANIFESTS[path.rpartition("/")[2]]
    try:
        text = data.decode("utf-8")
        match tool:
            case Tool.MAKE:
                names = frozenset(name for line in text.split("\n") for name in _targets(line))
                return Manifest(path=path, tool=tool, names=names, whole=not _OPAQUE.search(text))
            case Tool.NODE:
                names = frozenset(_table(parse_json(data), ("scripts",)))
            case Tool.PYTHON:
                held = tomllib.loads(text)
                names = frozenset(name for keys in _PYTHON_TABLES for name in _table(held, keys))
    except (UnicodeDecodeError, BadJSONError, tomllib.TOMLDecodeError, RecursionError, ValueError):
        return Manifest(path=path, tool=tool, names=frozenset(), whole=False)
    return Manifest(path=path, tool=tool, names=names)


def _targets(line: str) -> Iterator[str]:
    found = _RULE.match(line)
    if found is not None:
        yield from (name for name in found[1].split() if not name.startswith(".") and "$" not in name)


def _table(held: object, keys: tuple[str, ...]) -> Mapping[str, object]:
    for key in keys:
        held = held.get(key) if isinstance(held, dict) else None
    return held if isinstance(held, dict) else {}
