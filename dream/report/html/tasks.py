"""What each task of a night did, with as much of it as there is room for in a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dream.memory.records import TaskRecord
from dream.report.accounts import account_of, spoken
from dream.report.commands import revert_commands
from dream.report.html.diffs import FileDiff, read_diff
from dream.report.html.operations import Operation, read_operations
from dream.report.html.room import Room, fitting
from dream.report.night import AFRESH, NO_DIFF
from dream.report.story import NightCommit, Story

ROOM_FOR_OPERATIONS = 640_000
ROOM_FOR_DIFFS = 640_000
ROOM_FOR_LISTS = 160_000
"""Bytes of a page."""

FEW_OPERATIONS = 5
"""So many edits of a task are shown unfolded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One commit of a task, with its diff; `take_back` are the commands that undo it."""

    commit: NightCommit
    files: tuple[FileDiff, ...] = ()
    is_hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPart:
    """One task as it is shown; `record` is None for commits of the night that no task of it made."""

    name: str
    record: TaskRecord | None
    made: tuple[Made, ...] = ()
    operations: tuple[Operation, ...] = ()
    operations_left: int = 0
    left_out: tuple[str, ...] = ()
    left_out_left: int = 0
    findings: tuple[str, ...] = ()
    findings_left: int = 0
    take_back: tuple[str, ...] = ()

    @property
    def spoken(self) -> str:
        """Its name as people say it."""
        return spoken(self.name)

    @property
    def edits(self) -> int:
        """How many there are, whatever is shown."""
        return len(self.operations) + self.operations_left

    @property
    def is_short(self) -> bool:
        """Whether its edits are shown unfolded, which its diff then need not be."""
        return 0 < self.edits <= FEW_OPERATIONS

    @property
    def is_taken_back(self) -> bool:
        """Whether all that it did was taken back."""
        return bool(self.operations) and not self.operations_left and all(one.is_taken_back for one in self.operations)

    @property
    def account(self) -> str:
        """The account of its inputs; nothing where it had none."""
        return str(account_of(self.record)) if self.record and self.record.inputs else ""

    @property
    def refusals(self) -> list[tuple[str, int]]:
        """The rules that refused operations, and how many, most first."""
        counts = self.record.refusals.items() if self.record else ()
        return sorted(counts, key=lambda item: (-item[1], item[0]))


def parts_of(story: Story) -> list[TaskPart]:
    """Return every task of the night in order, then what was committed beside them."""
    names = list(dict.fromkeys((*story.tasks, *(commit.task for commit in story.commits))))
    rooms = (Room(ROOM_FOR_OPERATIONS), Room(ROOM_FOR_DIFFS), Room(ROOM_FOR_LISTS))
    parts = []
    for at, name in enumerate(names):
        shares = [room.part(len(names) - at) for room in rooms]
        parts.append(_part(story, name, *shares))
        for room, share in zip(rooms, shares, strict=True):
            room.give(share)
    return parts


def _part(story: Story, name: str, for_operations: Room, for_diffs: Room, for_lists: Room) -> TaskPart:
    record = story.tasks.get(name)
    commits = [commit for commit in story.commits if commit.task == name]
    operations, left = read_operations(story, name, commits, for_operations)
    left_out, left_out_left = fitting(map(str, record.left_out) if record else (), for_lists)
    findings, findings_left = fitting(record.findings if record else (), for_lists)
    return TaskPart(
        name=name,
        record=record,
        made=tuple(_made(commits, for_diffs)),
        operations=tuple(operations),
        operations_left=left,
        left_out=tuple(left_out),
        left_out_left=left_out_left,
        findings=tuple(findings),
        findings_left=findings_left,
        take_back=tuple(_take_back(story, name, commits)),
    )


def _made(commits: Sequence[NightCommit], room: Room) -> Iterator[Made]:
    for at, commit in enumerate(commits):
        share = room.part(len(commits) - at)
        hidden = commit.task in NO_DIFF
        yield Made(commit=commit, files=() if hidden else tuple(read_diff(commit.diff, share)), is_hidden=hidden)
        room.give(share)


def _take_back(story: Story, name: str, commits: Sequence[NightCommit]) -> Iterator[str]:
    """Yield the commands that take a task back: with its bookkeeping, and with plain git."""
    made = [commit for commit in commits if not commit.is_revert]
    if story.dry or not made or name in AFRESH:
        return
    told = [revert_commands(story.organisation, story.night, name, commit.id) for commit in made]
    yield told[0][0]
    yield from (plain for _, plain in told)
