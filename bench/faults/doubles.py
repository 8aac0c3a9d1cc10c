"""T06: one night started eight times, on one machine and on eight, and a run that is paused while others land."""

from __future__ import annotations

import signal
import time

from bench.faults.child import Night
from bench.faults.scene import Scene, set_scene
from bench.faults.tally import Tally

COPIES = 8
STEPS = ("open", "tidy", "state_update", "land", "publish")
_ENDS = {"landed", "superseded", "nothing-to-do"}


def double_night(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Start copies at once, and stop one at a step until another machine has landed."""
    with set_scene() as scene:
        scene.undisturbed()
        for _ in range(1 if short else 10):
            for shared in (True, False):
                _copies(tally, scene, shared=shared)
        for step in STEPS[1:4:2] if short else STEPS:
            for call in (1,) if short else (1, 50, 400, 2000):
                _paused(tally, scene, step=step, call=call)


def _copies(tally: Tally, scene: Scene, *, shared: bool) -> None:
    checker = scene.reset()
    running = [scene.night(home="home" if shared else f"home-{number}") for number in range(COPIES)]
    ended = [night.end() for night in running]
    problems = checker.check()
    if not any(one.status == "landed" for one in ended):
        problems.append("none has landed")
    problems += [
        f"one ended {one.status}: {one.reason}"
        for one in ended
        if one.status not in _ENDS and not ("another run" in one.reason and shared)
    ]
    where = "one machine" if shared else f"{COPIES} machines"
    tally.note(f"{COPIES} copies on {where}", [*problems, *scene.settle(checker), *checker.sound()])


def _paused(tally: Tally, scene: Scene, *, step: str, call: int) -> None:
    """Stop a run, let another machine land, then let the first go on: it may add nothing."""
    checker = scene.reset()
    paused = scene.night(step=step, call=call, action="stop")
    _wait_until_stopped(paused)
    other = scene.night(home="home-other").end()
    problems = checker.check()
    if other.status not in _ENDS:
        problems.append(f"the other machine's run ended {other.status}: {other.reason}")
    tip = checker.tip()
    paused.signal(signal.SIGCONT)
    late = paused.end()
    problems += checker.check()
    if late.status not in _ENDS:
        problems.append(f"the paused run ended {late.status}: {late.reason}")
    if checker.tip() != tip:
        problems.append("the paused run moved the branch")
    tally.note(f"paused at {step} {call}", [*problems, *scene.settle(checker)])


def _wait_until_stopped(night: Night, *, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and night.state() not in {"T", "Z", ""}:
        time.sleep(0.01)
