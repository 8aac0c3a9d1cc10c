"""Names that some file system cannot hold, and what is no regular file."""

from __future__ import annotations

from collections.abc import Iterator

from dream.checker.finding import Finding, find
from dream.checker.subject import Subject
from dream.memory.paths import collisions


def check_names(subject: Subject) -> Iterator[Finding]:
    """Yield what is odd about the paths of a memory."""
    tree = subject.tree
    for path, why in tree.oddities().items():
        yield find("odd-file", path, why)
    for group in collisions([*tree.paths(), *tree.oddities()]).values():
        yield find("path-collision", group[0], f"the same name as {', '.join(map(ascii, group[1:]))}")
