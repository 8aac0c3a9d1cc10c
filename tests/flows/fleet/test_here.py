from __future__ import annotations

import httpx
import pytest

from flows.fleet.here import prefect_trouble
from flows.fleet.rings import end_of

ASKED = httpx.Request("POST", "http://127.0.0.1/api/flow_runs/")


@pytest.mark.parametrize(
    ("error", "end", "again"),
    [
        (httpx.ConnectError("refused", request=ASKED), "outage", True),
        (httpx.HTTPStatusError("locked", request=ASKED, response=httpx.Response(500)), "outage", True),
        (RuntimeError("of our own"), "failed", False),
    ],
)
def test_a_server_of_prefect_that_is_down_or_locked_is_an_outage_and_no_fault_of_the_release(
    error: Exception, end: str, *, again: bool
) -> None:
    document = prefect_trouble("acme", error, "dream run acme")
    assert (end_of(document), document["again"], document["exit"]) == (end, again, 3)
