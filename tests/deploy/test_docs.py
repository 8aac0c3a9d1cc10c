"""The commands of the documentation for ops and on call are ones that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.main import get_command

from flows.cli import app

ROOT = Path(__file__).parents[2]
PAGES = {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("ops.md", "runbook.md")}
_COMMAND = re.compile(r"(?<![\w/.-])dream ([a-z]+)\b([^`\n#|;)]*)")


def _commands(text: str) -> set[tuple[str, str]]:
    """Return each `dream COMMAND --option` of code in `text`."""
    code = re.findall(r"```\n(.*?)```", text, re.DOTALL) + re.findall(
        r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    )
    found: set[tuple[str, str]] = set()
    for block in code:
        for name, rest in _COMMAND.findall(block):
            found |= {(name, option) for option in re.findall(r"(?<!\S)\[?(--[a-z-]+)", rest)} | {(name, "")}
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_command_and_option_that_is_shown_is_there(page: str) -> None:
    command = get_command(app)
    known: dict[str, set[str]] = {
        name: {option for one in sub.params for option in one.opts}
        for name, sub in command.commands.items()  # type: ignore[attr-defined]  # a group's
    }
    shown = _commands(PAGES[page])
    assert len(shown) > 10
    assert sorted(f"{name} {option}" for name, option in shown if option not in {"", *known.get(name, ())}) == []
    assert sorted({name for name, _ in shown} - set(known)) == []


def test_the_automations_are_counted_right() -> None:
    text = (ROOT / "deploy/automations.yaml").read_text(encoding="utf-8")
    assert text.count("  - name: ") == 8
    assert "gives the server eight automations" in PAGES["ops.md"]
