from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "environment.sh"
# A Python that is recent enough but, like Debian's without its venv package, makes no environment.
WITHOUT_VENV = """#!/bin/sh
case "$*" in
    *version_info*) exit 0 ;;
    --version) echo "Python 3.11.2" ;;
    *) echo "ensurepip is not available"; exit 1 ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    shutil.copy(SCRIPT, tmp_path / "scripts")
    for name in ("requirements-dev.lock", "pyproject.toml"):
        (tmp_path / name).write_text("", encoding="utf-8")
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in ("sh", "dirname", "cat", "rm", "git"):
        found = shutil.which(program)
        assert found is not None
        (programs / program).symlink_to(found)
    return tmp_path


def _run(checkout: Path, *, python: str = "") -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(checkout / "bin"), "PYTHON": python, "HOME": str(checkout)}
    command = [str(checkout / "bin" / "sh"), "scripts/environment.sh"]
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)


def test_without_a_recent_python_the_message_says_how_to_name_one(checkout: Path) -> None:
    answer = _run(checkout)
    assert answer.returncode == 2
    assert "No Python 3.11 or newer was found" in answer.stderr
    assert "make PYTHON=" in answer.stderr


def test_without_the_venv_package_the_message_names_it_and_nothing_half_made_stays(checkout: Path) -> None:
    python = checkout / "bin" / "python3"
    python.write_text(WITHOUT_VENV, encoding="utf-8")
    python.chmod(0o755)
    answer = _run(checkout)
    assert answer.returncode == 2
    assert "apt-get install python3-venv" in answer.stderr
    assert not (checkout / ".venv").exists()


def test_without_git_the_message_names_it(checkout: Path) -> None:
    (checkout / "bin" / "git").unlink()
    answer = _run(checkout, python=sys.executable)
    assert (answer.returncode, answer.stderr) == (2, "The git program was not found: install git.\n")


def test_an_environment_that_fits_is_left_as_it_is(checkout: Path) -> None:
    _pretend_installed(checkout)
    answer = _run(checkout)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")


@pytest.mark.parametrize("changed", ["requirements-dev.lock", "pyproject.toml", "scripts/environment.sh"])
def test_another_lock_or_packaging_installs_again(checkout: Path, changed: str) -> None:
    _pretend_installed(checkout)
    with (checkout / changed).open("a", encoding="utf-8") as file:
        file.write("\n# another\n")
    assert "Installing" in _run(checkout).stderr


def _pretend_installed(checkout: Path) -> None:
    """Put a Python in place for which every installation succeeds, and let the script stamp it."""
    folder = checkout / ".venv" / "bin"
    folder.mkdir(parents=True)
    python = folder / "python"
    python.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    python.chmod(0o755)
    first = _run(checkout)
    assert (first.returncode, "Installing" in first.stderr) == (0, True)
