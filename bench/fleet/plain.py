"""Flow runs that do nothing, as many and with as many task runs as nights have: what Prefect alone takes for them."""

from __future__ import annotations

import asyncio
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE


@task(retries=0, persist_result=False, cache_policy=NO_CACHE)
async def nothing() -> None:
    """Do nothing."""


@flow(name="plain-organisation", flow_run_name="{organisation}", retries=0, persist_result=False)
async def plain_organisation(organisation: str, tasks: int) -> None:
    """Do nothing, `tasks` times, one after the other."""
    del organisation
    for _ in range(tasks):
        await nothing()


@flow(name="plain-shard", flow_run_name="plain", retries=0, persist_result=False)
async def plain_shard(organisations: list[str], tasks: int, concurrency: int) -> None:
    """Run that for every organisation, `concurrency` of them at once."""
    at_once = asyncio.Semaphore(concurrency)

    async def run(name: str) -> None:
        async with at_once:
            await _awaitable(plain_organisation(name, tasks))

    await asyncio.gather(*(run(name) for name in organisations))


async def _awaitable(run: Any) -> None:
    await run
