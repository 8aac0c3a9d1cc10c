"""An organisation whose night has something to do in every task, put back to where it began before each try."""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog

from bench.faults.child import Night, Orders
from bench.faults.invariants import Checker
from dream.repository.commits import Identity
from dream.repository.hook import install_hook
from tests.support.repositories import Hosted, Person, git, host
from tests.support.served import Served, serve
from tests.support.stage import MEMORY, NIGHT, Stage

NOW = datetime(2026, 10, 22, 4, 0, 5, tzinfo=UTC)
FLOW = Identity("Nightly Dreaming", "nightly-dreaming@localhost")
_GOOD_ENDS = {"landed", "nothing-to-do", "superseded"}
"""Superseded: the push of a run that died was still on its way, and arrived while the next run was at work."""
PULL_REQUEST: Mapping[str, Any] = {
    "repo": "acme/web",
    "number": 41,
    "state": "merged",
    "title": "Fix the queue",
    "author": "devin-ai-integration[bot]",
    "created_at": "2026-10-20T10:00:00Z",
    "closed_at": "2026-10-21T10:00:00Z",
    "merged_at": "2026-10-21T10:00:00Z",
    "merged_by": {"login": "ana", "type": "User"},
    "branch": "devin/queue",
    "labels": [],
    "body": "",
    "commits": [
        {"sha": "1f0e7a3c5b9d", "author": "devin-ai-integration[bot]", "committer": "web-flow", "message": "x"}
    ],
    "reviews": [],
    "comments": [],
}
BUSY: Mapping[str, str] = {
    **MEMORY,
    "services/refunds.md": (
        "# Refunds\n\n"
        "- 2026-09-30: The refund limit of refunds is set in `src/checkout/refunds.py`. [thread_0009, 2026-09-30]\n"
    ),
    "services/limits.md": (
        "# Limits\n\n"
        "- 2026-09-30: The refund limit of refunds is set in `src/payments/refunds.py`. [thread_0009, 2026-09-30]\n"
        "- 2026-09-29: There are other limits for other things. [thread_0008, 2026-09-29]\n"
    ),
}


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """What the night comes to when nobody disturbs it."""

    tree: str
    tip: str


@dataclass(kw_only=True)
class Scene:
    """One organisation on a served remote; `reset` puts remote and working directories back to the beginning."""

    root: Path
    served: Served
    stage: Stage
    extra: dict[str, Any] = field(default_factory=dict)
    _tries: int = 0
    _undisturbed: Undisturbed | None = None

    @property
    def hosted(self) -> Hosted:
        """The organisation's memory."""
        return self.stage.hosted

    @property
    def stage_night(self) -> str:
        """The date of the night that is dreamt."""
        return NIGHT.isoformat()

    def keep(self) -> None:
        """Take the remote as it is now for the beginning of every try."""
        shutil.rmtree(self._template, ignore_errors=True)
        shutil.copytree(self.hosted.path, self._template)

    def reset(self) -> Checker:
        """Put everything back and return a checker of what happens from here on."""
        self.settle_down()
        self.served.recover()
        shutil.rmtree(self.hosted.path, ignore_errors=True)
        shutil.copytree(self._template, self.hosted.path)
        for home in self.root.glob("home*"):
            for found in home.iterdir():
                shutil.rmtree(found) if found.is_dir() else found.unlink()
        return Checker(self.hosted.path)

    def night(self, **orders: Any) -> Night:
        """Start the night in a process of its own."""
        self._tries += 1
        return Night.start(
            Orders(
                path=str(self.hosted.path),
                url=self.hosted.url,
                root=str(self.root),
                extra=json.dumps(dict(self.stage.extra)),
                now=self.stage.now.isoformat(),
                notes=str(self.root / f"steps-{self._tries}"),
                **orders,
            )
        )

    def undisturbed(self) -> Undisturbed:
        """Return what an undisturbed night puts on the branch."""
        if self._undisturbed is None:
            self.reset()
            ended = self.night().end()
            if ended.status != "landed":
                message = f"the undisturbed night ended {ended.status}: {ended.reason}"
                raise RuntimeError(message)
            self._undisturbed = Undisturbed(self.tree(), self.hosted.tip() or "")
            self.reset()
        return self._undisturbed

    def settle_down(self, *, seconds: float = 30) -> None:
        """Wait until no git program works here any more; one may outlive the night that started it."""
        deadline = time.monotonic() + seconds
        while any(_names(process, str(self.root)) for process in Path("/proc").iterdir() if process.name.isdigit()):
            if time.monotonic() > deadline:
                message = f"a git program still works under {self.root}"
                raise RuntimeError(message)
            time.sleep(0.01)

    def files(self) -> dict[str, bytes]:
        """The memory at the branch's tip."""
        return self.hosted.files()

    def tree(self) -> str:
        """The id of the tree at the branch's tip."""
        return git(self.hosted.path, "rev-parse", f"{self.hosted.branch}^{{tree}}")

    def settle(self, checker: Checker, *, home: str = "home", same_tree: bool = True) -> list[str]:
        """Run the night again without a fault and return what is not as it would have been undisturbed."""
        expected = self.undisturbed_or_fail()
        problems = checker.check()
        again = self.night(home=home).end()
        if again.status not in _GOOD_ENDS:
            problems.append(f"the next run ended {again.status}: {again.reason}")
        problems += checker.check()
        if same_tree and self.tree() != expected.tree:
            problems.append("the tree is not that of an undisturbed run")
        if checker.landings(NIGHT.isoformat()) != 1:
            problems.append(f"{checker.landings(NIGHT.isoformat())} landings")
        return problems

    def undisturbed_or_fail(self) -> Undisturbed:
        """Return what was measured before the first try."""
        if self._undisturbed is None:
            message = "measure the undisturbed night before the first try"
            raise RuntimeError(message)
        return self._undisturbed

    @property
    def _template(self) -> Path:
        return self.root / "template.git"


@contextmanager
def set_scene(files: Mapping[str, str | bytes] = BUSY, *, hook: bool = False) -> Iterator[Scene]:
    """Host a busy organisation, with the hook that guards `.dream/` where that is asked for."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    root = Path(tempfile.mkdtemp(prefix="dream-faults-"))
    (root / "hosted").mkdir()
    try:
        with serve(root / "hosted") as served:
            hosted = host(served, "memory", files)
            hosted.set("core.logAllRefUpdates", "true")
            if hook:
                install_hook(hosted.path, FLOW)
            stage = Stage(hosted=hosted, root=root, now=NOW)
            _fill(stage, served)
            scene = Scene(root=root, served=served, stage=stage)
            scene.keep()
            yield scene
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _names(process: Path, folder: str) -> bool:
    try:
        command = (process / "cmdline").read_bytes()
    except OSError:
        return False
    return command.startswith(b"git") and folder.encode() in command


def _fill(stage: Stage, served: Served) -> None:
    code = host(served, "web", {"src/checkout/refunds.py": "LIMIT = 500\n" * 20, "README.md": "# Web\n"})
    Person(code, stage.root / "engineer", "Eve Engineer").rename("src/checkout/refunds.py", "src/payments/refunds.py")
    stage.summarise({}, {"id": "7c2e0002", "title": "Queue names", "lasting": "The queue orders-v2 replaces orders."})
    (stage.root / "pull-requests.json").write_text(json.dumps([PULL_REQUEST]))
    stage.extra = {
        "pull_requests": [{"kind": "recorded", "path": str(stage.root / "pull-requests.json")}],
        "production": [{"name": "web", "kind": "code", "url": code.url, "internal": True}],
    }
