"""The machine that Hypothesis drives: one rule for each thing that can happen."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bench.simulation.world import STEPS, TASKS, World
from tests.support.served import Served

WHICH = st.integers(min_value=0, max_value=40)
STEP = st.sampled_from(STEPS)


class ViolationError(Exception):
    """Something that must hold does not."""


class Simulation(RuleBasedStateMachine):
    """People, agents, nights, crashes and clocks around one memory."""

    served: ClassVar[Served]
    counted: ClassVar[dict[str, int]] = {}

    def __init__(self) -> None:
        """Begin with a small memory."""
        super().__init__()
        self.world = World.create(self.served)
        self._count("sequences")

    def teardown(self) -> None:
        """Look at the whole repository once more."""
        _refuse(self.world.close())

    @invariant()
    def everything_holds(self) -> None:
        """Check the invariants and promises after every step."""
        _refuse(self.world.check())

    @rule(which=WHICH)
    def person_adds(self, which: int) -> None:
        """Add a statement to a note."""
        self._count("edits")
        self._add(which)

    @rule(which=WHICH, other=WHICH)
    def agent_repeats(self, which: int, other: int) -> None:
        """Write into a note what another says already, or make a note of it."""
        self._count("edits")
        notes = self.world.notes()
        if notes:
            lines = [line for line in self.world.read(notes[which % len(notes)]).split(b"\n") if line.startswith(b"- ")]
            path = notes[other % len(notes)] if other % 3 else f"facts/agent-{other}.md"
            old = self.world.read(path) if path in notes else b"# What an agent found\n\n"
            if lines:
                self.world.push({path: old.rstrip(b"\n") + b"\n" + lines[0] + b"\n"}, who="agent thread")

    @rule(which=WHICH)
    def person_deletes(self, which: int) -> None:
        """Delete a note, while there are some."""
        notes = self.world.notes()
        if len(notes) > 2:
            self._count("deletions")
            self.world.push({notes[which % len(notes)]: None}, who="Ada Person")

    @rule(which=WHICH)
    def person_deletes_a_line(self, which: int) -> None:
        """Take the last statement out of a note."""
        notes = self.world.notes()
        if notes:
            path = notes[which % len(notes)]
            lines = self.world.read(path).split(b"\n")
            kept = [line for place, line in enumerate(lines) if not line.startswith(b"- ") or place < len(lines) - 2]
            if kept != lines:
                self._count("deletions")
                self.world.push({path: b"\n".join(kept)}, who="Ada Person")

    @rule(which=WHICH)
    def person_renames(self, which: int) -> None:
        """Rename a note."""
        notes = self.world.notes()
        if notes:
            self._count("renames")
            old = notes[which % len(notes)]
            self.world.count += 1
            new = f"services/renamed-{self.world.count}.md"
            self.world.push({old: None, new: self.world.read(old)}, who="Ada Person")

    @rule()
    def person_writes_into_the_index(self) -> None:
        """Add a line of prose to the index."""
        self._count("edits")
        self.world.push({"MEMORY.md": self.world.read("MEMORY.md") + b"\nMind the gap.\n"}, who="Ada Person")

    @rule()
    def agent_meddles_with_the_state(self) -> None:
        """Try to write the state, which the remote's hook refuses."""
        self._count("meddling")
        self.world.push({".dream/state.json": b'{"version": 1}\n'}, who="agent thread", refused=True)

    @rule(days_ago=st.sampled_from((0, 1, 1, 2, 5, 20)))
    def session_ends(self, days_ago: int) -> None:
        """Let a session arrive, in time or late."""
        self._count("sessions")
        self.world.hear(days_ago)

    @rule()
    def a_night_passes(self) -> None:
        """Dream on the next day."""
        self._count("nights")
        self.world.jump(1)
        self.world.dream()

    @rule()
    def the_night_runs_again(self) -> None:
        """Dream the night that is due, whether it has landed or not."""
        self._count("nights again")
        self.world.dream()

    @rule(step=STEP)
    def a_night_dies(self, step: str) -> None:
        """Dream on the next day and die at a step."""
        self._count("deaths at a step")
        self.world.jump(1)
        self.world.dream(die_at=step)

    @rule(step=STEP, call=st.integers(min_value=1, max_value=3000))
    @precondition(lambda self: self.world.count % 4 == 0)
    def a_night_is_killed(self, step: str, call: int) -> None:
        """Dream on the next day in a process that is killed."""
        self._count("processes killed")
        self.world.jump(1)
        self.world.dream_and_be_killed(step, call)

    @rule(step=STEP, which=WHICH, kind=st.sampled_from(("add", "delete", "rename")))
    def somebody_pushes_into_a_night(self, step: str, which: int, kind: str) -> None:
        """Dream on the next day while somebody changes a note."""
        self._count("races")
        self.world.jump(1)
        changes: dict[str, Callable[[int], None]] = {
            "add": self._add,
            "delete": self.person_deletes,
            "rename": self.person_renames,
        }
        self.world.dream(meanwhile=(step, lambda: changes[kind](which)))

    @rule(task=st.sampled_from(TASKS))
    def a_task_fails(self, task: str) -> None:
        """Dream on the next day with a task that breaks off."""
        self._count("failed tasks")
        self.world.jump(1)
        self.world.dream(broken=task)

    @rule(which=WHICH, nights=st.sampled_from((0, 0, 2, 3)))
    def person_reverts_with_git(self, which: int, nights: int) -> None:
        """Revert a task's commit in a fresh clone, and let nights pass in which that has to stay so."""
        landed = self.world.landed_commits()
        if landed:
            self._count("git reverts")
            task, _, commit = landed[-1 - which % min(len(landed), 4)]
            self.world.git_revert(commit, task)
            for _ in range(nights):
                self._count("nights after a revert")
                self.world.jump(1)
                self.world.dream()

    @rule(which=WHICH, whole=st.booleans(), retry=st.booleans())
    def person_reverts_with_dream(self, which: int, whole: bool, retry: bool) -> None:  # noqa: FBT001 - drawn
        """Take a night or a task of it back with `dream revert`."""
        landed = self.world.landed_commits()
        if landed:
            self._count("dream reverts")
            task, night, _ = landed[-1 - which % min(len(landed), 4)]
            self.world.dream_revert(night, None if whole else task, retry=retry)

    @rule(days=st.sampled_from((-400, -3, -1, 2, 5, 20, 60)))
    def the_clock_jumps(self, days: int) -> None:
        """Set the clock, forward or back."""
        self._count("clock jumps")
        self.world.jump(days)

    @rule()
    def the_clock_is_set_right(self) -> None:
        """Let the clock go on from the latest that it ever showed."""
        self.world.set_right()

    @rule()
    def the_worker_is_replaced(self) -> None:
        """Go on in a fresh home."""
        self._count("fresh homes")
        self.world.restart()

    def _add(self, which: int) -> None:
        notes = self.world.notes()
        path = notes[which % len(notes)] if notes else "services/new.md"
        old = self.world.read(path) if notes else b"# New\n\n"
        self.world.push({path: old.rstrip(b"\n") + b"\n" + self.world.say().encode()}, who="Ada Person")

    def _count(self, what: str) -> None:
        self.counted[what] = self.counted.get(what, 0) + 1


def _refuse(problems: list[str]) -> None:
    if problems:
        raise ViolationError("\n".join(problems))
