"""T08: the disk is full, under the remote and under the work area, with every amount of room left."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.faults.child import fill
from bench.faults.mounts import MountRefusedError, small_disk
from bench.faults.scene import Scene, set_scene
from bench.faults.tally import Tally


def disk_full(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Leave so many bytes free, dream, make room and dream again."""
    rooms = range(0, 400_000, 200_000) if short else range(0, 480_000, 8_192)
    with set_scene() as scene:
        scene.undisturbed()
        try:
            with _remote_on_small_disk(scene):
                for room in rooms:
                    _full(tally, scene, folder=scene.hosted.path.parent, room=room, what="remote")
            with small_disk(scene.root / "home", megabytes=3):
                for room in rooms:
                    _full(tally, scene, folder=scene.root / "home", room=room, what="work area")
        except MountRefusedError as refused:
            tally.remark(f"T08 limited the size of files instead of mounting a small disk: {refused}")
            for room in rooms:
                _short_files(tally, scene, room=room)


@contextmanager
def _remote_on_small_disk(scene: Scene) -> Iterator[None]:
    hosted = scene.hosted.path.parent
    aside = scene.root / "aside"
    shutil.copytree(hosted, aside)
    with small_disk(hosted, megabytes=3):
        shutil.copytree(aside, hosted, dirs_exist_ok=True)
        yield


def _full(tally: Tally, scene: Scene, *, folder: Path, room: int, what: str) -> None:
    checker = scene.reset()
    before = checker.tip()
    filler = folder / "filler"
    fill(filler, leave=room)
    ended = scene.night().end()
    filler.unlink(missing_ok=True)
    problems = checker.check()
    if ended.status not in {"landed", "error"}:
        problems.append(f"it ended {ended.status}: {ended.reason}")
    if (checker.tip() != before) != (checker.landings(scene.stage_night) == 1):
        problems.append("the tip moved without a landing")
    says_less = ended.status == "landed" and any("web" in finding for finding in ended.findings)
    problems += [*checker.sound(), *scene.settle(checker, same_tree=not says_less)]
    tally.note(f"{room} bytes left for the {what} ({ended.status})", problems)


def _short_files(tally: Tally, scene: Scene, *, room: int) -> None:
    checker = scene.reset()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        ended = scene.night().end()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    problems = checker.check()
    if ended.status not in {"landed", "error"}:
        problems.append(f"it ended {ended.status}: {ended.reason}")
    tally.note(f"files of at most {room} bytes", [*problems, *checker.sound(), *scene.settle(checker)])
