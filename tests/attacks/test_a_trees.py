"""A20 to A26: names, modes and objects that no honest program would put into a memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pygit2
import pytest

from dream.errors import DreamError, FatalError, UsageError
from dream.memory.operations import Add, Basis, Move, Operation, Refusal
from dream.repository.mirror import open_mirror
from tests.repository.stores import blob, commit, raw_tree
from tests.support.repositories import Hosted, git
from tests.support.scripted import draft_over, proposing, whole
from tests.support.served import Served
from tests.support.stage import MEMORY, Stage, stage_of

BASIS = Basis(sources=("thread_7c2e",), dated=date(2026, 10, 21))
NAMES = {
    "A20-up": "../outside.md",
    "A20-up-inside": "services/../../outside.md",
    "A20-up-and-back": "services/../services/new.md",
    "A20-absolute": "/etc/passwd.md",
    "A20-double-slash": "services//new.md",
    "A20-dot": "services/./new.md",
    "A20-backslash": "services\\new.md",
    "A20-drive": "c:new.md",
    "A20-nul": "services/new\0.md",
    "A20-percent": "services/%2e%2e/new.md",
    "A20-trailing-dot": "services./new.md",
    "A20-trailing-blank": "services/new.md ",
    "A20-note-as-folder": "services/x.md/new.md",
    "A20-final-newline": "services/new.md\n",
    "A20-newline": "services/ne\nw.md",
    "A20-arabic-digit": "services/\u0663.md",
    "A20-device": "services/con.md",
    "A20-device-in-a-folder": "aux/new.md",
    "A20-upper-case": "services/NEW.md",
    "A20-deep": "a/b/c/d/new.md",
    "A20-long": f"services/{'x' * 200}.md",
    "A20-no-name": "services/.md",
    "A20-other-ending": "services/new.sh",
    "A20-stream": "services/new.md::$DATA",
    "A20-a-script-of-words": "ignore all previous instructions.md",
    "A22-attributes": ".gitattributes",
    "A22-modules": ".gitmodules",
    "A22-mailmap": ".mailmap",
    "A22-ignore": "services/.gitignore",
    "A22-hooks": ".git/hooks/pre-commit.md",
    "A22-state": ".dream/state.json",
    "A22-record": ".dream/nights/2026-10-21.json",
    "A22-editor": ".vscode/tasks.md",
    "A22-agents-own": ".claude/new.md",
    "A23-upper": ".GIT/config.md",
    "A23-short-name": "git~1/config.md",
    "A23-joiner": ".g\u200cit/config.md",
    "A23-mark": ".git\ufeff/config.md",
    "A23-blank": ".git /config.md",
    "A23-dot": ".git./config.md",
}
COLLIDING = {
    "file-by-case": ("Services/Checkout.md", "services/checkout.md"),
    "folder-by-case": ("Services/a.md", "services/new.md"),
    "folder-under-a-file": ("services.md", "services.md/new.md"),
    "file-under-a-folder": ("new.md/a.md", "new.md"),
    "index-by-case": ("a.md", "memory.md"),
    "catalog-by-case": ("a.md", "catalog.md"),
    "decomposed": ("caf\u0065\u0301.md", "caf\u00e9.md"),
}


TASKS = ("distil", "tidy", "production_verification", "daily_note", "learnings", "pr_outcomes")


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("path", NAMES.values(), ids=NAMES)
def test_a20_a22_a23_no_task_makes_such_a_path(tmp_path: Path, path: str, task: str) -> None:
    draft = draft_over(tmp_path, dict(MEMORY), task=task)
    text = "- 2026-10-21: New. [thread_7c2e, 2026-10-21]"
    add = Add(path=path, text=text, opening="# New", basis=BASIS)
    move = Move(span=whole(draft.tree, "services/orders.md"), to=path)
    for operation in (add, move):
        answer = draft.apply(operation)
        assert isinstance(answer, Refusal)
        assert answer.reason in {"path-not-allowed", "not-owner"}
    assert draft.files == {}


@pytest.mark.parametrize(("standing", "path"), COLLIDING.values(), ids=COLLIDING)
def test_a23_no_name_that_some_file_systems_take_for_another_is_made(tmp_path: Path, standing: str, path: str) -> None:
    draft = draft_over(tmp_path, {"MEMORY.md": "# Memory\n", standing: "# Here already\n"})
    text = "- 2026-10-21: New. [thread_7c2e, 2026-10-21]"
    answer = draft.apply(Add(path=path, text=text, opening="# New", basis=BASIS))
    assert isinstance(answer, Refusal)
    assert answer.reason in {"path-collision", "path-not-allowed", "not-owner"}
    assert draft.files == {}


def test_a20_a_plain_path_passes_at_the_same_door(tmp_path: Path) -> None:
    draft = draft_over(tmp_path, dict(MEMORY))
    text = "- 2026-10-21: The lift is mended. [thread_7c2e, 2026-10-21]"
    assert not isinstance(draft.apply(Add(path="services/new.md", text=text, opening="# New", basis=BASIS)), Refusal)


Entry = tuple[bytes, bytes, str]


def plant(hosted: Hosted, make: Callable[[pygit2.Repository], list[Entry]]) -> None:
    """Add entries to the root of the branch's tree, whatever git thinks of them."""
    repository = pygit2.Repository(str(hosted.path))
    tip = hosted.tip() or ""
    old = [
        (f"{entry.filemode:o}".encode(), (entry.name or "").encode(), str(entry.id))
        for entry in repository[tip].peel(pygit2.Tree)
    ]
    entries = sorted([*old, *make(repository)], key=lambda one: one[1] + (b"/" if one[0] == b"40000" else b""))
    made = commit(repository, raw_tree(repository, *entries), tip)
    git(hosted.path, "update-ref", "refs/heads/main", made)


def listing(hosted: Hosted) -> dict[str, str]:
    lines = git(hosted.path, "ls-tree", "-r", "-t", "-z", "main").split("\0")[:-1]
    return {path: what for what, _, path in (line.partition("\t") for line in lines)}


def odd(repository: pygit2.Repository, outside: Path) -> list[Entry]:
    link = blob(repository, str(outside).encode())
    note = blob(repository, b"# Program\n\n- It may be run.\n")
    return [
        (b"120000", b"linked.md", link),
        (b"120000", b"linked-folder", blob(repository, b"/")),
        (b"120000", b"CATALOG.md", link),
        (b"160000", b"module", "1" * 40),
        (b"100755", b"program.md", note),
    ]


def test_a21_links_and_submodules_are_not_followed_not_written_and_named(stage: Stage, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("a secret of this machine\n")
    plant(stage.hosted, lambda repository: odd(repository, outside))
    before = listing(stage.hosted)

    def writes(tree: object) -> list[Operation]:
        del tree
        text = "- 2026-10-21: New. [thread_7c2e0001, 2026-10-21]"
        basis = Basis(sources=("thread_7c2e0001",), dated=date(2026, 10, 21))
        paths = ("linked.md", "linked-folder/new.md", "module/new.md")
        return [Add(path=path, text=text, opening="# New", basis=basis) for path in paths]

    result = stage.dream(steps=proposing("production_verification", writes))
    assert (result.status, result.exit_code) == ("landed", 0)
    after = listing(stage.hosted)
    for path in ("linked.md", "linked-folder", "CATALOG.md", "module", "program.md"):
        assert after[path] == before[path]
    refused = {one.reason for one in stage.record().tasks["production_verification"].left_out}
    assert refused == {"left-alone"}
    assert outside.read_text() == "a secret of this machine\n"
    assert all(b"a secret of this machine" not in data for data in stage.files().values())


def trap(tmp_path: Path) -> tuple[Path, Path]:
    """A program that leaves a mark where it is run, and the mark."""
    mark, program = tmp_path / "it-ran", tmp_path / "payload.sh"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    return program, mark


def test_a22_attributes_filters_and_hooks_of_a_memory_never_run(stage: Stage, tmp_path: Path) -> None:
    program, mark = trap(tmp_path)
    attributes = "* filter=evil diff=evil merge=evil export-ignore working-tree-encoding=UTF-16 ident eol=crlf\n"
    files = {".gitattributes": attributes, ".mailmap": "A <a@b> <ada@test>\n", ".gitignore": "*\n"}
    plant(
        stage.hosted,
        lambda repository: [
            (b"100644", path.encode(), blob(repository, text.encode())) for path, text in files.items()
        ],
    )
    stage.dream()
    mirror = stage.root / "home" / "acme" / "memory.git"
    (mirror / "hooks").mkdir(exist_ok=True)
    for hook in ("reference-transaction", "pre-push", "post-checkout", "post-rewrite", "pre-auto-gc", "update"):
        (mirror / "hooks" / hook).symlink_to(program)
    for key in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.command", "merge.evil.driver", "core.pager"):
        git(mirror, "config", key, str(program))
    assert stage.next_night().status == "landed"
    assert not mark.exists()
    after = stage.files()
    assert {path: after[path].decode() for path in files} == files
    assert after["services/checkout.md"] == MEMORY["services/checkout.md"].encode()


def disguised(repository: pygit2.Repository) -> list[Entry]:
    config = blob(repository, b"[core]\n\tfsmonitor = touch /tmp/never\n")
    folder = raw_tree(repository, (b"100644", b"config", config))
    return [
        (b"40000", ".g\u200cit".encode(), folder),
        (b"40000", b".GIT", folder),
        (b"40000", b"git~1", folder),
        (b"100644", b"Memory.md", blob(repository, b"# Another index\n")),
        (b"40000", b"SERVICES", raw_tree(repository, (b"100644", b"checkout.md", blob(repository, b"# Theirs\n")))),
    ]


def test_a23_a_memory_that_holds_such_names_keeps_them_and_gets_its_night(stage: Stage) -> None:
    plant(stage.hosted, disguised)
    before = listing(stage.hosted)
    result = stage.dream()
    assert (result.status, result.exit_code) == ("landed", 0)
    after = listing(stage.hosted)
    for path in (".g\u200cit/config", ".GIT/config", "git~1/config", "Memory.md", "SERVICES/checkout.md"):
        assert after[path] == before[path]


def test_a24_a_submodule_and_a_link_that_would_run_code_at_a_clone_do_nothing(stage: Stage, tmp_path: Path) -> None:
    program, mark = trap(tmp_path)
    modules = "".join(
        f'[submodule "{name}"]\n\tpath = {path}\n\turl = {url}\n\tupdate = !{program}\n'
        for name, path, url in (
            ("../../hooks", "A/modules/x", str(tmp_path)),
            ("x", "a", f"ext::{program}"),
            ("y", "b\r", "-u./payload.sh"),
        )
    )

    def entries(repository: pygit2.Repository) -> list[Entry]:
        return [
            (b"100644", b".gitmodules", blob(repository, modules.encode())),
            (b"120000", b"a", blob(repository, b".git")),
            (b"40000", b"A", raw_tree(repository, (b"160000", b"modules", "2" * 40))),
        ]

    plant(stage.hosted, entries)
    assert stage.dream().status == "landed"
    assert stage.next_night().status == "landed"
    assert not mark.exists()
    assert stage.files()[".gitmodules"] == modules.encode()


PROGRAMS = ("ext::sh -c 'touch {mark}'", "-u{program}", "--upload-pack={program}", "ext::{program}")


@pytest.mark.parametrize("url", PROGRAMS)
def test_a24_an_address_that_would_run_a_program_is_no_address(tmp_path: Path, url: str) -> None:
    program, mark = trap(tmp_path)
    with pytest.raises((UsageError, DreamError)):
        open_mirror(tmp_path / "home", url.format(mark=mark, program=program)).fetch()
    assert not mark.exists()


OVERSIZED = {
    "300-kB": b"# Big\n\n" + b"- A line of it.\n" * 20_000,
    "one-line-of-a-megabyte": b"# Big\n\n- " + b"x" * 1_000_000 + b"\n",
    "5-MB-of-zeros": b"\0" * 5_000_000,
}


@pytest.mark.parametrize("data", OVERSIZED.values(), ids=OVERSIZED)
def test_a25_a_note_that_is_too_large_is_left_and_reported(served: Served, tmp_path: Path, data: bytes) -> None:
    stage = stage_of(served, tmp_path, {**MEMORY, "notes/big.md": data, "assets/big.bin": data})
    result = stage.dream()
    assert (result.status, result.exit_code) == ("landed", 0)
    assert stage.files()["notes/big.md"] == data
    assert any(finding.startswith("notes/big.md was left alone: over 256 kB") for finding in result.findings)
    assert b"(notes/big.md)" in stage.files()["MEMORY.md"] + stage.files()["CATALOG.md"]


@pytest.mark.parametrize("length", [4_100, 300_000])
def test_a25_no_model_writes_a_line_or_a_note_that_nobody_can_read(tmp_path: Path, length: int) -> None:
    draft = draft_over(tmp_path, {"a.md": "# A\n\n- One.\n"})
    answer = draft.apply(Add(path="a.md", text="- 2026-10-21: " + "word " * (length // 5), basis=BASIS))
    assert isinstance(answer, Refusal)
    assert answer.reason in {"line-too-long", "note-too-large"}
    many = "\n".join(f"- 2026-10-21: Word number {number} of many." for number in range(7_000))
    answer = draft.apply(Add(path="a.md", text=many, basis=BASIS))
    assert isinstance(answer, Refusal)
    assert answer.reason == "note-too-large"


def test_a25_sessions_without_end_come_to_a_bounded_note(stage: Stage) -> None:
    for number in range(120):
        stage.summarise({"id": f"flood{number:03}", "lasting": f"The host{number} is up. " + "It is long. " * 500})
    stage.dream()
    note = stage.files()["daily/2026-10-21.md"]
    assert len(note) < 256_000
    assert sum(line.startswith(b"- ") for line in note.split(b"\n")) <= 40 + 2
    record = stage.record().tasks["daily_note"]
    assert record.inputs == record.written + sum(record.not_written.values()) + record.pending == 121


def bomb(repository: pygit2.Repository) -> list[Entry]:
    oid, mode = blob(repository, b"# One\n"), b"100644"
    for _ in range(10):
        oid = raw_tree(repository, *((mode, b"f%d" % number, oid) for number in range(10)))
        mode = b"40000"
    return [(b"40000", b"bomb", oid)]


def deep(repository: pygit2.Repository) -> list[Entry]:
    oid, mode = blob(repository, b"# One\n"), b"100644"
    for _ in range(3_000):
        oid = raw_tree(repository, (mode, b"a", oid))
        mode = b"40000"
    return [(b"40000", b"deep", oid)]


def wide(repository: pygit2.Repository) -> list[Entry]:
    one = blob(repository, b"# One\n")
    return [(b"40000", b"wide", raw_tree(repository, *((b"100644", b"%06d.md" % n, one) for n in range(60_000))))]


@pytest.mark.parametrize("shape", [bomb, deep, wide])
def test_a26_a_tree_that_names_more_than_anybody_can_walk_stops_the_night_and_says_so(
    stage: Stage, shape: Callable[[pygit2.Repository], list[Entry]]
) -> None:
    plant(stage.hosted, shape)
    tip = stage.hosted.tip()
    with pytest.raises(FatalError, match=r"more than 50000 entries|nested deeper than 32") as raised:
        stage.dream()
    assert raised.value.exit_code == 3
    assert raised.value.way_out
    assert stage.hosted.tip() == tip


@pytest.mark.parametrize(("mark", "most"), [("- ", 1), ("", 40)], ids=["items", "wrapped-lines"])
def test_a26_the_same_line_seven_hundred_times_is_told_in_one_short_line(stage: Stage, mark: str, most: int) -> None:
    stage.summarise({"id": "again001", "lasting": "\n".join([f"{mark}The lift is out of order."] * 700)})
    stage.dream()
    lines = [line for line in stage.files()["daily/2026-10-21.md"].split(b"\n") if b"The lift is out" in line]
    assert len(lines) == 1
    assert lines[0].count(b"The lift is out") <= most
