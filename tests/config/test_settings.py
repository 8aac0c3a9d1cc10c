from __future__ import annotations

from pathlib import Path

import pytest

from config.limits import Limits
from config.settings import Settings, load_settings, unread_variables
from dream.errors import UsageError


def test_an_installation_that_says_nothing_gets_every_default() -> None:
    assert load_settings() == Settings(
        organisations=Path.cwd() / "organisations",
        home=Path.home() / ".dream",
        log_level="INFO",
        limits=Limits(),
    )


def test_reading_settings_makes_no_folder() -> None:
    assert not load_settings().home.exists()


def test_one_number_is_set_without_touching_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DREAM_LIMITS__LOSS__NIGHT_PERCENT", "10")
    expected = Limits().model_dump()
    expected["loss"]["night_percent"] = 10
    assert load_settings().limits == Limits.model_validate(expected)


@pytest.mark.parametrize(
    ("value", "store"),
    [("s3://bucket/dream", "s3://bucket/dream"), ("kept", str(Path.cwd() / "kept")), ("", "")],
)
def test_a_store_is_an_address_or_a_path_that_does_not_move(
    monkeypatch: pytest.MonkeyPatch, value: str, store: str
) -> None:
    monkeypatch.setenv("DREAM_STORE", value)
    assert load_settings().store == store


def test_an_empty_variable_is_no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DREAM_HOME", "")
    assert load_settings().home == Path.home() / ".dream"


@pytest.mark.parametrize(
    ("variable", "value", "complaint"),
    [
        ("DREAM_LIMITS__LOSS__NIGHT_PERCNT", "10", "unknown key; did you mean night_percent?"),
        ("DREAM_LIMITS__LOSS__NIGHT_PERCENT", "ten", "must be a whole number"),
        ("DREAM_LIMITS__LOSS__NIGHT_PERCENT", "101", "must be at most 100"),
        ("DREAM_LIMITS__DUPLICATES__SAME", "nan", "must be a finite number"),
        ("DREAM_LIMITS__LOSS", "3", "must be a mapping of keys"),
        ("DREAM_GIT__PRUNE_DAYS", "1", "must be at least 2"),
        ("DREAM_LOG_FORMAT", "xml", "must be 'text' or 'json'"),
        ("DREAM_LOG_LEVEL", "loud", "must be 'DEBUG', 'INFO', 'WARNING' or 'ERROR'"),
        ("DREAM_IDENTITY__NAME", "Dream <dream@acme.example>", "has a character that cannot stand there"),
        ("DREAM_IDENTITY__MAIL", " ", "is empty"),
        ("DREAM_HOME", "~no-such-person/dream", "names a home directory that cannot be found"),
    ],
)
def test_a_variable_that_does_not_fit_is_named_with_its_cause(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, complaint: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError) as refusal:
        load_settings()
    assert str(refusal.value).startswith(f"{variable} {complaint}")
    assert refusal.value.way_out


@pytest.mark.parametrize(
    ("variable", "value"),
    [("DREAM_LIMITS__VERIFICATION__RESERVED", "26"), ("DREAM_LIMITS__DUPLICATES__RELATED", "0.9")],
)
def test_numbers_that_contradict_each_other_are_refused(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError, match=variable.rpartition("__")[0]):
        load_settings()


def test_a_group_that_is_no_json_is_refused_without_repeating_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DREAM_LIMITS", "hunter2")
    with pytest.raises(UsageError) as refusal:
        load_settings()
    assert "limits" in str(refusal.value)
    assert "hunter2" not in str(refusal.value) + refusal.value.way_out


def test_settings_and_their_groups_cannot_be_changed() -> None:
    settings = load_settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.limits.loss.night_percent = 100  # type: ignore[misc]


def test_a_misspelt_variable_is_pointed_out() -> None:
    environment = {"DREAM_HOME": "/srv", "DREAM_ORGANISATION": "/etc/dream", "DREAM_LIMITS__X": "1", "HOME": "/root"}
    assert unread_variables(environment) == (
        "DREAM_ORGANISATION is read by nothing; did you mean DREAM_ORGANISATIONS?",
    )
