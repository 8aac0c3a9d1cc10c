"""The commits of one night, as git has them: found by its record, told by their own messages and diffs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import islice

from dream.memory.records import NightRecord, record_path
from dream.report.story import NightCommit
from dream.repository.commits import CommitInfo, Identity
from dream.repository.history import commits_between, has_commit, last_writer
from dream.repository.mirror import Mirror

MOST_COMMITS = 10_000
"""How far back from a night's last commit the rest of them are looked for."""

_DROPPED = ("diff --git ", "index ")
_COMPARE = (
    "-c",
    "core.quotePath=false",
    "diff-tree",
    "--stdin",
    "--root",
    "-r",
    "--no-renames",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
)
_AS_NAMES = ("-z", "--name-only")
_AS_LINES = ("-p", "-U1", "--text", "--src-prefix=a/", "--dst-prefix=b/")


def night_commits(
    mirror: Mirror, head: str, record: NightRecord, *, identity: Identity, with_diffs: bool = True
) -> tuple[NightCommit, ...]:
    """Return the commits of the night of `record` that `head` holds, oldest first, reverts of it included.

    The record names the commits of tasks; its own, and those of earlier landings, carry the flow's identity and the
    night's date.
    """
    repository = mirror.repository
    last = last_writer(repository, record_path(record.night), head, mirror.prefix)
    if last is None:
        return ()
    tasks = {task.commit: name for name, task in record.tasks.items() if has_commit(repository, task.commit)}
    found: dict[str, CommitInfo] = {}
    for commit in islice(commits_between(repository, None, last), MOST_COMMITS):
        if commit.id in tasks or _is_of(commit, record.night, identity):
            found[commit.id] = commit
        elif found and tasks.keys() <= found.keys():
            break
    commits = list(reversed(found.values()))
    ids = [commit.id for commit in commits]
    files = _by_commit(ids, _ask(mirror, ids, _AS_NAMES).split("\0"))
    diffs = _by_commit(ids, _ask(mirror, ids, _AS_LINES).split("\n")) if with_diffs else {}
    return tuple(
        NightCommit(
            id=commit.id,
            task=tasks.get(commit.id) or commit.trailer("Dream-Task") or commit.trailer("Dream-Revert") or "other",
            subject=commit.subject,
            body=_body(commit),
            files=tuple(files[commit.id]),
            diff=tuple(line for line in diffs.get(commit.id, ()) if not line.startswith(_DROPPED)),
            is_revert=bool(commit.trailer("Dream-Revert")),
        )
        for commit in commits
    )


def _is_of(commit: CommitInfo, night: date, identity: Identity) -> bool:
    return commit.committer == identity and commit.trailer("Dream-Night") == night.isoformat()


def _body(commit: CommitInfo) -> str:
    """Return the message without its subject and its trailers."""
    body = commit.message.partition("\n")[2].strip("\n")
    return body.rpartition("\n\n")[0].strip("\n") if commit.trailers else body


def _ask(mirror: Mirror, commits: Sequence[str], form: Sequence[str]) -> str:
    """Return what git says the commits changed under the memory's folder; nothing where git will not say."""
    folder = [f"--relative={mirror.prefix.rstrip('/')}/"] if mirror.prefix else []
    if not commits:
        return ""
    asked = "".join(f"{commit}\n" for commit in commits).encode("ascii")
    return mirror.git.run([*_COMPARE, *form, *folder], repository=mirror.path, stdin=asked).output.decode(
        "utf-8", "replace"
    )


def _by_commit(commits: Sequence[str], parts: Sequence[str]) -> dict[str, list[str]]:
    """Return the parts that follow each commit's id; commits come in the order in which they were asked for."""
    told: dict[str, list[str]] = {commit: [] for commit in commits}
    left = list(commits)
    current: list[str] = []
    for part in parts:
        if part in left:
            del left[: left.index(part) + 1]
            current = told[part]
        elif part:
            current.append(part)
    return told
