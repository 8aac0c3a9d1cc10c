"""Code repositories, read with the git program into values: nothing is checked out and nothing of them runs."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from dream.errors import RemoteError
from dream.private_folders import make_private
from dream.sources.production.code.git import Git
from dream.sources.production.code.history import LOG_FORMAT, History, read_history
from dream.sources.production.code.manifests import MANIFESTS, read_manifest
from dream.sources.production.code.network import git_settings
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.code.values import CodeSource
from dream.sources.production.networks import Resolve
from dream.sources.production.port import Down, Refused

log = structlog.get_logger()

_HEAD = "refs/dream/head"
_FILE_MODES = frozenset({b"100644", b"100755", b"100664", b"040000"})
_IGNORE_FILE = ".gitignore"
_SAFE_NAME = re.compile(r"[^A-Za-z0-9_-]")
NOWHERE = "nowhere::never"
"""The address that a mirror pushes to: of a protocol that git is not allowed, so that nothing ever leaves it."""

_NOTHING_THERE = "couldn't find remote ref"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeLimits:
    """Bounds of reading one repository: seconds for the network and for each local question, and what is looked at."""

    fetch_seconds: float = 600
    local_seconds: float = 120
    paths: int = 200_000
    manifests: int = 200
    manifest_bytes: int = 256_000
    filtered_bytes: int = 128_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One path of the tree; `readable` are regular files, all else is opaque."""

    path: str
    blob: str
    readable: bool


def mirror_of(source: CodeSource, home: Path) -> Path:
    """Return where the mirror of a repository is kept under `home`."""
    place = hashlib.sha256(f"{source.url}\n{source.branch}".encode()).hexdigest()[:16]
    return home / f"{_SAFE_NAME.sub('-', source.name)[:64]}-{place}.git"


def read_code(
    source: CodeSource,
    *,
    home: Path,
    environment: Mapping[str, str] | None = None,
    limits: CodeLimits | None = None,
    resolve: Resolve | None = None,
) -> CodeTree:
    """Return what a repository holds at its branch's head, and where its paths went.

    A bare mirror is kept under `home` and fetched into; a mirror that cannot be read is made afresh. Large blobs are
    left on servers that allow it; small ones are needed, because a rename with changes is found by contents.
    `environment` is given to git, credentials with it. A host in this machine's own network is only asked where the
    source is `internal`; `resolve` gives the addresses of a host, the system's if it is None. A repository that cannot
    be read, or is empty, gives a tree of which everything is UNKNOWN, with the reason; nothing is raised.
    """
    reader = _Reader(
        source=source, home=home, environment=environment or {}, limits=limits or CodeLimits(), resolve=resolve
    )
    tree = reader.read()
    log.info("code.read", code=source.name, commit=tree.commit, paths=len(tree.paths), unknown=tree.unknown)
    return tree


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    source: CodeSource
    home: Path
    environment: Mapping[str, str] = field(repr=False)
    limits: CodeLimits
    resolve: Resolve | None

    def read(self) -> CodeTree:
        """The repository as a tree of values."""
        if not _is_plain(self.source.url) or (self.source.branch and not _is_plain(self.source.branch)):
            return self._unknown("its address or branch cannot be one")
        settings = git_settings(
            self.source.url, internal=self.source.internal, environment=self.environment, resolve=self.resolve
        )
        if isinstance(settings, Down | Refused):
            return self._unknown(settings.reason)
        try:
            self._fetch(settings)
            return self._tree()
        except RemoteError as error:
            return self._unknown(str(error))
        except OSError as error:
            return self._unknown(f"the mirror cannot be written: {error.strerror}")

    @property
    def _mirror(self) -> Path:
        return mirror_of(self.source, self.home)

    def _git(self, seconds: float, settings: tuple[str, ...] = ()) -> Git:
        return Git(repository=self._mirror, seconds=seconds, environment=self.environment, settings=settings)

    def _fetch(self, settings: tuple[str, ...]) -> None:
        """Bring the mirror up to date, making it afresh if it cannot be used."""
        fresh = not (self._mirror / "HEAD").is_file()
        if fresh:
            self._make()
        try:
            self._fetch_once(settings)
        except RemoteError:
            if fresh or self._is_sound():
                raise
            self._make()
            self._fetch_once(settings)
        with suppress(RemoteError):
            self._git(self.limits.local_seconds).ask("gc", "--auto", "--quiet")

    def _make(self) -> None:
        shutil.rmtree(self._mirror, ignore_errors=True)
        make_private(self._mirror)
        git = self._git(self.limits.local_seconds)
        git.ask("init", "--quiet", "--bare", "--template=")
        git.ask("config", "remote.origin.url", self.source.url)
        git.ask("config", "remote.origin.promisor", "true")
        git.ask("config", "remote.origin.partialCloneFilter", f"blob:limit={self.limits.filtered_bytes}")
        git.ask("config", "core.repositoryFormatVersion", "1")
        git.ask("config", "extensions.partialClone", "origin")

    def _fetch_once(self, settings: tuple[str, ...]) -> None:
        self._git(self.limits.local_seconds).ask("config", "remote.origin.pushurl", NOWHERE)
        wanted = f"refs/heads/{self.source.branch}" if self.source.branch else "HEAD"
        self._git(self.limits.fetch_seconds, settings).ask(
            "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--prune", "origin", f"+{wanted}:{_HEAD}"
        )

    def _is_sound(self) -> bool:
        with suppress(RemoteError):
            self._git(self.limits.local_seconds).ask("rev-parse", "--verify", "--quiet", f"{_HEAD}^{{tree}}")
            return True
        return False

    def _tree(self) -> CodeTree:
        git = self._git(self.limits.local_seconds)
        commit = git.ask("rev-parse", "--verify", f"{_HEAD}^{{commit}}").decode("ascii").strip()
        entries = list(_entries(git.ask("ls-tree", "-r", "-z", "--full-tree", commit)))
        if len(entries) > self.limits.paths:
            return self._unknown(f"it holds more than {self.limits.paths} paths")
        contents = self._contents(git, entries)
        ignored = [
            _rooted(path, line)
            for path, data in contents.items()
            if path.rpartition("/")[2] == _IGNORE_FILE
            for line in data.decode("utf-8", "replace").split("\n")
        ]
        manifests = [
            read_manifest(path, data) for path, data in contents.items() if path.rpartition("/")[2] in MANIFESTS
        ]
        history, remark = self._history(git, commit)
        return CodeTree(
            name=self.source.name,
            commit=commit,
            paths=(entry.path for entry in entries),
            opaque=(entry.path for entry in entries if not entry.readable),
            history=history,
            manifests=manifests,
            ignored=ignored,
            remark=remark,
        )

    def _history(self, git: Git, commit: str) -> tuple[History, str]:
        """Return the history; where it cannot be read, or not in time, nothing of it and why.

        That makes no verdict wrong, but what moved then counts as gone, which has to be said.
        """
        try:
            printed = git.ask(
                "log",
                LOG_FORMAT,
                "-z",
                "--name-status",
                "--find-renames",
                "--diff-filter=RD",
                "--diff-merges=first-parent",
                "--no-textconv",
                "--no-ext-diff",
                commit,
            )
        except RemoteError as error:
            log.warning("code.history_skipped", code=self.source.name, reason=str(error))
            return History(), f"its history could not be read, so that what moved counts as gone: {error}"
        return read_history(printed), ""

    def _contents(self, git: Git, entries: Sequence[_Entry]) -> dict[str, bytes]:
        wanted = [
            entry for entry in entries if entry.readable and entry.path.rpartition("/")[2] in {*MANIFESTS, _IGNORE_FILE}
        ]
        wanted = sorted(wanted, key=lambda entry: (entry.path.count("/"), entry.path))[: self.limits.manifests]
        answer = git.ask("cat-file", "--batch", given=b"".join(b"%s\n" % entry.blob.encode() for entry in wanted))
        contents: dict[str, bytes] = {}
        place = 0
        for entry in wanted:
            end = answer.find(b"\n", place)
            if end < 0:
                message = "git cat-file: its answer is cut off"
                raise RemoteError(message, way_out="run again")
            size = int(answer[place:end].rpartition(b" ")[2])
            data = answer[end + 1 : end + 1 + size]
            place = end + 1 + size + 1
            contents[entry.path] = data if size <= self.limits.manifest_bytes else b"\xff"
        return contents

    def _unknown(self, reason: str) -> CodeTree:
        if _NOTHING_THERE in reason:
            reason = f"there is no branch {self.source.branch}" if self.source.branch else "it is empty"
        return CodeTree(name=self.source.name, unknown=reason)


def _entries(printed: bytes) -> Iterator[_Entry]:
    for line in printed.split(b"\0"):
        meta, _, name = line.partition(b"\t")
        with suppress(UnicodeDecodeError):
            if name:
                mode, _, blob = meta.split(b" ")
                yield _Entry(path=name.decode("utf-8"), blob=blob.decode("ascii"), readable=mode in _FILE_MODES)


def _is_plain(text: str) -> bool:
    """Whether a word of the configuration is no option of git and nothing that runs."""
    return bool(text) and not text.startswith("-") and "::" not in text and text.isprintable()


def _rooted(path: str, line: str) -> str:
    """Return an ignore pattern as one of the root: those with a folder in them count from where the file stands."""
    folder = path.rpartition("/")[0]
    return f"{folder}/{line.strip().lstrip('/')}" if folder and "/" in line.strip().rstrip("/") else line
