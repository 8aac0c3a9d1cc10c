"""Organisations of one installation share no folder, no lock, no key and no word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from config.settings import Settings
from dream.errors import DreamError, FatalError
from dream.night.identity import run_id
from dream.repository.lock import lock
from flows.workplace import Workplace
from tests.support.repositories import git, git_bytes
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, stage_of


@pytest.fixture
def installation(served: Served, tmp_path: Path) -> tuple[Stage, Stage]:
    """Two organisations whose nights work under one home."""
    stages = []
    for name, lasting in (("acme", "Acme's orders wait an hour."), ("globex", "Globex's orders wait a day.")):
        (tmp_path / name).mkdir()
        stage = stage_of(served, tmp_path / name, name=name, hosted_as=name)
        stage.summarise({"lasting": lasting})
        stages.append(stage)
    return stages[0], stages[1]


def home(stage: Stage) -> str:
    return str(stage.root.parent / "home")


def everything(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def test_no_word_of_one_organisation_is_in_the_memory_or_the_folder_of_another(
    installation: tuple[Stage, Stage],
) -> None:
    for stage in (*installation, *installation):
        assert stage.dream(home=home(stage)).exit_code == 0
        stage.next_night(home=home(stage))
    for stage, own, other in zip(installation, ("Acme's", "Globex's"), ("Globex's", "Acme's"), strict=True):
        files = b"".join(stage.files().values())
        assert (own.encode() in files, other.encode() in files) == (True, False)
        work = stage.workplace(home(stage))
        objects = git_bytes(work.mirror().path, "cat-file", "--batch-all-objects", "--batch")
        seen = everything(work.home) + objects
        assert (own.encode() in seen, other.encode() in seen) == (True, False)


def test_folders_stores_and_seals_of_organisations_lie_apart(
    installation: tuple[Stage, Stage], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path / "home", organisations=tmp_path, store="memory://kept/")
    places = []
    for stage in installation:
        monkeypatch.setenv(f"{stage.name.upper()}_KEY", f"the key of {stage.name}, long enough for a seal")
        keyed = replace(stage, extra={"state_key": f"env:{stage.name.upper()}_KEY"})
        places.append(Workplace(organisation=keyed.organisation, settings=settings))
    assert [one.home for one in places] == [tmp_path / "home" / "acme", tmp_path / "home" / "globex"]
    assert [one.store for one in places] == ["memory://kept/acme", "memory://kept/globex"]
    assert places[0].keeper().key != places[1].keeper().key


def test_the_lock_of_one_organisation_holds_up_no_other(installation: tuple[Stage, Stage]) -> None:
    acme, globex = installation
    with lock(acme.workplace(home(acme)).home):
        assert globex.dream(home=home(globex)).status == "landed"
        with pytest.raises(DreamError, match="another run"):
            acme.dream(home=home(acme))


def test_a_state_that_another_organisation_sealed_is_not_gone_by(
    installation: tuple[Stage, Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both write with one identity, and globex's memory is a copy of acme's, with its commits."""
    for name in ("ACME_KEY", "GLOBEX_KEY"):
        monkeypatch.setenv(name, f"{name}, and long enough for a seal")
    acme, globex = installation
    acme.extra = {"state_key": "env:ACME_KEY"}
    acme.dream(home=home(acme))
    git(globex.hosted.path, "fetch", "--quiet", str(acme.hosted.path), "+main:main")
    globex.extra = {"state_key": "env:GLOBEX_KEY"}
    with pytest.raises(FatalError, match="its seal does not verify"):
        globex.dream(home=home(globex))
    assert globex.hosted.tip() == acme.hosted.tip()


def test_a_run_is_named_after_its_organisation(installation: tuple[Stage, Stage]) -> None:
    runs = set()
    for stage in installation:
        stage.dream(home=home(stage))
        told = git(stage.hosted.path, "log", "-1", "--format=%(trailers:key=Dream-Organisation,valueonly)")
        assert told.strip() == stage.name
        runs.add(run_id(organisation=stage.name, night=NIGHT, base="", configuration="", prompts="", version=""))
    assert len(runs) == 2
