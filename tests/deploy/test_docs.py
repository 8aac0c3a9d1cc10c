"""The commands of the documentation for ops and on call are ones that there are."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from flows.cli import app

ROOT = Path(__file__).parents[2]
NAMES = ("docs/ops.md", "docs/runbook.md", "docs/engineers.md", "docs/alarms.md", "README.md")
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in NAMES}
_COMMAND = re.compile(r"(?<![\w/.-])dream ([a-z]+)\b([^`\n#|;)]*)")


def _commands(text: str) -> set[tuple[str, str]]:
    """Return each `dream COMMAND --option` of code in `text`."""
    fenced = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
    code = [*fenced.findall(text), *re.findall(r"`([^`]+)`", fenced.sub("", text))]
    found: set[tuple[str, str]] = set()
    for block in code:
        for name, rest in _COMMAND.findall(block):
            found |= {(name, option) for option in re.findall(r"(?<!\S)\[?(--[a-z-]+)", rest)} | {(name, "")}
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_command_and_option_that_is_shown_is_there(page: str) -> None:
    command = get_command(app)
    known: dict[str, set[str]] = {
        name: {
            option
            for one in (sub, *getattr(sub, "commands", {}).values())
            for part in one.params
            for option in part.opts
        }
        for name, sub in command.commands.items()  # type: ignore[attr-defined]  # a group's
    }
    shown = _commands(PAGES[page])
    assert len(shown) > 10
    assert sorted(f"{name} {option}" for name, option in shown if option not in {"", *known.get(name, ())}) == []
    assert sorted({name for name, _ in shown} - set(known)) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_link_within_the_documentation_leads_somewhere(page: str) -> None:
    for target, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", PAGES[page]):
        file = (ROOT / page).parent / target if target else ROOT / page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"(?m)^#+ (.*)$", file.read_text(encoding="utf-8"))
            assert anchor in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_automations_are_counted_right() -> None:
    text = (ROOT / "deploy/automations.yaml").read_text(encoding="utf-8")
    assert text.count("  - name: ") == 8
    assert "gives the server eight automations" in PAGES["docs/ops.md"]


def _placed(title: str) -> set[str]:
    """Return which files of deploy/ the section with that title copies somewhere."""
    section = PAGES["docs/ops.md"].split(f"\n## {title}\n")[1].partition("\n## ")[0]
    copied = re.findall(r"(?m)^(?:.*&& )?(?:cp|install) .*$", section)
    return {name for line in copied for name in re.findall(r"deploy/[\w@.-]+", line)}


def test_an_upgrade_brings_all_files_that_were_installed() -> None:
    first = _placed("From nothing to a night landed by a worker")
    assert len(first) >= 7
    assert _placed("Upgrading, and going back") == first
    assert [name for name in sorted(first) if not (ROOT / name).exists()] == []


def test_the_script_hands_on_what_the_file_says_and_the_caller_goes_before_it(tmp_path: Path) -> None:
    script = (ROOT / "deploy/dream").read_text(encoding="utf-8")
    file = tmp_path / "environment"
    file.write_text("# keys\nA=from the file\nB=x $HOME `id` y\nC=kept\nnot a line\n", encoding="utf-8")
    beginning = script[: script.index("export DREAM_HOME")].replace("/etc/dream/environment", str(file))
    environment = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "A": "", "C": "mine"}
    ended = subprocess.run(
        ["sh", "-c", beginning + "env"], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert set(ended.stdout.split("\n")) >= {"A=", "B=x $HOME `id` y", "C=mine"}
    assert "sudo dream" in script
