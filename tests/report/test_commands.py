from __future__ import annotations

import shlex

import pytest

from dream.report.commands import command, spelled


def test_no_word_of_a_command_is_more_to_a_shell_than_a_word() -> None:
    hostile = "thread_1; rm -rf ~ $(id)\n`id`\u202e"
    told = command("dream", "source", "acme", hostile)
    assert "\n" not in told
    assert shlex.split(told) == ["dream", "source", "acme", "thread_1; rm -rf ~ $(id) `id`\\u202e"]


@pytest.mark.parametrize(
    ("way_out", "commands"),
    [
        ("dream run acme --night 2026-10-22", ["dream run acme --night 2026-10-22"]),
        ("see why with: dream report acme", ["dream report acme"]),
        (
            "see it with dream log acme, and once mended: dream resume acme --task tidy",
            ["dream log acme", "dream resume acme --task tidy"],
        ),
        ("set state_key in acme.yaml", []),
        ("people dream of it", []),
    ],
)
def test_what_is_to_be_copied_is_told_from_what_is_said_of_it(way_out: str, commands: list[str]) -> None:
    parts = spelled(way_out)
    assert "".join(text for text, _ in parts) == way_out
    assert [text for text, is_command in parts if is_command] == commands
