"""What a package imports, for tests that hold it to values in and values out."""

from __future__ import annotations

import ast
from pathlib import Path

NOT_PURE = frozenset({"pygit2", "time", "random", "secrets", "os", "subprocess", "structlog"})


def imports_of(package: Path) -> frozenset[str]:
    """Return the names at the root of what the modules under `package` import."""
    imported = set()
    for module in package.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").split(".")[0])
    return frozenset(imported)
