"""The fault tests, in order."""

from __future__ import annotations

from bench.faults.atomic import atomic_landing, lost_answer
from bench.faults.bombs import resource_bombs
from bench.faults.clocks import clock_faults
from bench.faults.disks import disk_full
from bench.faults.doubles import double_night
from bench.faults.kills import kill_sweep
from bench.faults.loops import failure_loops
from bench.faults.models import model_faults
from bench.faults.paths import path_fuzz
from bench.faults.prefect_nights import (
    dead_at_every_step,
    five_nights_down,
    many_writers,
    nights_under_prefect,
    nothing_written,
    one_of_twenty,
    started_for_ever,
    started_together,
    stopped_and_let_go,
)
from bench.faults.pushers import concurrent_pushers
from bench.faults.soak import soak
from bench.faults.tally import FaultTest
from bench.faults.versions import state_versions

TESTS = (
    FaultTest(id="T01", title="Atomic landing", run=atomic_landing),
    FaultTest(id="T02", title="SIGKILL sweep", run=kill_sweep),
    FaultTest(id="T03", title="Lost answer", run=lost_answer),
    FaultTest(id="T04", title="k-th failure loops", run=failure_loops),
    FaultTest(id="T05", title="Concurrent pushers", run=concurrent_pushers),
    FaultTest(id="T06", title="Double night", run=double_night),
    FaultTest(id="T08", title="Disk full", run=disk_full),
    FaultTest(id="T09", title="Clock", run=clock_faults),
    FaultTest(id="T10", title="Model faults", run=model_faults),
    FaultTest(id="T11", title="Path fuzz", run=path_fuzz),
    FaultTest(id="T15", title="Resource bombs", run=resource_bombs),
    FaultTest(id="T16", title="A year of nights", run=soak),
    FaultTest(id="T17", title="Upgrade and rollback", run=state_versions),
    FaultTest(id="T18", title="Prefect", run=nights_under_prefect, is_long=True),
    FaultTest(id="B19", title="Four writers", run=many_writers, is_long=True),
    FaultTest(id="B22", title="Started for ever", run=started_for_ever, is_long=True),
    FaultTest(id="B28", title="Nothing written", run=nothing_written, is_long=True),
    FaultTest(id="B59", title="Started together", run=started_together, is_long=True),
    FaultTest(id="B62", title="Five nights down", run=five_nights_down, is_long=True),
    FaultTest(id="B64", title="Dead at every step", run=dead_at_every_step, is_long=True),
    FaultTest(id="B66", title="Stopped and let go", run=stopped_and_let_go, is_long=True),
    FaultTest(id="B73", title="One of twenty", run=one_of_twenty, is_long=True),
)
