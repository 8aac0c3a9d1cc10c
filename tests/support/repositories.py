"""Real repositories for tests: hosted bare ones, and the people and agents who push to them with the git program."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from tests.support.served import Served

EPOCH = datetime(2026, 10, 1, 12, tzinfo=UTC)
"""When the first commit of a hosted repository was made, unless a test says otherwise."""

Files = Mapping[str, str | bytes]
_COMMIT = re.compile(r"[0-9a-f]{40}")
_CONFIGURATION = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[http]\n\treceivepack = true\n"
_WITHOUT_A_DATE = frozenset({"add", "fetch", "log", "ls-files", "push", "rev-parse"})
"""What makes no commit, and needs no date to put on one."""


class GitFailedError(RuntimeError):
    """A git command of a test failed; the text is what git said."""


def git(folder: Path, *arguments: str, stdin: bytes = b"", **environment: str) -> str:
    """Run git in a folder with nobody's configuration and return what it prints, without the final newline."""
    return git_bytes(folder, *arguments, stdin=stdin, **environment).decode().removesuffix("\n")


def git_bytes(folder: Path, *arguments: str, stdin: bytes = b"", **environment: str) -> bytes:
    """Run git in a folder and return the bytes it prints; raises GitFailedError."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={
            "PATH": os.environ["PATH"],
            "HOME": "/dev/null",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
            **environment,
        },
    )
    if done.returncode != 0:
        raise GitFailedError(done.stderr.decode("utf-8", "replace"))
    return done.stdout


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosted:
    """A bare repository and the address it is served at."""

    path: Path
    url: str
    branch: str = "main"

    def tip(self, branch: str | None = None) -> str | None:
        """The commit that a branch stands on, or None where it is not born."""
        with suppress(OSError):
            told = (self.path / "refs" / "heads" / (branch or self.branch)).read_text().strip()
            if _COMMIT.fullmatch(told):
                return told
        try:
            return git(self.path, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch or self.branch}")
        except GitFailedError:
            return None

    def files(self, at: str | None = None) -> dict[str, bytes]:
        """Every regular file at a commit, the tip by default."""
        commit = at or self.tip() or self.branch
        return dict((_files_of if _COMMIT.fullmatch(commit) else _files_of.__wrapped__)(self.path, commit))

    def log(self, at: str | None = None) -> list[str]:
        """The subjects from a commit on, newest first."""
        return git(self.path, "log", "--format=%s", at or self.branch).split("\n")

    def set_hook(self, name: str, script: str) -> None:
        """Install a hook; an empty script takes it away."""
        hook = self.path / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        if not script:
            hook.unlink(missing_ok=True)
            return
        hook.write_text(script)
        hook.chmod(0o755)

    def set(self, name: str, value: str) -> None:
        """Change a setting of the repository."""
        git(self.path, "config", name, value)


@lru_cache(maxsize=64)
def _files_of(repository: Path, commit: str) -> Mapping[str, bytes]:
    """Return every regular file at a commit, of which there is but one by its name."""
    blobs: dict[str, str] = {}
    for line in git_bytes(repository, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]:
        what, _, path = line.partition(b"\t")
        if what.split()[0] in {b"100644", b"100755"}:
            blobs[path.decode()] = what.split()[2].decode()
    told = git_bytes(repository, "cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in blobs.values()).encode())
    found: dict[str, bytes] = {}
    at_byte = 0
    for name in blobs:
        start = told.index(b"\n", at_byte) + 1
        end = start + int(told[at_byte : start - 1].split()[2])
        found[name] = told[start:end]
        at_byte = end + 1
    return found


def host(
    served: Served | Path, name: str, files: Files | None = None, *, branch: str = "main", at: datetime = EPOCH
) -> Hosted:
    """Make a bare repository among those served, unborn where `files` is None."""
    folder = served if isinstance(served, Path) else served.folder
    path = folder / f"{name}.git"
    for made in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):  # as `git init` does, without the program
        (path / made).mkdir(parents=True)
    (path / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
    (path / "config").write_text(_CONFIGURATION)
    hosted = Hosted(path=path, url=str(path) if isinstance(served, Path) else served.url(name), branch=branch)
    if files is not None:
        import_commit(hosted, files, at=at)
    return hosted


def import_commit(
    hosted: Hosted,
    files: Files,
    *,
    message: str = "memory: as it was",
    at: datetime = EPOCH,
    onto: str | None = None,
    branch: str | None = None,
) -> str:
    """Put a commit that holds exactly `files` straight onto a branch, past every hook."""
    ref = f"refs/heads/{branch or hosted.branch}"
    stream = [
        f"commit {ref}\ncommitter Ada Person <ada@test.invalid> {int(at.timestamp())} +0000\n".encode(),
        _data(message.encode()),
    ]
    if onto:
        stream.append(f"from {onto}\n".encode())
    stream.append(b"deleteall\n")
    for path, content in files.items():
        stream += [b"M 100644 inline %b\n" % _quoted(path), _data(_bytes(content))]
    git(hosted.path, "fast-import", "--quiet", "--force", stdin=b"".join(stream))
    return git(hosted.path, "rev-parse", ref)


class Person:
    """Somebody with a working copy who commits and pushes as people do; agents work the same way."""

    def __init__(self, hosted: Hosted, folder: Path, name: str = "Ada Person", *, at: datetime | None = None) -> None:
        """Clone the hosted repository into `folder`; commits are dated `at`, or one hour after what they stand on."""
        self.hosted = hosted
        self.folder = folder
        self.name = name
        self.at = at
        folder.parent.mkdir(parents=True, exist_ok=True)
        settings = (
            f"user.name={name}",
            f"user.email={name.split(maxsplit=1)[0].lower()}@test.invalid",
            "commit.gpgSign=false",
            "push.default=upstream",
            "core.autocrlf=false",
        )
        words = [word for setting in settings for word in ("-c", setting)]
        git(folder.parent, "clone", "--quiet", "--no-hardlinks", *words, hosted.url, str(folder))
        if hosted.tip() is None:
            git(folder, "symbolic-ref", "HEAD", f"refs/heads/{hosted.branch}")

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        """Run git in the working copy."""
        dates = {} if arguments[0] in _WITHOUT_A_DATE else self._dates()
        return git(self.folder, *arguments, stdin=stdin, **dates)

    def read(self, path: str) -> bytes:
        """Return a file of the working copy."""
        return (self.folder / path).read_bytes()

    def pull(self) -> None:
        """Bring the working copy to the tip, own commits on top."""
        tip = self.hosted.tip()
        if tip is not None and tip != self._head():
            self.git("pull", "--quiet", "--rebase", "origin", self.hosted.branch)

    def commit(self, changes: Mapping[str, str | bytes | None], message: str = "notes: change") -> str:
        """Write files (None: take away) and commit them, without pushing."""
        for path, content in changes.items():
            file = self.folder / path
            if content is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(_bytes(content))
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-m", message)
        return self.git("rev-parse", "HEAD")

    def push(self, *, tries: int = 20) -> str:
        """Push what was committed, rebasing onto whatever arrived meanwhile; returns the pushed commit."""
        for attempt in range(tries):
            try:
                self.git("push", "--quiet", "origin", f"HEAD:refs/heads/{self.hosted.branch}")
            except GitFailedError as refused:
                if attempt + 1 == tries or not _has_moved(str(refused)):
                    raise
                self.pull()
            else:
                break
        return self.git("rev-parse", "HEAD")

    def edit(self, changes: Mapping[str, str | bytes | None], message: str = "notes: change") -> str:
        """Change files on top of the tip and push them; returns the pushed commit."""
        self.pull()
        self.commit(changes, message)
        return self.push()

    def append(self, path: str, text: str, message: str = "notes: add") -> str:
        """Add text to the end of a file and push it."""
        self.pull()
        return self.edit({path: self.read(path) + text.encode()}, message)

    def delete(self, *paths: str, message: str = "notes: delete") -> str:
        """Delete files and push."""
        return self.edit(dict.fromkeys(paths), message)

    def rename(self, old: str, new: str, message: str = "notes: rename") -> str:
        """Rename a file and push."""
        self.pull()
        return self.edit({new: self.read(old), old: None}, message)

    def revert(self, commit: str) -> str:
        """Revert a commit with plain `git revert` and push."""
        self.pull()
        self.git("revert", "--no-edit", commit)
        return self.push()

    def _head(self) -> str:
        """The commit that the working copy stands on, "" where there is none."""
        try:
            return self.git("rev-parse", "--verify", "--quiet", "HEAD")
        except GitFailedError:
            return ""

    def _dates(self) -> dict[str, str]:
        at = self.at
        if at is None:
            try:
                newest = int(git(self.folder, "log", "-1", "--format=%ct"))
            except GitFailedError:
                newest = int(EPOCH.timestamp())
            at = datetime.fromtimestamp(newest + 3600, UTC)
        date = f"{int(at.timestamp())} +0000"
        return {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}


def assert_fast_forward(hosted: Hosted, old: str | None, new: str | None) -> None:
    """Assert, with git and from outside, that `new` holds everything that `old` did."""
    if old is None:
        return
    assert new is not None
    git(hosted.path, "merge-base", "--is-ancestor", old, new)


def assert_sound(hosted: Hosted) -> None:
    """Assert that the repository passes git's own check."""
    git(hosted.path, "fsck", "--strict", "--no-dangling")


def _has_moved(error: str) -> bool:
    return any(words in error for words in ("fetch first", "non-fast-forward", "cannot lock ref", "stale info"))


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def _quoted(path: str) -> bytes:
    return b'"%b"' % path.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
