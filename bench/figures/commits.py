"""Six commits of 25 files each on a large memory: built in memory, beside the git command line doing the same."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from bench.figures.making import memory
from bench.figures.measuring import Row, cold_and_warm, seconds, shown
from dream.repository.commits import CommitSpec, Identity, write_commit
from dream.repository.mirror import Mirror, open_mirror
from dream.repository.tree_edits import write_tree
from tests.support.repositories import EPOCH, git, host
from tests.support.served import serve

COMMITS, FILES = 6, 25
_ME = Identity("Nightly Dreaming", "nightly-dreaming@localhost")


def commits(*, short: bool) -> Iterator[Row]:
    """Build them each way."""
    notes = 1_000 if short else 10_000
    with tempfile.TemporaryDirectory(prefix="dream-figures-") as folder:
        root = Path(folder)
        (root / "hosted").mkdir()
        with serve(root / "hosted") as served:
            hosted = host(served, "memory", memory(notes))
            git(hosted.path, "gc", "--quiet")
            mirror = open_mirror(root / "home", hosted.url)
            fetching, _ = seconds(mirror.fetch)
            tip = hosted.tip() or ""
            paths = sorted(path for path in mirror.tree(tip).paths() if path != "MEMORY.md")
            copy = root / "copy"
            cloning, _ = seconds(lambda: git(root, "clone", "--quiet", hosted.url, str(copy)))
            chance = random.Random(3)  # noqa: S311 - repeatable on purpose
            ours = cold_and_warm(lambda: _ours(mirror, tip, paths, chance))
            theirs = cold_and_warm(lambda: _with_a_working_copy(copy, paths, chance))
            plumbing = cold_and_warm(lambda: _with_plumbing(mirror.path, tip, paths, chance, root))
            yield Row(
                what=f"six commits of 25 files on {notes:,} notes",
                cold=shown(ours[0]),
                warm=shown(ours[1]),
                reference=f"git add, commit: {shown(theirs[0])}, {shown(theirs[1])}; "
                f"git plumbing: {shown(plumbing[0])}, {shown(plumbing[1])}",
                target="at least 3 times as fast",
                is_met=min(theirs[1], plumbing[1]) >= 3 * ours[1],
            )
            yield Row(
                what=f"first fetch of {notes:,} notes into the mirror",
                cold=shown(fetching),
                warm=shown(seconds(mirror.fetch)[0]),
                reference=f"git clone: {shown(cloning)}",
            )


def _changes(paths: list[str], chance: random.Random) -> dict[str, bytes]:
    return {path: b"# Changed\n\n- number %d\n" % chance.randrange(10**9) for path in chance.sample(paths, FILES)}


def _ours(mirror: Mirror, tip: str, paths: list[str], chance: random.Random) -> None:
    at: datetime = EPOCH
    for _ in range(COMMITS):
        tree = write_tree(mirror.repository, tip, dict[str, bytes | None](_changes(paths, chance)))
        spec = CommitSpec(tree=tree, parents=(tip,), subject="x", author=_ME, author_time=at, committer_time=at)
        tip = write_commit(mirror.repository, spec)


def _with_a_working_copy(copy: Path, paths: list[str], chance: random.Random) -> None:
    named = ("-c", "user.name=x", "-c", "user.email=x@test.invalid")
    for _ in range(COMMITS):
        for path, data in _changes(paths, chance).items():
            (copy / path).write_bytes(data)
        git(copy, "add", "--all")
        git(copy, *named, "commit", "--quiet", "-m", "x")


def _with_plumbing(mirror: Path, tip: str, paths: list[str], chance: random.Random, root: Path) -> None:
    index = str(root / "index")
    named = ("-c", "user.name=x", "-c", "user.email=x@test.invalid")
    git(mirror, "read-tree", tip, GIT_INDEX_FILE=index)
    blobs = root / "blobs"
    blobs.mkdir(exist_ok=True)
    for _ in range(COMMITS):
        changes = _changes(paths, chance)
        names = [blobs / str(number) for number in range(FILES)]
        for name, data in zip(names, changes.values(), strict=True):
            name.write_bytes(data)
        made = git(mirror, "hash-object", "-w", "--stdin-paths", stdin="".join(f"{name}\n" for name in names).encode())
        lines = "".join(f"100644 {blob}\t{path}\n" for blob, path in zip(made.split("\n"), changes, strict=True))
        git(mirror, "update-index", "--index-info", stdin=lines.encode(), GIT_INDEX_FILE=index)
        tree = git(mirror, "write-tree", GIT_INDEX_FILE=index)
        tip = git(mirror, *named, "commit-tree", tree, "-p", tip, "-m", "x")
