"""T04: the k-th write, the k-th git and the k-th look at the clock fail, once and for ever."""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TypeVar

from bench.faults.child import Ended
from bench.faults.invariants import Checker
from bench.faults.mounts import MountRefusedError, small_disk
from bench.faults.scene import Scene, set_scene
from bench.faults.tally import Tally, say

T = TypeVar("T")

ERRORS = (errno.ENOSPC, errno.EIO, errno.EMFILE, errno.EACCES)
GITS = ("fails", "lies", "dies", "answers-nonsense", "loses-its-answer")
CLOCKS = ("raise", "back", "ahead")
_CLOCK_CALLS = 8
_MOST = 10
"""So many calls of each kind of fault are tried at length: for every call it would be hours."""
_SCRIPT = """\
#!/bin/sh
count=$(($(cat '{counter}') + 1))
echo $count > '{counter}'
test $count {compare} {number} || exec '{git}' "$@"
case {way} in
  fails) echo 'fatal: it is broken on purpose' >&2; exit 128 ;;
  lies) exit 0 ;;
  dies) kill -9 $$ ;;
  answers-nonsense) echo 'nonsense'; echo 'nonsense' >&2; exit 3 ;;
  loses-its-answer) '{git}' "$@" >/dev/null 2>&1; exit 1 ;;
esac
"""


def failure_loops(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Take as many k as there is time for of those that a night comes to; a short run one for each fault."""
    with set_scene() as scene:
        scene.undisturbed()
        chosen = _Chosen(tally.chance(), most=1 if short else _MOST)
        _writes(tally, scene, chosen)
        _gits(tally, scene, chosen)
        _clocks(tally, scene, chosen)
        try:
            with small_disk(scene.root / "home", megabytes=24):
                _machine(tally, scene, in_each=1, steps=2 if short else None)
        except MountRefusedError as refused:
            tally.remark(f"T04 went without disks that fill up below the night's own writes: {refused}")


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Which of the calls 1 to k are made to fail."""

    chance: random.Random
    most: int

    def faults(self, kinds: Sequence[T]) -> list[tuple[T, bool]]:
        """Return each kind once and for ever; in a short run one of the two, in turns."""
        every = list(product(kinds, (True, False)))
        return every if self.most > 1 else every[::2][::2] + every[3::4]

    def of(self, calls: int) -> list[int]:
        """Return all of them, or as many as there is time for."""
        return sorted(self.chance.sample(range(1, calls + 1), min(self.most, calls)))


def _writes(tally: Tally, scene: Scene, chosen: _Chosen) -> None:
    scene.reset()
    calls = scene.night(write_call=1_000_000).end().write_calls
    tally.remark(f"a night of T04 changes files and folders of its own {calls} times")
    for number, once in chosen.faults(ERRORS):
        for call in chosen.of(calls):
            checker = scene.reset()
            ended = scene.night(write_error=number, write_call=call, once=once).end()
            tally.note(f"write {call} {errno.errorcode[number]} {_often(once)}", _unharmed(checker, ended, scene))
    say(f"  {tally.id} writes done: {tally.tries} tries")


def _gits(tally: Tally, scene: Scene, chosen: _Chosen) -> None:
    folder = scene.root / "wrapped"
    folder.mkdir()
    counter = folder / "count"
    scene.reset()
    _wrap(folder / "git", counter, way="fails", number=1_000_000, once=True)
    scene.night(search_path=str(folder)).end()
    calls = int(counter.read_text())
    tally.remark(f"and starts git {calls} times")
    for way, once in chosen.faults(GITS):
        for call in chosen.of(calls):
            checker = scene.reset()
            _wrap(folder / "git", counter, way=way, number=call, once=once)
            ended = scene.night(search_path=str(folder)).end()
            # of a program that claims success and does nothing, some lies cannot be told from the truth
            problems = _unharmed(checker, ended, scene, may_differ=way == "lies")
            tally.note(f"git {call} {way} {_often(once)}", problems)
    say(f"  {tally.id} git done: {tally.tries} tries")


def _clocks(tally: Tally, scene: Scene, chosen: _Chosen) -> None:
    for way, once in chosen.faults(CLOCKS):
        for call in chosen.of(_CLOCK_CALLS):
            checker = scene.reset()
            ended = scene.night(clock=way, clock_call=call, once=once).end()
            tally.note(f"clock {call} {way} {_often(once)}", _unharmed(checker, ended, scene, crash=True))
    say(f"  {tally.id} clock done: {tally.tries} tries")


def _machine(tally: Tally, scene: Scene, *, in_each: int, steps: int | None) -> None:
    """Take disk, room in files and descriptors away below libgit2 and git themselves, at calls spread over steps."""
    chance = tally.chance("machine")
    scene.reset()
    counts = scene.night(count=True).end().calls or {}
    chosen = list(counts) if steps is None else chance.sample(list(counts), steps)
    often = (True, False) if steps is None else (False,)
    for step, action, once in product(chosen, ("full", "no-file-grows", "no-descriptors"), often):
        for _ in range(in_each):
            checker = scene.reset()
            call = chance.randint(1, max(1, counts[step]))
            filler = str(scene.root / "home" / "filler")
            ended = scene.night(step=step, call=call, action=action, once=once, filler=filler).end()
            tally.note(f"{action} at {step} {call} {_often(once)}", _unharmed(checker, ended, scene))
    say(f"  {tally.id} machine done: {tally.tries} tries")


def _unharmed(
    checker: Checker, ended: Ended, scene: Scene, *, crash: bool = False, may_differ: bool = False
) -> list[str]:
    """Return what does not hold after a run that met a fault; a crash is one unless the fault was no error at all.

    A night that cannot read its code repository lands without having verified anything, and has to say so.
    """
    problems = checker.check()
    if ended.status in {"hung", "killed"} or (ended.status == "crash" and not crash):
        problems.append(f"it ended {ended.status}: {ended.reason}")
    if ended.status == "landed" and not checker.landings(scene.stage_night):
        problems.append("it says landed, and nothing has landed")
    if ended.status == "error" and not ended.reason:
        problems.append("it does not say why")
    says_less = ended.status == "landed" and (may_differ or any("web" in finding for finding in ended.findings))
    return [*problems, *scene.settle(checker, same_tree=not says_less)]


def _wrap(script: Path, counter: Path, *, way: str, number: int, once: bool) -> None:
    git = shutil.which("git", path=os.environ["PATH"])
    counter.write_text("0\n")
    compare = "-eq" if once else "-ge"
    script.write_text(_SCRIPT.format(counter=counter, compare=compare, number=number, way=way, git=git))
    script.chmod(0o755)


def _often(once: bool) -> str:  # noqa: FBT001 - it is the word for it
    return "once" if once else "for ever"
