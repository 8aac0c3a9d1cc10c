"""The real memories: which folder of each tree is one, and a copy of it that other tools can be run on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from dream.memory.tree import MappingTree
from flows.commands.folders import FolderTree

DATA = Path("../shared/data/memory_trees")
_NIGHTS = "_nights/"
ROOTS: Mapping[str, str] = MappingProxyType(
    {
        "clawd": "AmitabhainArunachala__clawd",
        "bga-assistant": "AnotherSava__bga-assistant/.claude/memory",
        "ai-session-logs": "XZY0626__ai-session-logs",
        "aeon": "aaronjmars__aeon/memory",
        "claude-editor-hook": "alosec__claude-editor-hook/memory-bank",
        "agentic-memory": "elViRafa__agentic-memory/.ai-memory",
        "ccconfig": "mengfanchun2017__ccconfig/at-2080648/link",
        "agent-memory-atlas": "neoneye__agent-memory-atlas/content",
        "getspecstory": "specstoryai__getspecstory/specstory-cli/docs",
    }
)
"""The folder of each tree that agents are shown as their memory, or that comes nearest to one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One real memory: its name here, and its files, the days that are kept beside it left out."""

    name: str
    tree: MappingTree

    @property
    def notes(self) -> tuple[str, ...]:
        """The Markdown files, sorted."""
        return tuple(path for path in self.tree.paths() if path[-3:].lower() == ".md")

    def write(self, folder: Path) -> None:
        """Write the files into `folder`."""
        for path in self.tree.paths():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(self.tree.read(path) or b"")


def read_memories(data: Path, names: tuple[str, ...] = tuple(ROOTS)) -> Iterator[Memory]:
    """Yield the memories of these names as far as they are in `data`."""
    for name in names:
        folder = data / ROOTS[name]
        if folder.is_dir():
            tree = FolderTree(folder)
            files = {path: tree.read(path) or b"" for path in tree.paths() if not path.startswith(_NIGHTS)}
            yield Memory(name=name, tree=MappingTree(files))
