"""What the run of one organisation tells of the release that it ran."""

from __future__ import annotations

import pytest

from dream.errors import DreamError, RemoteError, TransientError
from dream.night.result import not_landed
from flows.organisation import met_an_outage
from flows.telling.night import Told
from tests.support.stage import NIGHT


@pytest.mark.parametrize(
    ("error", "outage"),
    [
        (RemoteError("down", cause="down", address="https://x.example/m"), True),
        (RemoteError("the remote refused the night: a hook says no"), False),
        (TransientError("another run works there"), False),
    ],
)
def test_a_remote_that_refuses_what_is_pushed_is_no_outage(error: DreamError, *, outage: bool) -> None:
    assert met_an_outage(Told(result=not_landed("acme", NIGHT, error), error=error)) is outage
