"""Somebody who looks at a hosted branch from outside, with nothing but git: every tip that it ever had."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import PurePosixPath
from typing import TypeVar
from urllib.parse import unquote

from flows.calling import Call
from tests.support.repositories import Hosted, assert_fast_forward, git

T = TypeVar("T")

_LINK = re.compile(r"\]\(<?([^)>\s]+)>?\)")


class KilledError(BaseException):
    """The process is gone: no handler of errors sees this."""


def killed_at(moment: str) -> Call:
    """Return a caller of steps whose process dies when it comes to `moment`."""

    async def call(name: str, step: Callable[[], T]) -> T:
        if name == moment:
            raise KilledError
        return step()

    return call


def at_step(moment: str, act: Callable[[], object]) -> Call:
    """Return a caller of steps that lets something else happen before the step `moment`."""

    async def call(name: str, step: Callable[[], T]) -> T:
        if name == moment:
            act()
        return step()

    return call


def watch_tips(hosted: Hosted) -> None:
    """Have the repository remember every tip from now on."""
    hosted.set("core.logAllRefUpdates", "always")


def tips(hosted: Hosted) -> list[tuple[str, str]]:
    """Return what each push since `watch_tips` made of the branch: the tip before and after it, oldest first."""
    log = hosted.path / "logs" / "refs" / "heads" / hosted.branch
    lines = log.read_text().splitlines() if log.exists() else []
    return [(line.split()[0], line.split()[1]) for line in lines]


def assert_only_forward(hosted: Hosted) -> None:
    """Assert that no push ever lost a commit that the branch had."""
    for old, new in tips(hosted):
        assert_fast_forward(hosted, old, new)


def assert_kept(hosted: Hosted, commits: Collection[str]) -> None:
    """Assert that the branch holds each of `commits`."""
    held = set(git(hosted.path, "rev-list", hosted.branch).split("\n"))
    assert set(commits) <= held


def topic_notes(files: Mapping[str, bytes]) -> set[str]:
    """Return the notes that the index owes a way to, told by their place alone."""
    apart = ("daily/", "preferences/", "learnings/", "archive/", "CATALOG/")
    return {
        path
        for path in files
        if path.endswith(".md")
        and not path.startswith(apart)
        and path not in {"MEMORY.md", "CATALOG.md"}
        and not any(part.startswith(".") for part in path.split("/"))
    }


def loaded(files: Mapping[str, bytes], *, lines: int = 200, most_bytes: int = 25_000) -> str:
    """Return what agents load of the index: whole lines within both limits."""
    kept: list[bytes] = []
    for line in files["MEMORY.md"].split(b"\n")[:lines]:
        if sum(map(len, kept)) + len(kept) + len(line) + 1 > most_bytes:
            break
        kept.append(line)
    return b"\n".join(kept).decode()


def linked(text: str, *, at: str) -> set[str]:
    """Return the files that the Markdown links of the page `at` lead to."""
    folder = PurePosixPath(at).parent
    return {_joined(folder, unquote(target)) for target in _LINK.findall(text) if "://" not in target}


def reached(files: Mapping[str, bytes]) -> set[str]:
    """Return everything that links lead to from what is loaded of the index, through pages of the catalog alone."""
    found = linked(loaded(files), at="MEMORY.md")
    waiting = [path for path in found if path.startswith("CATALOG")]
    while waiting:
        page = waiting.pop()
        for path in linked(files[page].decode(), at=page) - found if page in files else ():
            found.add(path)
            waiting += [path] if path.startswith("CATALOG") else []
    return found


def _joined(folder: PurePosixPath, target: str) -> str:
    parts: list[str] = []
    for part in (*folder.parts, *target.partition("#")[0].split("/")):
        if part == "..":
            parts = parts[:-1]
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)
