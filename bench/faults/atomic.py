"""T01 and T03: the remote refuses a night, drops the connection, or lands it and loses the answer."""

from __future__ import annotations

from bench.faults.invariants import Checker
from bench.faults.scene import Scene, set_scene
from bench.faults.tally import Tally
from tests.support.repositories import git, git_bytes
from tests.support.served import Fault, Step

_NO = "#!/bin/sh\necho 'not tonight' >&2\nexit 1\n"
_NO_WHEN_PREPARED = "#!/bin/sh\ntest \"$1\" = prepared || exit 0\necho 'not tonight' >&2\nexit 1\n"


def atomic_landing(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Let the remote refuse in each way it can, and drop the connection before and after the push."""
    with set_scene() as scene:
        scene.undisturbed()
        for _ in range(1 if short else 5):
            for hook, script in (
                ("pre-receive", _NO),
                ("update", _NO),
                ("reference-transaction", _NO_WHEN_PREPARED),
            ):
                _refused(tally, scene, what=hook, hook=(hook, script))
            _refused(tally, scene, what="maxInputSize", setting=("receive.maxInputSize", "100"))
            _unsound(tally, scene)
            for step in (Step.PUSH_REFS, Step.PUSH):
                for fault in (Fault.DROP,) if short else (Fault.DROP, Fault.REFUSE, Fault.FORBID):
                    _unreachable(tally, scene, fault=fault, step=step)
            for fault in (Fault.DROP, Fault.CUT_ANSWER):
                _flaky(tally, scene, fault=fault)
            _accepted_late(tally, scene)


def lost_answer(tally: Tally, short: bool) -> None:  # noqa: FBT001
    """Let the push through and cut its answer, then also the answers by which it could be read back."""
    with set_scene() as scene:
        scene.undisturbed()
        for _ in range(1 if short else 20):
            for reads in (0, 1, 2, 50):
                checker = scene.reset()
                scene.served.fail(Fault.CUT_ANSWER, on=Step.PUSH)
                scene.served.before_push = lambda reads=reads: _blind(scene, reads)
                ended = scene.night().end()
                scene.served.recover()
                problems = checker.check()
                if checker.landings(scene.stage_night) != 1:
                    problems.append("the push did not land")
                if ended.status != "landed" and not (reads and ended.status == "error"):
                    problems.append(f"it ended {ended.status}: {ended.reason}")
                tally.note(f"answer cut, {reads} reads fail", [*problems, *scene.settle(checker)])


def _blind(scene: Scene, reads: int) -> None:
    if reads:
        scene.served.fail(Fault.DROP, on=Step.READ_REFS, times=reads)


def _refused(
    tally: Tally,
    scene: Scene,
    *,
    what: str,
    hook: tuple[str, str] | None = None,
    setting: tuple[str, str] | None = None,
) -> None:
    checker = scene.reset()
    before = checker.tip()
    if hook:
        scene.hosted.set_hook(*hook)
    if setting:
        scene.hosted.set(*setting)
    ended = scene.night().end()
    problems = checker.check()
    if checker.tip() != before:
        problems.append("the tip moved")
    if ended.status != "error":
        problems.append(f"it ended {ended.status}")
    if hook and "not tonight" not in ended.reason and hook[0] != "reference-transaction":
        problems.append(f"it does not say what the hook said: {ended.reason}")
    problems += checker.sound()
    for name in ("pre-receive", "update", "reference-transaction"):
        scene.hosted.set_hook(name, "")
    if setting:
        git(scene.hosted.path, "config", "--unset", setting[0])
    tally.note(what, [*problems, *scene.settle(checker)])


def _unsound(tally: Tally, scene: Scene) -> None:
    """Let a folder's mode have stood in the memory as old programs wrote it, and the remote check what it receives."""
    scene.reset()
    path = scene.hosted.path
    tree = git_bytes(path, "cat-file", "tree", "main^{tree}").replace(b"40000 queues\0", b"040000 queues\0")
    odd = git(path, "hash-object", "-t", "tree", "-w", "--stdin", "--literally", stdin=tree)
    named = ("-c", "user.name=Old", "-c", "user.email=old@test.invalid")
    commit = git(path, *named, "commit-tree", odd, "-p", "main", "-m", "odd")
    git(path, "update-ref", "refs/heads/main", commit)
    scene.hosted.set("receive.fsckObjects", "true")
    checker = Checker(path)
    ended = scene.night().end()
    problems = checker.check()
    if checker.tip() != commit or ended.status != "error" or "fsck" not in ended.reason:
        problems.append(f"it ended {ended.status}: {ended.reason}")
    scene.hosted.set("receive.fsckObjects", "false")
    tally.note("fsck", [*problems, *scene.settle(checker, same_tree=False)])


def _unreachable(tally: Tally, scene: Scene, *, fault: Fault, step: Step) -> None:
    checker = scene.reset()
    before = checker.tip()
    scene.served.fail(fault, on=step, times=None)
    ended = scene.night(landing_seconds=1).end()
    scene.served.recover()
    problems = checker.check()
    if checker.tip() != before or ended.status != "error":
        problems.append(f"it ended {ended.status}, the tip {'stayed' if checker.tip() == before else 'moved'}")
    tally.note(f"{fault} for ever on {step}", [*problems, *scene.settle(checker)])


def _flaky(tally: Tally, scene: Scene, *, fault: Fault) -> None:
    checker = scene.reset()
    scene.served.fail(fault, on=Step.PUSH, times=1)
    ended = scene.night().end()
    problems = checker.check()
    if ended.status != "landed" or checker.landings(scene.stage_night) != 1:
        problems.append(f"it ended {ended.status}: {ended.reason}")
    tally.note(f"{fault} once on push", [*problems, *scene.settle(checker)])


def _accepted_late(tally: Tally, scene: Scene) -> None:
    """Let the connection end before the remote has decided: the night must not be told landed, nor twice."""
    checker = scene.reset()
    scene.hosted.set_hook("pre-receive", "#!/bin/sh\ncat >/dev/null\nsleep 1.5\n")
    scene.night(git_seconds=1).end()
    scene.settle_down()
    scene.hosted.set_hook("pre-receive", "")
    tally.note("the remote decides after git gave up", [*checker.check(), *scene.settle(checker)])
