"""Commits stacked on a head in the mirror, in memory until they are pushed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from dream.memory.applying import Files
from dream.memory.tree import Tree
from dream.repository.commits import CommitSpec, Identity, committer_time, read_commit, write_commit
from dream.repository.mirror import Mirror
from dream.repository.tree_edits import write_tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Signing:
    """Who commits, when, and what the trailers say; `kind` names what sort of commits they are."""

    identity: Identity
    organisation: str
    night: date
    at: datetime
    run: str
    model: str = "offline"
    kind: str = "Dream-Task"


class Branch:
    """A line of commits that starts at `head` (empty: at none), whose tree is `tree`."""

    def __init__(self, mirror: Mirror, tree: Tree, head: str, signing: Signing) -> None:
        """Start with no commit of its own."""
        self._mirror = mirror
        self._signing = signing
        self.tree = tree
        self.tip = head
        self.commits: list[str] = []

    def commit(self, task: str, files: Files, *, subject: str, body: str, model: str = "") -> str:
        """Commit what really differs and return the commit's id, or empty where nothing does; `model` answered."""
        changes = {path: data for path, data in files.items() if data != self.tree.read(path)}
        if not changes:
            return ""
        signing, repository = self._signing, self._mirror.repository
        base = read_commit(repository, self.tip).committer_time if self.tip else None
        self.tip = write_commit(
            repository,
            CommitSpec(
                tree=write_tree(repository, self.tip or None, changes, self._mirror.prefix),
                parents=(self.tip,) if self.tip else (),
                subject=subject,
                body=body,
                trailers=(
                    ("Dream-Organisation", signing.organisation),
                    ("Dream-Night", signing.night.isoformat()),
                    (signing.kind, task),
                    ("Dream-Run", signing.run),
                    ("Dream-Model", model or signing.model),
                ),
                author=signing.identity,
                author_time=signing.at,
                committer_time=committer_time(signing.at, base),
            ),
        )
        self.tree = self._mirror.tree(self.tip)
        self.commits.append(self.tip)
        return self.tip
