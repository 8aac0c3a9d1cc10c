from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dream.guards.statements.claims import Claim
from dream.guards.statements.entailment import check_claim
from dream.guards.statements.quotes import Located
from dream.memory.operations import Refusal
from tests.guards.statements.spoken import RECORD, thread

ROOT = Path(__file__).parents[3]
GATES = tuple(
    sorted(
        f"statements.{path.stem}"
        for path in (ROOT / "dream" / "guards" / "statements").glob("*.py")
        if "re.compile" in path.read_text("utf-8")
    )
)
GIVE_UP_AFTER = 300
"""Seconds after which the child is killed: a hundred times what it takes, so that a slow machine fails nothing."""


@pytest.mark.parametrize("module", [*GATES, "addressing", "carrying"])
def test_t14_no_pattern_of_the_gates_hangs_on_text_made_to_be_slow(module: str) -> None:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("time_patterns.py")), f"dream.guards.{module}"],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=GIVE_UP_AFTER,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 18


def test_t14_the_modules_of_the_gates_that_have_patterns_are_found() -> None:
    assert {"statements.moods", "statements.shapes", "statements.named"} <= {*GATES}


@pytest.mark.parametrize(
    "seed", ["not a ", "if we ", "1 node ", "I think ", "revert that. ", '"x" ', "A B ", "the the, "]
)
def test_t14_a_claim_over_a_hundred_kilobytes_is_still_checked(seed: str) -> None:
    text = (seed * 20_000)[:100_000]
    (said,) = thread(("person", text))
    quotes = (Located(said, 0, 2_000), Located(said, 50_000, 52_000))
    claim = Claim(statement=text[:400], quotes=quotes, record=RECORD, later=(replace(said, id="m2"),))
    refusal = check_claim(claim)
    assert isinstance(refusal, Refusal | None)
