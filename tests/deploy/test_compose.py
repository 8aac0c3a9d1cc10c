"""deploy/compose.yaml, by what Docker's own reader would see of it: anchors resolved, variables as they default."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from config.settings import Settings, variable
from flows.shard import dream_shard

FILE = Path(__file__).parents[2] / "deploy" / "compose.yaml"
DOCUMENT: dict[str, Any] = YAML(typ="safe").load(FILE)
SERVICES: dict[str, Any] = DOCUMENT["services"]
OURS = ("server", "deploy", "worker-1", "worker-2")
WORKERS = ("worker-1", "worker-2")
# https://github.com/compose-spec/compose-spec: the keys that are used here, so that a misspelt one is seen.
KEYS = {
    *("image", "init", "read_only", "tmpfs", "cap_drop", "security_opt", "logging", "command", "env_file", "secrets"),
    *("depends_on", "restart", "stop_grace_period", "healthcheck", "environment", "volumes", "networks", "ports"),
    "shm_size",
}


def test_the_services_are_what_a_fleet_needs_and_every_key_is_known() -> None:
    assert set(SERVICES) == {"postgres", *OURS}
    for service in SERVICES.values():
        assert set(service) <= KEYS
    for name in DOCUMENT:
        assert name in {"name", "services", "networks", "volumes", "secrets"} or name.startswith("x-")


@pytest.mark.parametrize("name", SERVICES)
def test_an_image_is_named_by_its_version(name: str) -> None:
    image = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", SERVICES[name]["image"])
    assert re.search(r":\d+\.\d+", image)
    assert "latest" not in image


@pytest.mark.parametrize("name", SERVICES)
def test_what_is_named_is_declared_and_what_is_mounted_has_a_place(name: str) -> None:
    service = SERVICES[name]
    assert set(service.get("secrets", ())) <= set(DOCUMENT["secrets"])
    assert set(service.get("networks", ())) <= set(DOCUMENT["networks"])
    for mount in service.get("volumes", ()):
        source, target, *_ = mount.split(":")
        assert target.startswith("/")
        assert source.startswith("./") or source in DOCUMENT["volumes"]
    for needed in service.get("depends_on", {}):
        assert needed in SERVICES


def test_everything_waits_until_what_it_needs_is_well() -> None:
    assert SERVICES["server"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert SERVICES["deploy"]["depends_on"] == {"server": {"condition": "service_healthy"}}
    for name in WORKERS:
        assert SERVICES[name]["depends_on"] == {"deploy": {"condition": "service_completed_successfully"}}
    for name in ("postgres", "server", *WORKERS):
        assert SERVICES[name]["healthcheck"]["test"][0] == "CMD"


@pytest.mark.parametrize("name", OURS)
def test_a_container_of_ours_may_do_little(name: str) -> None:
    service = SERVICES[name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service


def test_the_database_is_reached_by_the_server_alone_and_the_server_from_this_machine() -> None:
    assert DOCUMENT["networks"]["database"] == {"internal": True}
    assert {name for name in SERVICES if "database" in SERVICES[name].get("networks", ())} == {"postgres", "server"}
    assert {name: SERVICES[name].get("ports") for name in SERVICES if "ports" in SERVICES[name]} == {
        "server": ["127.0.0.1:4200:4200"]
    }


def test_no_password_stands_in_the_file_or_in_a_variable() -> None:
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            assert "PASSWORD" not in name or (name.endswith("_FILE") and value.startswith("/run/secrets/"))
    assert {one["file"].partition("/")[0] for one in DOCUMENT["secrets"].values()} == {"secrets"}


def test_two_workers_share_the_store_and_nothing_else_and_change_no_organisation() -> None:
    homes = []
    for name in WORKERS:
        mounts = {one.split(":")[1]: one for one in SERVICES[name]["volumes"]}
        assert mounts["/var/lib/dream-store"].startswith("store:")
        assert mounts["/etc/dream/organisations"].endswith(":ro")
        assert mounts["/run/secrets/dream"].endswith(":ro")
        homes.append(mounts["/var/lib/dream"])
        assert SERVICES[name]["stop_grace_period"] == "60s"
    assert len(set(homes)) == 2


def test_the_variables_of_a_worker_are_settings_and_its_shards_are_deployed() -> None:
    environment = SERVICES["worker-1"]["environment"]
    settings = {variable((field,)) for field in Settings.model_fields}
    assert {name.partition("__")[0] for name in environment if name.startswith("DREAM_")} <= settings
    deployments = YAML(typ="safe").load(FILE.with_name("prefect.yaml"))["deployments"]
    (shard,) = [one for one in deployments if one["entrypoint"] == "flows.shard.dream_shard"]
    assert environment["DREAM_NIGHTLY__SHARD_DEPLOYMENT"] == f"{dream_shard.name}/{shard['name']}"


def test_a_worker_has_room_for_shards_while_two_nights_wait_for_theirs() -> None:
    command = SERVICES["worker-1"]["command"]
    deployments = YAML(typ="safe").load(FILE.with_name("prefect.yaml"))["deployments"]
    (nightly,) = [one for one in deployments if one["name"] == "nightly"]
    assert int(command[command.index("--limit") + 1]) > nightly["concurrency_limit"]["limit"]


def test_what_sets_up_asks_prefect_for_the_pool_the_deployments_and_the_automations(tmp_path: Path) -> None:
    """The very script, with programs that write down how they were called."""
    webhook = tmp_path / "webhook"
    webhook.write_text("https://hooks.example/1")
    for program in ("prefect", "python"):
        file = tmp_path / program
        file.write_text(f'#!/bin/sh\necho "{program} $*" >>{tmp_path}/calls\ncase "$*" in *inspect*) exit 1 ;; esac\n')
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    shell, option, script = SERVICES["deploy"]["command"]
    script = script.replace("$$", "$").replace("/run/secrets/on_call_webhook", shlex.quote(str(webhook)))
    subprocess.run(
        [shell, option, script], env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}, check=True, capture_output=True
    )
    assert (tmp_path / "calls").read_text().split("\n")[:-1] == [
        "prefect --no-prompt work-pool inspect dreaming",
        "prefect --no-prompt work-pool create dreaming --type process",
        "prefect --no-prompt deploy --all --prefect-file /opt/dream/deploy/prefect.yaml",
        f"python /opt/dream/deploy/automations.py --webhook-file {webhook}",
    ]
