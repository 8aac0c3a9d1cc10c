"""One bare mirror per organisation: what the remote holds, beside the commits of nights that have not landed."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pygit2
import structlog

from dream.errors import DreamError, FatalError, RemoteError, UsageError
from dream.repository.address import Address, CredentialSource, no_credential, parse_address, scrub
from dream.repository.failures import BROKEN_MARK, MIRROR_MARK, BrokenMirrorError, broken, reading, writing
from dream.repository.git import Finished, Git
from dream.repository.history import is_ancestor
from dream.repository.kept_files import private_folder
from dream.repository.limits import RepositoryLimits
from dream.repository.mirror_folder import create_mirror, remove_stale_locks
from dream.repository.remote_failures import remote_failure
from dream.repository.seen import LastSeen
from dream.repository.trees import GitTree

log = structlog.get_logger()

NIGHTS = "refs/dream/nights/"
_FOLDER = "memory.git"
_DISCARDED = "memory.git.discarded"


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
        self._seen = LastSeen(home, branch)
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
        remove_stale_locks(self.path)
        shutil.rmtree(self._discarded, ignore_errors=True)
        try:
            return self._fetch()
        except BrokenMirrorError as damage:
            return self._fetch_afresh(damage)

    def tracked(self) -> str | None:
        """Return the commit that the remote's branch stood on when it was last fetched, or None."""
        return self._ref(f"refs/remotes/origin/{self.branch}")

    def read_back(self) -> Head | Unborn:
        """Fetch as `fetch` does, but repair nothing: what waits to land is kept."""
        return self._fetch(check=False)

    def ask_tip(self) -> str | None:
        """Ask the remote where its branch stands (None: it has none) and write nothing here; raises RemoteError."""
        ref = f"refs/heads/{self.branch}"
        listed = self._remote(["ls-remote", "--", self._address.url, ref], seconds=self.git.limits.fetch_seconds)
        if not listed.ok:
            raise self._failure(listed)
        named = (line.partition("\t") for line in listed.output.decode("utf-8", "replace").split("\n"))
        return next((commit for commit, _, name in named if name == ref), None)

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

    def try_push(self, commit: str) -> Finished:
        """Ask for a push of a commit without making one: whether the remote lets this credential in, hooks apart."""
        options = ["--dry-run", "--porcelain", "--no-verify", "--no-follow-tags"]
        target = f"{commit}:refs/heads/{self.branch}"
        return self._remote(["push", *options, "--", self._address.url, target], seconds=self.git.limits.push_seconds)

    def accept_history(self, commit: str | None) -> None:
        """Take a rewritten history for what it now is, None for an emptied remote."""
        self._seen.write(commit)

    def saw(self, commit: str) -> None:
        """Remember a commit that the remote's branch is known to hold, so that its loss is noticed."""
        self._seen.write(commit)

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
        self._set_aside(cause)
        shutil.rmtree(self._discarded, ignore_errors=True)

    def prepare(self) -> None:
        """Make sure that a mirror is there, and that it is not one that could not be read."""
        private_folder(self.home)
        if not self.path.exists():
            create_mirror(self.git, self.path, self.branch)
        elif not (self.path / MIRROR_MARK).is_file():
            self.rebuild("it is no mirror")
        elif (self.path / BROKEN_MARK).exists():
            self.rebuild("a run could not read it")

    def _fetch_afresh(self, damage: BrokenMirrorError) -> Head | Unborn:
        """Clone again; where that fails as well it was the remote's doing, and the mirror with its nights is kept."""
        self._set_aside(str(damage))
        try:
            found = self._fetch()
        except DreamError as failure:
            self._repository = None
            with writing(self.home, "the mirror"):
                shutil.rmtree(self.path)
                self._discarded.rename(self.path)
            if isinstance(failure, BrokenMirrorError):
                message = f"{self.url} cannot be read, not even into a fresh clone: {failure}"
                way_out = "run again; if it stays, run git fsck where it is hosted"
                raise RemoteError(message, way_out=way_out, cause="unknown", address=self.url) from failure
            raise
        shutil.rmtree(self._discarded, ignore_errors=True)
        return found

    @property
    def _discarded(self) -> Path:
        return self.home / _DISCARDED

    def _set_aside(self, cause: str) -> None:
        log.warning("mirror.rebuilt", path=str(self.path), cause=cause)
        self._repository = None
        with writing(self.home, "the mirror"):
            shutil.rmtree(self._discarded, ignore_errors=True)
            if self.path.exists():
                self.path.rename(self._discarded)
        create_mirror(self.git, self.path, self.branch)

    def _fetch(self, *, check: bool = True) -> Head | Unborn:
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
        if check:
            # what a night reads is looked at before it begins, not when it is half done
            self.tree(commit).check()
        seen = self._seen.read()
        rewritten = seen is not None and not is_ancestor(self.repository, seen, commit)
        if not rewritten:
            self._seen.write(commit)
        return Head(commit=commit, seen=seen, rewritten=rewritten)

    def _unborn(self, tracking: str) -> Unborn:
        branches = self._branches()
        if branches:
            shown = ", ".join(branches[:10]) + (", …" if len(branches) > 10 else "")  # noqa: PLR2004 - a line's worth
            message = f"{self.url} has no branch {self.branch!r}; it has: {shown}"
            cause = f"there is no branch {self.branch!r}"  # what others there are, not everybody may read
            raise FatalError(message, way_out="correct memory.branch", address=self.url, cause=cause)
        with reading(self.repository, "the references"), suppress(KeyError):
            self.repository.references.delete(tracking)
        return Unborn(seen=self._seen.read())

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

    def _ref(self, name: str) -> str | None:
        with reading(self.repository, name):
            found = self.repository.references.get(name)
            return None if found is None else str(found.target)
