"""The last task of a night: what the flow has to know tomorrow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any

from dream.memory.paths import is_topic
from dream.memory.records import DoneInput, Effect, NightRecord, record_dates, record_path, render_record
from dream.memory.state import STATE_PATH, STATE_VERSION, PendingInput, State, Tombstone, Waiting, render_state
from dream.memory.tree import Tree
from dream.memory.undoing.undone import effect_paths, tombstone

DECLINED = "declined"
"""Why an input was left that an earlier night had turned down."""

COUNTING = ("pr_outcomes",)
"""Tasks that add what they are given to a count, so that doing them over would count twice."""


def update_state(
    state: State,
    *,
    tree: Tree,
    record: NightRecord,
    parent: str,
    checked: Collection[str],
    unverified: Collection[str],
    renames: Mapping[str, str],
    tombstones: Sequence[Tombstone],
    pending: Sequence[PendingInput],
    declined: Sequence[dict[str, Any]] | None = None,
    observations: Sequence[dict[str, Any]] | None = None,
    tentative: Sequence[dict[str, Any]] | None = None,
    learnings: Collection[str] = (),
    forgotten: Collection[str] = (),
    waiting: Collection[str] = (),
    read: Mapping[str, date] = MappingProxyType({}),
    merged: Mapping[str, str] = MappingProxyType({}),
    shown: Collection[str] = (),
    down_nights: int = 3,
    seal: Callable[[State], State] = lambda state: state,
) -> State:
    """Return the state after the night of `record`, whose last commit before this one is `parent`.

    `checked` moves its notes' date to tonight; `forgotten` loses theirs (their verification was undone). A note among
    `waiting`, whose probe was down tonight, keeps its date for `down_nights` and then gets that of its last look. A
    task that was skipped has covered nothing. Paths that are gone are pruned, and renames are followed, so that every
    list is bounded by what lives; `declined` is what is remembered as turned down, `observations` what people were seen
    to say and `tentative` what one pull request alone has taught, None what was before; `learnings` are the paths of
    those that were written tonight. Of a note's `read` the latest day is kept, of its being `shown` the first
    night, also of what is `merged` into another note tonight.
    """
    alive = {path for path in tree.paths() if is_topic(path)}
    kept = _waiting(state, waiting, checked=checked, renames=renames, night=record.night)
    over = {path for path, one in kept.items() if _is_over(one, record.night, down_nights)}
    dates = {renames.get(path, path): day for path, day in state.checked.items() if path not in forgotten}
    dates |= dict.fromkeys(checked, record.night) | {path: kept[path].night for path in over}
    still = {renames.get(path, path) for path in state.unverified} - set(checked) | set(unverified)
    followed = partial(_followed, alive=alive, renames=renames, merged=merged)
    first = min((window[0] for window in record.windows.values()), default=None)
    return seal(
        state.model_copy(
            update={
                "began": state.began or first,
                "checked": {path: day for path, day in sorted(dates.items()) if path in alive},
                "covered": dict(sorted(_later(state.covered, _covered(record)).items())),
                "declined": state.declined if declined is None else tuple(declined),
                "lastCommit": parent,
                "lastRun": record.scheduled,
                "learnings": _own_learnings(state, tree, learnings),
                "observations": state.observations if observations is None else tuple(observations),
                "pending": tuple(pending),
                "read": _days(state.read, read, max, where=followed, alive=alive),
                "shown": _days(state.shown, dict.fromkeys(shown, record.night), min, where=followed, alive=alive),
                "tentative": state.tentative if tentative is None else tuple(tentative),
                "undone": tuple(tombstones),
                "unverified": tuple(sorted(still & alive)),
                "version": STATE_VERSION,
                "waiting": {path: one for path, one in sorted(kept.items()) if path in alive and path not in over},
            }
        )
    )


def _covered(record: NightRecord) -> dict[str, datetime]:
    """Return how far each task of a night has read; one that was skipped has covered nothing."""
    return {
        name: window[1]
        for name, window in record.windows.items()
        if record.landed(name) and record.tasks[name].outcome != "skipped"
    }


def _followed(path: str, *, alive: Collection[str], renames: Mapping[str, str], merged: Mapping[str, str]) -> str:
    """Return where the note stands that was at `path`, or the one that it was merged into."""
    now = renames.get(path, path)
    return now if now in alive else merged.get(now, now)


def overdue(state: State, *, night: date, down_nights: int) -> frozenset[str]:
    """Return the notes that have kept the date of their check for `down_nights` and may keep it no longer."""
    return frozenset(path for path, one in state.waiting.items() if _is_over(one, night, down_nights))


def _is_over(one: Waiting, night: date, down_nights: int) -> bool:
    return (night - one.since).days >= down_nights


def _waiting(
    state: State, fresh: Collection[str], *, checked: Collection[str], renames: Mapping[str, str], night: date
) -> dict[str, Waiting]:
    """Return the notes whose probe has been down since their last look: those before tonight and the `fresh` ones."""
    before = {renames.get(path, path): one for path, one in state.waiting.items()}
    kept = {path: one for path, one in before.items() if path not in checked}
    return kept | {path: Waiting(since=before[path].since if path in before else night, night=night) for path in fresh}


def _days(
    before: Mapping[str, date],
    fresh: Mapping[str, date],
    pick: Callable[[date, date], date],
    *,
    where: Callable[[str], str],
    alive: Collection[str],
) -> dict[str, date]:
    """Return one day for each note that lives: of all that what it holds is known by, the one that `pick` takes."""
    days: dict[str, date] = {}
    for path, day in (*((where(path), day) for path, day in before.items()), *fresh.items()):
        days[path] = pick(day, days.get(path, day))
    return {path: day for path, day in sorted(days.items()) if path in alive}


def _own_learnings(state: State, tree: Tree, written: Collection[str]) -> dict[str, str]:
    """Return the learnings that nights wrote and that nobody has touched since, each with its blob."""
    standing = {path: blob for path, blob in state.learnings.items() if tree.blob(path) == blob}
    fresh = {path: blob for path in written if (blob := tree.blob(path)) is not None}
    return dict(sorted({**standing, **fresh}.items()))


def state_files(state: State, *, tree: Tree, record: NightRecord, keep: int) -> dict[str, bytes | None]:
    """Return the files of `.dream/`: the state, tonight's record, and None for records beyond the newest `keep`."""
    files: dict[str, bytes | None] = {STATE_PATH: render_state(state), record_path(record.night): render_record(record)}
    dates = sorted({*record_dates(tree), record.night})
    for night in dates[: max(len(dates) - keep, 0)]:
        files[record_path(night)] = None
    return files


def pending_inputs(
    state: State,
    *,
    night: date,
    failed: Mapping[str, Collection[str]],
    settled: Collection[str],
    nights: int,
    look_back: timedelta,
) -> tuple[PendingInput, ...]:
    """Return the inputs that wait for another night: `failed` by task, each with one night more than before.

    A night counts once, however often it is run. After `nights` failed nights an input is set aside by id, for as long
    as a night could look at it. Inputs of tasks in `settled`, which did not fail tonight, wait no longer, unless they
    are set aside.
    """
    before = {(item.task, item.input): item for item in state.pending}
    kept = {
        key: item
        for key, item in before.items()
        if _is_set_aside(item, night - look_back) or item.task not in {*settled, *failed}
    }
    for task, inputs in failed.items():
        for name in inputs:
            known = before.get((task, name))
            tried = 1 if known is None else known.nights + (known.night != night)
            kept[task, name] = PendingInput(task=task, input=name, nights=tried, night=night, set_aside=tried >= nights)
    return tuple(kept[key] for key in sorted(kept))


def _is_set_aside(item: PendingInput, oldest: date) -> bool:
    return item.set_aside and (item.night is None or item.night >= oldest)


def _later(before: Mapping[str, datetime], after: Mapping[str, datetime]) -> dict[str, datetime]:
    names = {*before, *after}
    return {name: max(value for value in (before.get(name), after.get(name)) if value is not None) for name in names}


def done_inputs(records: Sequence[NightRecord], task: str) -> dict[str, str]:
    """Return the inputs of `task` that ended in `records` (oldest first), each with its digest then."""
    return {item.id: item.digest for record in records if task in record.tasks for item in record.tasks[task].done}


def without_done(record: NightRecord, tasks: Collection[str], *, undone: Collection[str]) -> NightRecord:
    """Return `record` as if its night had not done `tasks`, so that their inputs are looked at once more.

    What was counted stays so while the count stands: pull requests of a repository whose tally was neither reverted
    nor found `undone` (ids of effects) are not counted twice. What they teach is no count.
    """
    lifted = {
        name: task.model_copy(update={"done": _still_counted(record, name, undone)}) if name in tasks else task
        for name, task in record.tasks.items()
    }
    return record.model_copy(update={"tasks": lifted})


def _still_counted(record: NightRecord, task: str, undone: Collection[str]) -> tuple[DoneInput, ...]:
    if task not in COUNTING:
        return ()
    standing = {
        source.rpartition("#")[0]
        for effect in record.effects
        if effect.task == task and not effect.reverted and effect.id not in undone
        for source in effect.sources
    }
    counted = (one for one in record.tasks[task].done if not one.reason and one.id.rpartition("#")[2].isdecimal())
    return tuple(one for one in counted if one.id.rpartition("#")[0] in standing)


def declined_inputs(records: Sequence[NightRecord], task: str, *, since: date) -> dict[str, str]:
    """Return the inputs that were not written in the nights from `since` on, each with its digest then.

    That one was left because it had been declined before is no new reason, or it would never come back.
    """
    declined: dict[str, str] = {}
    for record in records:
        if record.night >= since and task in record.tasks:
            for item in record.tasks[task].done:
                if item.reason == DECLINED:
                    continue
                if item.reason:
                    declined[item.id] = item.digest
                else:
                    declined.pop(item.id, None)
    return declined


def revert_state(
    state: State,
    *,
    parent: str,
    night: date,
    effects: Sequence[Effect],
    keep_tombstones: bool,
    seal: Callable[[State], State] = lambda state: state,
) -> State:
    """Return the state after `effects` were taken back; nothing of an older state comes back.

    What they did leaves tombstones, unless it is to be tried again, and notes whose verification was taken back are
    looked at anew.
    """
    stones = [tombstone(effect, undone=night) for effect in effects] if keep_tombstones else []
    fresh = {stone.effect for stone in stones}
    looked_at = {
        path for effect in effects if effect.task == "production_verification" for path in effect_paths(effect)
    }
    return seal(
        state.model_copy(
            update={
                "checked": {path: day for path, day in state.checked.items() if path not in looked_at},
                "lastCommit": parent,
                "undone": (*(stone for stone in state.undone if stone.effect not in fresh), *stones),
                "unverified": tuple(sorted({*state.unverified, *looked_at})),
                "version": STATE_VERSION,
            }
        )
    )
