"""T17, the release before: a memory as its nights really left it, taken on by this one."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

from bench.faults.invariants import Checker
from bench.faults.scene import NOW, Scene
from bench.faults.tally import Tally
from dream.errors import DreamError
from dream.report.night import render_report
from flows.stories import read_story
from tests.support.repositories import git

RELEASES = Path(__file__).parent / "releases"
"""What `git fast-export` tells of memories that two nights of the release of that commit have landed in."""

_STATE = ".dream/state.json"


def upgrades(tally: Tally, scene: Scene) -> None:
    """Go on from each release's memory, read its nights, and take one of them back."""
    for release in sorted(RELEASES.glob("*.fast-export")):
        _goes_on(tally, scene, release)
        _is_read(tally, scene, release)
        _is_taken_back(tally, scene, release)


def _take_over(scene: Scene, release: Path) -> Checker:
    scene.reset()
    git(scene.hosted.path, "fast-import", "--quiet", "--force", stdin=release.read_bytes())
    return Checker(scene.hosted.path)


def _goes_on(tally: Tally, scene: Scene, release: Path) -> None:
    """Land the next night: nothing that was known is forgotten, and no record of before is touched."""
    checker = _take_over(scene, release)
    before = scene.files()
    at = NOW + timedelta(days=1)
    ended = scene.night(at=at.isoformat(), night=at.date().isoformat()).end()
    problems = [*checker.check(), *checker.sound()]
    if ended.status != "landed" or checker.landings(at.date().isoformat()) != 1:
        problems.append(f"it ended {ended.status}: {ended.reason}")
    after = scene.files()
    problems += [f"{path} is another one" for path, data in before.items() if _is_record(path) and after[path] != data]
    known, knows = json.loads(before[_STATE]), json.loads(after[_STATE])
    problems += [f"{key} is forgotten" for key in known if key not in knows]
    if not set(known["checked"]) <= set(knows["checked"]):
        problems.append("what had been checked is forgotten")
    told_again = [path for path in before if path.startswith("daily/") and before[path] != after.get(path)]
    problems += [f"{path} is told again" for path in told_again]
    tally.note(f"{release.stem}: the next night", problems)


def _is_read(tally: Tally, scene: Scene, release: Path) -> None:
    """Read the reports of its nights."""
    checker = _take_over(scene, release)
    problems = []
    workplace = scene.stage.workplace()
    mirror = workplace.mirror()
    mirror.fetch()
    for night in _nights(scene):
        try:
            told = render_report(read_story(workplace, mirror, night, head=checker.tip(), findings=(), dry=False))
        except DreamError as error:
            problems.append(f"{night}: {error}")
            continue
        if night.isoformat() not in told:
            problems.append(f"the report of {night} does not name it")
    tally.note(f"{release.stem}: its nights are read", problems)


def _is_taken_back(tally: Tally, scene: Scene, release: Path) -> None:
    """Take back a task of one of its nights, and let the next night leave that so."""
    checker = _take_over(scene, release)
    night = min(_nights(scene))
    gone = _topics(scene)
    try:
        taken = scene.stage.revert("tidy", night=night)
        problems = [] if taken.effects else ["nothing was taken back"]
    except DreamError as error:
        problems = [f"it cannot be taken back: {error}"]
    problems += checker.check()
    back = _topics(scene) - gone
    at = NOW + timedelta(days=1)
    ended = scene.night(at=at.isoformat(), night=at.date().isoformat()).end()
    if ended.status != "landed":
        problems.append(f"the next night ended {ended.status}: {ended.reason}")
    problems += checker.check()
    problems += [f"it is undone again: {line}" for line in back - _topics(scene)]
    tally.note(f"{release.stem}: a task of {night} is taken back", problems)


def _topics(scene: Scene) -> set[str]:
    return {
        line
        for path, data in scene.files().items()
        if path.startswith(("services/", "queues/"))
        for line in data.decode().splitlines()
        if line.startswith("- ")
    }


def _nights(scene: Scene) -> list[date]:
    return sorted(date.fromisoformat(Path(path).stem) for path in scene.files() if _is_record(path))


def _is_record(path: str) -> bool:
    return path.startswith(".dream/nights/")
