"""Guards that are on for every test, and the real data where it is present."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests import isolation

if TYPE_CHECKING:
    from tests.support.served import Served

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

# Before anything imports Prefect or pygit2: both read the home directory once, at import.
_HOME = Path(tempfile.mkdtemp(prefix="dream-test-home-"))
isolation.isolate(os.environ, _HOME)
time.tzset()
sys.addaudithook(isolation.refuse_network)

# Shared cores make every deadline a matter of luck. CI takes the same examples each time, a developer new ones.
_PATIENT = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings(_PATIENT, derandomize=True, max_examples=100))
settings.register_profile("dev", settings(_PATIENT, max_examples=50))
settings.register_profile("deep", settings(_PATIENT, max_examples=2000))
settings.load_profile(os.environ.get("NIGHTLY_TEST_PROFILE", "ci" if os.environ.get("CI") else "dev"))


def pytest_unconfigure() -> None:
    shutil.rmtree(_HOME, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while twelve thousand tests are collected, none of which is any: a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def _nothing_left_this_machine() -> Iterator[None]:
    isolation.refused.clear()
    yield
    assert isolation.refused == []


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real memories, transcripts and pull requests beside the checkout."""
    if not DATA.is_dir():
        pytest.skip("../shared/data is not here")
    return DATA


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A git server over http for one test; what is hosted lies under `tmp_path / "hosted"`."""
    from tests.support.served import serve  # noqa: PLC0415  # only once this process is isolated

    folder = tmp_path / "hosted"
    folder.mkdir()
    with serve(folder) as running:
        yield running


_WANTS = ("shared/data", "apt-get install")
"""What stands in the reason of a skip for want of the real data or of a real server."""


def _insist_on_data(report: Report) -> Report:
    reason = str(report.longrepr)
    wants = any(want in reason for want in _WANTS)
    if report.skipped and os.environ.get("NIGHTLY_TEST_REQUIRE_DATA") == "1" and wants:
        report.outcome = "failed"
        report.longrepr = f"skipped for want of it, which NIGHTLY_TEST_REQUIRE_DATA=1 does not allow: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _insist_on_data((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _insist_on_data((yield))
