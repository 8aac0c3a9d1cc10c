"""The fault tests, in order."""

from __future__ import annotations

from bench.faults.atomic import atomic_landing, lost_answer
from bench.faults.bombs import resource_bombs
from bench.faults.clocks import clock_faults
from bench.faults.disks import disk_full
from bench.faults.doubles import double_night
from bench.faults.kills import kill_sweep
from bench.faults.loops import failure_loops
from bench.faults.paths import path_fuzz
from bench.faults.pushers import concurrent_pushers
from bench.faults.tally import Test
from bench.faults.versions import state_versions

TESTS = (
    Test(id="T01", title="Atomic landing", run=atomic_landing),
    Test(id="T02", title="SIGKILL sweep", run=kill_sweep),
    Test(id="T03", title="Lost answer", run=lost_answer),
    Test(id="T04", title="k-th failure loops", run=failure_loops),
    Test(id="T05", title="Concurrent pushers", run=concurrent_pushers),
    Test(id="T06", title="Double night", run=double_night),
    Test(id="T08", title="Disk full", run=disk_full),
    Test(id="T09", title="Clock", run=clock_faults),
    Test(id="T11", title="Path fuzz", run=path_fuzz),
    Test(id="T15", title="Resource bombs", run=resource_bombs),
    Test(id="T17", title="Upgrade and rollback", run=state_versions),
)
