"""Which words are paths and commands of a code repository.

What is taken for one is looked up in production, and a live path flagged as dead costs more than a dead one missed, so
that precision comes before recall.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BARE_ENDINGS = _words(
    "bash cfg cpp css dart ex exs fish go gradle groovy hcl hpp html ini ipynb java jinja js json jsonl jsx kt kts "
    "less lock lua md mdx mjs mts php plist prisma proto py pyi pyx rb rs rst scala scss sh sol sql svelte swift tf "
    "tfvars toml ts tsx vue xml yaml yml zig zsh"
)
_ENDINGS = _BARE_ENDINGS | _words(
    "bat bzl c cc clj conf cs csv cue gql graphql h hs j2 ml mm nix patch pl properties ps1 r sass service svg tex "
    "tmpl tpl tsv txt"
)
_BUILD_FILES = _words("Dockerfile Makefile Jenkinsfile Procfile Justfile Gemfile Rakefile Vagrantfile CODEOWNERS")
_PRODUCTS = _words("node.js next.js vue.js nuxt.js react.js express.js three.js d3.js chart.js alpine.js deck.gl")
_ROOTS = _words(
    ".ci .circleci .github .gitlab .vscode apps backend bench bin charts cmd components deploy docs e2e examples "
    "frontend hooks include infra infrastructure internal k8s lib libs migrations packages pkg plugins scripts sdk src "
    "styles templates terraform test tests third_party tools vendor workers"
)
_TOOLS = _words(
    "python python3 pytest ruff mypy pip black isort flake8 pyright uvicorn gunicorn hypercorn alembic celery flask "
    "django django-admin coverage tox nox pre-commit jupyter mkdocs sphinx-build streamlit bandit ipython poe twine"
)

_PATH = re.compile(
    r"(?:\./)?(?P<path>[A-Za-z0-9_.+][A-Za-z0-9_.+-]{0,100}(?:/[A-Za-z0-9_.+@-]{1,100}){0,15}/?)"
    r"(?::[0-9][0-9:,-]{0,20}|#L[0-9][0-9L-]{0,20}|::[A-Za-z0-9_:.-]{1,200})?"
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,60}")
_SEPARATORS = re.compile(r"&&|\|\||[;|]")
_AROUND_WORDS = ".,;:!?\"'()[]{}<>*_\u2018\u2019\u201c\u201d\u2026\u3001\u3002\uff0c\uff1a\uff1b"


def path_in_text(word: str) -> str | None:
    """Return the path that a word of prose or of a shell line is: only one with a `/` and a known ending."""
    path = _path(word.strip(_AROUND_WORDS))
    return path if path and "/" in path and _ending(path) in _ENDINGS else None


def path_in_code(content: str) -> str | None:
    """Return the path that a whole code span is.

    With a known ending (fewer are known where there is no `/`), a build file by its name, or, with a `/` and no ending,
    in a usual folder of source (`src/`, `tests/`, …).
    """
    path = _path(content)
    if path is None:
        return None
    first, slash, _ = path.partition("/")
    name = path.rpartition("/")[2]
    ending = _ending(path)
    if name in _BUILD_FILES or (slash and ending in _ENDINGS):
        return path
    if slash:
        return path if first in _ROOTS and not ending else None
    return path if ending in _BARE_ENDINGS and path.lower() not in _PRODUCTS else None


def _path(word: str) -> str | None:
    match = _PATH.fullmatch(word)
    if match is None:
        return None
    path = match["path"].rstrip("/")
    parts = path.split("/")
    if any(not part.strip(".") or ".." in part for part in parts) or "".join(parts).isdigit():
        return None
    has_host = len(parts) > 1 and "." in parts[0][1:]
    return None if has_host else path


def _ending(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name[1:] else ""


def commands_in(line: str) -> Iterator[str]:
    """Yield the commands of a shell line or a code span that only a repository can define: `make x`, `npm run x`."""
    if line.lstrip().startswith("#"):
        return
    for segment in _SEPARATORS.split(line.strip().removeprefix("$ ")):
        words = [word for word in segment.split() if word != "sudo" and "=" not in word]
        name = _defined_name(words)
        if name and _NAME.fullmatch(name[1]):
            yield f"{name[0]} {name[1]}"


def _defined_name(words: Sequence[str]) -> tuple[str, str] | None:
    match words:
        case ["make" | "just" as tool, *rest] if "-C" not in rest and "-f" not in rest:
            return next(((tool, word) for word in rest if not word.startswith("-")), None)
        case ["npm" | "pnpm" | "yarn" | "bun" as tool, "run" | "run-script", name, *_]:
            return None if "." in name else (f"{tool} run", name)
        case ["npm", "test" | "start" as name, *_]:
            return "npm", name
        case ["uv" | "poetry" | "pdm" as tool, "run", name, *_] if name not in _TOOLS and "." not in name:
            return f"{tool} run", name
        case _:
            return None
