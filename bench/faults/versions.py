"""T17: the state is of an older, a newer or an odd version, and the package is upgraded and taken back."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from bench.faults.scene import NOW, Scene, set_scene
from bench.faults.tally import Tally
from bench.faults.upgrades import upgrades
from tests.support.repositories import git

STATE = ".dream/state.json"


def state_versions(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Write each state as the flow itself would have, and dream the next night."""
    with set_scene() as scene:
        scene.reset()
        scene.night().end()
        scene.keep()
        keys = sorted(_state(scene))
        for key in keys[:: 4 if short else 1]:
            if key != "lastCommit":
                _goes_on(tally, scene, f"without {key}", lambda state, key=key: state.pop(key))  # type: ignore[misc]
        _goes_on(tally, scene, "version 0", lambda state: state.update(version=0))
        _goes_on(tally, scene, "what agents read alone", _only_what_agents_read)
        _goes_on(tally, scene, "unknown keys", lambda state: state.update(_UNKNOWN), kept=_UNKNOWN)
        for version in (2,) if short else (2, 3, 999):
            _stops(tally, scene, version=version)
        odds: tuple[object, ...] = ("1", None, -1, 1.5, [], True)
        for odd in odds[: 2 if short else None]:
            _odd_version(tally, scene, odd=odd)
        _upgrade_and_back(tally, scene)
        upgrades(tally, scene)


_UNKNOWN: dict[str, Any] = {"relevance": {"services/orders.md": 0.5}, "zeta": [1, {"a": None}], "Ünknown": "é"}


def _only_what_agents_read(state: dict[str, Any]) -> None:
    for key in set(state) - {"lastRun", "lastCommit", "checked", "unverified"}:
        del state[key]


def _goes_on(
    tally: Tally,
    scene: Scene,
    what: str,
    change: Callable[[dict[str, Any]], object],
    kept: dict[str, Any] | None = None,
) -> None:
    checker = scene.reset()
    _rewrite(scene, change)
    checker.check()
    ended = _next_night(scene)
    problems = checker.check()
    after = _state(scene)
    if ended != "landed":
        problems.append(f"it ended {ended}")
    if after.get("version") != 1:
        problems.append(f"the state has version {after.get('version')}")
    if kept and {key: after.get(key) for key in kept} != kept:
        problems.append("an unknown key is gone or changed")
    tally.note(what, problems)


def _stops(tally: Tally, scene: Scene, *, version: int) -> None:
    checker = scene.reset()
    _rewrite(scene, lambda state: state.update(version=version))
    checker.check()
    tip = checker.tip()
    ended = _next_night(scene)
    problems = checker.check()
    if f"version {version}" not in ended or " 1" not in ended:
        problems.append(f"it does not name both versions: {ended}")
    if checker.tip() != tip:
        problems.append("it moved the branch")
    tally.note(f"version {version}", problems)


def _odd_version(tally: Tally, scene: Scene, *, odd: object) -> None:
    """What is no version is not read: the state before is used, or nothing lands; never a blank one."""
    checker = scene.reset()
    checked = _state(scene)["checked"]
    _rewrite(scene, lambda state: state.update(version=odd))
    checker.check()
    tip = checker.tip()
    ended = _next_night(scene)
    problems = checker.check()
    after = _state(scene)
    if checker.tip() != tip and not set(checked) <= set(after["checked"]):
        problems.append("what had been checked is forgotten")
    if ended != "landed" and checker.tip() != tip:
        problems.append(f"it ended {ended} and moved the branch")
    tally.note(f"version {odd!r}", problems)


def _upgrade_and_back(tally: Tally, scene: Scene) -> None:
    """A newer package lands a night and somebody reverts its state by hand: this one still goes on from no older state.

    Once the newer package has written the state as this one knows it, this one goes on.
    """
    checker = scene.reset()
    tip = checker.tip()
    _rewrite(scene, lambda state: state.update(version=2, novel=[1]))
    git(scene.hosted.path, "update-ref", "refs/heads/main", _inverse(scene, tip))
    reverted = scene.hosted.tip()
    ended = _next_night(scene)
    problems = [] if "version 2" in ended and scene.hosted.tip() == reverted else [f"it ended {ended}"]
    _rewrite(scene, lambda state: state.update(version=1, novel=[1]))
    ended = _next_night(scene)
    if ended != "landed" or _state(scene).get("novel") != [1]:
        problems.append(f"taken back in order, it ended {ended}")
    tally.note("newer, reverted by hand, then taken back", problems)


def _rewrite(scene: Scene, change: Callable[[dict[str, Any]], object]) -> None:
    """Commit a changed state as the flow does: by its identity, on `lastCommit`, touching `.dream/` alone."""
    state = _state(scene)
    state["lastCommit"] = scene.hosted.tip()
    change(state)
    _commit(scene, json.dumps(state, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def _inverse(scene: Scene, tip: str) -> str:
    tree = git(scene.hosted.path, "rev-parse", f"{tip}^{{tree}}")
    named = ("-c", "user.name=Ada Person", "-c", "user.email=ada@test.invalid")
    return git(scene.hosted.path, *named, "commit-tree", tree, "-p", "main", "-m", "Revert the state")


def _commit(scene: Scene, text: str) -> None:
    path = scene.hosted.path
    blob = git(path, "hash-object", "-w", "--stdin", stdin=text.encode())
    dream = git(path, "ls-tree", "main:.dream").split("\n")
    lines = [line for line in dream if not line.endswith("\tstate.json")] + [f"100644 blob {blob}\tstate.json"]
    folder = git(path, "mktree", stdin="\n".join(lines).encode() + b"\n")
    root = [line for line in git(path, "ls-tree", "main").split("\n") if not line.endswith("\t.dream")]
    tree = git(path, "mktree", stdin="\n".join([*root, f"040000 tree {folder}\t.dream"]).encode() + b"\n")
    named = ("-c", "user.name=Nightly Dreaming", "-c", "user.email=nightly-dreaming@localhost")
    message = "state update: recorded\n\nDream-Night: 2026-10-22\nDream-Task: state_update"
    git(path, "update-ref", "refs/heads/main", git(path, *named, "commit-tree", tree, "-p", "main", "-m", message))


def _next_night(scene: Scene) -> str:
    at = NOW + timedelta(days=1)
    ended = scene.night(at=at.isoformat(), night=at.date().isoformat()).end()
    return ended.reason if ended.status == "error" else ended.status


def _state(scene: Scene) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(git(scene.hosted.path, "show", f"main:{STATE}"))
    return state
