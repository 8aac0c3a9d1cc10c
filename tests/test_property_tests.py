"""Property tests stand beside tests that leave threads running."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def _a_thread_that_draws() -> Iterator[None]:
    ended = threading.Event()

    def draw() -> None:
        while not ended.wait(0.0001):
            random.random()  # noqa: S311  # only its being drawn matters

    thread = threading.Thread(target=draw)
    thread.start()
    yield
    ended.set()
    thread.join()


@pytest.mark.usefixtures("_a_thread_that_draws")
@given(st.lists(st.lists(st.integers(0, 20), max_size=20), max_size=20))
def test_another_threads_random_numbers_fail_no_property(rows: list[list[int]]) -> None:
    assert sum(map(len, rows)) <= 400
