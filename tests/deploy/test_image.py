"""What deploy/Dockerfile promises; that its layers can be made is seen in CI, by scripts/image.py."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from scripts.image import Instruction, read_dockerfile

ROOT = Path(__file__).parents[2]
DOCKERFILE = read_dockerfile((ROOT / "deploy/Dockerfile").read_text(encoding="utf-8"))
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def _of(stage: str, name: str) -> list[str]:
    return [one.text for one in DOCKERFILE if (one.stage, one.name) == (stage, name)]


def test_instructions_are_read_with_continued_lines_and_without_comments() -> None:
    text = "ARG A=1\n# no\nFROM x AS build\nRUN a \\\n  && b \\\n  # in between\n  && c\nFROM x AS end\nUSER 1\n"
    assert read_dockerfile(text) == [
        Instruction("", "ARG", "A=1"),
        Instruction("build", "FROM", "x AS build"),
        Instruction("build", "RUN", "a && b && c"),
        Instruction("end", "FROM", "x AS end"),
        Instruction("end", "USER", "1"),
    ]


def test_there_are_two_stages_from_one_base_that_is_named_by_its_version() -> None:
    assert [one.text for one in DOCKERFILE if one.name == "FROM"] == ["${PYTHON} AS build", "${PYTHON} AS runtime"]
    (base,) = [one.text for one in DOCKERFILE if one.stage == "" and one.name == "ARG"]
    assert re.fullmatch(r"PYTHON=python:3\.\d+\.\d+-slim-\w+", base)


def test_it_ends_as_somebody_who_is_not_root_and_whose_number_kubernetes_can_check() -> None:
    assert _of("runtime", "USER") == ["10001:10001"]
    after = [one.name for one in DOCKERFILE if one.stage == "runtime"]
    assert set(after[after.index("USER") :]) <= {"USER", "WORKDIR", "RUN", "HEALTHCHECK", "ENTRYPOINT", "CMD"}


def test_everything_that_is_installed_has_a_hash_or_was_made_here() -> None:
    for text in _of("build", "RUN"):
        for command in text.split("&&"):
            if " install " in command:
                assert "--require-hashes" in command or "--no-index" in command
    assert not any("pip install" in text for text in _of("runtime", "RUN"))


def test_what_makes_the_wheel_is_what_the_development_lock_pins() -> None:
    build = (ROOT / "deploy/build.lock").read_text(encoding="utf-8")
    lock = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    lines = [line.rstrip(" \\") for line in build.split("\n") if line and not line.startswith("#")]
    pinned = {line.rstrip(" \\").partition(" ;")[0] for line in lock.split("\n")}
    assert [line for line in lines if line not in pinned] == []
    assert f"hatchling=={_hatchling()}" in lines


def _hatchling() -> str:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (needed,) = document["build-system"]["requires"]
    return str(needed).removeprefix("hatchling==")


def test_what_changes_least_is_copied_first_and_only_what_is_there() -> None:
    copies = _of("build", "COPY")
    assert copies[0] == "deploy/build.lock requirements.lock ./"
    assert [text.split()[0] for text in copies[1:]] == [
        "pyproject.toml",
        "config",
        "dream",
        "flows",
        "prompts",
        "tasks",
    ]
    sources = {name for text in copies for name in text.split()[:-1]}
    sources |= {name for text in _of("runtime", "COPY")[1:] for name in text.split()[:-1]}
    assert [name for name in sources if not (ROOT / name).exists()] == []


def test_the_builder_is_sent_what_is_copied_and_no_secret() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text().split("\n") if line and not line.startswith("#")]
    assert lines[0] == "*"
    let_in = {line.removeprefix("!") for line in lines if line.startswith("!")}
    sources = {name for stage in ("build", "runtime") for text in _of(stage, "COPY") for name in text.split()[:-1]}
    copied = {name.partition("/")[0] for name in sources if not name.startswith(("--from", "/"))}
    assert let_in == copied
    assert {"deploy/secrets", "deploy/organisations", "**/.env"} <= set(lines)


@pytest.mark.parametrize("name", ["ADD", "MAINTAINER", "VOLUME", "SHELL"])
def test_nothing_is_fetched_or_left_open_by_an_instruction(name: str) -> None:
    assert [one for one in DOCKERFILE if one.name == name] == []


def test_no_index_no_secret_and_no_tag_that_moves_is_written_down() -> None:
    text = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"https?://|--index-url|--extra-index|:latest|sudo|curl |wget ", text) == []
    for one in DOCKERFILE:
        if one.name in {"ENV", "ARG"}:
            assert not re.search(r"(?i)password|secret|token|_key", one.text)


def test_the_second_stage_holds_no_compiler_and_no_pip_and_cleans_up_after_apt() -> None:
    install = _of("runtime", "RUN")[0]
    (packages,) = re.findall(r"--no-install-recommends ([a-z -]+?) &&", install)
    assert packages.split() == ["ca-certificates", "git", "openssh-client", "tini"]
    assert "rm -rf /var/lib/apt/lists/*" in install
    assert "pip uninstall" in install
    assert _of("runtime", "RUN")[1] == "! command -v pip && ! command -v gcc"


def test_it_is_tried_while_it_is_made_and_started_so_that_signals_arrive() -> None:
    assert "dream --version" in _of("runtime", "RUN")[-1]
    assert _of("runtime", "ENTRYPOINT") == ['["tini", "--"]']
    assert _of("runtime", "CMD") == ['["dream", "--help"]']
    assert _of("runtime", "HEALTHCHECK")[0].endswith('CMD ["dream", "--version"]')


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml", "kubernetes/base-job-template.json"])
def test_the_image_is_named_by_the_version_of_the_package(name: str) -> None:
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    assert set(re.findall(r"nightly-dreaming:(?:\$\{DREAM_VERSION:-)?([\d.]+\d)", text)) == {VERSION}
