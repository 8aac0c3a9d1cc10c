"""Does what deploy/Dockerfile says, in a folder and without Docker: its first stage, then what it is tried with.

`python scripts/image.py FOLDER`: the `python` on PATH stands for the one of the base image. What a layer names as /src,
/dist or /opt/dream is in FOLDER. The second stage is but its copies and the last RUN, since the others want root.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
_IN_FOLDER = re.compile(r"(?<![\w./])/(src|dist|opt/dream|etc/dream|var/lib/dream|home/dream)\b")


class Instruction(NamedTuple):
    """One instruction of a Dockerfile, in the stage where it stands."""

    stage: str
    name: str
    text: str


def read_dockerfile(text: str) -> list[Instruction]:
    """Return the instructions of a Dockerfile in order, continued lines put together and comments left out."""
    stage = ""
    found: list[Instruction] = []
    for line in re.sub(r"\\\n\s*", "", re.sub(r"(?m)^\s*#.*\n", "", text)).split("\n"):
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            if name == "FROM":
                stage = rest.rpartition(" AS ")[2]
            found.append(Instruction(stage, name, rest.strip()))
    return found


def run_layers(folder: Path) -> None:
    """Make what the image holds in `folder`, and see that it answers.

    Raises:
        CalledProcessError: a layer failed, after its own words.
    """
    instructions = read_dockerfile((ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8"))
    for name in ("src", "dist", "opt/dream/deploy", "etc/dream/organisations", "var/lib/dream", "home/dream"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for stage, where in (("build", folder / "src"), ("runtime", folder / "var/lib/dream")):
        environment = dict(os.environ)
        mine = [one for one in instructions if one.stage == stage]
        smoke = [one for one in mine if one.name == "RUN"][-1]
        for one in mine:
            if one.name == "ENV":
                environment |= _variables(one.text, folder, environment)
            elif one.name == "COPY" and not one.text.startswith("--from"):
                _copy(one.text, folder)
            elif one.name == "RUN" and (stage == "build" or one is smoke):
                sys.stdout.write(f"RUN {one.text}\n")
                sys.stdout.flush()
                command = re.sub(r"--mount=\S+\s+", "", one.text)
                subprocess.run(["sh", "-ec", _placed(command, folder)], cwd=where, env=environment, check=True)


def _variables(text: str, folder: Path, before: Mapping[str, str]) -> dict[str, str]:
    pairs = dict(re.findall(r"(\w+)=(\S+)", text))
    if "PATH" in pairs:  # what is installed here goes before what this machine has
        pairs["PATH"] = f"{pairs['PATH'].partition(':')[0]}:{before['PATH']}"
    return {name: _placed(value, folder) for name, value in pairs.items()}


def _copy(text: str, folder: Path) -> None:
    *sources, target = text.split()
    place = Path(_placed(target, folder)) if target.startswith("/") else folder / "src" / target
    for source in sources:
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
        else:
            shutil.copy(ROOT / source, place)


def _placed(text: str, folder: Path) -> str:
    return _IN_FOLDER.sub(lambda found: str(folder / found[1]), text)


if __name__ == "__main__":
    run_layers(Path(sys.argv[1]).absolute())
