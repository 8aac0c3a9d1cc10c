"""Clean-up of a mirror, so that its objects and references do not grow for ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import structlog

from dream.errors import TransientError
from dream.repository.failures import writing
from dream.repository.limits import YOUNGEST_PRUNED_DAYS
from dream.repository.mirror import Mirror

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What a clean-up did: references of old nights dropped, and whether git repacked and pruned."""

    nights_dropped: int
    repacked: bool
    loose_before: int
    loose_after: int


def collect_garbage(mirror: Mirror) -> Collected:
    """Drop the references of nights beyond the newest kept, then repack and prune where much has piled up.

    Objects that nothing names go after the configured days, never before two: a run may be paused that long. Hold the
    organisation's lock meanwhile. Raises TransientError where git fails.
    """
    limits = mirror.git.limits
    nights = mirror.nights()
    old = nights[: max(0, len(nights) - limits.nights_kept)]
    for name in old:
        with writing(mirror.path, "a reference"):
            mirror.repository.references.delete(name)
    loose, packs = _count(mirror.path)
    if loose < limits.loose_objects and packs < limits.packs and not _leftovers(mirror.path):
        return Collected(nights_dropped=len(old), repacked=False, loose_before=loose, loose_after=loose)
    days = max(limits.prune_days, YOUNGEST_PRUNED_DAYS)
    # --force: the pid file of a clean-up that was killed would stop git for twelve hours
    done = mirror.git.run(["gc", "--quiet", "--force", f"--prune={days}.days.ago"], repository=mirror.path)
    if not done.ok:
        message = f"the mirror {mirror.path} cannot be cleaned up: {done.last_words}"
        raise TransientError(
            message,
            way_out="run again; a mirror may be deleted, the next night clones it",
            path=str(mirror.path),
        )
    after, _ = _count(mirror.path)
    log.info("mirror.cleaned", path=str(mirror.path), nights=len(old), loose_before=loose, loose_after=after)
    return Collected(nights_dropped=len(old), repacked=True, loose_before=loose, loose_after=after)


def _count(path: Path) -> tuple[int, int]:
    """The number of loose objects and of packs."""
    loose = sum(1 for folder in _fan_out(path) for _ in folder.iterdir())
    return loose, sum(1 for _ in (path / "objects" / "pack").glob("*.pack"))


def _leftovers(path: Path) -> bool:
    """Whether a killed fetch left a half-written pack, which only git's own pruning takes away in time."""
    return any((path / "objects" / "pack").glob("tmp_*"))


def _fan_out(path: Path) -> Iterator[Path]:
    return (folder for folder in (path / "objects").iterdir() if len(folder.name) == 2 and folder.is_dir())  # noqa: PLR2004
