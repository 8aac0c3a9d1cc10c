"""One Prefect server for the whole session; most tests of flows need none and call the functions behind them."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@pytest.fixture(scope="session")
def prefect_server() -> Iterator[None]:
    """A Prefect API of this session's own: about ten seconds, once."""
    from prefect.testing.utilities import prefect_test_harness  # noqa: PLC0415  # two seconds that few tests need

    with _unclosed_sockets_are_prefects(), prefect_test_harness(server_startup_timeout=120):
        yield


@pytest.fixture
def prefect(prefect_server: None) -> Iterator[None]:  # noqa: ARG001
    """A Prefect API that runs flows, with what Prefect left behind collected before the next test."""
    yield
    with _unclosed_sockets_are_prefects():
        gc.collect()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep every test that needs the server on the one worker that started it."""
    for item in items:
        if "prefect_server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("prefect"))
            item.add_marker(pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"))


@contextmanager
def _unclosed_sockets_are_prefects() -> Iterator[None]:
    """Prefect 3.9 opens a client to ask for the default result storage and never closes it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "unclosed", ResourceWarning)
        yield
