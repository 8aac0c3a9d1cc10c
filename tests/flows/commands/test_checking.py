"""`dream check` on a folder, a bare repository and an organisation."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from ruamel.yaml import YAML

from dream.checker.rules import RULES
from dream.errors import FatalError, UsageError
from flows.commands.checking import check_memory
from flows.commands.fixing import write_files
from tests.conftest import ROOT
from tests.support.commands import Commands
from tests.support.repositories import git, host
from tests.support.served import serve

CLEAN = {
    "MEMORY.md": "# Memory\n\n- [Checkout](services/checkout.md)\n",
    "services/checkout.md": "# Checkout\n\n- 2026-10-01: It listens on port 8443. [thread_0001, 2026-10-01]\n",
}
DIRTY = CLEAN | {"services/checkout.md": "# Checkout\n\nSee [the cart](cart.md).\n"}


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    yield Commands(tmp_path, capsys, monkeypatch)
    structlog.reset_defaults()


def folder_of(path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


def test_a_clean_folder_has_nothing_to_mend(dream: Commands) -> None:
    folder = folder_of(dream.root / "notes", CLEAN)
    ended = dream("check", str(folder))
    assert (ended.exit, ended.out) == (0, "nothing: 0 findings (0 errors) in 2 files\n")


def test_each_finding_is_a_line_with_its_place_and_rule(dream: Commands) -> None:
    folder = folder_of(dream.root / "notes", DIRTY)
    ended = dream("check", str(folder))
    assert ended.exit == 1
    first, last, _ = ended.out.split("\n")
    assert first.startswith("services/checkout.md:3: dangling-link: cart.md")
    assert last == "1 finding (0 errors) in 2 files"


def test_the_document_of_a_check_holds_every_finding(dream: Commands) -> None:
    folder = folder_of(dream.root / "notes", DIRTY)
    ended = dream("check", "--json", str(folder))
    assert ended.exit == 1
    (finding,) = ended.document["findings"]
    assert {name: finding[name] for name in ("path", "line", "rule", "severity")} == {
        "path": "services/checkout.md",
        "line": 3,
        "rule": "dangling-link",
        "severity": "warning",
    }
    assert ended.document["files"] == 2


def test_a_bare_repository_is_checked_where_it_stands(dream: Commands) -> None:
    hosted = host(dream.root, "memory", DIRTY)
    ended = dream("check", str(hosted.path))
    assert (ended.exit, ended.out.count("dangling-link")) == (1, 1)


def test_a_working_copy_is_checked_as_its_files_are(dream: Commands) -> None:
    folder = folder_of(dream.root / "notes", CLEAN)
    (folder / ".git").mkdir()
    (folder / ".git/note.md").write_text("[x](nowhere.md)")
    assert dream("check", str(folder)).exit == 0


def test_an_organisation_is_checked_as_its_remote_has_it(dream: Commands) -> None:
    with serve(dream.root) as served:
        hosted = host(served, "memory", DIRTY)
        dream.write("acme", {"memory": {"url": hosted.url}})
        folder_of(dream.root / "acme", CLEAN)
        assert dream("check", "acme").exit == 1
        assert dream("check", "./acme").exit == 0


PINNED = """# Checkout

- It listens on port 8443.
  check: web lines `config.yaml port` contains `8443`
  check: webb file `config.yaml` is `present`
  check: web drop `config.yaml` is `present`
  check: web file `config.yaml` = `present`
"""


def test_pinned_checks_are_held_against_the_systems_of_an_organisation_that_is_named(dream: Commands) -> None:
    with serve(dream.root) as served:
        hosted = host(served, "memory", CLEAN | {"services/checkout.md": PINNED})
        code = {"name": "web", "kind": "code", "url": "https://git.acme.example/web.git", "credential": "env:NO_TOKEN"}
        dream.write("acme", {"memory": {"url": hosted.url}, "production": [code]})
        found = [(one["rule"], one["line"]) for one in dream("check", "acme", "--json").document["findings"]]
    assert found == [("check-unknown-probe", 5), ("check-refused", 6), ("check-unreadable", 7)]
    folder = folder_of(dream.root / "notes", CLEAN | {"services/checkout.md": PINNED})
    found = [(one["rule"], one["line"]) for one in dream("check", str(folder), "--json").document["findings"]]
    assert found == [("check-unreadable", 7)]


def test_without_any_configuration_a_folder_can_be_checked(dream: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DREAM_ORGANISATIONS", str(dream.root / "none"))
    folder_of(dream.root / "notes", CLEAN)
    assert dream("check", "notes").exit == 0


@pytest.mark.parametrize("target", ["nowhere", "./nowhere", "/no/such/folder"])
def test_what_is_not_there_is_wrong_usage(dream: Commands, target: str) -> None:
    ended = dream("check", target)
    assert (ended.exit, ended.out) == (2, "")
    assert ended.err.startswith("dream: there is no ")


def test_a_file_is_no_memory(dream: Commands) -> None:
    (dream.root / "note.md").write_text("# Note\n")
    with pytest.raises(UsageError, match=r"note\.md is no folder"):
        check_memory(str(dream.root / "note.md"))


def test_every_real_memory_is_checked_to_the_end(shared_data: Path) -> None:
    trees = [path for path in sorted((shared_data / "memory_trees").iterdir()) if path.is_dir()]
    assert trees
    for tree in trees:
        assert check_memory(f"{tree}/").exit_code in (0, 1)


def test_what_is_only_for_information_is_told_and_is_no_failure(dream: Commands) -> None:
    folder = folder_of(dream.root / "notes", CLEAN | {".dreamcheck.yaml": "ignore: {orphan-note: [gone.md]}\n"})
    ended = dream("check", str(folder))
    assert ended.exit == 0
    assert ended.out.endswith("\n1 finding (0 errors) in 3 files\n")


def test_the_document_says_how_the_memory_is_laid_out_and_what_it_waives(dream: Commands) -> None:
    waivers = {".dreamcheck.yaml": "ignore:\n  dangling-link:\n    - {path: services/*.md, reason: it comes}\n"}
    folder = folder_of(dream.root / "notes", DIRTY | waivers)
    ended = dream("check", "--json", str(folder))
    assert ended.exit == 0
    assert ended.document == {
        "target": str(folder),
        "layout": "indexed",
        "files": 3,
        "findings": [],
        "counts": {"error": 0, "warning": 0, "info": 0},
        "waived": {"dangling-link": 1},
        "fixed": [],
    }
    assert dream("check", str(folder)).out == "nothing: 0 findings (0 errors) in 3 files, 1 waived\n"


def test_files_that_are_named_from_here_are_told_about_alone(dream: Commands) -> None:
    folder = folder_of(dream.root / "notes", DIRTY | {"services/cart.txt": "", "old.md": "[x](gone.md)\n"})
    told = dream("check", str(folder), "notes/old.md", "elsewhere/services/checkout.md").out
    assert [line.split(": ")[0] for line in told.splitlines()[:-1]] == ["old.md", "old.md:1"]
    assert "services/checkout.md" not in told
    assert dream("check", str(folder), "notes/MEMORY.md").exit == 0


def test_without_a_path_the_memory_is_here(dream: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder_of(dream.root / "notes", DIRTY))
    assert dream("check").out.startswith("services/checkout.md:3: dangling-link: cart.md")


def test_what_has_one_answer_is_mended_in_place_once(dream: Commands) -> None:
    notes = {
        "services/checkout.md": "# Checkout\r\n\r\nSee [the cart](old/cart.md).\r\n",
        "services/cart.md": "# Cart\n",
    }
    folder = folder_of(dream.root / "notes", CLEAN)
    for name, text in notes.items():
        (folder / name).write_bytes(text.encode())
    (folder / "services/checkout.md").chmod(0o600)
    untouched = (folder / "MEMORY.md").stat().st_mtime_ns
    ended = dream("check", str(folder), "--fix")
    assert (ended.exit, ended.out) == (
        0,
        "fixed: services/checkout.md: dangling-link\nnothing: 0 findings (0 errors) in 3 files\n",
    )
    mended = folder / "services/checkout.md"
    assert mended.read_bytes() == b"# Checkout\r\n\r\nSee [the cart](cart.md).\r\n"
    assert mended.stat().st_mode & 0o777 == 0o600
    assert (folder / "MEMORY.md").stat().st_mtime_ns == untouched
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == ["MEMORY.md", "cart.md", "checkout.md"]
    assert dream("check", str(folder), "--fix").out == "nothing: 0 findings (0 errors) in 3 files\n"


def test_the_catalog_is_made_afresh_on_disk(dream: Commands) -> None:
    folder = folder_of(
        dream.root / "notes", CLEAN | {"CATALOG.md": "# Catalog\n", "CATALOG/old.md": "# Catalog: old\n"}
    )
    ended = dream("check", str(folder), "--fix", "--json")
    assert [one["path"] for one in ended.document["fixed"]] == ["CATALOG.md", "CATALOG/old.md"]
    assert (folder / "CATALOG.md").read_text() == "# Catalog\n\n- [Checkout](services/checkout.md)\n"
    assert not (folder / "CATALOG/old.md").exists()


def test_files_that_are_all_beside_the_memory_are_not_taken_for_none(dream: Commands) -> None:
    notes = {"a.md": "[x](old/cart.md)\n", "services/cart.md": "# Cart\n"}
    folder = folder_of(dream.root / "notes", CLEAN | notes)
    beside = str(folder_of(dream.root / "code", {"a.py": ""}) / "a.py")
    ended = dream("check", str(folder), beside, "--fix")
    assert (ended.exit, ended.out) == (0, "nothing: 0 findings (0 errors) in 4 files\n")
    assert (folder / "a.md").read_text() == notes["a.md"]


def test_files_that_are_not_named_are_not_mended(dream: Commands) -> None:
    notes = {"a.md": "[x](old/cart.md)\n", "b.md": "[x](old/cart.md)\n", "services/cart.md": "# Cart\n"}
    folder = folder_of(dream.root / "notes", CLEAN | notes)
    dream("check", str(folder), "notes/a.md", "--fix")
    assert (folder / "a.md").read_text() == "[x](services/cart.md)\n"
    assert (folder / "b.md").read_text() == notes["b.md"]


def test_only_a_folder_is_mended(dream: Commands) -> None:
    with serve(dream.root) as served:
        hosted = host(served, "memory", DIRTY)
        dream.write("acme", {"memory": {"url": hosted.url}})
        for target in ("acme", str(hosted.path)):
            ended = dream("check", target, "--fix")
            assert ended.exit == 2
            assert "clone it and run `dream check PATH --fix` there" in ended.err


def test_a_file_that_changes_while_it_is_mended_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("new\n")
    with pytest.raises(FatalError, match=r"a\.md has changed meanwhile"):
        write_files(tmp_path, {"a.md": b"mended\n"}, known={"a.md": "0" * 40})
    with pytest.raises(FatalError, match=r"a\.md has changed meanwhile"):
        write_files(tmp_path, {"a.md": b"made\n"}, known={"a.md": None})
    assert (tmp_path / "a.md").read_text() == "new\n"


def test_the_rules_can_be_listed(dream: Commands) -> None:
    ended = dream("check", "--rules")
    assert ended.exit == 0
    assert [line.split()[0] for line in ended.out.splitlines()] == list(RULES)
    (first, *_) = dream("check", "--rules", "--json").document["rules"]
    assert first["rule"] == "odd-file"
    assert sorted(first) == ["finds", "fix", "rule", "scope", "severity", "waiving", "way_out"]


def test_the_limits_of_the_environment_hold(dream: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(dream.root / "notes", CLEAN)
    monkeypatch.setenv("DREAM_LIMITS__INDEX__LINES", "2")
    assert dream("check", str(folder)).out.startswith("MEMORY.md: index-over-limits: 3 lines")


def test_a_folder_is_checked_without_what_a_night_needs(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "notes", DIRTY)
    heavy = ("prefect", "pygit2", "config.settings", "pydantic_settings", "structlog", "openai", "anthropic")
    text = (
        "import sys; from flows.cli import main; main(sys.argv[1:]); "
        f"sys.exit(' '.join(name for name in {heavy!r} if name in sys.modules))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", text, "check", f"{folder}/"], cwd=ROOT, capture_output=True, check=False
    )
    assert ended.stderr == b"\n"
    assert b"dangling-link" in ended.stdout


def test_a_checkout_is_checked_as_its_hook_says(tmp_path: Path) -> None:
    hook = YAML(typ="safe", pure=True).load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]
    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("dream-check", "python", False)
    folder = folder_of(tmp_path / "checkout", DIRTY)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    name, *rest = hook["entry"].split()
    command = [Path(sys.executable).parent / name, *rest, *hook["args"]]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout.startswith("services/checkout.md:3: dangling-link: cart.md; ")
    (folder / "services/checkout.md").write_text(CLEAN["services/checkout.md"])
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("inner", ["", ".claude/memory"])
def test_a_state_that_another_commit_changed_is_told_by_the_history_of_a_checkout(dream: Commands, inner: str) -> None:
    checkout = dream.root / "checkout"
    state = {".dream/state.json": '{\n"version": 1\n}\n'}
    folder = folder_of(checkout / inner, CLEAN)
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    git(checkout, "init", "-q")
    git(checkout, "add", ".")
    git(checkout, *who, "commit", "-q", "-m", "notes")
    folder_of(folder, state)
    assert rules_of(dream, folder) == []
    git(checkout, "add", ".")
    git(checkout, *who, "commit", "-q", "-m", "state alone, as the flow does")
    assert rules_of(dream, folder) == []
    folder_of(folder, {".dream/state.json": '{\n"lastRun": null,\n"version": 1\n}\n', "more.md": "# More\n"})
    git(checkout, "add", ".")
    git(checkout, *who, "commit", "-q", "-m", "state and more")
    assert rules_of(dream, folder) == ["flow-file-foreign"]
    git(checkout, "worktree", "add", "-q", str(dream.root / "another"))
    assert rules_of(dream, dream.root / "another" / inner) == ["flow-file-foreign"]
    (checkout / ".git/shallow").touch()
    assert rules_of(dream, dream.root / "another" / inner) == []
    assert rules_of(dream, folder) == []


def test_no_program_that_a_checkout_names_is_run(dream: Commands) -> None:
    folder, ran = folder_of(dream.root / "checkout", CLEAN | {".dream/state.json": "{}"}), dream.root / "ran"
    evil = dream.root / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {ran}\n", encoding="utf-8")
    evil.chmod(0o755)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-q", "-m", "notes")
    head, _, said = git(folder, "cat-file", "commit", "HEAD").partition("\n\n")
    signed = f"{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n{said}\n"
    (dream.root / "signed").write_text(signed, encoding="utf-8")
    git(folder, "update-ref", "HEAD", git(folder, "hash-object", "-t", "commit", "-w", str(dream.root / "signed")))
    for name, value in {
        "log.showSignature": "true",
        "gpg.program": str(evil),
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": str(folder),
        "remote.origin.uploadpack": str(evil),
        "protocol.file.allow": "always",
    }.items():
        git(folder, "config", name, value)
    dream("check", str(folder))
    assert not ran.exists()
    tree = git(folder, "rev-parse", "HEAD^{tree}")
    (folder / ".git/objects" / tree[:2] / tree[2:]).unlink()
    dream("check", str(folder))
    assert not ran.exists()


def rules_of(dream: Commands, folder: Path) -> list[str]:
    found = dream("check", "--json", str(folder)).document["findings"]
    return [one["rule"] for one in found if one["path"].startswith(".dream/")]
