from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

DEPLOY = Path(__file__).parents[2] / "deploy"
TAKEN = {
    "nightly": {"night", "all_rings"},
    "dream-shard": {"organisations", "night", "attempt", "then", "again", "by_clock"},
    "dream-organisation": {"organisation", "night", "only", "redo", "dry_run", "accept_history"},
    "take-back": {"night", "organisation", "task", "operations", "land"},
}
"""What each deployment can be given on Prefect's page."""


@pytest.fixture(scope="module")
def prefect_yaml() -> dict[str, Any]:
    document: dict[str, Any] = YAML(typ="safe").load(DEPLOY / "prefect.yaml")
    return document


def _deployment(document: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [deployment for deployment in document["deployments"] if deployment["name"] == name]
    assert isinstance(found, dict)
    return found


def test_the_file_is_what_this_prefect_reads(prefect_yaml: dict[str, Any]) -> None:
    from prefect.cli.deploy._models import PrefectYamlModel  # noqa: PLC0415  # two seconds

    read = PrefectYamlModel.model_validate(prefect_yaml)
    assert [deployment.name for deployment in read.deployments] == list(TAKEN)
    known = {field.alias or name for name, field in PrefectYamlModel.model_fields.items()}
    assert set(prefect_yaml) - known == {"definitions"}
    for deployment, raw in zip(read.deployments, prefect_yaml["deployments"], strict=True):
        assert set(raw) <= set(type(deployment).model_fields)


def test_every_night_begins_at_four_utc(prefect_yaml: dict[str, Any]) -> None:
    (schedule,) = _deployment(prefect_yaml, "nightly")["schedules"]
    assert (schedule["cron"], schedule["timezone"]) == ("0 4 * * *", "UTC")


def test_what_has_no_schedule_says_so_and_a_terminal_is_not_asked_for_one(prefect_yaml: dict[str, Any]) -> None:
    scheduled = {one["name"] for one in prefect_yaml["deployments"] if one["schedules"] is not None}
    assert scheduled == {"nightly"}


def test_one_dead_run_cannot_hold_up_the_nights_after_it(prefect_yaml: dict[str, Any]) -> None:
    assert _deployment(prefect_yaml, "nightly")["concurrency_limit"] == {"limit": 2, "collision_strategy": "ENQUEUE"}


def test_the_code_is_the_installed_package_and_nothing_is_fetched(prefect_yaml: dict[str, Any]) -> None:
    assert prefect_yaml["pull"] == [{"prefect.deployments.steps.set_working_directory": {"directory": "/"}}]
    assert {name: prefect_yaml.get(name) for name in ("build", "push")} == {"build": None, "push": None}


@pytest.mark.parametrize(("name", "parameters"), TAKEN.items(), ids=list(TAKEN))
def test_each_entrypoint_is_a_module_whose_flow_takes_what_is_deployed(
    prefect_yaml: dict[str, Any], name: str, parameters: set[str]
) -> None:
    from prefect.flows import Flow, load_flow_from_entrypoint  # noqa: PLC0415  # two seconds

    deployment = _deployment(prefect_yaml, name)
    entrypoint = deployment["entrypoint"]
    assert ":" not in entrypoint
    assert "/" not in entrypoint
    flow: Flow[..., Any] = load_flow_from_entrypoint(entrypoint, use_placeholder_flow=False)
    assert parameters <= set(flow.parameters.properties)
    assert set(deployment.get("parameters", {})) <= set(flow.parameters.properties)
    assert flow.isasync


def test_no_secret_is_a_parameter_or_a_job_variable(prefect_yaml: dict[str, Any]) -> None:
    for deployment in prefect_yaml["deployments"]:
        assert deployment["work_pool"] == {"name": "dreaming"}
        assert set(deployment.get("parameters", {})) <= TAKEN[deployment["name"]]
        assert "job_variables" not in deployment["work_pool"]
