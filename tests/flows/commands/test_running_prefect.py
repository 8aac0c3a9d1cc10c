"""`dream run --prefect` and `dream nightly` against a real API: the same answers as without one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import structlog

from flows.attempts import all_attempts
from tests.support.commands import Commands
from tests.support.repositories import Hosted, host
from tests.support.served import Fault, Served, Step
from tests.support.stage import MEMORY

pytestmark = pytest.mark.usefixtures("prefect")

NIGHT = "2024-05-03"


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    yield Commands(tmp_path, capsys, monkeypatch)
    structlog.reset_defaults()


@pytest.fixture
def hosted(served: Served, dream: Commands) -> Hosted:
    made = host(served, "memory", MEMORY, at=datetime(2024, 5, 1, 12, tzinfo=UTC))
    dream.write("acme", {"memory": {"url": made.url}})
    return made


def test_a_run_under_prefect_answers_as_one_without_it(dream: Commands, hosted: Hosted) -> None:
    under = dream("run", "acme", "--night", NIGHT, "--prefect", "--json")
    assert (under.exit, under.document["status"], under.document["tip"]) == (0, "landed", hosted.tip())
    here = dream("run", "acme", "--night", NIGHT, "--json")
    assert here.document["status"] == "nothing-to-do"
    assert here.document.keys() == under.document.keys()
    assert Path(under.document["report"]).read_text(encoding="utf-8").startswith("# acme: the night of 2024-05-03\n")


def test_a_run_under_prefect_that_lands_nothing_is_the_same_error(
    dream: Commands, hosted: Hosted, served: Served
) -> None:
    served.fail(Fault.REFUSE, on=Step.READ_REFS, times=None)
    ended = dream("run", "acme", "--night", NIGHT, "--prefect", "--json")
    assert (ended.exit, ended.document["exit"]) == (3, 3)
    assert ended.document["error"].startswith(f"{hosted.url} refuses to serve")
    (attempts,) = all_attempts(dream.root / "home/acme").values()
    assert [(run.status, run.needs) for run in attempts] == [("not-landed", "a retry")]


def test_a_nightly_run_tells_every_organisation_and_its_exit_is_honest(dream: Commands, hosted: Hosted) -> None:
    dream.write("birch", {"memory": {"url": hosted.url.replace("memory", "nowhere")}})
    dream.write("cedar", {"memory": {"url": "https://git.acme.example/x.git", "brunch": "main"}})
    ended = dream("nightly", "--night", NIGHT)
    assert ended.exit == 1
    rows = [line.split()[:3] for line in ended.out.split("\n")]
    assert rows[:4] == [
        ["organisation", "ended", "exit"],
        ["acme", "landed", "0"],
        ["birch", "not-landed", "3"],
        ["cedar", "not-landed", "2"],
    ]
    told, _, steps = ended.out.partition("\n3 organisations, 2 failed: birch, cedar\n")
    assert told
    assert [line for line in steps.split("\n") if line.startswith(("birch: ", "cedar: "))] == [
        "birch: correct memory.url, or give the credential access",
        "cedar: correct the file; the example configuration shows every key",
    ]
    assert hosted.log()[0].startswith("state update: ")


def test_a_nightly_run_that_all_is_well_with_ends_with_zero(dream: Commands, hosted: Hosted) -> None:
    ended = dream("nightly", "--night", NIGHT, "--json")
    assert (ended.exit, ended.document["exit"], ended.document["failed"]) == (0, 0, [])
    assert [(one["organisation"], one["tip"]) for one in ended.document["organisations"]] == [("acme", hosted.tip())]
