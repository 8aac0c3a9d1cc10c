"""`dream init`, and that what it makes can be dreamed over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.support.commands import Commands
from tests.support.repositories import GitFailedError, Hosted, Person, git, host


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    yield Commands(tmp_path, capsys, monkeypatch)
    structlog.reset_defaults()


def test_a_new_memory_is_a_bare_repository_with_an_index(dream: Commands) -> None:
    ended = dream("init", "acme.git")
    path = dream.root / "acme.git"
    assert ended.exit == 0
    assert git(path, "ls-tree", "-r", "--name-only", "main") == "MEMORY.md"
    assert ended.out.startswith(f"made {path}: a bare repository with an empty MEMORY.md and the hook")
    assert f"1. Write {dream.root}/organisations/acme.yaml:" in ended.out
    assert "3. Dream the first night: dream run acme\n" in ended.out


def test_what_is_printed_configures_an_organisation_that_a_doctor_finds_well(dream: Commands) -> None:
    ended = dream("init", "acme.git")
    text = ended.out.partition(".yaml:\n\n")[2].partition("\n\n")[0].replace("/path/to/sessions", str(dream.root))
    (dream.root / "organisations/acme.yaml").write_text(text)
    doctor = dream("doctor", "acme")
    assert [line for line in doctor.out.split("\n") if line.startswith("fail")] == []
    assert doctor.exit == 0


def test_a_new_memory_refuses_people_under_dream(dream: Commands) -> None:
    dream("init", "acme.git")
    path = dream.root / "acme.git"
    person = Person(Hosted(path=path, url=str(path)), dream.root / "copy")
    person.edit({"note.md": "# Note\n"})
    with pytest.raises(GitFailedError, match="dream revert"):
        person.edit({".dream/state.json": "{}"})


def test_a_bare_repository_that_is_there_is_protected_and_says_how(dream: Commands) -> None:
    hosted = host(dream.root, "memory", {"note.md": "# Note\n"})
    before = hosted.tip()
    git(hosted.path, "config", "receive.maxInputSize", "5000")
    ended = dream("init", str(hosted.path))
    assert ended.exit == 0
    first, *said = ended.out.partition("\n\n")[0].split("\n")
    assert first == f"{hosted.path} was there: it has the hook that guards .dream/ now, and its notes were not touched"
    change = f"git config --file {hosted.path}/config receive.maxInputSize 100000000"
    assert said == [
        "set:  core.fsync = all",
        "set:  core.logAllRefUpdates = true",
        "set:  receive.fsckObjects = true",
        "set:  receive.denyDeletes = true",
        "set:  receive.denyNonFastForwards = true",
        f"left: receive.maxInputSize = 5000, and not 100000000; to change it: {change}",
    ]
    assert hosted.tip() == before
    assert (hosted.path / "hooks/pre-receive").exists()


def test_a_folder_with_something_in_it_is_left_alone(dream: Commands) -> None:
    (dream.root / "notes").mkdir()
    (dream.root / "notes/note.md").write_text("# Note\n")
    ended = dream("init", "notes")
    assert ended.exit == 2
    assert "not empty, and no bare git repository" in ended.err
    assert [path.name for path in (dream.root / "notes").iterdir()] == ["note.md"]


def test_branch_folder_and_size_of_a_push_are_as_asked(dream: Commands) -> None:
    ended = dream("init", "acme.git", "--branch", "trunk", "--folder", "notes", "--push-bytes", "5000", "--json")
    path = dream.root / "acme.git"
    assert git(path, "ls-tree", "-r", "--name-only", "trunk") == "notes/MEMORY.md"
    assert git(path, "config", "receive.maxInputSize") == "5000"
    document = json.loads(ended.out)
    assert (document["created"], document["differing"]) == (True, {})
    assert "receive.maxInputSize = 5000" in document["added"]
    again = dream("init", "acme.git", "--branch", "trunk", "--folder", "notes", "--push-bytes", "5000")
    assert f'memory: {{url: "{path}", branch: trunk, path: "notes"}}\n' in again.out
    assert "set: " not in again.out
