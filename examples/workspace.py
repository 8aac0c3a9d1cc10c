"""Builds the invented organisation in a folder: its memory, its code, its sessions and pull requests."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

HERE = Path(__file__).resolve().parent / "acme"
PLACEHOLDER = "@INVENTED-TOKEN@"

_MARK = ".made-by-the-demonstration"
_GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


class OccupiedError(Exception):
    """The folder holds something that no demonstration made; it is left alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A folder with everything that one organisation needs for a night."""

    folder: Path

    @property
    def memory(self) -> Path:
        """The hosted repository of the memory."""
        return self.folder / "hosted" / "memory.git"

    @property
    def code(self) -> Path:
        """The hosted repository of the code."""
        return self.folder / "hosted" / "web.git"

    @property
    def environment(self) -> Mapping[str, str]:
        """What the product is told through its environment."""
        return {"DREAM_ORGANISATIONS": str(self.folder / "organisations"), "DREAM_HOME": str(self.folder / "home")}


def build_workspace(folder: Path, *, model: Mapping[str, Any] | None = None) -> Workspace:
    """Build the organisation afresh in `folder` and return it; what an earlier demonstration left there goes.

    Its dreamer is `model`, as an organisation's file names one; nobody where there is none.

    Raises:
        OccupiedError: `folder` is neither missing, nor empty, nor made by an earlier demonstration.
    """
    if folder.exists():
        if any(folder.iterdir()) and not (folder / _MARK).exists():
            message = f"{folder} holds something else; move it away, or name another folder"
            raise OccupiedError(message)
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()
    workspace = Workspace(folder=folder)
    shutil.copytree(HERE / "config", folder / "organisations")
    if model:
        with (folder / "organisations" / "acme.yaml").open("a", encoding="utf-8") as file:
            YAML().dump({"models": {"dreamer": dict(model)}}, file)
    shutil.copytree(HERE / "sessions", folder / "sessions")
    shutil.copy(HERE / "pull-requests.json", folder / "pull-requests.json")
    for path in sorted((folder / "sessions").rglob("*.md")):
        path.write_text(path.read_text(encoding="utf-8").replace(PLACEHOLDER, invented_token()), encoding="utf-8")
    host_history(HERE / "memory", HERE / "memory.yaml", workspace.memory)
    host_history(HERE / "code", HERE / "code.yaml", workspace.code)
    return workspace


def invented_token() -> str:
    """Return what looks like an access token and opens nothing; it stands whole in no file of this project."""
    return "ghp" + "_" + hashlib.sha256(b"invented").hexdigest()[:36]


def host_history(files: Path, history: Path, bare: Path) -> None:
    """Make the bare repository `bare` from `files` and the commits that `history` lists."""
    work = bare.with_suffix(".work")
    shutil.copytree(files, work)
    run_git(work, "init", "--quiet", "--initial-branch", "main")
    _commit(work, history)
    run_git(bare.parent, "clone", "--quiet", "--bare", str(work), str(bare))
    shutil.rmtree(work)


def push_history(history: Path, bare: Path) -> None:
    """Push the commits that `history` lists to `bare`, as people do."""
    work = bare.with_suffix(".work")
    run_git(bare.parent, "clone", "--quiet", str(bare), str(work))
    _commit(work, history)
    run_git(work, "push", "--quiet", "origin", "HEAD:main")
    shutil.rmtree(work)


def _commit(work: Path, history: Path) -> None:
    for step in YAML(typ="safe").load(history.read_text(encoding="utf-8")):
        _change(work, step)
        run_git(work, "add", "--all")
        run_git(work, "commit", "--quiet", "--message", step["message"], **_signed(step))


def _change(work: Path, step: Mapping[str, Any]) -> None:
    for old, new in step.get("moves", {}).items():
        (work / new).parent.mkdir(parents=True, exist_ok=True)
        (work / old).rename(work / new)
    for path in step.get("deletes", []):
        (work / path).unlink()
    for edit in step.get("edits", []):
        text = (work / edit["path"]).read_text(encoding="utf-8")
        if edit["old"] not in text:
            message = f"{edit['path']} does not hold {edit['old']!r}"
            raise ValueError(message)
        (work / edit["path"]).write_text(text.replace(edit["old"], edit["new"]), encoding="utf-8")


def _signed(step: Mapping[str, Any]) -> dict[str, str]:
    at = step["at"] if isinstance(step["at"], datetime) else datetime.fromisoformat(step["at"])
    person = {"NAME": step["by"], "EMAIL": f"{step['by']}@acme.example", "DATE": at.isoformat()}
    return {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()}


def run_git(folder: Path, *arguments: str, **environment: str) -> str:
    """Run git in `folder`, with nobody's configuration, and return what it printed."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PATH": os.environ.get("PATH", os.defpath), "HOME": os.devnull, **_GIT, **environment},
    )
    return done.stdout
