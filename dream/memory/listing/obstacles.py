"""What stands in the way of a file that the night keeps itself."""

from __future__ import annotations

from dream.memory.frontmatter import Broken, read_frontmatter
from dream.memory.paths import fold, folders_of
from dream.memory.tree import Tree


class Obstacles:
    """Why the night cannot write a path of one tree, asked for its index and the pages of its catalog."""

    def __init__(self, tree: Tree, *, file_bytes: int) -> None:
        """Take the names in `tree`; files above `file_bytes` are left alone."""
        self._tree = tree
        self._file_bytes = file_bytes
        self._oddities = tree.oddities()
        names = [*tree.paths(), *self._oddities]
        self._folded = {fold(path): path for path in names}
        self._folders = {fold(folder) for name in names for folder in folders_of(name)}

    def to(self, path: str) -> str:
        """Return why `path` is left alone, or nothing where it can be written."""
        other = self._folded.get(fold(path), path)
        if other != path:
            return f"{other} has the same name but for its case"
        if path in self._oddities:
            return self._oddities[path]
        if fold(path) in self._folders:
            return "it is a folder"
        parent = path.rpartition("/")[0]
        if parent and fold(parent) in self._folded:
            return f"{self._folded[fold(parent)]} is a file"
        return self._unfit(path)

    def _unfit(self, path: str) -> str:
        if self._tree.size(path) > self._file_bytes:
            return f"over {self._file_bytes // 1000} kB"
        data = self._tree.read(path)
        if data is None:
            return ""
        if b"\0" in data:
            return "holds NUL bytes"
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return "not UTF-8"
        front = read_frontmatter(text.removeprefix("\ufeff").split("\n"))
        return f"its frontmatter cannot be read: {front.reason}" if isinstance(front, Broken) else ""
