"""T18, the deaths: of workers, flow runs, the server and its database, in the middle of a night."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from bench.faults.invariants import Checker
from bench.faults.office import Office, wait_until
from bench.faults.tally import Tally
from bench.fleet.reading import STEPS
from tests.support.served import Step

MOMENTS = ("opening", "asking", "landing")
"""While the night fetches, while it waits for the model, and with its push at the door."""
_DOWN_SECONDS = 20


def at_moment(office: Office, moment: str, action: Callable[[], None]) -> None:
    """Have `action` done once, while the next night waits at a moment."""
    if moment == "asking":
        office.town.before_answer = action
        return
    office.town.served.before_step = Step.READ_REFS if moment == "opening" else Step.PUSH
    office.town.served.before_push = action


def deaths(tally: Tally, office: Office, *, short: bool) -> None:
    """Kill each in turn, and look at the repository after it and after one more run."""
    for moment in MOMENTS[1:2] if short else MOMENTS:
        _flow_killed(tally, office, moment)
    if short:
        return
    _worker_killed(tally, office)
    _machine_killed(tally, office)
    _shard_killed(tally, office)
    for moment in MOMENTS:
        _server_killed(tally, office, moment)
    _database_stopped(tally, office)
    _database_locked(tally, office)


def killed_at_steps(tally: Tally, office: Office) -> None:
    """B64: kill the flow run's process at the beginning of every step; the next run needs nobody."""
    longest = 0.0
    for step in STEPS:
        _, _, checker = office.newcomer()
        office.order(step)
        run = office.dream()
        problems = [] if office.is_carried_out() else [f"never came to {step}"]
        shown = office.api.wait(run)["state_type"]
        begun = time.monotonic()
        problems += office.dream_again(checker)
        longest = max(longest, time.monotonic() - begun)
        tally.note(f"killed at {step}, then shown as {shown}", problems)
    tally.remark(f"B64: the longest until the next run had ended was {longest:.0f} s; no lock had to be waited for")


def _flow_killed(tally: Tally, office: Office, moment: str) -> None:
    _, _, checker = office.newcomer()
    at_moment(office, moment, lambda: _kill_all(office))
    run = office.dream()
    shown = office.api.wait(run)["state_type"]
    problems = [] if shown == "CRASHED" else [f"the dead run is shown as {shown}"]
    tally.note(f"flow run killed while {moment}", [*problems, *office.dream_again(checker)])


def _worker_killed(tally: Tally, office: Office) -> None:
    """Kill the worker alone: its flow run goes on, and the next worker takes the next run."""
    _, _, checker = office.newcomer()
    worker = office.stack.workers.pop()
    at_moment(office, "asking", lambda: os.kill(worker.pid, signal.SIGKILL))
    run = office.dream()
    problems = [] if _is_landed(office, checker) else ["the night did not land without its worker"]
    worker.wait()
    office.work()
    with suppress(TimeoutError):
        office.api.wait(run, seconds=60)
    tally.note("worker killed", [*problems, *office.dream_again(checker)])


def _machine_killed(tally: Tally, office: Office) -> None:
    """Kill the worker and its flow run, as a machine that loses power does; the next has another home."""
    _, _, checker = office.newcomer()
    gone = threading.Event()

    def kill() -> None:
        office.let_go()
        gone.set()

    at_moment(office, "asking", kill)
    run = office.dream()
    problems = [] if gone.wait(240) else ["it never came to ask"]
    office.work(home="homes-of-another-machine")
    problems += office.dream_again(checker)
    shown = office.api.run(run)["state_type"]
    tally.note(f"machine killed; its run is shown as {shown} ever after", problems)
    office.let_go()
    office.work()


def _shard_killed(tally: Tally, office: Office) -> None:
    """Kill the process of a shard: the nightly run starts it again, and nobody has to."""
    office.let_go()
    office.stack.deploy(names=["dream-shard"])
    office.work(told={"DREAM_NIGHTLY__SHARD_DEPLOYMENT": "dream-shard/dream-shard"})
    _, _, checker = office.newcomer()
    at_moment(office, "asking", lambda: _kill_shards(office))
    ended = office.api.wait(office.dream(), seconds=300)
    problems = [] if ended["state_type"] == "COMPLETED" else [f"the nightly run is {ended['state_type']}"]
    problems += checker.check()
    if checker.landings(office.night) != 1:
        problems.append(f"{checker.landings(office.night)} landings before anybody did anything")
    tally.note("shard killed", [*problems, *office.dream_again(checker)])
    office.let_go()
    office.work()


def _server_killed(tally: Tally, office: Office, moment: str) -> None:
    _, _, checker = office.newcomer()
    gone = threading.Event()

    def kill() -> None:
        office.stack.kill_server()
        gone.set()

    at_moment(office, moment, kill)
    run = office.dream()
    problems = [] if gone.wait(240) else [f"it never came to {moment}"]
    time.sleep(_DOWN_SECONDS)
    landed = _look(checker, office)
    office.stack.start_server()
    shown = _ended(office, run)
    problems += office.dream_again(checker)
    what = f"server killed while {moment}, for {_DOWN_SECONDS} s: {'landed meanwhile' if landed else 'not landed yet'}"
    tally.note(f"{what}, shown as {shown}", problems)


def _database_stopped(tally: Tally, office: Office) -> None:
    _, _, checker = office.newcomer()
    gone = threading.Event()

    def stop() -> None:
        office.stack.stop_database()
        gone.set()

    at_moment(office, "asking", stop)
    run = office.dream()
    problems = [] if gone.wait(240) else ["it never came to ask"]
    time.sleep(_DOWN_SECONDS)
    office.stack.start_database()
    shown = _ended(office, run)
    tally.note(f"PostgreSQL stopped for {_DOWN_SECONDS} s, shown as {shown}", [*problems, *office.dream_again(checker)])


def _database_locked(tally: Tally, office: Office) -> None:
    """B69: nobody can write a run down for a while, as where a database is locked."""
    _, _, checker = office.newcomer()
    asking, locked = threading.Event(), threading.Event()

    def hold() -> None:
        asking.set()
        locked.wait(60)

    at_moment(office, "asking", hold)
    run = office.dream()
    problems = [] if asking.wait(240) else ["it never came to ask"]
    with office.stack.database.connect(database="prefect") as connection, connection.transaction():
        connection.execute("LOCK TABLE flow_run, flow_run_state, task_run, task_run_state IN ACCESS EXCLUSIVE MODE")
        locked.set()
        time.sleep(_DOWN_SECONDS)
    shown = _ended(office, run)
    tally.note(f"database locked for {_DOWN_SECONDS} s, shown as {shown}", [*problems, *office.dream_again(checker)])


def _ended(office: Office, run: str) -> str:
    """Return how a run is shown, once its process has ended; it may be shown as running for ever."""
    wait_until(lambda: not office.flow_processes(run), seconds=240)
    try:
        return str(office.api.wait(run, seconds=15)["state_type"])
    except TimeoutError:
        return "RUNNING"


def _is_landed(office: Office, checker: Checker) -> bool:
    return wait_until(lambda: _look(checker, office), seconds=180)


def _look(checker: Checker, office: Office) -> bool:
    """Whether the night is in the repository; what the look finds wrong, the next one tells again."""
    return any(office.night in subject for subject in checker.subjects())


def _kill_all(office: Office) -> None:
    for pid in office.flow_processes():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _kill_shards(office: Office) -> None:
    shards = {str(run["id"]) for run in office.api.runs(flow="dream-shard", state=["RUNNING"])}
    for shard in shards:
        for pid in office.flow_processes(shard):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
