from __future__ import annotations

import pytest

from dream.memory.references import find_references
from dream.memory.repopaths import commands_in, path_in_code, path_in_text


def found(text: str) -> list[tuple[str, str, int]]:
    return [(reference.kind, reference.text, reference.line) for reference in find_references(text)]


def test_paths_commands_and_links_are_found_with_their_lines() -> None:
    text = (
        "---\nname: x\ndescription: see src/no.py\n---\n# Deploys\n\nThe config is in deploy/prod.yaml, read by\n"
        "`src/app/config.py:42` (see [orders](orders.md#x)\nand [docs](https://a.example/b.py)).\n\n"
        "- Run `make deploy`\n  ```sh\n  $ npm run build && python scripts/push.py\n  ```\n\n"
        "| file | what |\n|---|---|\n| `web/index.tsx` | entry |\n"
    )
    assert found(text) == [
        ("path", "deploy/prod.yaml", 6),
        ("link", "orders.md", 7),
        ("path", "src/app/config.py", 7),
        ("command", "make deploy", 10),
        ("command", "npm run build", 12),
        ("path", "scripts/push.py", 12),
        ("path", "web/index.tsx", 17),
    ]


def test_a_name_counts_once_a_line() -> None:
    assert found("`a/b.py` and `a/b.py`\nand `a/b.py`") == [("path", "a/b.py", 0), ("path", "a/b.py", 1)]


def test_other_code_than_shell_and_the_text_of_links_names_nothing() -> None:
    assert found("```python\nopen('a/b.py')\n```\n\n[a/b.py](https://a.example)\n\n    a/b.py\n") == []


def test_lines_are_counted_by_line_feeds_alone() -> None:
    assert found("\ufeffa\rb\u2028c\r\nsee `a/b.py`\r\n") == [("path", "a/b.py", 1)]


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ("src/app.py", "src/app.py"),
        ("./src/app.py", "src/app.py"),
        ("app.py", "app.py"),
        ("src/app.py:10-12", "src/app.py"),
        ("src/app.py#L10-L12", "src/app.py"),
        ("tests/test_a.py::test_b", "tests/test_a.py"),
        (".github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("src/api", "src/api"),
        ("tests/unit/", "tests/unit"),
        ("Dockerfile", "Dockerfile"),
        ("web/Dockerfile", "web/Dockerfile"),
        ("package.json", "package.json"),
    ],
)
def test_a_code_span_that_looks_like_nothing_but_a_path_is_one(content: str, path: str) -> None:
    assert path_in_code(content) == path


@pytest.mark.parametrize(
    "content",
    [
        "src/**/*.py",
        "src/<name>.py",
        "src/{a,b}.py",
        "src/.../app.py",
        "src/…/app.py",
        "../src/app.py",
        "/etc/nginx/nginx.conf",
        "~/app.py",
        "$HOME/app.py",
        "%APPDATA%/app.py",
        "C:\\app.py",
        "src\\app.py",
        "https://a.example/app.py",
        "a.example/app.py",
        "github.com/acme/web",
        "@acme/web/index.ts",
        "--config/app.py",
        "origin/main",
        "application/json",
        "acme/web",
        "and/or",
        "api/users",
        "2026/10/14",
        "deployment/checkout-api",
        "node.js",
        "process.env",
        "os.path",
        "v1.2",
        "my file.py",
        ".env",
        "...",
        "",
    ],
)
def test_a_code_span_that_may_be_something_else_is_no_path(content: str) -> None:
    assert path_in_code(content) is None


@pytest.mark.parametrize(
    ("word", "path"),
    [
        ("src/app.py", "src/app.py"),
        ("(src/app.py),", "src/app.py"),
        ("**src/app.py**", "src/app.py"),
        ("src/app.py:42:", "src/app.py"),
        ("app.py", None),
        ("src/api", None),
        ("and/or", None),
        ("Node.js/Express.js", None),
        ("https://a.example/app.py", None),
        ("src/*.py", None),
    ],
)
def test_a_word_of_prose_needs_a_slash_and_a_known_ending(word: str, path: str | None) -> None:
    assert path_in_text(word) == path


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("make test", ["make test"]),
        ("$ make -j4 test lint", ["make test"]),
        ("sudo CI=1 make install", ["make install"]),
        ("cd web && npm run build:prod", ["npm run build:prod"]),
        ("npm test; pnpm run lint | tee log", ["npm test", "pnpm run lint"]),
        ("uv run dream --help", ["uv run dream"]),
        ("just deploy", ["just deploy"]),
        ("make", []),
        ("make -C web test", []),
        ("make <target>", []),
        ("make $TARGET", []),
        ("npm install", []),
        ("uv run pytest -q", []),
        ("uv run scripts/a.py", []),
        ("bun run index.ts", []),
        ("# make test", []),
        ("yarn build", []),
    ],
)
def test_only_what_a_repository_defines_is_a_command(line: str, commands: list[str]) -> None:
    assert list(commands_in(line)) == commands
