"""Who changed the flow's state last, by the history of the checkout that a memory stands in."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from config.environment import process_environment
from dream.errors import DreamError
from dream.git_program import Bounds, passed_on, run_git
from dream.memory.paths import FLOW_FOLDER

_STATE = f"{FLOW_FOLDER}state.json"
_BOUNDS = Bounds(seconds=10, output_bytes=1_000_000)
_SHOWN = 12
# A folder that is checked may be anybody's, and so its configuration: none of the programs that it names is run, the
# one for signatures and that of a remote from which git would get what is missing.
_OF_NOBODY = ("log.showSignature=false", "protocol.allow=never")
_FETCHES_NOTHING = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}


def foreign_flow_files(folder: Path) -> Mapping[str, str]:
    """Return the state of the flow with the commit that changed it last, where that changed anything else as well.

    The flow's own commits touch nothing but `.dream/`. Nothing where that cannot be told: no checkout, a shallow one,
    a state that was never committed, no git program.
    """
    place = Path(os.path.abspath(folder))  # noqa: PTH100  # links are not followed, here as everywhere
    root = next((one for one in (place, *place.parents) if (one / ".git").exists()), None)
    if root is None or not (place / _STATE).is_file():
        return {}
    prefix = "" if place == root else f"{place.relative_to(root).as_posix()}/"
    # Both ends of a rename are named, and the parents of a merge are compared with it one by one.
    asked = ["log", "-1", "-z", "-m", "--no-renames", "--name-only", "--full-diff", "--format=%H", "--"]
    repository = root / ".git"  # a file in a worktree of its own and in a submodule
    if _asked(repository, ["rev-parse", "--is-shallow-repository"]) != b"false\n":
        return {}
    told = _asked(repository, [*asked, f":(top,literal){prefix}{_STATE}"])
    commit, *names = os.fsdecode(told).replace("\n", "\0").split("\0")
    others = [name for name in names if name and not name.startswith(f"{prefix}{FLOW_FOLDER}")]
    return {_STATE: commit[:_SHOWN]} if others else {}


def _asked(repository: Path, arguments: Sequence[str]) -> bytes:
    """Return what git says of a repository; nothing where it does not, or not in time."""
    try:
        ended = run_git(
            arguments,
            repository=repository,
            environment={**passed_on(process_environment()), **_FETCHES_NOTHING},
            bounds=_BOUNDS,
            settings=_OF_NOBODY,
        )
    except DreamError:
        return b""
    return b"" if ended.status or ended.timed_out else ended.output
