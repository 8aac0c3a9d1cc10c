"""Which prompts a night asked with."""

from __future__ import annotations

import hashlib
from importlib import resources
from importlib.resources.abc import Traversable


def prompt_versions(folder: Traversable | None = None) -> str:
    """Return the digest (64 hex) of every template in `folder`, the packaged ones: another text is another night."""
    digest = hashlib.sha256()
    for name, text in sorted(_templates(folder or resources.files("prompts"), "")):
        digest.update(f"{name}\0{hashlib.sha256(text).hexdigest()}\n".encode())
    return digest.hexdigest()


def _templates(folder: Traversable, above: str) -> list[tuple[str, bytes]]:
    found = []
    for entry in folder.iterdir():
        name = f"{above}{entry.name}"
        if entry.is_dir():
            found += _templates(entry, f"{name}/")
        elif name.endswith(".md"):
            found.append((name, entry.read_bytes()))
    return found
