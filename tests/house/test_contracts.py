from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("flows", "tasks", "prompts", "config", "dream")


def _modules(*packages: str) -> Iterator[tuple[str, ast.Module]]:
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def _imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


FORBIDDEN = [
    ("dream.memory", "dream.repository", "Memory is at the bottom"),
    ("dream.memory", "dream.guards", "Memory is at the bottom"),
    ("dream.repository", "dream.models", "Memory is at the bottom"),
    ("dream.repository", "dream.night", "Memory is at the bottom"),
    ("dream.memory", "dream.git_program", "Memory is at the bottom"),
    ("dream.memory", "dream.object_store", "Memory is at the bottom"),
    ("dream.sources", "dream.repository", "Guards, report, repository and sources"),
    ("dream.guards", "dream.repository", "Guards, report, repository and sources"),
    ("dream.report", "dream.sources", "Guards, report, repository and sources"),
    ("dream.night", "dream.history", "Memory is at the bottom"),
    ("dream.sources", "dream.history", "Memory is at the bottom"),
    ("dream.history", "dream.repository", "The history is made of sessions"),
    ("dream.history", "dream.models", "The history is made of sessions"),
    ("tasks", "dream.checker", "The checker reads a memory"),
    ("dream.checker", "dream.models", "The checker knows memory"),
    ("dream.checker", "dream.repository", "The checker knows memory"),
    ("dream.guards", "dream.proposals", "Memory is at the bottom"),
    ("dream.memory", "config", "Memory is pure"),
    ("dream.memory", "structlog", "Memory is pure"),
    ("dream.night", "tasks", "Flows use tasks"),
    ("dream.night", "prompts", "Flows use tasks"),
    ("tasks", "flows", "Flows use tasks"),
    ("config", "dream.memory", "Flows use tasks"),
    ("flows", "flows.commands", "Nights know nothing"),
    ("flows.telling", "flows.organisation", "Many nights stand on the night of one"),
    ("flows.fleet", "flows.reverting", "Many nights stand on the night of one"),
    ("flows.reverting", "prefect", "A night and taking it back"),
    ("dream.report.alarms", "dream.report.story", "Alarms are pure"),
    ("dream.report.alarms", "structlog", "Alarms are pure"),
    ("tasks", "prefect", "Only flows import Prefect"),
    ("dream.night", "prefect", "Only flows import Prefect"),
    ("dream.night", "pygit2", "Only the repository imports pygit2"),
    ("flows", "pygit2", "Only the repository imports pygit2"),
    ("dream.sources", "tenacity", "Only the models import tenacity"),
    ("flows", "openai", "Only the models import tenacity"),
    ("tasks", "mcp", "Only the sources import what speaks"),
    ("flows", "psycopg", "Only the sources import what speaks"),
    ("dream.guards", "sqlglot", "Only the sources import what speaks"),
    ("dream.models", "jwt", "Only the sources import what speaks"),
]
ALLOWED = [
    ("flows", ("prefect", "tasks", "dream.night", "config")),
    ("flows.fleet", ("prefect", "flows.organisation", "flows.telling")),
    ("flows.reverting", ("flows.telling",)),
    ("flows.telling", ("prefect", "flows.night")),
    ("tasks", ("prompts", "dream.memory", "dream.sources")),
    ("dream.night", ("dream.repository", "dream.guards", "dream.memory", "config")),
    ("dream.history", ("dream.guards", "dream.report", "dream.sources", "dream.memory", "dream.object_store")),
    ("dream.checker", ("dream.guards", "dream.memory")),
    ("dream.proposals", ("dream.report", "dream.memory")),
    ("dream.guards", ("dream.models", "dream.memory")),
    ("dream.repository", ("pygit2", "dream.memory", "dream.git_program")),
    ("dream.sources", ("dream.memory", "dream.git_program")),
    ("dream.sources.production", ("psycopg", "sqlglot", "mcp", "jsonpath")),
    ("dream.sources.pull_requests", ("jwt",)),
    ("dream.models", ("tenacity", "openai", "anthropic", "dream.object_store")),
    ("dream.memory", ("dream.errors",)),
    ("config", ("dream.errors",)),
]
NAMED = (
    *(
        f"flows/{name}.py"
        for name in ("cli", "installation", "night", "nightly", "organisation", "shard", "taking_back")
    ),
    *(f"dream/report/{name}.py" for name in ("needs", "night", "status", "story")),
    *(f"dream/{name}.py" for name in ("errors", "git_program", "object_store")),
)
"""Modules that a contract names."""


@pytest.fixture
def skeleton(tmp_path: Path) -> Path:
    """Every package of this project with nothing but the imports that are allowed, under this project's contracts."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    empty = ("dream.report", "dream.report.alarms", "dream.report.html", "flows.commands")
    for package in (*PACKAGES, *empty, *(importer for importer, _ in ALLOWED)):
        folder = tmp_path / package.replace(".", "/")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").touch()
    for module in NAMED:
        (tmp_path / module).touch()
    for importer, imports in ALLOWED:
        text = "".join(f"import {name}\n" for name in imports)
        (tmp_path / importer.replace(".", "/") / "allowed.py").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_imports_that_the_design_allows_keep_every_contract(skeleton: Path) -> None:
    answer = _lint(skeleton)
    assert (answer.returncode, "BROKEN" in answer.stdout) == (0, False), answer.stdout


def test_each_forbidden_import_breaks_its_contract(skeleton: Path) -> None:
    expected = set()
    for number, (importer, imported, contract) in enumerate(FORBIDDEN):
        stray = skeleton / importer.replace(".", "/") / f"stray_{number}.py"
        stray.write_text(f"import {imported}\n", encoding="utf-8")
        expected.add((contract, f"{importer}.stray_{number} -> {imported} "))
    answer = _lint(skeleton)
    assert answer.returncode == 1
    details = answer.stdout.partition("Broken contracts")[2]
    sections = {contract: _section(details, contract) for _, _, contract in FORBIDDEN}
    assert {(contract, found) for contract, found in expected if found not in sections[contract]} == set()


def _section(details: str, contract: str) -> str:
    """Return what is said about one broken contract: its name is underlined, and so is the next one's."""
    return details.partition(f"\n{contract}")[2].partition("\n---")[2].partition("\n---")[0]


def _lint(root: Path) -> subprocess.CompletedProcess[str]:
    program = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True, no_logo=True))"
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_only_configuration_reads_the_environment() -> None:
    readers = {
        path
        for path, module in _modules(*PACKAGES)
        for node in ast.walk(module)
        if (isinstance(node, ast.Attribute) and node.attr in {"environ", "environb", "getenv", "getenvb"})
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "os"
            and {"environ", "getenv"} & {a.name for a in node.names}
        )
    }
    assert {path for path in readers if not path.startswith("config/")} == set()
    assert readers == {"config/credentials.py", "config/environment.py"}


def test_everything_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {
        re.split("[>=[]", requirement)[0].casefold().replace("_", "-") for requirement in project["dependencies"]
    }
    distributions = {
        "ruamel": "ruamel.yaml",
        "yaml": "pyyaml",
        "markdown-it": "markdown-it-py",
        "jsonpath": "python-jsonpath",
        "jwt": "pyjwt",
    }
    undeclared = set()
    for path, module in _modules(*PACKAGES):
        for name in _imported(module):
            top = name.partition(".")[0]
            distribution = distributions.get(top.replace("_", "-"), top.replace("_", "-").casefold())
            if top not in sys.stdlib_module_names and top not in PACKAGES and distribution not in declared:
                undeclared.add((path, name))
    assert undeclared == set()


def test_help_and_configuration_load_nothing_heavy() -> None:
    heavy = {"prefect", "pygit2", "pydantic_settings", "pydantic", "structlog", "openai", "anthropic", "ruamel.yaml"}
    program = "import sys, config, flows, tasks, prompts, dream, dream.errors; print('\\n'.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert heavy & set(loaded.stdout.split("\n")) == set()
