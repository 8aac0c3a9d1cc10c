"""Memories to index: made ones of any size, and every distinct folder that people keep as one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

TODAY = date(2026, 10, 22)
_INDEXES = frozenset({"memory.md", "index.md"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory's name, its files, and when each of them last changed."""

    name: str
    files: Mapping[str, bytes]
    changed: Mapping[str, date]


def made_memory(count: int, *, folders: int = 0, seed: int = 7) -> Memory:
    """Return a memory of `count` notes in so many folders (default: one for each fifty), changed over 400 days."""
    chance = random.Random(seed)  # noqa: S311
    folders = folders or max(3, count // 50)
    files, changed = dict[str, bytes](), dict[str, date]()
    for number in range(count):
        title = f"Topic {number} of area {number % folders}{', at length' * chance.randrange(6)}"
        path = f"area-{number % folders:04}/topic-{number:05}.md"
        text = f"# {title}\n\n- The item {number} is kept in shelf {number * 3}. [thread_{number:04x}, 2026-01-02]\n"
        files[path] = text.encode()
        changed[path] = TODAY - timedelta(days=chance.randrange(400))
    name = f"{count:,} notes" if folders > 1 else f"{count:,} notes in one folder"
    return Memory(name=name, files=files, changed=changed)


def five_files(count: int) -> Memory:
    """Return a memory of five files with `count` sections over them, and a fifth as many notes beside them."""
    files = {
        "index.md": b"# Index\n\n## Always load\n\n- state.md\n- tasks.md\n\n## Load when relevant\n\n- facts.md\n"
    }
    for name in ("state", "decisions", "facts", "tasks"):
        sections = (f"\n## Matter {number} of {name}\n\nIt is {number}.\n" for number in range(count // 4))
        files[f"{name}.md"] = f"# {name.title()}\n{''.join(sections)}".encode()
    files |= {f"services/s{number:04}.md": f"# Service {number}\n".encode() for number in range(count // 5)}
    return Memory(name=f"five files, {count:,} sections", files=files, changed={})


def real_memories(root: Path) -> Iterator[Memory]:
    """Yield every distinct memory below `root`: projects, their days, and folders with an index or called a memory."""
    seen: set[frozenset[tuple[str, bytes]]] = set()
    for folder in sorted(_folders(root)):
        found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
        form = frozenset(files.items())
        if any(path.endswith(".md") for path in files) and form not in seen:
            seen.add(form)
            yield Memory(name=folder.relative_to(root).as_posix(), files=files, changed={})


def _folders(root: Path) -> set[Path]:
    everything = [path for path in root.rglob("*") if not path.is_symlink()]
    indexed = {path.parent for path in everything if path.name.lower() in _INDEXES and path.is_file()}
    folders = [path for path in everything if path.is_dir()]
    called = {path for path in folders if "memory" in path.name.lower()}
    days = {path for path in folders if path.parent.parent.name == "_nights"}
    return {path for path in root.iterdir() if path.is_dir()} | indexed | called | days
