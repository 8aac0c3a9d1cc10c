"""One bare mirror per organisation: what the remote holds, beside the commits of nights that have not landed."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import quote

import pygit2
import structlog

from dream.errors import DreamError, FatalError, UsageError
from dream.repository.address import Address, CredentialSource, no_credential, parse_address, scrub
from dream.repository.failures import BROKEN_MARK, MIRROR_MARK, BrokenMirrorError, broken, reading, writing
from dream.repository.git import Finished, Git
from dream.repository.history import is_ancestor
from dream.repository.limits import RepositoryLimits
from dream.repository.lock import private_folder
from dream.repository.remote_failures import remote_failure
from dream.repository.tree_objects import is_object_id
from dream.repository.trees import GitTree

log = structlog.get_logger()

NIGHTS = "refs/dream/nights/"
_FOLDER = "memory.git"
_DISCARDED = "memory.git.discarded"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The commit that the remote's branch stands on; `rewritten` if the last one seen there is no ancestor of it."""

    commit: str
    seen: str | None
    rewritten: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unborn:
    """The remote has no branch at all; `seen` is what this mirror last saw there, if ever."""

    seen: str | None

    @property
    def rewritten(self) -> bool:
        """Whether there was something before."""
        return self.seen is not None


def open_mirror(
    home: Path,
    url: str,
    branch: str = "main",
    *,
    prefix: str = "",
    credential: CredentialSource = no_credential,
    limits: RepositoryLimits | None = None,
    environment: Mapping[str, str] | None = None,
) -> Mirror:
    """Return the mirror of one branch, kept in `home` (for its owner alone), empty before the first fetch.

    `environment` is this process's; git is given only its search path, proxies, certificates and ssh settings. Raises
    UsageError for an address or branch that cannot be one.
    """
    address = parse_address(url)
    if not pygit2.reference_is_valid_name(f"refs/heads/{branch}"):
        message = f"{branch!r} is no name of a branch"
        raise UsageError(message, way_out="correct memory.branch")
    git = Git(limits=limits or RepositoryLimits(), environment=environment or {})
    mirror = Mirror(home.absolute(), address, branch, credential=credential, git=git, prefix=prefix)
    mirror.prepare()
    return mirror


class Mirror:
    """A bare repository that can be thrown away and cloned again at any time; one thread uses it at a time."""

    def __init__(
        self, home: Path, address: Address, branch: str, *, credential: CredentialSource, git: Git, prefix: str
    ) -> None:
        """Take part of what `open_mirror` checked; use that."""
        self.home = home
        self.branch = branch
        self.prefix = prefix
        self.git = git
        self._address = address
        self._credential = credential
        self._repository: pygit2.Repository | None = None

    @property
    def path(self) -> Path:
        """The bare repository's folder."""
        return self.home / _FOLDER

    @property
    def url(self) -> str:
        """The remote's address, as it may be shown."""
        return scrub(self._address.url, ())

    @property
    def repository(self) -> pygit2.Repository:
        """The bare repository; raises BrokenMirrorError where it cannot be opened."""
        if self._repository is None:
            try:
                self._repository = pygit2.Repository(str(self.path), pygit2.enums.RepositoryOpenFlag.BARE)
            except (pygit2.GitError, KeyError, OSError) as failure:
                raise broken(self.path, "the repository", failure) from failure
        return self._repository

    def tree(self, at: str | None) -> GitTree:
        """Return a commit or tree under the memory's folder; raises as GitTree does."""
        return GitTree(self.repository, at, self.prefix, limits=self.git.limits)

    def fetch(self) -> Head | Unborn:
        """Bring the remote's branch here and return where it stands; hold the organisation's lock meanwhile.

        A mirror that turns out to be damaged is thrown away and cloned again, once. Raises RemoteError where the remote
        is down, hangs, refuses or cuts off, NotAMemoryError where it is no repository, FatalError where it has other
        branches only, or holds what cannot be read.
        """
        _remove_stale_locks(self.path)
        try:
            return self._fetch()
        except BrokenMirrorError as damage:
            self.rebuild(str(damage))
        try:
            return self._fetch()
        except BrokenMirrorError as damage:
            message = f"{self.url} cannot be read even from a fresh clone: {damage}"
            raise FatalError(
                message,
                way_out="run git fsck where it is hosted",
                address=self.url,
            ) from damage

    def read_back(self) -> Head | Unborn:
        """Fetch as `fetch` does, but repair nothing: what waits to land is kept."""
        return self._fetch()

    def push(self, tip: str, onto: str | None) -> Finished:
        """Push a commit to the branch if that still stands on `onto` (or is unborn); how it ended is for the caller."""
        ref = f"refs/heads/{self.branch}"
        lease = f"--force-with-lease={ref}:{onto or ''}"
        options = ["--porcelain", "--no-verify", "--no-follow-tags", lease, "--", self._address.url, f"{tip}:{ref}"]
        seconds = self.git.limits.push_seconds
        pushed = self._remote(["push", "--atomic", *options], seconds=seconds)
        if "does not support --atomic" in pushed.errors:  # a push of one reference is atomic without it
            return self._remote(["push", *options], seconds=seconds)
        return pushed

    def accept_history(self, commit: str | None) -> None:
        """Take a rewritten history for what it now is, None for an emptied remote."""
        self._remember(commit)

    def saw(self, commit: str) -> None:
        """Remember a commit that the remote's branch is known to hold, so that its loss is noticed."""
        self._remember(commit)

    def night_tip(self, night: date) -> str | None:
        """Return the last commit of a night that was built here, or None."""
        return self._ref(NIGHTS + night.isoformat())

    def keep_night_tip(self, night: date, commit: str) -> None:
        """Keep a commit of a night, so that a run that dies can be resumed."""
        with writing(self.path, "a reference"):
            self.repository.references.create(NIGHTS + night.isoformat(), commit, force=True)

    def nights(self) -> Sequence[str]:
        """The references of the nights that were built here, oldest first."""
        with reading(self.repository, "the references"):
            return sorted(name for name in self.repository.references if name.startswith(NIGHTS))

    def rebuild(self, cause: str = "asked for") -> None:
        """Throw the mirror away and start an empty one; the next fetch fills it."""
        log.warning("mirror.rebuilt", path=str(self.path), cause=cause)
        self._repository = None
        discarded = self.home / _DISCARDED
        shutil.rmtree(discarded, ignore_errors=True)
        with writing(self.home, "the mirror"):
            if self.path.exists():
                self.path.rename(discarded)
        shutil.rmtree(discarded, ignore_errors=True)
        self._create()

    def prepare(self) -> None:
        """Make sure that a mirror is there, and that it is not one that could not be read."""
        private_folder(self.home)
        shutil.rmtree(self.home / _DISCARDED, ignore_errors=True)
        if not (self.path / MIRROR_MARK).is_file():
            self.rebuild("there is none") if self.path.exists() else self._create()
        elif (self.path / BROKEN_MARK).exists():
            self.rebuild("a run could not read it")

    def _create(self) -> None:
        made = self.git.run(
            ["init", "--quiet", "--bare", "--template=", f"--initial-branch={self.branch}", "--", str(self.path)]
        )
        if not made.ok:
            raise remote_failure(made, str(self.path)) or FatalError(
                f"no mirror can be made in {self.path}: {made.last_words}",
                way_out="check the folder",
                path=str(self.path),
            )
        with writing(self.path, "the mirror"):
            with (self.path / "config").open("a") as settings:
                settings.write(_SETTINGS)
            (self.path / MIRROR_MARK).touch()

    def _fetch(self) -> Head | Unborn:
        tracking = f"refs/remotes/origin/{self.branch}"
        fetched = self._remote(
            [
                "fetch",
                "--quiet",
                "--no-tags",
                "--no-recurse-submodules",
                "--no-write-fetch-head",
                "--no-auto-maintenance",
                "--no-show-forced-updates",
                "--",
                self._address.url,
                f"+refs/heads/{self.branch}:{tracking}",
            ],
            seconds=self.git.limits.fetch_seconds,
        )
        if not fetched.ok:
            if "couldn't find remote ref" in fetched.errors:
                return self._unborn(tracking)
            raise self._failure(fetched)
        commit = self._ref(tracking)
        if commit is None:
            raise broken(self.path, tracking, "it was fetched and is not there")
        self._check(commit)
        seen = self._seen()
        rewritten = seen is not None and not is_ancestor(self.repository, seen, commit)
        if not rewritten:
            self._remember(commit)
        return Head(commit=commit, seen=seen, rewritten=rewritten)

    def _unborn(self, tracking: str) -> Unborn:
        branches = self._branches()
        if branches:
            shown = ", ".join(branches[:10]) + (", …" if len(branches) > 10 else "")  # noqa: PLR2004 - a line's worth
            message = f"{self.url} has no branch {self.branch!r}; it has: {shown}"
            raise FatalError(
                message,
                way_out="correct memory.branch",
                address=self.url,
                branch=self.branch,
            )
        with reading(self.repository, "the references"), suppress(KeyError):
            self.repository.references.delete(tracking)
        return Unborn(seen=self._seen())

    def _branches(self) -> list[str]:
        listed = self._remote(["ls-remote", "--heads", "--", self._address.url], seconds=self.git.limits.fetch_seconds)
        if not listed.ok:
            raise self._failure(listed)
        lines = listed.output.decode("utf-8", "replace").split("\n")
        return sorted(
            name.removeprefix("refs/heads/") for line in lines for _, _, name in [line.partition("\t")] if name
        )

    def _remote(self, arguments: Sequence[str], *, seconds: float) -> Finished:
        return self.git.run_remote(
            arguments, repository=self.path, address=self._address, credential=self._credential, seconds=seconds
        )

    def _failure(self, finished: Finished) -> DreamError:
        failure = remote_failure(finished, self._address.url)
        return failure or BrokenMirrorError(f"git cannot bring {self.url} to {self.path}: {finished.last_words}")

    def _check(self, commit: str) -> None:
        """Look at the header of every object that a night reads, so that a missing one is noticed before it begins."""
        tree = self.tree(commit)
        for path in tree.paths():
            tree.size(path)

    def _ref(self, name: str) -> str | None:
        with reading(self.repository, name):
            found = self.repository.references.get(name)
            return None if found is None else str(found.target)

    @property
    def _seen_file(self) -> Path:
        return self.home / "seen" / quote(self.branch, safe="")

    def _seen(self) -> str | None:
        try:
            text = self._seen_file.read_text("ascii").strip()
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError):
            text = ""
        if not is_object_id(text):
            log.warning("seen.unreadable", path=str(self._seen_file))
            return None
        return text

    def _remember(self, commit: str | None) -> None:
        if commit == self._seen():
            return
        with writing(self.home, "the last tip seen"):
            private_folder(self._seen_file.parent)
            if commit is None:
                self._seen_file.unlink(missing_ok=True)
                return
            aside = self._seen_file.with_name(self._seen_file.name + ".new")
            aside.write_text(commit + "\n", "ascii")
            aside.replace(self._seen_file)


def _remove_stale_locks(path: Path) -> None:
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
