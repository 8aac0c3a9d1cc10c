"""Whoever is shown an error is shown the next step: nothing is raised on purpose without one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("config", "dream", "flows", "prompts", "tasks")


def _trees() -> dict[str, ast.Module]:
    files = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return {str(file.relative_to(ROOT)): ast.parse(file.read_text(encoding="utf-8")) for file in files}


def _classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def _errors(trees: dict[str, ast.Module]) -> dict[str, bool]:
    """Return the names of our errors, and for each whether it brings a next step of its own."""
    found = {"DreamError": False}
    for _ in range(4):  # as deep as they go
        for tree in trees.values():
            for one in _classes(tree):
                bases = [base.id for base in one.bases if isinstance(base, ast.Name) and base.id in found]
                if bases:
                    own = any(isinstance(line, ast.Assign) and "usual_way_out" in ast.dump(line) for line in one.body)
                    found[one.name] = own or found[bases[0]]
    return found


def _silent(tree: ast.Module, errors: dict[str, bool]) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and errors.get(node.func.id) is False:
            said = [one.value for one in node.keywords if one.arg == "way_out"]
            if not said or (isinstance(said[0], ast.Constant) and not said[0].value):
                yield node.lineno


def test_every_error_says_what_to_do_next() -> None:
    trees = _trees()
    errors = _errors(trees)
    assert {"RemoteError", "TemplateError", "BrokenMirrorError"} <= set(errors)
    assert [f"{file}:{line}" for file, tree in trees.items() for line in _silent(tree, errors)] == []


def test_a_silent_error_is_found() -> None:
    tree = ast.parse(
        'raise UsageError("no")\nraise UsageError("no", way_out="")\nraise UsageError("no", way_out="this")'
    )
    assert list(_silent(tree, {"UsageError": False})) == [1, 2]
