"""Lines about disputes on real nights: they tell what is so, and go for good where a person takes them away."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from flows.dreaming import ModelMaker, build_models
from tests.support.answering import MODELS
from tests.support.served import Served
from tests.support.stage import Stage, stage_of
from tests.tasks.tidying.rulers import Ruler

HERE, THERE = "services/orders-api.md", "services/pools.md"
FILES = {
    "MEMORY.md": "# Memory\n",
    HERE: "# orders-api\n\n- 2026-09-01: The pool of orders-api holds 20 connections. [thread_a, 2026-09-01]\n"
    "- 2026-08-01: It is old. [thread_c, 2026-08-01]\n",
    THERE: "# Pools\n\n- 2026-09-03: The pool of orders-api holds 30 connections. [thread_b, 2026-09-03]\n"
    "- 2026-08-01: Slow. [thread_d, 2026-08-01]\n",
}


def at_odds() -> ModelMaker:
    """A model for whom whatever is said of connections is at odds."""

    def rule(one: str, other: str) -> str:
        return "contradicts" if "connections" in one and "connections" in other else "different"

    ruler = Ruler(rules=rule, answers=lambda _: {"word": "ready"})

    def adapter(configured: object, **told: object) -> Ruler:
        del configured, told
        return ruler

    return partial(build_models, adapter=adapter)


def begun(served: Served, root: Path, files: dict[str, str] = FILES) -> Stage:
    stage = stage_of(served, root, files, extra={"models": MODELS})
    stage.dream(models=at_odds())
    return stage


def lines(stage: Stage) -> dict[str, int]:
    files = stage.files()
    return {path: files[path].count(b"> Disputed: ") for path in (HERE, THERE)}


def nights(stage: Stage, count: int) -> None:
    for _ in range(count):
        stage.next_night(models=at_odds())


def test_lines_that_a_person_reverts_are_not_written_again(served: Served, tmp_path: Path) -> None:
    stage = begun(served, tmp_path)
    assert lines(stage) == {HERE: 1, THERE: 1}
    person = stage.person()
    person.pull()
    person.revert(stage.commit_of("tidy"))
    person.push()
    nights(stage, 3)
    assert lines(stage) == {HERE: 0, THERE: 0}
    person.pull()
    person.edit({THERE: FILES[THERE].replace("30 connections", "40 connections")})
    nights(stage, 2)
    assert lines(stage) == {HERE: 1, THERE: 1}


@pytest.mark.parametrize("lead", ["", "\ufeff"], ids=["plain", "byte-order-mark"])
def test_lines_go_once_a_person_has_settled_it_and_nothing_else_changes(
    served: Served, tmp_path: Path, lead: str
) -> None:
    told = {path: lead + text.replace("\n", "\r\n") for path, text in FILES.items()}
    stage = begun(served, tmp_path, told)
    assert lines(stage) == {HERE: 1, THERE: 1}
    nights(stage, 2)
    assert lines(stage) == {HERE: 1, THERE: 1}
    person = stage.person()
    person.pull()
    before, after = ": The pool of orders-api holds 30 connections", ": It is asked for once a day"
    person.edit({THERE: stage.files()[THERE].decode().replace(before, after)})
    nights(stage, 1)
    files = stage.files()
    assert files[HERE].decode() == told[HERE]
    assert files[THERE].decode() == told[THERE].replace(before, after)
