"""A code repository with a past, made with git."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from dream.sources.production.code.reading import read_code
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.code.values import CodeSource
from tests.support.repositories import git

FILES = {
    "Makefile": "test:\n\tnpm test\n\ndeploy:\n\tscripts/deploy.sh\n\nreload:\n\tscripts/seed.sh\n",
    "package.json": '{"scripts": {"lint": "eslint src", "test": "vitest"}}\n',
    "README.md": "# web\n",
    "docs/handbook.md": "# Handbook\n\nLook first, then act, then write it down.\n",
    "docs/style.md": "# Style\n",
    "config/desk.toml": "timeout_ms = 4000\n",
    "config/finder.toml": "batch = 500\n",
    "migrations/0001-orders.sql": "create table orders (id bigint);\n",
    "migrations/0002-invoices.sql": "alter table orders add column invoiced bool;\n",
    "scripts/backfill.sh": "psql -c 'insert into v2 select * from v1'\n",
    "scripts/deploy.sh": "kubectl rollout restart deployment/web\n",
    "scripts/seed.sh": "psql -f seed.sql\n",
    "src/desk/app.ts": "export const app = 1;\n",
    "src/desk/coupons.ts": "export const coupons = [1, 2, 3];\n",
    "src/desk/retry.ts": "export const tries = 3;\nexport const wait = 200;\n",
    "src/legacy/cart.ts": "export const cart = {};\n",
    "src/legacy/basket.ts": "export const basket = { lines: [] };\n",
    "src/finder/indexer.ts": "export const batch = 500;\n",
    "src/finder/aliases.ts": "export const aliases = ['mug', 'cup'];\n",
    "tests/desk.test.ts": "it('works');\n",
    "tests/finder.test.ts": "it('finds');\n",
}
RENAMES = {
    "src/desk/retry.ts": "src/desk/retries.ts",
    "config/desk.toml": "config/services/desk.toml",
    "docs/handbook.md": "docs/operations/handbook.md",
    "src/legacy/cart.ts": "src/baskets/cart.ts",
    "src/legacy/basket.ts": "src/baskets/basket.ts",
}
DELETIONS = ("scripts/backfill.sh", "scripts/seed.sh", "src/finder/aliases.ts", "tests/finder.test.ts")


def commit(folder: Path, files: Mapping[str, str], message: str, day: str) -> str:
    """Write `files`, commit everything on `day`, and return the commit."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "--all")
    at = f"{day}T12:00:00+00:00"
    git(
        folder,
        *("commit", "--quiet", "--message", message),
        GIT_AUTHOR_NAME="Ana",
        GIT_AUTHOR_EMAIL="ana@acme.example",
        GIT_AUTHOR_DATE=at,
        GIT_COMMITTER_NAME="Ana",
        GIT_COMMITTER_EMAIL="ana@acme.example",
        GIT_COMMITTER_DATE=at,
    )
    return git(folder, "rev-parse", "HEAD")


def make_code(folder: Path) -> Sequence[str]:
    """Make the repository and return its commits: the start, the renames, the deletions."""
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commits = [commit(folder, FILES, "Start", "2026-08-03")]
    for old, new in RENAMES.items():
        (folder / new).parent.mkdir(parents=True, exist_ok=True)
        (folder / old).rename(folder / new)
    commits.append(commit(folder, {}, "Move", "2026-10-09"))
    for path in DELETIONS:
        (folder / path).unlink()
    makefile = {"Makefile": FILES["Makefile"].partition("\nreload:")[0]}
    commits.append(commit(folder, makefile, "Take away", "2026-10-16"))
    return commits


def read(name: str, url: Path, home: Path) -> CodeTree:
    """Read a repository as the product does."""
    tree = read_code(CodeSource(name=name, url=str(url)), home=home)
    assert tree.unknown == ""
    return tree
