"""The page on checks says what the code does."""

from __future__ import annotations

import re

from dream.checker.rules import RULES
from dream.checker.waiver_file import MOST_BYTES, read_waivers
from dream.checker.waivers import Waivers
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")


def table() -> str:
    """Return the rules as the page lists them."""
    rows = [
        f"| `{name}` | {rule.severity} | {rule.scope} | {rule.finds}{'; `--fix`' if rule.is_fixed else ''} |"
        for name, rule in RULES.items()
    ]
    return "\n".join(["| rule | | of | finds |", "| --- | --- | --- | --- |", *rows])


def test_the_page_lists_every_rule_as_it_is() -> None:
    listed = PAGE.partition("<!-- rules -->\n")[2].partition("\n<!-- /rules -->")[0]
    assert listed == table()


def test_the_waivers_on_the_page_are_sound() -> None:
    example = next(block for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "ignore:" in block)
    read = read_waivers(example.encode())
    assert isinstance(read, Waivers)
    assert [waiver.rule for waiver in read.ignored] == ["orphan-note"] * 2 + ["dangling-link", "secret"]
    assert f"{MOST_BYTES // 1000} kB" in PAGE
