"""T18, the doubles: late runs, copies, redeployments, paused and cancelled runs."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import Counter
from contextlib import suppress
from datetime import timedelta

from ruamel.yaml import YAML

from bench.faults.invariants import Checker
from bench.faults.office import ORGANISATION, Office, wait_until
from bench.faults.prefect_deaths import at_moment
from bench.faults.tally import Tally
from tests.support.prefect_server import ROOT

_GOOD = ("landed at", "nothing-to-do", "superseded")
_LOCKED = "LockedError"
"""What Prefect is told of a run that found another at work."""


def doubles(tally: Tally, office: Office, *, short: bool) -> None:
    """Let runs meet, come late, be stopped, cancelled and deployed anew."""
    _cancelled(tally, office, "asking")
    if short:
        return
    for moment in ("opening", "landing"):
        _cancelled(tally, office, moment)
    _cancelled_before(tally, office)
    _redeployed(tally, office)
    _two_nightly_runs(tally, office)


def late_runs(tally: Tally, office: Office) -> None:
    """B62: nobody works for five nights, and then three late runs begin at once."""
    name, hosted, checker = office.newcomer(days=6)
    first = (office.town.night - timedelta(days=5)).isoformat()
    before = office.api.wait(office.dream(deployment=ORGANISATION, organisation=name, night=first), seconds=400)
    office.let_go()
    runs = [office.dream(at=office.due - timedelta(days=days)) for days in (2, 1, 0)]
    office.work()
    ended = [before, *(office.api.wait(run, seconds=600) for run in runs)]
    problems = [f"a run is {one['state_type']}" for one in ended if one["state_type"] != "COMPLETED"]
    problems += checker.check()
    nights = sorted(path for path in hosted.files() if path.startswith(".dream/nights/"))
    if nights != [f".dream/nights/{night}.json" for night in (first, office.night)]:
        problems.append(f"the nights are {nights}")
    told = sorted(path for path in hosted.files() if path.startswith("daily/"))
    days = [(office.town.night - timedelta(days=ago)).isoformat() for ago in range(6, 0, -1)]
    if told != [f"daily/{day}.md" for day in days]:
        problems.append(f"the days told are {told}")
    problems += office.dream_again(checker)
    tally.note("five nights down, three late runs", problems)


def copies(tally: Tally, office: Office) -> None:
    """B59: one night started twice, and eight times, at once, on one machine and on two."""
    for count in (2, 8):
        for machines in (1, 2):
            office.let_go()
            office.work()
            if machines > 1:
                office.work(home="homes-of-another-machine")
            _copies(tally, office, count=count, machines=machines)
    office.let_go()
    office.work()


def paused(tally: Tally, office: Office) -> None:
    """B66: a run is stopped when it is about to land, another machine lands the night, and the first goes on."""
    for step in ("tidy", "land"):
        _paused(tally, office, step=step, elsewhere=True)
    _paused(tally, office, step="land", elsewhere=False)


def _copies(tally: Tally, office: Office, *, count: int, machines: int) -> None:
    name, _, checker = office.newcomer()
    runs = [office.dream(deployment=ORGANISATION, organisation=name) for _ in range(count)]
    ended = [office.api.wait(run, seconds=400) for run in runs]
    problems = checker.check()
    told = [str((one["state"] or {}).get("message")) for one in ended]
    good = [one for one in told if one.startswith(_GOOD)]
    problems += [f"one ended: {one}" for one in told if one not in good and _LOCKED not in one]
    if not any(one.startswith("landed") for one in told):
        problems.append("none says that it landed")
    counts = Counter(one.split(" at ")[0] if one in good else "another run is at work" for one in told)
    what = ", ".join(f"{number} {how}" for how, number in sorted(counts.items()))
    tally.note(f"{count} copies, {machines} machines: {what}", [*problems, *office.dream_again(checker)])


def _two_nightly_runs(tally: Tally, office: Office) -> None:
    _, _, checker = office.newcomer()
    office.work(home="homes-of-another-machine")
    ended = [office.api.wait(run) for run in [office.dream(), office.dream()]]
    shown = sorted(str(one["state_type"]) for one in ended)
    problems = [] if "COMPLETED" in shown else [f"they are {shown}"]
    tally.note(f"two nightly runs, two workers: {shown}", [*problems, *office.dream_again(checker)])
    office.let_go()
    office.work()


def _paused(tally: Tally, office: Office, *, step: str, elsewhere: bool) -> None:
    _, _, checker = office.newcomer()
    office.order(step, signal.SIGSTOP)
    first = office.dream()
    problems = [] if office.is_carried_out() else [f"never came to {step}"]
    stopped = office.flow_processes(first)
    _let_workers_go(office)
    office.work(home="homes-of-another-machine" if elsewhere else "homes")
    second = office.api.wait(office.dream())
    problems += checker.check()
    landed = checker.landings(office.night)
    if landed != int(elsewhere):
        problems.append(f"{landed} landings while the first run stood still, the second is {second['state_type']}")
    tip = checker.tip()
    for pid in stopped:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
    if not wait_until(lambda: not office.flow_processes(first)):
        problems.append("the first run never ended")
    problems += checker.check()
    if elsewhere and checker.tip() != tip:
        problems.append("the first run moved the branch")
    where = "another machine" if elsewhere else "the same machine"
    tally.note(f"stopped at {step}, a second run on {where}", [*problems, *office.dream_again(checker)])
    office.let_go()
    office.work()


def _cancelled(tally: Tally, office: Office, moment: str) -> None:
    _, _, checker = office.newcomer()
    there, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        there.set()
        go_on.wait(30)

    at_moment(office, moment, hold)
    run = office.dream()
    problems = [] if there.wait(240) else [f"it never came to {moment}"]
    office.api.cancel(run)
    time.sleep(3)
    go_on.set()
    shown = _state_after_cancelling(office, run, problems)
    landed = _landed_whole(checker, office, problems)
    problems += office.dream_again(checker)
    what = f"cancelled while {moment}: shown as {shown}, {'landed' if landed else 'not landed'}"
    tally.note(what, problems)


def _state_after_cancelling(office: Office, run: str, problems: list[str]) -> str:
    try:
        shown = str(office.api.wait(run, seconds=120)["state_type"])
    except TimeoutError as error:
        problems.append(str(error))
        return "CANCELLING"
    if not wait_until(lambda: not office.flow_processes(run), seconds=60):
        problems.append("its process goes on")
    return shown


def _landed_whole(checker: Checker, office: Office, problems: list[str]) -> bool:
    problems += checker.check()
    return checker.landings(office.night) == 1


def _cancelled_before(tally: Tally, office: Office) -> None:
    """Cancel a run that no worker has taken yet: nothing of it ever begins."""
    _, _, checker = office.newcomer()
    office.let_go()
    run = office.dream()
    office.api.cancel(run)
    office.work()
    problems = [] if wait_until(lambda: office.api.run(run)["state_type"] == "CANCELLED") else ["it is not cancelled"]
    time.sleep(5)
    if _landed_whole(checker, office, problems):
        problems.append("it landed")
    tally.note("cancelled before it began", [*problems, *office.dream_again(checker)])


def _redeployed(tally: Tally, office: Office) -> None:
    """Deploy another version while a night waits for its model."""
    _, _, checker = office.newcomer()
    there, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        there.set()
        go_on.wait(50)

    at_moment(office, "asking", hold)
    run = office.dream()
    problems = [] if there.wait(240) else ["it never came to ask"]
    document = YAML(typ="safe").load(ROOT / "deploy" / "prefect.yaml")
    for deployment in document["deployments"]:
        deployment |= {"version": "another", "description": "Another version."}
    file = office.root / "another.yaml"
    file.write_text(json.dumps(document))
    office.stack.deploy(file, names=["nightly"])
    go_on.set()
    ended = office.api.wait(run)
    if ended["state_type"] != "COMPLETED":
        problems.append(f"the run is {ended['state_type']}")
    if office.api.deployment("nightly/nightly")["version"] != "another":
        problems.append("it is not deployed anew")
    tally.note("deployed anew", [*problems, *office.dream_again(checker)])


def _let_workers_go(office: Office) -> None:
    """Kill the workers alone, not what they started."""
    for worker in office.stack.workers:
        with suppress(ProcessLookupError):
            os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
    office.stack.workers.clear()
