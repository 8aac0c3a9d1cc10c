"""The fault tests, in order."""

from __future__ import annotations

from bench.faults.atomic import atomic_landing, lost_answer
from bench.faults.kills import kill_sweep
from bench.faults.loops import failure_loops
from bench.faults.tally import Test

TESTS = (
    Test(id="T01", title="Atomic landing", run=atomic_landing),
    Test(id="T02", title="SIGKILL sweep", run=kill_sweep),
    Test(id="T03", title="Lost answer", run=lost_answer),
    Test(id="T04", title="k-th failure loops", run=failure_loops),
)
