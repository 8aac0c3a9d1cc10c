from __future__ import annotations

import stat
from pathlib import Path

import pytest

from config.organisation import Organisation
from config.settings import Settings
from dream.errors import UsageError
from flows.fences import FILE, fence_secret
from flows.workplace import Workplace


def workplace(home: Path, **keys: object) -> Workplace:
    document = {"organisation": "acme", "memory": {"url": "/m"}, **keys}
    return Workplace(organisation=Organisation.model_validate(document), settings=Settings(home=home))


def test_the_secret_is_made_once_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    secret = fence_secret(workplace(tmp_path))
    assert len(secret) == 32
    assert fence_secret(workplace(tmp_path)) == secret
    assert stat.S_IMODE((tmp_path / "acme" / FILE).stat().st_mode) == 0o600
    assert fence_secret(workplace(tmp_path / "other")) != secret


def test_a_secret_that_is_not_whole_is_made_again(tmp_path: Path) -> None:
    fence_secret(workplace(tmp_path))
    (tmp_path / "acme" / FILE).write_bytes(b"")
    assert len(fence_secret(workplace(tmp_path))) == 32


def test_an_organisation_with_a_key_has_the_same_secret_on_every_machine_and_its_key_is_not_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_KEY", "hunter2")
    secret = fence_secret(workplace(tmp_path, state_key="env:ACME_KEY"))
    assert fence_secret(workplace(tmp_path / "other", state_key="env:ACME_KEY")) == secret
    assert b"hunter2" not in secret
    assert not (tmp_path / "acme" / FILE).exists()


def test_a_key_that_is_missing_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="env:NOBODYS is missing"):
        fence_secret(workplace(tmp_path, state_key="env:NOBODYS"))
