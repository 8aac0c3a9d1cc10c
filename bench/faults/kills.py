"""T02: the night's process is killed, wherever it is, and run again."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from bench.faults.scene import Scene, set_scene
from bench.faults.tally import Tally, say

HOOKS = ("pre-receive", "update", "reference-transaction", "post-receive")
"""Where the remote stands when the pushing process dies: before, while and after it takes the push."""

# the file is taken away with the first kill: by the next call of the hook the number may be somebody else's
_KILL_ONCE = "#!/bin/sh\nread pid < '{pid}' && mv '{pid}' '{pid}.used' && kill -9 $pid 2>/dev/null\nexit 0\n"


def kill_sweep(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Kill at function calls spread over every step, at hooks of the remote, and at random times."""
    chance = tally.chance()
    with set_scene() as scene:
        scene.undisturbed()
        whole = scene.night(count=True).end()
        for step, calls in (whole.calls or {}).items():
            say(f"  {tally.id} {step}: {calls} calls")
            for call in _spread(calls, 30, chance) if not short else [chance.randint(1, calls)]:
                _killed_at(tally, scene, step=step, call=call)
        for hook in HOOKS:
            for _ in range(1 if short else 15):
                _killed_by_hook(tally, scene, hook=hook)
        for _ in range(1 if short else 15):
            _killed_before_push(tally, scene)
        for number in range(3 if short else 200):
            _killed_after(tally, scene, seconds=chance.uniform(0, whole.seconds / 2), with_git=number % 2 == 0)
        tally.remark(f"a night of T02 makes {sum((whole.calls or {}).values())} function calls, Python's and C's")


def _spread(calls: int, count: int, chance: random.Random) -> Iterator[int]:
    """Yield the first call and random ones after it; the very last may be one or two off from run to run."""
    yield 1
    for _ in range(count - 1):
        yield chance.randint(1, max(1, calls * 98 // 100))


def _killed_at(tally: Tally, scene: Scene, *, step: str, call: int) -> None:
    checker = scene.reset()
    ended = scene.night(step=step, call=call).end()
    _count(tally, ended.status, ended.last_step)
    tally.note(f"{step} call {call}", scene.settle(checker))


def _killed_by_hook(tally: Tally, scene: Scene, *, hook: str) -> None:
    """Kill the night when the remote comes to `hook`; the git program that pushes goes on."""
    checker = scene.reset()
    pid = scene.root / "pid"
    scene.hosted.set_hook(hook, _KILL_ONCE.format(pid=pid))
    night = scene.night()
    pid.write_text(f"{night.pid}\n")
    ended = night.end()
    scene.hosted.set_hook(hook, "")
    _count(tally, ended.status, ended.last_step)
    tally.note(f"at {hook}", [*scene.settle(checker), *checker.sound()])


def _killed_before_push(tally: Tally, scene: Scene) -> None:
    """Kill the night and its git when the push has come and is not yet handed on."""
    checker = scene.reset()
    night = scene.night()
    scene.served.before_push = night.kill
    ended = night.end()
    _count(tally, ended.status, ended.last_step)
    tally.note("before the push is handed on", [*scene.settle(checker), *checker.sound()])


def _killed_after(tally: Tally, scene: Scene, *, seconds: float, with_git: bool) -> None:
    checker = scene.reset()
    night = scene.night()
    time.sleep(seconds)
    night.kill(with_git=with_git)
    ended = night.end()
    _count(tally, ended.status, ended.last_step)
    tally.note(f"after {seconds:.3f} s in {ended.last_step}", scene.settle(checker))


def _count(tally: Tally, status: str, step: str) -> None:
    tally.kills[step or "start" if status == "killed" else "ended before"] += 1
