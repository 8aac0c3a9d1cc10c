"""The job that a Kubernetes worker makes of a run, by Prefect's own templating."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.utilities.templating import apply_values, find_placeholders
from ruamel.yaml import YAML

from config.fleet import Nightly
from config.loading import load_organisations
from scripts.image import read_dockerfile

DEPLOY = Path(__file__).parents[2] / "deploy"
TEMPLATE: dict[str, Any] = json.loads((DEPLOY / "kubernetes/base-job-template.json").read_text(encoding="utf-8"))
VARIABLES: dict[str, Any] = TEMPLATE["variables"]["properties"]
GIVEN = {
    "name": "acme",
    "labels": {"a": "b"},
    "annotations": {},
    "env": [{"name": "A", "value": "b"}],
    "command": ["x"],
}


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    """The job of a run for which nothing is set."""
    defaults = {name: one["default"] for name, one in VARIABLES.items() if one.get("default") is not None}
    made: dict[str, Any] = apply_values(TEMPLATE["job_configuration"]["job_manifest"], {**defaults, **GIVEN})
    return made


def test_prefect_takes_it_for_a_pool() -> None:
    pool = WorkPoolCreate(name="dreaming", type="kubernetes", base_job_template=TEMPLATE)
    assert pool.base_job_template == TEMPLATE


def test_what_is_asked_for_is_declared_and_what_is_declared_is_used() -> None:
    asked = {one.name for one in find_placeholders(TEMPLATE["job_configuration"])}
    assert asked == set(VARIABLES)
    for one in VARIABLES.values():
        assert one["description"]


def test_nothing_is_left_to_fill_in(manifest: dict[str, Any]) -> None:
    assert find_placeholders(manifest) == set()
    assert manifest["spec"]["template"]["spec"]["containers"][0]["args"] == ["x"]


def test_a_run_is_never_started_twice_and_ends_in_time(manifest: dict[str, Any]) -> None:
    spec = manifest["spec"]
    assert spec["backoffLimit"] == 0
    assert spec["template"]["spec"]["restartPolicy"] == "Never"
    told = Nightly()
    assert spec["activeDeadlineSeconds"] > told.again_seconds + told.night_seconds + told.spread_seconds


def test_it_runs_as_the_user_of_the_image_and_may_do_little(manifest: dict[str, Any]) -> None:
    pod = manifest["spec"]["template"]["spec"]
    (user,) = [one.text for one in read_dockerfile((DEPLOY / "Dockerfile").read_text()) if one.name == "USER"]
    context = pod["securityContext"]
    assert f"{context['runAsUser']}:{context['runAsGroup']}" == user
    assert (context["runAsNonRoot"], context["seccompProfile"]) == (True, {"type": "RuntimeDefault"})
    assert pod["automountServiceAccountToken"] is False
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert set(container["resources"]) == {"limits", "requests"}


def test_what_it_writes_is_on_volumes_and_what_it_reads_is_read_only(manifest: dict[str, Any]) -> None:
    pod = manifest["spec"]["template"]["spec"]
    mounts = {one["mountPath"]: one for one in pod["containers"][0]["volumeMounts"]}
    volumes = {one["name"]: one for one in pod["volumes"]}
    assert {one["name"] for one in mounts.values()} == set(volumes)
    assert {path for path, one in mounts.items() if not one.get("readOnly")} == {
        "/tmp",  # noqa: S108  # a volume of its own
        "/home/dream",
        "/var/lib/dream",
        "/var/lib/dream-store",
    }
    assert "emptyDir" in volumes["home"]
    assert volumes["credentials"]["secret"] == {"secretName": "dream-credentials", "defaultMode": 0o440}
    assert pod["containers"][0]["envFrom"] == [{"secretRef": {"name": "dream-credentials"}}]


def test_the_files_of_a_config_map_are_organisations(tmp_path: Path) -> None:
    kept = tmp_path / "..2026_11_30"
    kept.mkdir()
    (kept / "acme.yaml").write_text('organisation: acme\nmemory: {url: "https://git.acme.example/m.git"}\n')
    (tmp_path / "..data").symlink_to(kept.name)
    (tmp_path / "acme.yaml").symlink_to("..data/acme.yaml")
    found = load_organisations(tmp_path)
    assert ([one.organisation for one in found.organisations], found.broken) == (["acme"], ())


def test_the_image_and_the_pool_are_those_of_the_other_files() -> None:
    compose = YAML(typ="safe").load(DEPLOY / "compose.yaml")
    (version,) = {compose["services"][name]["image"].rpartition(":-")[2].rstrip("}") for name in ("server", "worker-1")}
    assert VARIABLES["image"]["default"] == f"nightly-dreaming:{version}"
