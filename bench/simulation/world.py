"""One organisation in a sequence: its remote, those who push to it, its clock, and everything that was promised."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pygit2
import structlog

from bench.faults.child import Night, Orders
from bench.faults.invariants import Checker
from bench.simulation.promises import Promises
from dream.errors import DreamError
from dream.repository.commits import Identity
from dream.repository.hook import install_hook
from flows.binding import ordered_steps
from flows.course import StepMaker
from flows.dreaming import ModelMaker, build_models
from flows.reverting.night import RevertRequest, revert_night
from tasks.order import TASKS as TASKS_OF_A_NIGHT
from tests.support.repositories import Files, GitFailedError, Hosted, Person, git, host
from tests.support.served import Served
from tests.support.stage import MEMORY, Stage, failing

T = TypeVar("T")

FIRST = datetime(2026, 10, 22, 12, tzinfo=UTC)
STEPS = ("open", "read", *TASKS_OF_A_NIGHT, "land")
TASKS = ("daily_note", "tidy")
_GAP = "days after the newest commit"
_BEFORE = "has landed in acme, and by this clock the newest that is due is"
_FLOW = Identity("Nightly Dreaming", "nightly-dreaming@localhost")
_FILE = pygit2.enums.FileMode.BLOB
_TEMPLATE = "template"


class DiedError(BaseException):
    """The process is taken to have died here; nothing catches it."""


@dataclass
class World:
    """A remote with a night's organisation; every method is one thing that happens, and returns nothing."""

    root: Path
    hosted: Hosted
    stage: Stage
    checker: Checker
    promises: Promises
    writer: pygit2.Repository
    now: datetime = FIRST
    latest: datetime = FIRST
    homes: int = 0
    count: int = 0
    problems: list[str] = field(default_factory=list)
    models: ModelMaker = build_models
    """Who answers the nights' questions."""

    @classmethod
    def create(cls, served: Served, files: Files = MEMORY) -> World:
        """Begin with a small memory, which nights reach over http; what is the same in every sequence is copied."""
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
        root = Path(tempfile.mkdtemp(prefix="dream-simulation-", dir=served.folder))
        template = served.folder / _TEMPLATE
        if not template.exists():
            _make_template(template, files)
        path = shutil.copytree(template / "memory.git", served.folder / f"{root.name}.git")
        shutil.copytree(template / "writer", root / "writer")
        (root / "writer" / "objects" / "info" / "alternates").write_text(f"{path}/objects\n")
        hosted = Hosted(path=path, url=served.url(root.name))
        checker = Checker(hosted.path)
        return cls(
            root=root,
            hosted=hosted,
            stage=Stage(hosted=hosted, root=root, now=FIRST),
            checker=checker,
            promises=Promises(hosted.path),
            writer=pygit2.Repository(str(root / "writer")),
        )

    def close(self) -> list[str]:
        """Look at the whole repository once more, take everything away and return what did not hold."""
        problems = [*self.problems, *self.checker.sound()]
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.rmtree(self.hosted.path, ignore_errors=True)
        return problems

    def check(self) -> list[str]:
        """Return what does not hold now."""
        found = [*self.problems, *self.checker.check(), *self.promises.check()]
        self.problems = []
        return found

    # what people and agents do

    def notes(self) -> list[str]:
        """The topic notes that are there, in order."""
        tree = self._tip().tree
        folders = [tree[name] for name in ("facts", "queues", "services") if name in tree]
        return sorted(
            f"{folder.name}/{note.name}" for folder in folders if isinstance(folder, pygit2.Tree) for note in folder
        )

    def push(self, changes: Mapping[str, bytes | None], *, who: str, refused: bool = False) -> None:
        """Commit files on the tip and push them with the git program, by path: the hook and the locks are the same.

        The remote's answer is taken at its word.
        """
        base = self._tip()
        index = pygit2.Index()
        index.read_tree(base.tree)
        for path, data in changes.items():
            if data is None:
                index.remove(path)
            else:
                index.add(pygit2.IndexEntry(path, self.writer.create_blob(data), _FILE))
        mail = f"{who.split(maxsplit=1)[0].lower()}@test.invalid"
        signature = pygit2.Signature(who, mail, int(self.now.timestamp()), 0)
        tree = index.write_tree(self.writer)
        commit = str(self.writer.create_commit(None, signature, signature, "notes: change", tree, [base.id]))
        try:
            git(self.root / "writer", "push", "--quiet", str(self.hosted.path), f"{commit}:refs/heads/main")
        except GitFailedError as error:
            if not refused:
                self.problems.append(f"a push of {sorted(changes)} was refused: {error}")
        else:
            if refused:
                self.problems.append(f"a push of {sorted(changes)} was taken")
            self.checker.acknowledged.append(commit)

    def read(self, path: str) -> bytes:
        """A file at the tip."""
        blob = self._tip().tree[path]
        return blob.data if isinstance(blob, pygit2.Blob) else b""

    def say(self) -> str:
        """Return a statement that nobody has made before."""
        self.count += 1
        day = self.now.date().isoformat()
        said = f"Rule {self.count} of the shop allows {self.count * 7} refunds a day."
        return f"- {day}: {said} [thread_{self.count:04d}, {day}]\n"

    def hear(self, days_ago: int) -> None:
        """Let a session arrive that ended so many days ago."""
        self.count += 1
        ended = self.now - timedelta(days=days_ago)
        stamp = ended.isoformat().replace("+00:00", "Z")
        lasting = f"Queue number {self.count} keeps events for {self.count * 3} hours."
        self.stage.summarise({"id": f"5e55{self.count:04d}", "started": stamp, "ended": stamp, "lasting": lasting})

    # what nights do

    @property
    def due(self) -> date:
        """The night that is due by the clock."""
        return (self.now - timedelta(hours=4)).date()

    def dream(
        self,
        *,
        die_at: str = "",
        meanwhile: tuple[str, Callable[[], None]] | None = None,
        broken: str = "",
        may_fail: bool = False,
    ) -> str:
        """Dream the night that is due and return how it ended.

        It may die at a step, meet somebody's push at one, or have a task that fails.
        """
        self.stage.now = self.now
        steps: StepMaker = failing(broken) if broken else ordered_steps

        async def call(name: str, step: Callable[[], T]) -> T:
            if name == die_at:
                raise DiedError
            if meanwhile is not None and name == meanwhile[0]:
                meanwhile[1]()
            return step()

        try:
            result = self.stage.dream(None, home=f"home-{self.homes}", call=call, steps=steps, models=self.models)
        except DiedError:
            return "died"
        except DreamError as error:
            if not self._is_told_of_the_clock(str(error)):
                self.problems.append(f"the night {self.due} ended with {type(error).__name__}: {error}")
            return "not-landed"
        if result.status == "landed" and not broken and not may_fail and result.exit_code:
            self.problems.append(f"the night {self.due} landed with exit {result.exit_code}: {result.failed}")
        return result.status

    def dream_and_be_killed(self, step: str, call: int) -> None:
        """Dream in a process that is killed at a function call of a step."""
        ended = Night.start(
            Orders(
                path=str(self.hosted.path),
                url=self.hosted.url,
                root=str(self.root),
                extra="{}",
                now=self.now.isoformat(),
                notes=str(self.root / "steps"),
                home=f"home-{self.homes}",
                night="",
                step=step,
                call=call,
            )
        ).end()
        if ended.status in {"crash", "hung"}:
            self.problems.append(f"the killed night {self.due} ended {ended.status}: {ended.reason}")

    def landed_commits(self) -> list[tuple[str, date, str]]:
        """Task, night and commit of everything that a night's tasks have put on the branch, oldest first."""
        return self.promises.commits(TASKS)

    def git_revert(self, commit: str, task: str) -> None:
        """Revert a commit in a fresh clone; where it conflicts the person gives up."""
        by_path = Hosted(path=self.hosted.path, url=str(self.hosted.path))
        person = Person(by_path, self.root / f"copy-{self.count}", "Ada Person", at=self.now)
        self.count += 1
        try:
            person.git("revert", "--no-edit", commit)
            self.checker.acknowledged.append(person.push())
        except GitFailedError:
            return
        finally:
            shutil.rmtree(person.folder)
        self._took_back(task, commit)

    def dream_revert(self, night: date, task: str | None, *, retry: bool) -> None:
        """Take back a task of a night, or all of it, with the product's own command."""
        self.stage.now = self.now
        standing = [one for one in self.landed_commits() if one[1] == night and task in {None, one[0]}]
        if retry:
            self.checker.allowed_again.add(night.isoformat())
        try:
            result = revert_night(
                self.stage.workplace(f"home-{self.homes}"),
                RevertRequest(night=night, task=task, retry=retry),
                dry_run=False,
                clock=self.stage.clock(),
            )
        except DreamError as error:
            if "has no record of the night" not in str(error):
                self.problems.append(f"dream revert {night} {task} ended with {type(error).__name__}: {error}")
            return
        taken_back = {effect.task for effect in result.effects}
        for name, _, commit in standing:
            if retry:
                self.promises.may_be_done_again(commit)
            elif name in taken_back:
                self._took_back(name, commit)

    def _took_back(self, task: str, commit: str) -> None:
        if task == "daily_note":
            self.promises.stays_away(commit)
        else:
            self.promises.stays(commit)

    def jump(self, days: int) -> None:
        """Set the clock."""
        self.latest = max(self.latest, self.now)
        self.now = self.now + timedelta(days=days)

    def set_right(self) -> None:
        """Let the clock go on from the latest that it ever showed."""
        self.now = max(self.latest, self.now)

    def restart(self) -> None:
        """Go on in a working directory where nothing is."""
        self.homes += 1

    def _is_told_of_the_clock(self, error: str) -> bool:
        """Whether a night that landed nothing has the clock for a reason, and rightly so."""
        newest = max((night for _, night, _ in self.promises.commits(("state_update",))), default=None)
        return _GAP in error or (_BEFORE in error and newest is not None and newest > self.due)

    def _tip(self) -> pygit2.Commit:
        return self.writer[self.checker.tip()].peel(pygit2.Commit)


def _make_template(folder: Path, files: Files) -> None:
    """Host the memory that every sequence begins with, and make the empty repository that people commit in."""
    hosted = host(folder, "memory", files)
    hosted.set("core.logAllRefUpdates", "true")
    install_hook(hosted.path, _FLOW)
    pygit2.init_repository(str(folder / "writer"), bare=True)
