"""What a hosted memory refuses from whoever pushes, and how durably it keeps what it takes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from dream.errors import FatalError, TransientError
from dream.repository.git import Finished, Git

_KNOWS_FSYNC = (2, 36)
"""From this version on git reads core.fsync; before, the setting of another name stood for a part of it."""
_TRUE = {"true", "yes", "on", "1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing:
    """A setting that somebody gave another value than a new memory has, and that was left so."""

    name: str
    value: str
    wanted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Protected:
    """What became of a repository's settings; each of `added` as `name = value`."""

    added: tuple[str, ...] = ()
    differing: tuple[Differing, ...] = ()


def protect(repository: Path, *, most_bytes: int, git: Git) -> Protected:
    """Set what is missing of a bare repository's protection, and leave what somebody set otherwise.

    Raises:
        DreamError: its settings cannot be read or written.
    """
    config = repository / "config"
    present = _settings(config, git)
    added: list[str] = []
    differing: list[Differing] = []
    for name, wanted in _protection(most_bytes, git).items():
        value = present.get(name.lower())
        if value is None:
            _checked(git.run(["config", "--file", str(config), name, wanted]), config)
            added.append(f"{name} = {wanted}")
        elif _plain(value) != wanted:
            differing.append(Differing(name=name, value=value, wanted=wanted))
    return Protected(added=tuple(added), differing=tuple(differing))


def _protection(most_bytes: int, git: Git) -> dict[str, str]:
    older = {} if _version(git) >= _KNOWS_FSYNC else {"core.fsyncObjectFiles": "true"}
    return {
        "core.fsync": "all",
        **older,
        "core.logAllRefUpdates": "true",
        "receive.fsckObjects": "true",
        "receive.maxInputSize": str(most_bytes),
        "receive.denyDeletes": "true",
        "receive.denyNonFastForwards": "true",
    }


def _version(git: Git) -> tuple[int, int]:
    found = re.search(rb"(\d+)\.(\d+)", git.run(["version"]).output)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _settings(config: Path, git: Git) -> dict[str, str]:
    """Return what the file itself says, the last of each name; a name alone stands for true."""
    if not config.exists():
        return {}
    ended = _checked(git.run(["config", "--file", str(config), "--includes", "--null", "--list"]), config)
    pairs = (one.partition("\n") for one in ended.output.decode("utf-8", "replace").split("\0") if one)
    return {name.lower(): value if between else "true" for name, between, value in pairs}


def _plain(value: str) -> str:
    return "true" if value.lower() in _TRUE else value


def _checked(ended: Finished, config: Path) -> Finished:
    if ended.ok:
        return ended
    message = f"the settings in {config} cannot be read or written: {ended.last_words}"
    if (config.parent / "config.lock").exists():
        raise TransientError(message, way_out=f"take {config}.lock away if no git program runs there, and run again")
    raise FatalError(message, way_out="let the user that runs this own that file, and correct what git names")
