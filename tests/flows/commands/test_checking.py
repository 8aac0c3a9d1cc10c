"""`dream check` on a folder, a bare repository and an organisation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from dream.errors import UsageError
from flows.commands.checking import check_memory
from tests.support.commands import Commands
from tests.support.repositories import host
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
    assert ended.err.startswith("dream: ")


def test_a_file_is_no_memory(dream: Commands) -> None:
    (dream.root / "note.md").write_text("# Note\n")
    with pytest.raises(UsageError, match=r"note\.md is no folder"):
        check_memory(str(dream.root / "note.md"))


def test_every_real_memory_is_checked_to_the_end(shared_data: Path) -> None:
    trees = [path for path in sorted((shared_data / "memory_trees").iterdir()) if path.is_dir()]
    assert trees
    for tree in trees:
        assert check_memory(f"{tree}/").exit_code in (0, 1)
