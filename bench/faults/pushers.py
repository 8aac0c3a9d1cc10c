"""T05: people and agents push as fast as they can while nights land."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path

from bench.faults.invariants import Checker
from bench.faults.scene import BUSY, NOW, Scene, set_scene
from bench.faults.tally import Tally, say
from tests.support.repositories import GitFailedError, Person

STATE = ".dream/state.json"
SHARED = "services/checkout.md"


def concurrent_pushers(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Let writers edit, delete, rename, share a note and meddle with the state, and dream night after night."""
    runs = [(3, 2.0, True)] if short else [(4, 60.0, True), (8, 60.0, True), (8, 60.0, False), (6, 60.0, True)]
    pause = 1.0 if short else 0.0
    with set_scene(hook=True) as scene:
        _collisions(tally, scene)
    for number, (writers, seconds, hook) in enumerate(runs):
        with set_scene(BUSY, hook=hook) as scene:
            _race(tally, scene, writers=writers, seconds=seconds, salt=str(number), hook=hook, pause=pause)


@dataclass(kw_only=True)
class Writer:
    """Somebody who pushes one change after another until told to stop, and keeps what was acknowledged."""

    person: Person
    chance: random.Random
    mine: str
    may_meddle: bool
    pause: float
    acknowledged: list[str] = field(default_factory=list)
    refused: int = 0
    trouble: str = ""
    count: int = 0

    def work(self, stop: threading.Event) -> None:
        """Push until `stop`."""
        changes: tuple[Callable[[], str], ...] = (self._edit, self._share, self._rename, self._delete, self._meddle)
        while not stop.is_set() and not self.trouble:
            self.count += 1
            stop.wait(self.pause)
            try:
                self.acknowledged.append(self.chance.choice(changes)())
            except GitFailedError as error:
                self._give_up(str(error))
            except OSError as error:
                self.trouble = str(error)

    def _give_up(self, error: str) -> None:
        """Take the tip as it is: another writer's lines conflict, or the remote's hook refused."""
        self.refused += 1
        git = self.person.git
        for command in (("rebase", "--abort"), ("fetch", "-q", "origin"), ("reset", "-q", "--hard", "origin/main")):
            with suppress(GitFailedError):
                git(*command)
        if "unable to access" in error:
            self.trouble = error

    def _edit(self) -> str:
        text = f"# Notes of {self.mine}\n\n" + "".join(
            f"- 2026-10-0{line + 1}: {self.mine} saw case {self.count} of kind {line}. [thread_{self.count:04d}]\n"
            for line in range(3)
        )
        return self.person.edit({f"people/{self.mine}.md": text}, "notes: edit")

    def _share(self) -> str:
        return self.person.append(
            SHARED, f"- 2026-10-09: {self.mine} adds remark {self.count}. [thread_{self.count}]\n"
        )

    def _rename(self) -> str:
        self.person.pull()
        folder = self.person.folder / "people"
        own = sorted(folder.glob(f"{self.mine}-*.md")) if folder.exists() else []
        new = f"people/{self.mine}-{self.count}.md"
        if not own:
            return self.person.edit({new: f"# {self.mine}\n\nA note that will be renamed.\n"})
        return self.person.rename(str(own[0].relative_to(self.person.folder)), new)

    def _delete(self) -> str:
        self.person.pull()
        own = self.person.folder / "people" / f"{self.mine}.md"
        return self.person.delete(f"people/{self.mine}.md") if own.exists() else self._edit()

    def _meddle(self) -> str:
        if not self.may_meddle:
            return self._share()
        return self.person.edit({STATE: '{"version": 1, "checked": {}}\n'}, "state: tidy it up")


def _race(tally: Tally, scene: Scene, *, writers: int, seconds: float, salt: str, hook: bool, pause: float) -> None:
    checker = scene.reset()
    stop = threading.Event()
    crew = [
        Writer(
            person=Person(scene.hosted, scene.root / f"writer-{salt}-{number}", f"W{number} Writer", at=NOW),
            chance=tally.chance(f"{salt}/{number}"),
            mine=f"w{number}",
            may_meddle=number == 0,
            pause=pause,
        )
        for number in range(writers)
    ]
    threads = [threading.Thread(target=one.work, args=(stop,), daemon=True) for one in crew]
    for thread in threads:
        thread.start()
    nights, tries = _dream_meanwhile(tally, scene, seconds=seconds, hook=hook, check=checker.check)
    stop.set()
    for thread in threads:
        thread.join(60)
    checker.acknowledged += [commit for one in crew for commit in one.acknowledged]
    problems = [problem for problem in checker.check() if hook or not problem.startswith("I6")]
    problems += [f"{one.mine}: {one.trouble}" for one in crew if one.trouble] + checker.sound()
    problems += own_notes(crew)
    pushed = len(checker.acknowledged)
    tally.note(f"{writers} writers, all of their {pushed} commits", problems)
    text = f"{writers} writers for {seconds:.0f} s{'' if hook else ' without the hook'}: {pushed} acknowledged pushes, "
    text += f"{sum(one.refused for one in crew)} given up; {nights} nights landed in {tries} tries"
    tally.remark(text)
    say(f"  {tally.id} {text}")


def _collisions(tally: Tally, scene: Scene) -> None:
    """Let somebody's push arrive when the night's own is at the door: theirs stays, and the night is planted again."""
    changes: dict[str, Callable[[Person], str]] = {
        "edit": lambda person: person.append(SHARED, "- 2026-10-09: A remark that came late. [thread_9999]\n"),
        "deletion": lambda person: person.delete("services/limits.md"),
        "rename": lambda person: person.rename("services/limits.md", "services/bounds.md"),
    }
    for name, change in changes.items():
        checker = scene.reset()
        person = Person(scene.hosted, scene.root / f"late-{name}", "L Writer", at=NOW)
        scene.served.before_push = partial(_take_note, checker, change, person)
        ended = scene.night().end()
        problems = [*checker.check(), *checker.sound()]
        if ended.status != "landed" or ended.tries < 2 or len(checker.acknowledged) != 1:
            problems.append(f"it ended {ended.status} after {ended.tries} tries: {ended.reason}")
        tally.note(f"a {name} at the door", problems)


def _take_note(checker: Checker, change: Callable[[Person], str], person: Person) -> None:
    checker.acknowledged.append(change(person))


def _dream_meanwhile(
    tally: Tally, scene: Scene, *, seconds: float, hook: bool, check: Callable[[], list[str]]
) -> tuple[int, int]:
    end = time.monotonic() + seconds
    landed = tries = 0
    now = NOW
    while time.monotonic() < end:
        ended = scene.night(real_time=True, landing_seconds=600, night=now.date().isoformat(), at=now.isoformat()).end(
            timeout=700
        )
        problems = [problem for problem in check() if hook or not problem.startswith("I6")]
        if ended.status != "landed":
            problems.append(f"it ended {ended.status}: {ended.reason}")
        landed += ended.status == "landed"
        tries += ended.tries
        tally.note(f"night {now.date()}", problems)
        now += timedelta(days=1)
    return landed, tries


def own_notes(crew: list[Writer]) -> list[str]:
    """Return whose own notes are not as they last pushed them: no night has any business in them."""
    problems = []
    for one in crew:
        one.person.pull()
        for path in sorted(Path(one.person.folder, "people").glob(f"{one.mine}*.md")):
            name = str(path.relative_to(one.person.folder))
            by = one.person.git("log", "-1", "--format=%an", "--", name)
            if by != one.person.name:
                problems.append(f"{name} was last changed by {by}")
    return problems
