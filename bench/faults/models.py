"""T10: everything that a vendor may answer instead of a reply, at every question of the tasks that ask one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.faults.tally import Tally
from tests.support.model_faults import FAULTS
from tests.support.planning import Planner
from tests.support.sensible import WIRES
from tests.support.spoiled import Place, Storm

TASKS = ("daily_note", "distil")
_SHORT = 12


def model_faults(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Meet the tasks with each fault, over each wire, at each place, and look at the night after it too.

    The dreamer's question is the second one, after one that was answered; the examination of the judge holds the first
    question of all.
    """
    tries = [(name, task, wire, place) for name in FAULTS for task in TASKS for wire in WIRES for place in Place]
    if short:
        tries = tally.chance().sample(tries, _SHORT)
    counts: Counter[str] = Counter()
    with TemporaryDirectory(prefix="dream-faults-") as folder:
        storm = Storm(planner=Planner(folder=Path(folder)))
        for number, (name, task, wire, place) in enumerate(tries):
            home = Path(folder) / f"home-{number}"
            problems = [*storm.problems(task, FAULTS[name], place, wire=wire, home=home)]
            tally.note(f"{name} met {task} at {place.value} over {wire}", problems)
            counts[place.value] += 1
    told = ", ".join(f"{count} at {place}" for place, count in sorted(counts.items()))
    tally.remark(f"{len(FAULTS)} faults, {len(TASKS)} tasks, {len(WIRES)} wires: {told}")
