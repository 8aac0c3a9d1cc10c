"""What a bare repository holds, read with the git program alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TRAILER = re.compile(r"([A-Z][A-Za-z-]*): (.+)")
_ENVIRONMENT = {"HOME": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "LC_ALL": "C"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit: whose it is, what it stands on, and what its message ends with."""

    id: str
    parents: tuple[str, ...]
    author: str
    committer: str
    trailers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class History:
    """A bare repository and the branch that is looked at; every commit may be named by any name git knows."""

    path: Path
    branch: str = "main"

    def git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Return what git prints; raises CalledProcessError."""
        environment = {"PATH": os.environ["PATH"], **_ENVIRONMENT}
        command = ["git", "-C", str(self.path), *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, check=True, env=environment).stdout

    def tip(self) -> str:
        """Return the commit that the branch stands on."""
        return self.git("rev-parse", f"refs/heads/{self.branch}").decode().strip()

    def ancestors(self, commit: str) -> frozenset[str]:
        """Return the ids of everything that a commit descends from, itself included."""
        return frozenset(self.git("rev-list", commit).decode().split())

    def commits(self, old: str, new: str) -> list[Commit]:
        """Return what `new` has and `old` has not, parents first."""
        shape = "--format=%H%x00%P%x00%ae%x00%ce%x00%B%x01"
        printed = self.git("log", "--topo-order", "--reverse", shape, new, f"^{old}").decode("utf-8", "replace")
        found = []
        for record in printed.split("\x01\n"):
            if record:
                commit, parents, author, committer, message = record.split("\0")
                found.append(
                    Commit(
                        id=commit,
                        parents=tuple(parents.split()),
                        author=author,
                        committer=committer,
                        trailers=_trailers(message),
                    )
                )
        return found

    def files(self, commit: str) -> dict[str, str]:
        """Return mode and blob of every path, as `100644 <blob>`."""
        listed = self.git("ls-tree", "-r", "-z", "--full-tree", commit).decode("utf-8", "surrogateescape")
        found = {}
        for line in listed.split("\0")[:-1]:
            what, _, path = line.partition("\t")
            mode, _, blob = what.split()
            found[path] = f"{mode} {blob}"
        return found

    def changed(self, old: str, new: str) -> frozenset[str]:
        """Return the paths that differ between two commits in content or mode."""
        listed = self.git("diff-tree", "-r", "-z", "--no-renames", "--name-only", old, new)
        return frozenset(listed.decode("utf-8", "surrogateescape").split("\0")[:-1])

    def blobs(self, ids: Iterable[str]) -> dict[str, bytes]:
        """Return the bytes of blobs by id."""
        wanted = sorted(set(ids))
        printed = self.git("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in wanted).encode())
        found, at = {}, 0
        for blob in wanted:
            end = printed.index(b"\n", at)
            size = int(printed[at:end].split()[2])
            found[blob] = printed[end + 1 : end + 1 + size]
            at = end + 1 + size + 1
        return found

    def read(self, commit: str, path: str) -> bytes | None:
        """Return a file at a commit, None where there is none."""
        entry = self.files(commit).get(path)
        return None if entry is None else self.git("cat-file", "blob", entry.split()[1])

    def read_json(self, commit: str, path: str) -> dict[str, Any]:
        """Return a JSON object at a commit; raises ValueError where there is none."""
        data = self.read(commit, path)
        document = json.loads(data) if data is not None else None
        if not isinstance(document, dict):
            message = f"{path} is no JSON object"
            raise ValueError(message)  # noqa: TRY004  # what json itself raises for text that is no JSON
        return document


def _trailers(message: str) -> dict[str, str]:
    last = message.rstrip("\n").rpartition("\n\n")[2]
    return {found[1]: found[2] for line in last.split("\n") if (found := _TRAILER.fullmatch(line))}
