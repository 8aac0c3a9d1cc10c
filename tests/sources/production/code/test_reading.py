from __future__ import annotations

import base64
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from dream.sources.production.code.reading import CodeLimits, read_code
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.code.values import CodeSource, Deletion, Presence, Rename
from tests.conftest import ROOT
from tests.support.repositories import Hosted, Person, git, host
from tests.support.served import Fault, Served, Step, serve

PRESENT, ABSENT, UNKNOWN = Presence.PRESENT, Presence.ABSENT, Presence.UNKNOWN
BODY = "".join(f"line {number}\n" for number in range(20))

AT_FIRST = {
    "Makefile": "test: build\n\t./run\n",
    "package.json": '{"scripts": {"lint": "eslint ."}}',
    "pyproject.toml": '[project]\nname = "web"\n[project.scripts]\nserve = "web:main"\n',
    ".gitignore": "dist/\n*.log\nsrc/generated\n",
    "src/api/orders.py": "orders\n" + BODY,
    "src/api/users.py": "users\n" + BODY,
    "src/old/a.py": "a\n" + BODY,
    "src/old/deep/b.py": "b\n" + BODY,
    "src/jobs/nightly.py": "nightly\n" + BODY,
    "scripts/deploy.sh": "deploy",
    "docs/index.md": "index",
    "tests/index.md": "index",
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture(scope="module")
def web(served: Served, tmp_path_factory: pytest.TempPathFactory) -> tuple[Hosted, dict[str, str]]:
    """A repository with a history of renames, deletions and a merge; its commits by what they did."""
    hosted = host(served, "web", AT_FIRST)
    ana = Person(hosted, tmp_path_factory.mktemp("ana") / "web")
    made = {
        "orders": ana.edit({"src/api/orders.py": None, "src/api/order_api.py": "orders changed\n" + BODY}),
        "folder": ana.edit(
            {
                "src/old/a.py": None,
                "src/old/deep/b.py": None,
                "src/new/a.py": "a\n" + BODY,
                "src/new/deep/b.py": "b\n" + BODY,
            }
        ),
        "again": ana.edit({"src/api/order_api.py": None, "src/shop/orders.py": "orders changed\nmore\n" + BODY}),
        "users": ana.edit({"src/api/users.py": None}),
    }
    ana.git("checkout", "--quiet", "-b", "topic")
    ana.commit({"src/jobs/nightly.py": None, "src/jobs/daily.py": "nightly\n" + BODY})
    ana.git("checkout", "--quiet", "main")
    ana.commit({"docs/more.md": "more"})
    ana.git("merge", "--quiet", "--no-ff", "--no-edit", "topic")
    made["tip"] = ana.push()
    return hosted, made


@pytest.fixture(scope="module")
def tree(web: tuple[Hosted, dict[str, str]], tmp_path_factory: pytest.TempPathFactory) -> CodeTree:
    return read_code(CodeSource(name="web", internal=True, url=web[0].url), home=tmp_path_factory.mktemp("mirrors"))


def test_the_tree_is_the_head_of_the_branch(tree: CodeTree, web: tuple[Hosted, dict[str, str]]) -> None:
    hosted, made = web
    assert (tree.name, tree.commit, tree.unknown) == ("web", made["tip"], "")
    assert tree.paths == frozenset(hosted.files())


@pytest.mark.parametrize(
    ("path", "presence"),
    [
        ("src/shop/orders.py", PRESENT),
        ("./src/shop/orders.py", PRESENT),
        ("src/shop", PRESENT),
        ("src/shop/", PRESENT),
        ("src\\shop\\orders.py", PRESENT),
        ("src/shop/orders.py:12", PRESENT),
        ("src/shop/orders.py#L12-L14", PRESENT),
        ("shop/orders.py", PRESENT),
        ("orders.py", PRESENT),
        ("index.md", UNKNOWN),
        ("src/api/orders.py", ABSENT),
        ("src/old", ABSENT),
        ("src/old/deep", ABSENT),
        ("api/users.py", ABSENT),
        ("src/never/was.py", ABSENT),
        ("elsewhere/never/was.py", UNKNOWN),
        ("users.py", UNKNOWN),
        ("README.md", UNKNOWN),
        ("src/shop/Orders.py", UNKNOWN),
        ("src/*.py", UNKNOWN),
        ("src/<name>.py", UNKNOWN),
        ("src/generated/client.py", UNKNOWN),
        ("src/debug.log", UNKNOWN),
        ("scripts/dist/bundle.js", UNKNOWN),
        ("/src/shop/orders.py", UNKNOWN),
        ("../web/src", UNKNOWN),
        ("https://git.acme.example/web", UNKNOWN),
        ("", UNKNOWN),
        ("src/" + "x" * 2_000, UNKNOWN),
    ],
)
def test_a_path_is_present_absent_or_unknown(tree: CodeTree, path: str, presence: Presence) -> None:
    assert tree.presence(path) is presence


def test_a_rename_is_followed_to_where_the_file_stands_now(tree: CodeTree, web: tuple[Hosted, dict[str, str]]) -> None:
    _, made = web
    expected = Rename(to="src/shop/orders.py", commit=made["again"], on=date(2026, 10, 1))
    assert tree.renamed_to("src/api/orders.py") == expected
    assert tree.renamed_to("src/api/order_api.py") == expected
    assert tree.renamed_to("api/orders.py") == expected
    assert tree.renamed_to("src/shop/orders.py") is None


def test_a_folder_that_moved_whole_is_renamed(tree: CodeTree, web: tuple[Hosted, dict[str, str]]) -> None:
    _, made = web
    assert tree.renamed_to("src/old") == Rename(to="src/new", commit=made["folder"], on=date(2026, 10, 1))
    assert tree.renamed_to("src/api") is None


def test_what_was_deleted_says_by_which_commit(tree: CodeTree, web: tuple[Hosted, dict[str, str]]) -> None:
    _, made = web
    assert tree.existed("src/api/users.py") == Deletion(commit=made["users"], on=date(2026, 10, 1))
    assert tree.renamed_to("src/api/users.py") is None
    assert tree.existed("src/never/was.py") is None
    assert tree.existed("src/shop/orders.py") is None


def test_a_rename_on_a_merged_branch_is_found(tree: CodeTree) -> None:
    renamed = tree.renamed_to("src/jobs/nightly.py")
    assert renamed is not None
    assert renamed.to == "src/jobs/daily.py"


@pytest.mark.parametrize(
    ("command", "presence"),
    [
        ("make test", PRESENT),
        ("make deploy", ABSENT),
        ("npm run lint", PRESENT),
        ("npm run build", ABSENT),
        ("uv run serve", PRESENT),
        ("./scripts/deploy.sh --now", PRESENT),
        ("./scripts/gone.sh", ABSENT),
        ("python src/api/users.py", ABSENT),
        ("docker compose up", UNKNOWN),
    ],
)
def test_a_command_is_looked_up_in_the_files_that_define_it(tree: CodeTree, command: str, presence: Presence) -> None:
    assert tree.presence_of_command(command) is presence


def test_a_second_reading_fetches_what_came_since(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "grows", {"a.md": "a"})
    source = CodeSource(name="grows", internal=True, url=hosted.url)
    assert read_code(source, home=tmp_path / "mirrors").paths == {"a.md"}
    Person(hosted, tmp_path / "ana").edit({"b.md": "b"})
    assert read_code(source, home=tmp_path / "mirrors").paths == {"a.md", "b.md"}
    git(hosted.path, "update-ref", "refs/heads/main", git(hosted.path, "rev-parse", "main~1"))
    assert read_code(source, home=tmp_path / "mirrors").paths == {"a.md"}


def test_a_mirror_that_cannot_be_read_is_made_afresh(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "breaks", {"a.md": "a"})
    source = CodeSource(name="breaks", internal=True, url=hosted.url)
    read_code(source, home=tmp_path)
    (mirror,) = tmp_path.iterdir()
    for pack in mirror.glob("objects/pack/*"):
        pack.chmod(0o600)
        pack.write_bytes(b"nothing")
    (mirror / "config").write_text("[broken")
    tree = read_code(source, home=tmp_path)
    assert (set(tree.paths), tree.unknown) == ({"a.md"}, "")


def test_a_server_that_allows_it_keeps_its_large_blobs(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "large", {"big.bin": b"\0" * 300_000, "small.py": BODY})
    hosted.set("uploadpack.allowFilter", "true")
    Person(hosted, tmp_path / "ana").edit({"small.py": None, "tiny.py": BODY + "x\n"})
    tree = read_code(CodeSource(name="large", internal=True, url=hosted.url), home=tmp_path / "mirrors")
    (mirror,) = (tmp_path / "mirrors").iterdir()
    assert tree.paths == {"big.bin", "tiny.py"}
    renamed = tree.renamed_to("small.py")
    assert renamed is not None
    assert renamed.to == "tiny.py"
    assert "?" + git(hosted.path, "rev-parse", "main:big.bin") in git(
        mirror, "rev-list", "--objects", "--missing=print", "refs/dream/head"
    )


def test_credentials_reach_git_through_its_environment_and_no_message(tmp_path: Path) -> None:
    with serve(tmp_path / "served", login=("ana", "s3cret-canary")) as served:
        hosted = host(served, "web", {"a.md": "a"})
        source = CodeSource(name="web", internal=True, url=hosted.url)
        header = base64.b64encode(b"ana:s3cret-canary").decode()
        login = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "http.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: Basic {header}",
        }
        assert read_code(source, home=tmp_path / "one", environment=login).paths == {"a.md"}
        refused = read_code(source, home=tmp_path / "two")
        assert refused.unknown.startswith("git fetch: ")
        inside = source.url.replace("http://", "http://ana:wrong-canary@")
        assert (
            "canary"
            not in read_code(CodeSource(name="web", internal=True, url=inside), home=tmp_path / "three").unknown
        )
    stored = b"".join(path.read_bytes() for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert header.encode() not in stored


@pytest.mark.parametrize("fault", [Fault.REFUSE, Fault.DROP, Fault.MISSING, Fault.HANG])
def test_an_unreachable_repository_is_unknown_for_everything(served: Served, tmp_path: Path, fault: Fault) -> None:
    hosted = host(served, f"down-{fault}", {"src/a.py": "a"})
    served.fail(fault, on=frozenset(Step), times=None)
    try:
        tree = read_code(
            CodeSource(name="down", internal=True, url=hosted.url), home=tmp_path, limits=CodeLimits(fetch_seconds=3)
        )
    finally:
        served.recover()
    assert tree.unknown.startswith("git fetch")
    assert (tree.commit, tree.paths) == ("", frozenset())
    assert tree.presence("src/a.py") is UNKNOWN
    assert tree.presence_of_command("make test") is UNKNOWN
    assert (tree.renamed_to("src/a.py"), tree.existed("src/a.py")) == (None, None)


def _failing_at(command: str, way: str, folder: Path) -> dict[str, str]:
    """Return an environment whose git fails at one of its commands."""
    script = folder / "git"
    script.write_text(f'#!/bin/sh\ncase " $* " in *" {command} "*) {way} ;; esac\nexec {shutil.which("git")} "$@"\n')
    script.chmod(0o755)
    return {"PATH": f"{folder}:/usr/local/bin:/usr/bin:/bin"}


def test_a_history_that_cannot_be_read_is_told(web: tuple[Hosted, dict[str, str]], tmp_path: Path) -> None:
    source = CodeSource(name="web", internal=True, url=web[0].url)
    tree = read_code(source, home=tmp_path / "home", environment=_failing_at("log", "exit 1", tmp_path))
    assert (tree.unknown, tree.renamed_to("src/api/orders.py")) == ("", None)
    assert tree.remark.startswith("its history could not be read, so that what moved counts as gone: git log")


def test_an_answer_that_is_cut_off_makes_a_repository_unknown(
    web: tuple[Hosted, dict[str, str]], tmp_path: Path
) -> None:
    source = CodeSource(name="web", internal=True, url=web[0].url)
    tree = read_code(source, home=tmp_path / "home", environment=_failing_at("cat-file", "exit 0", tmp_path))
    assert tree.unknown == "git cat-file: its answer is cut off"


def test_a_repository_that_goes_away_says_nothing_about_what_it_held(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "leaves", {"src/a.py": "a"})
    source = CodeSource(name="leaves", internal=True, url=hosted.url)
    assert read_code(source, home=tmp_path).presence("src/a.py") is PRESENT
    served.fail(Fault.REFUSE, on=frozenset(Step), times=None)
    try:
        assert read_code(source, home=tmp_path).presence("src/a.py") is UNKNOWN
    finally:
        served.recover()


def test_an_empty_repository_and_a_missing_branch_say_so(served: Served, tmp_path: Path) -> None:
    empty, full = host(served, "unborn"), host(served, "born", {"a.md": "a"})
    assert read_code(CodeSource(name="e", internal=True, url=empty.url), home=tmp_path).unknown == "it is empty"
    source = CodeSource(name="b", internal=True, url=full.url, branch="gone")
    assert read_code(source, home=tmp_path).unknown == "there is no branch gone"
    assert read_code(CodeSource(name="b", internal=True, url=full.url, branch="main"), home=tmp_path).paths == {"a.md"}


@pytest.mark.parametrize("url", ["--upload-pack=touch /tmp/x", "ext::sh -c id", "", "a\nb", "fd::3"])
def test_an_address_that_is_an_option_or_runs_something_is_refused(tmp_path: Path, url: str) -> None:
    assert read_code(CodeSource(name="x", url=url), home=tmp_path).unknown == "its address or branch cannot be one"
    assert list(tmp_path.iterdir()) == []


def test_submodules_and_symlinks_are_not_looked_into(tmp_path: Path) -> None:
    hosted = host(tmp_path, "odd", {"src/a.py": "a"})
    blob = git(hosted.path, "hash-object", "-w", "--stdin", stdin=b"src")
    source = git(hosted.path, "rev-parse", "main:src")
    odd = f"120000 blob {blob}\tlink\n160000 commit {'1' * 40}\tvendor\n040000 tree {source}\tsrc\n"
    made = git(hosted.path, "mktree", "--missing", stdin=odd.encode())
    ana = ("-c", "user.name=ana", "-c", "user.email=ana@test.invalid")
    commit = git(hosted.path, *ana, "commit-tree", made, "-m", "odd")
    git(hosted.path, "update-ref", "refs/heads/main", commit)
    tree = read_code(CodeSource(name="odd", url=str(hosted.path)), home=tmp_path / "mirrors")
    assert [tree.presence(path) for path in ("link", "vendor", "vendor/x.py", "link/a.py", "src/b.py")] == [
        PRESENT,
        PRESENT,
        UNKNOWN,
        UNKNOWN,
        ABSENT,
    ]


def test_a_tree_beyond_the_limit_is_unknown(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "many", {f"{number}.md": "x" for number in range(12)})
    tree = read_code(CodeSource(name="many", internal=True, url=hosted.url), home=tmp_path, limits=CodeLimits(paths=10))
    assert tree.unknown == "it holds more than 10 paths"


def test_nothing_that_the_repository_or_the_machine_configures_runs(served: Served, tmp_path: Path) -> None:
    canary = tmp_path / "ran"
    hosted = host(
        served,
        "hostile",
        {
            ".gitattributes": "* filter=x diff=x\n",
            ".gitmodules": f'[submodule "x"]\n\tpath = x\n\turl = ext::touch {canary}\n',
            "a.py": BODY,
        },
    )
    Person(hosted, tmp_path / "ana").edit({"a.py": None, "b.py": BODY + "x\n"})
    tree = read_code(CodeSource(name="hostile", internal=True, url=hosted.url), home=tmp_path / "mirrors")
    (mirror,) = (tmp_path / "mirrors").iterdir()
    renamed = tree.renamed_to("a.py")
    assert renamed is not None
    assert renamed.to == "b.py"
    assert not canary.exists()
    assert not (mirror / "hooks").exists()


def test_this_projects_own_checkout_is_read(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    tree = read_code(CodeSource(name="self", url=str(ROOT)), home=tmp_path)
    assert tree.unknown == ""
    assert tree.presence("dream/errors.py") is PRESENT
    assert tree.presence("production/code/values.py") is PRESENT
    assert tree.presence("dream/sources/nothing_like_it.py") is ABSENT
    dead = [path for path in tree.paths if tree.presence(path) is not PRESENT]
    assert dead == []
