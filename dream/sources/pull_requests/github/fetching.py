"""Patches by git: the heads of many pull requests in one fetch, whatever became of their branches."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dream.errors import RemoteError
from dream.private_folders import make_private
from dream.sources.production.code.git import Git
from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.patches import MOST_FILES
from dream.sources.pull_requests.github.port import Unanswered, Want

_AT_ONCE = 100
_PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv", "--find-renames")
_STATUS = {"A": "added", "C": "added", "D": "removed", "R": "renamed"}
_TWO_NAMES = ("R", "C")

Environment = Callable[[], Mapping[str, str] | Unanswered]


class Fetched:
    """Patches out of bare repositories below `home`, which the heads of pull requests are fetched into."""

    def __init__(
        self, home: Path, *, url: Callable[[str], str], environment: Environment, limits: GitHubLimits
    ) -> None:
        """Fetch from where `url` says that a repository is; `environment` holds the login of this moment."""
        self._home = home
        self._url = url
        self._environment = environment
        self._limits = limits

    def prepare(self, repository: str, numbers: Sequence[int]) -> Unanswered | None:
        """Fetch the heads of these pull requests, and return why that cannot be done; one that is gone is left out."""
        environment = self._environment()
        if isinstance(environment, Unanswered):
            return environment
        git = self._git(repository, environment)
        try:
            make_private(self._home)
            git.ask("init", "--quiet", "--bare")
            for start in range(0, len(numbers), _AT_ONCE):
                self._fetch(git, repository, numbers[start : start + _AT_ONCE])
        except (RemoteError, OSError) as error:
            reason = str(error) if isinstance(error, RemoteError) else f"no place for it ({type(error).__name__})"
            return Unanswered(want=Want.DOWN, reason=reason)
        return None

    def changes(self, repository: str, base: str, head: str) -> tuple[Mapping[str, Any], ...] | Unanswered:
        """Return the files that differ between two commits, at most 300."""
        git = self._git(repository, {})
        try:
            told = git.ask("diff", "--raw", "-z", "--abbrev=40", *_PLAIN, base, head)
            return tuple(self._file(git, base, head, status, paths) for status, paths in list(_raw(told))[:MOST_FILES])
        except RemoteError:
            return Unanswered(want=Want.ABSENT, reason="git has no such commits")

    def _git(self, repository: str, environment: Mapping[str, str]) -> Git:
        name = hashlib.sha256(repository.casefold().encode()).hexdigest()[:16]
        return Git(
            repository=self._home / f"{name}.git",
            seconds=self._limits.fetch_seconds,
            environment={**environment, "GIT_LITERAL_PATHSPECS": "1"},
            most=self._limits.answer_bytes,
        )

    def _fetch(self, git: Git, repository: str, numbers: Sequence[int]) -> None:
        """Fetch many at once, and where one of them is gone, each by itself."""
        specs = [f"+refs/pull/{number}/head:refs/pull/{number}/head" for number in numbers]
        fetch = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", self._url(repository))
        try:
            git.ask(*fetch, *specs)
        except RemoteError as error:
            if len(numbers) == 1 or "find remote ref" not in str(error):
                raise
            for spec in specs:
                try:
                    git.ask(*fetch, spec)
                except RemoteError as one:
                    if "find remote ref" not in str(one):
                        raise

    def _file(self, git: Git, base: str, head: str, status: str, paths: tuple[bytes, ...]) -> Mapping[str, Any]:
        named = [path.decode("utf-8", "surrogateescape") for path in paths]
        try:
            told = git.ask("diff", *_PLAIN, base, head, "--", *named).decode("utf-8", "replace")
        except RemoteError:  # too large to be printed
            told = ""
        _, hunk, rest = told.partition("\n@@ ")
        return {
            "filename": paths[-1].decode("utf-8", "replace"),
            "previous_filename": paths[0].decode("utf-8", "replace"),
            "status": _STATUS.get(status, "modified"),
            "patch": f"@@ {rest.removesuffix(chr(10))}" if hunk else None,
        }


def _raw(told: bytes) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    """Yield the letter of each file's status and its paths, the old one first."""
    parts = iter(told.split(b"\0"))
    for head in parts:
        if not head.startswith(b":"):
            continue
        status = head.rsplit(b" ", 1)[-1][:1].decode("ascii", "replace")
        yield status, tuple(next(parts, b"") for _ in range(2 if status in _TWO_NAMES else 1))
