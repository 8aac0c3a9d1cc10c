from __future__ import annotations

from pathlib import Path

import pytest

from examples import demo
from examples.workspace import run_git


def test_two_nights_over_the_invented_organisation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "demo"
    assert demo.main(["--folder", str(folder)]) == 0
    memory = folder / "hosted" / "memory.git"
    subjects = run_git(memory, "log", "--reverse", "--format=%s", "main").strip().split("\n")
    assert [subject.partition(":")[0] for subject in subjects] == [
        "Write down what we know about the shop",
        *("daily note", "pr outcomes", "production verification", "tidy", "index rewrite", "state update"),
        *("revert tidy of the night 2026-10-22", "state"),
        "The cart is called basket now",
        *("tidy", "index rewrite", "state update"),
    ]
    statement = "checkout-api must never try a payment again after a 402"
    found = run_git(memory, "grep", "--count", statement, "main", "--", "services", "alerts").strip().split("\n")
    assert found == ["main:alerts/checkout-latency.md:1", "main:services/checkout-api.md:1"]
    assert "[the basket](../services/basket.md)" in run_git(memory, "show", "main:alerts/checkout-latency.md")
    corrected = "The timeout towards the payment provider is 5000 ms, because slow banks answer after 3 seconds."
    assert corrected in run_git(memory, "show", "main:services/checkout-api.md")
    shown = capsys.readouterr().out
    assert "dream revert acme --night 2026-10-22 --task tidy" in shown
    assert "2 undone" in shown


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.md").write_text("years of work", encoding="utf-8")
    assert demo.main(["--folder", str(tmp_path)]) == 2
    assert "holds something else" in capsys.readouterr().err
