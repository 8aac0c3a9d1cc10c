"""What the files of a mirrored repository hold at one commit: read with the git program, nothing checked out."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from dream.errors import RemoteError
from dream.git_program import Ended
from dream.private_folders import make_private
from dream.sources.production.code.git import Git, last_words

_POINTER = b"version https://git-lfs.github.com/spec/"
_BINARY_BYTES = 8_000
_MODES = {b"120000": "a symbolic link, which is not followed", b"160000": "a submodule, which is not looked into"}
_BACKWARDS = 20
_LOG = "--format=%H %cs"


class UnreadableError(Exception):
    """What was asked for cannot be read; the message says why. With `late`, for want of time or of a server."""

    def __init__(self, reason: str, *, late: bool = False) -> None:
        """Take the reason."""
        super().__init__(reason)
        self.late = late


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A line of a file in which a word was found."""

    path: str
    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The matches of a search; a `whole` one looked at all that is there and left no match out."""

    matches: tuple[Match, ...]
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One commit of a path's history."""

    commit: str
    on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """The files of the bare mirror `repository` at `commit`, for one question that may take until `deadline`.

    Everything is asked of a view of the mirror that knows no server, so that what the mirror left there is missing and
    no search brings it in file by file; only a single file that is asked for is fetched, with `environment` and what
    `settings` gives. Every method raises UnreadableError.
    """

    repository: Path
    commit: str
    deadline: float
    most: int
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    settings: Callable[[], tuple[str, ...]] = tuple

    def file(self, path: str) -> tuple[bytes, bool]:
        """Return the first `most` bytes of a regular text file, and whether that is all of it."""
        mode, _, rest = self._ask(
            "--literal-pathspecs", "ls-tree", "-z", "--full-tree", self.commit, "--", path
        ).partition(b" ")
        if mode in _MODES:
            _stop(f"{path} is {_MODES[mode]}")
        if not rest.startswith(b"blob "):
            _stop(f"{path} is a folder" if rest else f"{path} is not there")
        blob = rest[5:].partition(b"\t")[0].decode("ascii")
        ended = self._run(self._view(), "cat-file", "blob", blob)
        if ended.status != 0:
            ended = self._run(self._git(self.repository, self.settings(), self.environment), "cat-file", "blob", blob)
        if ended.status != 0:
            _stop(f"{path} was left on the server and cannot be had: {last_words(ended)}", late=True)
        data = ended.output[: self.most]
        if data.startswith(_POINTER):
            _stop(f"{path} is a pointer to a large file that is kept elsewhere")
        if b"\0" in data[:_BINARY_BYTES]:
            _stop(f"{path} is binary")
        return data, len(ended.output) <= self.most

    def search(self, word: str) -> Search:
        """Return every line that holds a word as such, in all regular text files."""
        ended = self._run(
            self._view(),
            *("grep", "-z", "-n", "-I", "-F", "-w", "--no-color", "--full-name", "-e", word, self.commit),
        )
        if ended.status not in {0, 1}:
            _stop(f"git grep: {last_words(ended)}")
        printed = ended.output[: self.most]
        cut = len(ended.output) > self.most
        lines = printed.split(b"\n")[:-1]
        found = tuple(match for line in lines if (match := _match(line, self.commit)) is not None)
        return Search(matches=found, whole=not cut and not ended.errors.strip() and len(found) == len(lines))

    def has_submodules(self) -> bool:
        """Whether there is code that only another repository holds."""
        return any(line.startswith(b"160000") for line in self._ask("ls-tree", "-r", "-z", self.commit).split(b"\0"))

    def removal(self, word: str) -> Change | None:
        """Return the commit that took away the last of a word that stands nowhere now, None where none is sure."""
        pattern = rf"(^|[^A-Za-z0-9_]){re.escape(word)}([^A-Za-z0-9_]|$)"
        changes = _changes(self._ask("log", "-1", _LOG, "-S", pattern, "--pickaxe-regex", *_PLAIN, self.commit))
        if not changes:
            return None
        commit = changes[0].commit
        before = self._run(self._view(), "grep", "-q", "-I", "-F", "-w", "-e", word, f"{commit}^")
        after = self._run(self._view(), "grep", "-q", "-I", "-F", "-w", "-e", word, commit)
        return changes[0] if (before.status, after.status) == (0, 1) else None

    def changes(self, path: str) -> tuple[Change, ...]:
        """Return the last commits that changed a path, newest first."""
        return _changes(
            self._ask("--literal-pathspecs", "log", f"-{_BACKWARDS}", _LOG, *_PLAIN, self.commit, "--", path)
        )

    def _ask(self, *arguments: str) -> bytes:
        ended = self._run(self._view(), *arguments)
        if ended.status != 0:
            _stop(f"git {_command(arguments)}: {last_words(ended)}")
        return ended.output

    def _run(self, git: Git, *arguments: str) -> Ended:
        try:
            ended = git.run(*arguments)
        except RemoteError as error:
            _stop(str(error), error, late=True)
        if ended.timed_out:
            _stop(f"git {_command(arguments)} took too long", late=True)
        return ended

    def _git(self, repository: Path, settings: tuple[str, ...], environment: Mapping[str, str]) -> Git:
        left = self.deadline - time.monotonic()
        if left <= 0:
            _stop("the time for one question is used up", late=True)
        return Git(repository=repository, seconds=left, most=self.most, environment=environment, settings=settings)

    def _view(self) -> Git:
        """The mirror's objects as a repository that has no remote to fetch from."""
        view = self.repository / "view"
        try:
            for folder in (view, view / "objects", view / "refs"):
                make_private(folder)
            with suppress(FileExistsError), (view / "HEAD").open("x", encoding="ascii") as head:
                head.write("ref: refs/heads/none\n")
        except OSError as error:
            _stop(f"the mirror cannot be read: {error.strerror}", error, late=True)
        objects = str((self.repository / "objects").absolute())
        return self._git(view, (), {**_path(self.environment), "GIT_OBJECT_DIRECTORY": objects})


def _stop(reason: str, cause: Exception | None = None, *, late: bool = False) -> NoReturn:
    raise UnreadableError(reason, late=late) from cause


_PLAIN = ("--no-color", "--no-textconv", "--no-ext-diff", "--no-show-signature")


def _path(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: environment[name] for name in ("PATH",) if name in environment}


def _command(arguments: Sequence[str]) -> str:
    return next(word for word in arguments if not word.startswith("-"))


def _match(line: bytes, commit: str) -> Match | None:
    name, _, rest = line.removeprefix(commit.encode() + b":").partition(b"\0")
    number, _, text = rest.partition(b"\0")
    try:
        return Match(path=name.decode("utf-8"), number=int(number), text=text.decode("utf-8", "replace"))
    except ValueError:
        return None


def _changes(printed: bytes) -> tuple[Change, ...]:
    pairs = (line.split(" ") for line in printed.decode("ascii", "replace").splitlines())
    return tuple(Change(commit=commit, on=on) for commit, on in pairs)
