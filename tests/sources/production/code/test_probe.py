from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dream.sources.production.code.probe import OPERATIONS, CodeProbe
from dream.sources.production.code.reading import mirror_of, read_code
from dream.sources.production.code.values import CodeSource
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Answer, Down, Found, Line, Nothing, Probe, Proof, Refused
from tests.support.repositories import Hosted, Person, git, host
from tests.support.served import Fault, Served, Step, serve

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 12\n"
DEPLOY = """\
kind: Deployment
metadata: {name: orders-api, namespace: shop}
spec: {replicas: 7, image: "orders:1.10"}
---
kind: Deployment
metadata: {name: orders-worker}
spec: {replicas: 2, tag: 1.10}
"""
FILES: dict[str, str | bytes] = {
    "Makefile": "test:\n\t./run\n",
    "deploy/orders.yaml": DEPLOY,
    "config/limits.json": '{"pool": {"size": 40, "hosts": ["db-1", "db-2"]}, "name": "orders"}',
    "config/app.toml": "[server]\nport = 8443\nstarted = 2026-01-02\n",
    "config/twice.json": '{"a": 1, "a": 2}',
    "src/orders.py": "MAX_ORDERS = 40\n\n\ndef total(order):\n    return subtotal(order)\n",
    "src/cart.py": "from src.orders import total\n# def removed(x): was here\nprint(total(1))\n",
    "src/a b.txt": "first line\nsecond total line\n",
    "src/wide.txt": "k= " + " " * 100_000 + '"w"x wide\n',
    "assets/logo.bin": b"\x00\x01total",
    "assets/large.mp4": POINTER,
    "docs/old.md": "gone soon",
    "src/legacy.py": "def vanished(x):\n    return x\n",
    "src/moved.py": "".join(f"row {number}\n" for number in range(30)),
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture(scope="module")
def shop(served: Served, tmp_path_factory: pytest.TempPathFactory) -> tuple[Hosted, str]:
    """A repository, and the commit that took a function, a document and a file away."""
    hosted = host(served, "shop", FILES)
    ana = Person(hosted, tmp_path_factory.mktemp("ana") / "shop")
    moved = {"src/moved.py": None, "src/rows.py": FILES["src/moved.py"]}
    return hosted, ana.edit({"docs/old.md": None, "src/legacy.py": "def kept(x):\n    return x\n", **moved}, "Tidy up")


@pytest.fixture(scope="module")
def probe(shop: tuple[Hosted, str], tmp_path_factory: pytest.TempPathFactory) -> CodeProbe:
    return open_probe(shop[0], tmp_path_factory.mktemp("mirrors"))


def open_probe(hosted: Hosted, home: Path) -> CodeProbe:
    source = CodeSource(name="shop", url=hosted.url, internal=True)
    tree = read_code(source, home=home)
    assert tree.unknown == ""
    return CodeProbe(tree=tree, source=source, home=home)


def texts(answer: Answer) -> list[str]:
    assert isinstance(answer, Found), answer
    return [line.text for line in answer.lines]


def test_it_is_a_probe_with_six_ways_to_ask(probe: CodeProbe) -> None:
    port: Probe = probe
    assert (port.name, [operation.name for operation in port.operations]) == (
        "shop",
        ["file", "lines", "symbol", "manifest", "config", "history"],
    )


def test_a_file_that_is_there_is_present_by_its_whole_name(probe: CodeProbe) -> None:
    assert probe.ask("file", "orders.py:4") == Found(
        lines=(Line(text="src/orders.py: present", fields=(("presence", "present"),)),),
        values=("present",),
        names=("src/orders.py", "src", "orders.py", "orders"),
    )


def test_a_file_that_is_gone_is_absent_with_the_commit_that_took_it(probe: CodeProbe, shop: tuple[Hosted, str]) -> None:
    answer = probe.ask("file", "docs/old.md")
    assert isinstance(answer, Found)
    assert (answer.values, answer.names) == (("absent",), ("docs/old.md", "docs", "old.md", "old"))
    assert answer.lines[0].fields[:2] == (("presence", "absent"), ("deleted_in", shop[1]))
    moved = probe.ask("file", "src/moved.py")
    assert isinstance(moved, Found)
    assert moved.lines[0].fields[-1] == ("now", "src/rows.py")


@pytest.mark.parametrize("path", ["never.py", "elsewhere/never.py", "src/*.py"])
def test_a_file_that_may_be_anywhere_is_never_absent(probe: CodeProbe, path: str) -> None:
    assert probe.ask("file", path) == Nothing("nothing settles whether it is there")


def test_lines_hold_the_word_as_such(probe: CodeProbe) -> None:
    answer = probe.ask("lines", "deploy/orders.yaml image")
    assert texts(answer) == ['deploy/orders.yaml:3: spec: {replicas: 7, image: "orders:1.10"}']
    assert texts(probe.ask("lines", "src/a b.txt total")) == ["src/a b.txt:2: second total line"]
    assert probe.ask("lines", "src/orders.py ORDERS") == Nothing("no line of it holds that word")
    known = probe.ask("lines", "src/orders.py MAX_ORDERS")
    assert known == Found(
        lines=(Line(text="src/orders.py:1: MAX_ORDERS = 40", fields=(("MAX_ORDERS", "40"),)),),
        values=("MAX_ORDERS = 40",),
        names=("src/orders.py", "src", "orders.py", "orders"),
    )


def test_a_line_that_sets_a_value_has_it_as_a_field_without_quotes_and_comma(tmp_path: Path, served: Served) -> None:
    written = {
        "size = 40": (("size", "40"),),
        "- size: 40": (("size", "40"),),
        "export size='4 0'": (("size", "4 0"),),
        '"size" : " 40, " ,': (("size", " 40, "),),
        "size:": (),
        "size = ','": (("size", ","),),
        "size = 'a' + 'b'": (),
        "the size is 40": (),
    }
    asked = open_probe(host(served, "settings", {"all.txt": "\n".join(written)}), tmp_path)
    answer = asked.ask("lines", "all.txt size")
    assert isinstance(answer, Found)
    assert [line.fields for line in answer.lines] == list(written.values())


def test_t14_a_long_line_that_sets_no_value_takes_no_time(probe: CodeProbe) -> None:
    answer = probe.ask("lines", "src/wide.txt wide")
    assert isinstance(answer, Found)
    assert [line.fields for line in answer.lines] == [()]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("assets/logo.bin", "assets/logo.bin is binary"),
        ("assets/large.mp4", "assets/large.mp4 is a pointer to a large file that is kept elsewhere"),
        ("assets", "no one file has that path"),
        ("nowhere.py", "no one file has that path"),
    ],
)
def test_what_is_no_text_is_named_and_never_read(probe: CodeProbe, path: str, reason: str) -> None:
    assert probe.ask("lines", f"{path} total") == Nothing(reason)


def test_a_symbol_is_where_it_is_defined_and_not_where_it_is_used(probe: CodeProbe) -> None:
    assert probe.ask("symbol", "total") == Found(
        lines=(Line(text="src/orders.py:4: def total(order):"),), values=("src/orders.py:4",), names=("total",)
    )


def test_a_symbol_is_absent_only_with_the_commit_that_took_its_last_place_away(
    probe: CodeProbe, shop: tuple[Hosted, str]
) -> None:
    answer = probe.ask("symbol", "vanished")
    assert isinstance(answer, Found)
    assert (answer.values, answer.names) == (("absent",), ("vanished",))
    assert answer.lines[0].fields[0] == ("deleted_in", shop[1])
    assert probe.ask("symbol", "never_was") == Nothing(
        "it was found nowhere, and no commit is known to have taken it away"
    )
    assert probe.ask("symbol", "removed") == Nothing("it is named, and no place can be told to define it")


def test_a_symbol_that_may_be_in_a_submodule_is_never_absent(tmp_path: Path) -> None:
    hosted = host(tmp_path, "odd", {"src/a.py": "def vanished(x): 1\n", "src/b.py": "def kept(x): 1\n"})
    tip = git(hosted.path, "rev-parse", "main")
    kept = git(hosted.path, "rev-parse", "main:src/b.py")
    odd = f"160000 commit {'1' * 40}\tvendor\n100644 blob {kept}\tb.py\n"
    made = git(hosted.path, "mktree", "--missing", stdin=odd.encode())
    ana = ("-c", "user.name=ana", "-c", "user.email=ana@test.invalid")
    commit = git(hosted.path, *ana, "commit-tree", made, "-p", tip, "-m", "odd")
    git(hosted.path, "update-ref", "refs/heads/main", commit)
    probe = open_probe(replace(hosted, url=str(hosted.path)), tmp_path / "mirrors")
    assert probe.ask("symbol", "vanished") == Nothing("it was found nowhere, but not everything could be looked into")
    assert probe.ask("lines", "vendor word") == Nothing("vendor is a submodule, which is not looked into")


def test_a_command_is_present_or_absent_or_unsettled(probe: CodeProbe) -> None:
    assert [probe.ask("manifest", command) for command in ("make test", "make lint", "terraform plan")] == [
        Found(
            lines=(Line(text="make test: present", fields=(("presence", "present"),)),),
            values=("present",),
            names=("make test",),
        ),
        Found(
            lines=(Line(text="make lint: absent", fields=(("presence", "absent"),)),),
            values=("absent",),
            names=("make lint",),
        ),
        Nothing("no file settles whether that command is defined"),
    ]


def test_configuration_is_told_with_the_way_to_each_value(probe: CodeProbe) -> None:
    whole = probe.ask("config", "config/limits.json")
    assert texts(whole) == [
        'config/limits.json: name="orders"',
        "config/limits.json.pool: size=40",
        'config/limits.json.pool.hosts: "db-1", "db-2"',
    ]
    assert probe.ask("config", "config/limits.json $.pool.size") == Found(
        lines=(Line(text="config/limits.json.pool: size=40", fields=(("size", "40"),)),),
        values=("40",),
        names=("config/limits.json", "config", "limits.json", "limits"),
    )
    assert texts(probe.ask("config", "config/app.toml")) == ['config/app.toml.server: port=8443 started="2026-01-02"']


def test_each_document_of_a_file_is_told_apart_by_what_it_is_about(probe: CodeProbe) -> None:
    answer = probe.ask("config", "deploy/orders.yaml $.spec.replicas")
    assert isinstance(answer, Found)
    assert answer.values == ("7", "2")
    assert [line.text for line in answer.lines] == [
        'deploy/orders.yaml #1 Deployment/orders-api.spec: replicas=7 image="orders:1.10"',
        'deploy/orders.yaml #2 Deployment/orders-worker.spec: replicas=2 tag="1.10"',
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("config/twice.json", "it cannot be read as JSON"),
        ("src/orders.py", "its name is none of JSON, YAML or TOML"),
        ("config/limits.json $.nothing", "the file says nothing at that place"),
        ("config/none.json", "no one file has that path"),
    ],
)
def test_configuration_that_says_nothing_is_nothing(probe: CodeProbe, text: str, reason: str) -> None:
    assert probe.ask("config", text) == Nothing(reason)


def test_history_is_the_last_commits_and_the_one_that_took_it_away(probe: CodeProbe, shop: tuple[Hosted, str]) -> None:
    first = git(shop[0].path, "rev-list", "--max-parents=0", "main")
    commits = (shop[1], first)
    assert probe.ask("history", "src/legacy.py") == Found(
        lines=tuple(
            Line(
                text=f"src/legacy.py: commit={commit} date=2026-10-01",
                fields=(("commit", commit), ("date", "2026-10-01")),
            )
            for commit in commits
        ),
        values=commits,
        names=("src/legacy.py", "src", "legacy.py", "legacy"),
    )
    gone = probe.ask("history", "docs/old.md")
    assert isinstance(gone, Found)
    assert ("deleted_in", shop[1]) in gone.lines[0].fields
    assert probe.ask("history", "docs/never.md") == Nothing("no one path of the repository, now or before, is that")


@pytest.mark.parametrize(
    ("operation", "text", "reason"),
    [
        ("push", "main", "there is no operation push; it has file, lines, symbol, manifest, config, history"),
        ("file", " ", "file needs one line of at most 1000 characters"),
        ("file", "../../etc/passwd", "that is no path of a repository"),
        ("file", "/etc/passwd", "that is no path of a repository"),
        ("history", "a\nb", "history needs one line of at most 1000 characters"),
        ("symbol", "--open-files-in-pager=id", "symbol needs one name"),
        ("symbol", "a b", "symbol needs one name"),
        ("lines", "src/orders.py", "lines needs a path and a word"),
        ("config", "a.json $.a[?match(@, '(a+)+b')]", "that is no JSONPath of RFC 9535, or uses match or search"),
        ("config", "a.json $..a..b..c", "the JSONPath asks for too much at once"),
    ],
)
def test_a_question_of_another_form_is_refused_before_git_is_asked(
    probe: CodeProbe, operation: str, text: str, reason: str
) -> None:
    assert probe.objection(operation, text) == reason
    assert probe.ask(operation, text) == Refused(reason)


def test_a_path_is_never_an_option_or_a_pattern_of_git(tmp_path: Path) -> None:
    odd = {"--output=x": "word here\n", ":(top)x": "word there\n", "src/a.py": "word\n"}
    hosted = host(tmp_path, "odd", odd)
    probe = open_probe(replace(hosted, url=str(hosted.path)), tmp_path / "mirrors")
    assert texts(probe.ask("lines", "--output=x word")) == ["--output=x:1: word here"]
    assert len(texts(probe.ask("history", "--output=x"))) == 1
    assert not list(tmp_path.glob("**/x"))


def test_a_path_with_brackets_is_itself_and_no_pattern(tmp_path: Path) -> None:
    hosted = host(tmp_path, "pages", {"src/[id].ts": "page\n", "src/i.ts": "other\n"})
    Person(hosted, tmp_path / "ana").edit({"src/i.ts": "changed\n"})
    probe = open_probe(replace(hosted, url=str(hosted.path)), tmp_path / "mirrors")
    assert len(texts(probe.ask("history", "src/[id].ts"))) == 1
    assert texts(probe.ask("lines", "src/[id].ts page")) == ["src/[id].ts:1: page"]


def test_a_symbol_is_not_absent_by_a_commit_that_did_not_take_the_last_text_with_it_away(tmp_path: Path) -> None:
    hosted = host(tmp_path, "built", {"src/a.py": "def vanished(x): 1\n", "src/b.py": "b\n"})
    ana = Person(hosted, tmp_path / "ana")
    ana.edit({"src/a.py": None, "built.bin": b"\0 vanished \0"})
    ana.edit({"built.bin": None})
    probe = open_probe(replace(hosted, url=str(hosted.path)), tmp_path / "mirrors")
    assert probe.ask("symbol", "vanished") == Nothing(
        "it was found nowhere, and no commit is known to have taken it away"
    )


def test_an_answer_is_bounded(shop: tuple[Hosted, str], tmp_path: Path) -> None:
    probe = open_probe(shop[0], tmp_path)
    few = replace(probe, limits=ProbeLimits(lines=2, line_characters=80))
    answer = few.ask("config", "config/limits.json")
    assert isinstance(answer, Found)
    assert (len(answer.lines), answer.cut) == (2, True)
    small = replace(probe, limits=ProbeLimits(output_bytes=20))
    assert small.ask("config", "config/limits.json") == Nothing("it holds more than 20 bytes")
    assert small.ask("lines", "src/orders.py total") == Nothing("the beginning of it holds no such line")


def test_no_time_left_is_down(probe: CodeProbe) -> None:
    late = replace(probe, limits=ProbeLimits(seconds=0))
    assert late.ask("symbol", "total") == Down("the time for one question is used up")


def test_a_repository_that_was_not_read_is_down(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "down", {"a.py": "a"})
    source = CodeSource(name="down", url=hosted.url, internal=True)
    served.fail(Fault.REFUSE, on=frozenset(Step), times=None)
    try:
        tree = read_code(source, home=tmp_path)
    finally:
        served.recover()
    probe = CodeProbe(tree=tree, source=source, home=tmp_path)
    assert probe.ask("file", "a.py") == Down(tree.unknown)
    assert probe.examine() == (Proof(tried="read", sound=False, seen=tree.unknown),)


def test_a_file_that_was_left_on_the_server_is_fetched_alone_or_named(served: Served, tmp_path: Path) -> None:
    large = "needle here\n" + "x" * 200_000
    hosted = host(served, "large", {"big.txt": large, "small.py": "def needle(): 1\n"})
    hosted.set("uploadpack.allowFilter", "true")
    hosted.set("uploadpack.allowAnySHA1InWant", "true")
    probe = open_probe(hosted, tmp_path / "mirrors")
    assert probe.ask("symbol", "needle") == Found(
        lines=(Line(text="small.py:1: def needle(): 1"),), values=("small.py:1",), names=("needle",), cut=True
    )
    served.fail(Fault.REFUSE, on=frozenset(Step), times=None)
    try:
        failed = probe.ask("lines", "big.txt needle")
    finally:
        served.recover()
    assert isinstance(failed, Down)
    assert failed.reason.startswith("big.txt was left on the server and cannot be had: ")
    assert texts(probe.ask("lines", "big.txt needle")) == ["big.txt:1: needle here"]


def test_a_file_left_on_a_server_inside_the_network_is_not_fetched_unless_it_may_be(
    served: Served, tmp_path: Path
) -> None:
    hosted = host(served, "inside", {"big.txt": "needle here\n" + "x" * 200_000, "small.txt": "needle\n"})
    hosted.set("uploadpack.allowFilter", "true")
    hosted.set("uploadpack.allowAnySHA1InWant", "true")
    probe = open_probe(hosted, tmp_path)
    outside = replace(probe, source=replace(probe.source, internal=False))
    assert texts(outside.ask("lines", "small.txt needle")) == ["small.txt:1: needle"]
    answer = outside.ask("lines", "big.txt needle")
    assert isinstance(answer, Nothing)
    assert "inside a network" in answer.reason


def test_nothing_that_is_asked_changes_the_repository_or_its_mirror(shop: tuple[Hosted, str], tmp_path: Path) -> None:
    hosted, _ = shop
    probe = open_probe(hosted, tmp_path)
    before = state(hosted.path), git(mirror_of(probe.source, tmp_path), "for-each-ref")
    asked = {
        "file": "src/orders.py",
        "lines": "src/orders.py total",
        "symbol": "vanished",
        "manifest": "make test",
        "config": "deploy/orders.yaml",
        "history": "docs/old.md",
    }
    assert set(asked) == {operation.name for operation in OPERATIONS}
    for operation, text in asked.items():
        assert isinstance(probe.ask(operation, text), Found)
    read, pushed = probe.examine()
    assert (read.sound, read.seen) == (True, f"{len(probe.tree.paths)} paths at {probe.tree.commit}")
    assert (pushed.tried, pushed.sound) == ("push", True)
    assert "transport 'nowhere' not allowed" in pushed.seen
    assert (state(hosted.path), git(mirror_of(probe.source, tmp_path), "for-each-ref")) == before


def test_a_mirror_that_could_be_pushed_from_is_not_sound(shop: tuple[Hosted, str], tmp_path: Path) -> None:
    probe = open_probe(shop[0], tmp_path)
    git(mirror_of(probe.source, tmp_path), "config", "remote.origin.pushurl", str(shop[0].path))
    assert [proof.sound for proof in probe.examine()] == [True, False]


def state(repository: Path) -> dict[str, bytes]:
    """Every ref of a bare repository, and every object, byte for byte."""
    return {
        str(path.relative_to(repository)): path.read_bytes()
        for place in ("refs", "objects", "HEAD", "packed-refs", "config")
        for path in (repository / place, *(repository / place).rglob("*"))
        if path.is_file()
    }
