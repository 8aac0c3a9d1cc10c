from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from config.credentials import resolve_credential
from dream.errors import UsageError


def test_a_variable_is_read_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_GIT", "first")
    first = resolve_credential("env:ACME_GIT", organisation="acme")
    monkeypatch.setenv("ACME_GIT", "rotated")
    assert (first, resolve_credential("env:ACME_GIT", organisation="acme")) == (
        SecretStr("first"),
        SecretStr("rotated"),
    )


def test_a_file_is_read_without_its_last_newline(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("s3cret\n")
    assert resolve_credential(f"file:{tmp_path}/token", organisation="acme") == SecretStr("s3cret")


def test_no_reference_is_no_credential() -> None:
    assert resolve_credential("", organisation="acme") is None


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (None, "the file cannot be read: No such file or directory"),
        (b" \n", "the file is empty"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_file_that_gives_no_secret_is_named_with_its_organisation(
    tmp_path: Path, content: bytes | None, cause: str
) -> None:
    path = tmp_path / "token"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError) as refusal:
        resolve_credential(f"file:{path}", organisation="acme")
    assert f"organisation acme: the credential file:{path} is missing" in str(refusal.value)
    assert cause in str(refusal.value)
    assert str(path) in refusal.value.way_out


@pytest.mark.parametrize("environment", [{}, {"ACME_GIT": ""}])
def test_a_variable_that_is_not_set_is_named_with_its_organisation(environment: dict[str, str]) -> None:
    with pytest.raises(UsageError) as refusal:
        resolve_credential("env:ACME_GIT", organisation="acme", environment=environment)
    assert str(refusal.value) == "organisation acme: the credential env:ACME_GIT is missing: the variable is not set"
    assert refusal.value.way_out == "set ACME_GIT where this runs"


def test_a_secret_shows_in_no_representation() -> None:
    secret = resolve_credential("env:ACME_GIT", organisation="acme", environment={"ACME_GIT": "hunter2"})
    assert "hunter2" not in f"{secret} {secret!r} {[secret]}"
