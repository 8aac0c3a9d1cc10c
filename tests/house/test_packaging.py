from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PACKAGES = ("flows", "tasks", "prompts", "config", "dream")


def _project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _pins(lock: str) -> dict[str, set[str]]:
    """Return the lines that pin each distribution, without their hashes."""
    pins: dict[str, set[str]] = {}
    for block in re.split(r"\n(?=[^ #])", (ROOT / lock).read_text(encoding="utf-8")):
        pin = block.partition(" \\\n")[0]
        assert re.search(r"^    --hash=sha256:[0-9a-f]{64}", block, re.MULTILINE), f"{pin} has no hash"
        pins.setdefault(canonicalize_name(Requirement(pin).name), set()).add(pin)
    return pins


def _tracked(*folders: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(set(listed.stdout.split("\0")) - {""})


def test_what_runs_is_pinned_alike_for_operators_and_developers() -> None:
    running, developing = _pins("requirements.lock"), _pins("requirements-dev.lock")
    assert {name: pins for name, pins in developing.items() if name in running} == running


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_every_pin_is_exact(lock: str) -> None:
    for pins in _pins(lock).values():
        for pin in pins:
            assert [specifier.operator for specifier in Requirement(pin).specifier] == ["=="], pin


def test_the_locks_hold_what_the_package_declares() -> None:
    declared = _project()["project"]["dependencies"]
    tools = _project()["dependency-groups"]["dev"]
    for lock, requirements in (("requirements.lock", declared), ("requirements-dev.lock", declared + tools)):
        pins = _pins(lock)
        for requirement in map(Requirement, requirements):
            for pin in pins[canonicalize_name(requirement.name)]:
                (version,) = Requirement(pin).specifier
                assert requirement.specifier.contains(version.version), f"{lock}: {pin} is not {requirement}"


def test_no_tracked_file_names_an_index_or_a_machine() -> None:
    registries = ["pypi" + ".org", "python" + "hosted", "registry.npm" + "js", "deb.deb" + "ian"]
    pattern = re.compile(
        "|".join([*map(re.escape, registries), "--index" + "-url https?:", "/root" + "/", "/work" + "/main"])
    )
    found = set()
    for name in _tracked():
        path = ROOT / name
        if path.is_file() and not path.is_symlink():
            found |= {(name, hit) for hit in pattern.findall(path.read_text(encoding="utf-8", errors="replace"))}
    assert found == set()


def test_the_wheel_holds_every_packaged_file_and_the_command(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        (entry_points,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        commands = archive.read(entry_points).decode()
    assert sorted(names) == [name for name in _tracked(*PACKAGES) if (ROOT / name).exists()]
    assert "dream = flows.cli:main" in commands


def test_the_build_backend_is_the_one_that_the_lock_pins() -> None:
    (backend,) = _project()["build-system"]["requires"]
    assert _pins("requirements-dev.lock")["hatchling"] == {backend}
