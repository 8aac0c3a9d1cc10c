from __future__ import annotations

import pytest

from dream.guards.statements.verbatim import changed_abbreviation, changed_item, changed_name, changed_pair

KNOWN = (
    'The list of Gemini CLI calls `go  mod tidy` in pkg/cmd/list.go and says "Save all\nfiles" via GetLogPath,\n'
    "which reads log_dir. mode: print is for help, version, login, logout and check; npm installs it at Acme Cloud Run."
)


@pytest.mark.parametrize(
    "statement",
    [
        "The list calls `go mod tidy`",
        'The button says "save all files"',
        "The path comes from GetLogPath",
        "The path is read from log_dir, see pkg/cmd/list.go.",
        "It runs at Acme Cloud Run",
        "A Gemini CLI is there, and a Gemini SDK is not",
        "Somebody Else wrote it, e.g. a person",
        "",
    ],
)
def test_a_name_that_stands_there_as_it_is_written_is_none_that_was_changed(statement: str) -> None:
    assert changed_name(statement, KNOWN) == ""


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("The list calls `go mod Tidy`", "go mod Tidy"),
        ('The button says "Save All files"', "Save All files"),
        ("The path comes from getLogPath", "getLogPath"),
        ("The path comes from GetLog", "GetLog"),
        ("The path comes from GetLogPaths", "GetLogPaths"),
        ("The path is read from Log_dir", "Log_dir"),
        ("It is in pkg/cmd/List.go", "pkg/cmd/List.go"),
        ("It is in list.py", "list.py"),
        ("It runs at Acme Run", "Acme Run"),
    ],
)
def test_a_name_that_stands_there_otherwise_was_changed(statement: str, name: str) -> None:
    assert changed_name(statement, KNOWN) == name


def test_a_setting_has_the_value_that_it_is_given() -> None:
    assert changed_pair("It is set to mode: print", KNOWN) == ""
    assert changed_pair("It is set to mode=print.", KNOWN) == ""
    assert changed_pair("It is set to mode: console", KNOWN) == "mode: console"
    assert changed_pair("It is set to level: console", KNOWN) == ""


def test_the_one_item_of_a_list_that_is_not_there_was_changed() -> None:
    assert changed_item("help, version, logout and check move", KNOWN) == ""
    assert changed_item("help, version, resume and check move", KNOWN) == "resume"
    assert changed_item("help, resume and check move", KNOWN) == ""
    assert changed_item("help, resume, restart and check move", KNOWN) == ""


def test_a_word_without_a_vowel_is_a_name() -> None:
    assert changed_abbreviation("It is installed by npm in 3 ms", KNOWN) == ""
    assert changed_abbreviation("It is installed by pnpm", KNOWN) == "pnpm"
