from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.production.code.manifests import Manifest, Tool, read_manifest
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.code.values import Presence

PRESENT, ABSENT, UNKNOWN = Presence.PRESENT, Presence.ABSENT, Presence.UNKNOWN
MAKEFILE = b"""
.PHONY: test
VERSION := 1
OTHER ::= 2
test lint: build ; echo
build::
\tgo build: not a target
out/%.o: src/%.c
\tcc
# comment: no
deploy: ENV = prod
"""


def tree(**manifests: bytes) -> CodeTree:
    """A tree whose manifests are given by path, with `__` for a slash."""
    held = {
        path.replace("__", "/").replace("_json", ".json").replace("_toml", ".toml"): data
        for path, data in manifests.items()
    }
    paths = [*held, "scripts/x.sh", "src/app/main.py", "src/app/__init__.py"]
    return CodeTree(
        name="x", commit="1", paths=paths, manifests=[read_manifest(path, data) for path, data in held.items()]
    )


def test_the_targets_of_a_makefile_are_its_rules() -> None:
    assert read_manifest("Makefile", MAKEFILE) == Manifest(
        path="Makefile", tool=Tool.MAKE, names=frozenset({"test", "lint", "build", "out/%.o", "deploy"})
    )


@pytest.mark.parametrize(
    "data",
    [b"include other.mk\ntest:\n", b"-include .env\n", b"$(NAMES): x\n", b"define x\nendef\n", b".DEFAULT:\n", b"\xff"],
)
def test_a_makefile_that_may_define_more_is_not_whole(data: bytes) -> None:
    assert read_manifest("Makefile", data).whole is False


def test_variables_in_recipes_leave_a_makefile_whole() -> None:
    assert read_manifest("Makefile", b"test:\n\t@echo $(X): done\nX = $(Y)\n").whole is True


@pytest.mark.parametrize(
    ("path", "data"),
    [("package.json", b"{"), ("package.json", b"[" * 100_000), ("pyproject.toml", b"x ="), ("pyproject.toml", b"\xff")],
)
def test_a_manifest_that_cannot_be_read_defines_nothing_for_certain(path: str, data: bytes) -> None:
    assert read_manifest(path, data).whole is False
    assert read_manifest("package.json", b'{"scripts": 3}').names == frozenset()


@pytest.mark.parametrize(
    ("command", "presence"),
    [
        ("make test", PRESENT),
        ("make", PRESENT),
        ("make -j 4 test lint", PRESENT),
        ("make -j8 V=1 test", PRESENT),
        ("$ make test", PRESENT),
        ("CI=1 make test", PRESENT),
        ("sudo make test", PRESENT),
        ("make release", ABSENT),
        ("make test release", ABSENT),
        ("make out/a.o", UNKNOWN),
        ("make scripts/x.sh", UNKNOWN),
        ("make -f other.mk release", UNKNOWN),
        ("make -C sub release", UNKNOWN),
        ("make test && make release", UNKNOWN),
        ("make $(TARGET)", UNKNOWN),
        ("make 'test", UNKNOWN),
        ("", UNKNOWN),
        ("x" * 2_000, UNKNOWN),
    ],
)
def test_a_make_command_is_judged_by_the_makefile(command: str, presence: Presence) -> None:
    assert tree(Makefile=MAKEFILE).presence_of_command(command) is presence


def test_a_target_of_another_folders_makefile_is_no_dead_one() -> None:
    code = tree(Makefile=MAKEFILE, backend__Makefile=b"migrate:\n")
    assert code.presence_of_command("make migrate") is PRESENT
    assert code.presence_of_command("make -C backend migrate") is PRESENT
    assert code.presence_of_command("make -C backend test") is ABSENT


def test_without_a_makefile_nothing_is_said() -> None:
    assert tree().presence_of_command("make test") is UNKNOWN
    assert tree(Makefile=b"include x\n").presence_of_command("make test") is UNKNOWN


@pytest.mark.parametrize(
    ("command", "presence"),
    [
        ("npm run lint", PRESENT),
        ("npm run -s lint -- --fix", PRESENT),
        ("npm run-script lint", PRESENT),
        ("yarn lint", PRESENT),
        ("pnpm lint", PRESENT),
        ("bun run lint", PRESENT),
        ("npm run gone", ABSENT),
        ("pnpm run gone", ABSENT),
        ("npm test", ABSENT),
        ("npm run --prefix web gone", UNKNOWN),
        ("yarn gone", UNKNOWN),
        ("bun run gone", UNKNOWN),
        ("npm install", UNKNOWN),
        ("npm start", UNKNOWN),
        ("npm", UNKNOWN),
    ],
)
def test_a_node_command_is_judged_by_package_json(command: str, presence: Presence) -> None:
    assert tree(package_json=b'{"scripts": {"lint": "eslint ."}}').presence_of_command(command) is presence


def test_a_script_of_any_package_is_present_and_none_is_absent_while_one_cannot_be_read() -> None:
    code = tree(package_json=b"{}", web__package_json=b'{"scripts": {"dev": "vite"}}')
    assert code.presence_of_command("npm run dev") is PRESENT
    assert tree(package_json=b"{}", web__package_json=b"{").presence_of_command("npm run dev") is UNKNOWN
    assert tree(web__package_json=b"{}").presence_of_command("npm run dev") is UNKNOWN


@pytest.mark.parametrize(
    ("command", "presence"),
    [
        ("uv run serve", PRESENT),
        ("poetry run serve --port 1", PRESENT),
        ("serve", PRESENT),
        ("uv run pytest", UNKNOWN),
        ("uv run --with x serve", UNKNOWN),
        ("uv sync", UNKNOWN),
        ("uv run src/app/main.py", PRESENT),
        ("uv run python src/app/gone.py", ABSENT),
        ("python -m app.main", PRESENT),
        ("python -m app", PRESENT),
        ("python -m pytest", UNKNOWN),
        ("bash scripts/x.sh", PRESENT),
        ("bash scripts/gone.sh", ABSENT),
        ("bash -c id", UNKNOWN),
        ("./scripts/x.sh", PRESENT),
        ("python", UNKNOWN),
        ("ls", UNKNOWN),
    ],
)
def test_a_script_is_judged_by_pyproject_and_by_the_files(command: str, presence: Presence) -> None:
    code = tree(pyproject_toml=b'[project.scripts]\nserve = "app:main"\n')
    assert code.presence_of_command(command) is presence


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["make", "npm", "run", "-C", "-j", "uv", "x", "", "-m"])).map(" ".join)
)
def test_no_command_breaks_the_judgement(command: str) -> None:
    assert tree(Makefile=MAKEFILE).presence_of_command(command) in Presence
