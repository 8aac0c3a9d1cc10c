"""What Prefect's API and the repositories tell of a fleet's night afterwards, held against what was promised."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bench.fleet.town import Town
from tasks.order import TASKS
from tests.support.prefect_api import PrefectApi
from tests.support.repositories import GitFailedError, git

NIGHTLY = "nightly/nightly"
STEPS = ("open", "read", *TASKS, "land", "remember")
"""The task runs that every organisation's run has, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """How long runs waited, in seconds: for a worker, and each organisation for its turn after that."""

    worker: float
    turns: Sequence[float]
    nights: Sequence[float]
    """How long each organisation's own run took."""


def read_waiting(api: PrefectApi, nightly: str) -> Waiting:
    """Return how long the runs of a night waited and took."""
    whole = api.run(nightly)
    begun = _instant(whole["start_time"])
    runs = api.runs(flow="dream-organisation")
    return Waiting(
        worker=(begun - _instant(whole["created"])).total_seconds(),
        turns=sorted((_instant(run["start_time"]) - begun).total_seconds() for run in runs if run["start_time"]),
        nights=sorted(float(run["total_run_time"]) for run in runs),
    )


def problems_of_runs(api: PrefectApi, town: Town, nightly: str, *, at: datetime) -> list[str]:
    """Return what is not as promised of the runs: one each, all ended well, a task run for each task, in order."""
    problems = []
    whole = api.run(nightly)
    if whole["state_type"] != "COMPLETED":
        problems.append(f"the nightly run is {whole['state_type']}: {whole['state'].get('message')}")
    if _instant(whole["expected_start_time"]) != at:
        problems.append(f"the nightly run was expected at {whole['expected_start_time']}")
    problems += _problems_of_schedule(api)
    runs = api.runs(flow="dream-organisation")
    names = Counter(str(run["parameters"]["organisation"]) for run in runs)
    problems += [f"{name} has {names[name]} runs" for name in town.hosted if names[name] != 1]
    problems += [f"{name} is no organisation" for name in names if name not in town.hosted]
    problems += [f"{run['name']} is {run['state_type']}" for run in runs if run["state_type"] != "COMPLETED"]
    return problems + _problems_of_tasks(api, runs)


def problems_of_memories(town: Town) -> list[str]:
    """Return which organisations' night is not in their repository exactly once."""
    problems = []
    path = f".dream/nights/{town.night.isoformat()}.json"
    for name, hosted in town.hosted.items():
        try:
            record = json.loads(git(hosted.path, "show", f"{hosted.branch}:{path}"))
        except GitFailedError:
            problems.append(f"{name} has no night")
            continue
        states = [one for one in hosted.log() if one.startswith("state update")]
        if record.get("landings", 1) != 1 or len(states) != 1:
            problems.append(f"{name} landed {len(states)} times")
        failed = [task for task, told in record["tasks"].items() if told["outcome"] == "failed"]
        problems += [f"{name}: {task} failed" for task in failed]
    return problems


def _problems_of_schedule(api: PrefectApi) -> list[str]:
    deployment = api.deployment(NIGHTLY)
    schedules = [one["schedule"] for one in deployment["schedules"] if one["active"]]
    if [(one.get("cron"), one.get("timezone")) for one in schedules] != [("0 4 * * *", "UTC")]:
        return [f"the schedule is {schedules}"]
    planned = [_instant(run["expected_start_time"]) for run in api.runs(flow="nightly", state=["SCHEDULED"])]
    odd = [str(one) for one in planned if (one.hour, one.minute, one.utcoffset()) != (4, 0, timedelta(0))]
    return [f"a night is planned at {one}" for one in odd] + ([] if planned else ["no night is planned"])


def _problems_of_tasks(api: PrefectApi, runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return whose task runs are not one for each step, begun in order, all ended well."""
    by_run: dict[str, list[Mapping[str, Any]]] = {str(run["id"]): [] for run in runs}
    for one in api.task_runs():
        if one["flow_run_id"] in by_run:
            by_run[one["flow_run_id"]].append(one)
    problems = []
    for run in runs:
        mine = sorted(by_run[str(run["id"])], key=lambda one: str(one["start_time"]))
        names = [str(one["name"]) for one in mine]
        if names != list(STEPS):
            problems.append(f"{run['name']} has the task runs {', '.join(names) or 'none'}")
        problems += [f"{one['name']} of {run['name']} is {one['state_type']}" for one in mine if not _is_done(one)]
    return problems


def _is_done(run: Mapping[str, Any]) -> bool:
    return str(run["state_type"]) == "COMPLETED"


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
