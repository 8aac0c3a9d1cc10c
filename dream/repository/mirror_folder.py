"""The folder of a mirror: made, marked as one, and cleared of what a killed run left."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import structlog

from dream.errors import FatalError
from dream.repository.failures import MIRROR_MARK, writing
from dream.repository.git import Git
from dream.repository.remote_failures import remote_failure

log = structlog.get_logger()

# nothing is synced to disk, because a mirror can be cloned again
_SETTINGS = """\
[core]
\tfsync = none
\tlogAllRefUpdates = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""


def create_mirror(git: Git, path: Path, branch: str) -> None:
    """Make an empty bare repository that is marked as a mirror, without hooks; one that is there by then is kept.

    It is made aside and renamed, because whoever only reads a mirror holds no lock.
    """
    with writing(path.parent, "the mirror"):
        aside = Path(tempfile.mkdtemp(dir=path.parent, prefix=path.name + ".new-"))
    try:
        made = git.run(["init", "--quiet", "--bare", "--template=", f"--initial-branch={branch}", "--", str(aside)])
        if not made.ok:
            message = f"no mirror can be made in {path}: {made.last_words}"
            raise remote_failure(made, str(path)) or FatalError(message, way_out="check the folder", path=str(path))
        with writing(path, "the mirror"):
            with (aside / "config").open("a") as settings:
                settings.write(_SETTINGS)
            (aside / MIRROR_MARK).touch()
            _put_in_place(aside, path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _put_in_place(aside: Path, path: Path) -> None:
    try:
        aside.rename(path)
    except OSError:
        if not (path / MIRROR_MARK).is_file():
            raise


def remove_stale_locks(path: Path) -> None:
    """Remove what a killed run left: the organisation's lock is held, so nobody is using them."""
    patterns = (
        "*.lock",
        "info/*.lock",
        "objects/*.lock",
        "objects/info/**/*.lock",
        "objects/pack/*.lock",
        "refs/**/*.lock",
    )
    for pattern in patterns:
        for stale in path.glob(pattern):
            log.warning("lock.removed", path=str(stale))
            with writing(path, "the removal of a stale lock"):
                stale.unlink(missing_ok=True)
