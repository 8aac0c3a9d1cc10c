"""T18 and what failed elsewhere under a server: nights as runs of a real Prefect server, whatever dies around them."""

from __future__ import annotations

from bench.faults.office import the_office
from bench.faults.prefect_cases import busy_writers, conflict, runaway, silence
from bench.faults.prefect_deaths import deaths, killed_at_steps
from bench.faults.prefect_doubles import copies, doubles, late_runs, paused
from bench.faults.tally import Tally


def nights_under_prefect(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """T18: kill, double, delay, redeploy and cancel; the repository decides."""
    office = the_office(tally.seed)
    deaths(tally, office, short=short)
    doubles(tally, office, short=short)


def started_together(tally: Tally, short: bool) -> None:  # noqa: FBT001, ARG001
    """B59: copies of one night."""
    copies(tally, the_office(tally.seed))


def five_nights_down(tally: Tally, short: bool) -> None:  # noqa: FBT001, ARG001
    """B62: late runs come to one night."""
    late_runs(tally, the_office(tally.seed))


def dead_at_every_step(tally: Tally, short: bool) -> None:  # noqa: FBT001, ARG001
    """B64: no dead run holds anything up."""
    killed_at_steps(tally, the_office(tally.seed))


def stopped_and_let_go(tally: Tally, short: bool) -> None:  # noqa: FBT001, ARG001
    """B66: a run that stood still pushes nothing."""
    paused(tally, the_office(tally.seed))


def many_writers(tally: Tally, short: bool) -> None:  # noqa: FBT001, ARG001
    """B19: nights land among people who never pause."""
    busy_writers(tally, the_office(tally.seed))


def started_for_ever(tally: Tally, short: bool) -> None:  # noqa: FBT001, ARG001
    """B22: no loop costs anything."""
    runaway(tally, the_office(tally.seed))


def nothing_written(tally: Tally, short: bool) -> None:  # noqa: FBT001, ARG001
    """B28: silence is told of."""
    silence(tally, the_office(tally.seed))


def one_of_twenty(tally: Tally, short: bool) -> None:  # noqa: FBT001, ARG001
    """B73: a conflict in one note holds up that note alone, for a night."""
    conflict(tally, the_office(tally.seed))
