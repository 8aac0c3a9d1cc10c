from __future__ import annotations

import asyncio

import pytest


@pytest.mark.usefixtures("prefect")
def test_a_flow_with_a_task_runs_against_this_sessions_own_server() -> None:
    from prefect import flow, task  # noqa: PLC0415  # two seconds, and only where a server is needed

    @task
    def double(number: int) -> int:
        return 2 * number

    @flow
    async def doubling() -> int:
        return double(21)

    assert asyncio.run(doubling()) == 42
