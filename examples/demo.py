"""`python -m examples.demo`: two nights over an invented organisation, on real git, without a model or a credential.

`DREAM_DEMO_MODEL="http://127.0.0.1:8080/v1 MODEL [env:NAME]"` dreams them with a model: the address of an
OpenAI-compatible server, what the model is called there, and where its key is.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from examples.model import MODEL_VARIABLE, UnreadableModelError, demo_model
from examples.workspace import HERE, OccupiedError, Workspace, build_workspace, push_history, run_git

ROOT = HERE.parents[1]
FIRST, SECOND = "2026-10-22", "2026-10-23"
TAKEN_BACK = "tidy"

_DREAM = "import sys; from flows.cli import main; sys.exit(main())"
_WIDTH = 150
_CHANGES = "\n## What changed\n"
_FORGOTTEN = ("DREAM_", "PREFECT_", "GIT_")


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the organisation, dream, take a task back, dream again; return 0, or the exit of what went wrong."""
    options = _options(arguments)
    try:
        workspace = build_workspace(options.folder, model=demo_model(os.environ.get(MODEL_VARIABLE, "")))
    except (OccupiedError, UnreadableModelError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    try:
        _tell(workspace)
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"\n{' '.join(map(str, error.cmd[-5:]))} ended with exit {error.returncode}\n")
        sys.stderr.write(error.stderr or "")
        return error.returncode
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m examples.demo", description=__doc__)
    parser.add_argument(
        "--folder", type=Path, default=_default_folder(), help="where to build everything (default: %(default)s)"
    )
    return parser.parse_args(arguments)


def _default_folder() -> Path:
    """The ignored folder of the checkout, or a new one elsewhere where that cannot be written."""
    if os.access(ROOT, os.W_OK):
        return ROOT / ".demo"
    return Path(tempfile.mkdtemp(prefix="dream-demo-")) / "demo"


def _tell(workspace: Workspace) -> None:
    _say(
        "An invented organisation, acme",
        f"Everything is in {workspace.folder}:",
        "  hosted/memory.git   what its agents and people remember, as a git repository",
        "  hosted/web.git      its code, against which the memory is checked",
        "  sessions/           what agents and people said to each other on 2026-10-21",
        "  pull-requests.json  what became of its agents' pull requests",
    )
    before = _tip(workspace)
    _dream(workspace, "init", str(workspace.memory))
    _say(f"The night of {FIRST}", f"$ dream run acme --night {FIRST}")
    _show(_dream(workspace, "run", "acme", "--night", FIRST))
    _say("The night's commits, one for each task, landed in one push", "$ git log")
    _show(_log(workspace, before))
    _say("A few of the lines that it wrote", "$ git diff")
    _show(_excerpt(workspace, before))
    _say("Its report, here without the diffs", f"$ dream report acme --night {FIRST}")
    _show(_without_changes(_dream(workspace, "report", "acme", "--night", FIRST)))
    _take_back(workspace)
    _second_night(workspace)
    _say(
        "To look around",
        f"  git -C {workspace.memory} log --stat main",
        f"  less {workspace.folder}/home/acme/reports/{FIRST}.md",
    )


def _take_back(workspace: Workspace) -> None:
    before = _tip(workspace)
    _say(
        f"Say that {TAKEN_BACK} was wrong: its commit is taken back, the rest of the night stays",
        f"$ dream revert acme --night {FIRST} --task {TAKEN_BACK}",
    )
    _show(_dream(workspace, "revert", "acme", "--night", FIRST, "--task", TAKEN_BACK))
    _show(_log(workspace, before))


def _second_night(workspace: Workspace) -> None:
    _say("In the meantime a person renames a note, and pushes", "services/cart.md is services/basket.md from now on")
    push_history(HERE / "memory-later.yaml", workspace.memory)
    before = _tip(workspace)
    _say(
        f"The night of {SECOND}: links follow the renamed note, and what was taken back is not done again",
        f"$ dream run acme --night {SECOND}",
    )
    _show(_dream(workspace, "run", "acme", "--night", SECOND))
    _show(_log(workspace, before))


def _without_changes(report: str) -> str:
    head, _, rest = report.partition(_CHANGES)
    changes, heading, tail = rest.partition("\n## ")
    return f"{head}{_CHANGES}\n… {changes.count(chr(10))} lines …\n{heading}{tail}" if heading else report


def _tip(workspace: Workspace) -> str:
    return run_git(workspace.memory, "rev-parse", "main").strip()


def _log(workspace: Workspace, since: str) -> str:
    return run_git(
        workspace.memory, "log", "--reverse", "--stat=100", "--format=%n%C(auto)%h %an: %s", f"{since}..main"
    )


def _excerpt(workspace: Workspace, since: str) -> str:
    """The changes of two notes, long lines cut."""
    paths = ("services/checkout-api.md", "queues/invoice-events.md")
    diff = run_git(workspace.memory, "diff", "--unified=0", f"{since}..main", "--", *paths)
    lines = [line for line in diff.split("\n") if line[:1] in {"+", "-"} and line[:3] != "---"]
    return "\n".join(line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…" for line in lines)


def _dream(workspace: Workspace, *arguments: str) -> str:
    """Run one command of the product as a process of its own and return what it printed; its log stays away."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_FORGOTTEN)}
    done = subprocess.run(
        [sys.executable, "-c", _DREAM, *arguments],
        check=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**kept, **workspace.environment},
    )
    return done.stdout


def _say(title: str, *lines: str) -> None:
    sys.stdout.write("\n".join([f"\n== {title} ==", "", *lines]) + "\n\n")
    sys.stdout.flush()


def _show(text: str) -> None:
    sys.stdout.write("".join(f"  {line}\n" if line else "\n" for line in text.strip("\n").split("\n")))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
