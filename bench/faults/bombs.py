"""T15: trees, blobs, references, frontmatter and lines made to use up a machine: refused, or bounded."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bench.faults.scene import BUSY, Scene, set_scene
from bench.faults.tally import Tally, say
from tests.support.repositories import git, import_commit

MOST_BYTES = 1_000_000_000
MOST_SECONDS = 60.0
_YAML = "---\nname: bomb\na: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{here}: &{here} [{','.join(['*' + before] * 9)}]\n" for before, here in zip("abcdefg", "bcdefgh", strict=True)
)


def resource_bombs(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Put each into the memory, dream in a process of its own, and look at what that took."""
    blob = 50_000_000 if short else 1_000_000_000
    references = 20_000 if short else 1_000_000
    bombs: tuple[tuple[str, Callable[[Scene], None], set[str]], ...] = (
        ("a tree of ten objects that name a billion files", _tree_bomb, {"error"}),
        ("a tree 200 folders deep", _deep_tree, {"error"}),
        (f"a note of {blob:,} bytes", lambda scene: _large_blob(scene, blob), {"landed", "error"}),
        (f"{references:,} references", lambda scene: _many_references(scene, references), {"landed"}),
        ("frontmatter of 300 bytes that expands to 43 million values", _yaml_bomb, {"landed"}),
        ("frontmatter nested 50,000 deep", _deep_yaml, {"landed"}),
        ("a line of 10 MB", lambda scene: _note(scene, "services/line.md", b"- " + b"x" * 10_000_000), {"landed"}),
        ("a line of 250 kB", lambda scene: _note(scene, "services/line.md", b"- " + b"word " * 50_000), {"landed"}),
        ("200 kB of brackets", lambda scene: _note(scene, "services/b.md", b"- " + b"[" * 200_000), {"landed"}),
        ("200 kB of backticks", lambda scene: _note(scene, "services/b.md", b"- " + b"`a " * 66_000), {"landed"}),
        ("a quote nested 100,000 deep", lambda scene: _note(scene, "services/q.md", b">" * 100_000), {"landed"}),
        ("a list nested 2,000 deep", lambda scene: _note(scene, "services/n.md", _nested(2_000)), {"landed"}),
        ("60,000 lines of one letter", lambda scene: _note(scene, "services/m.md", b"- a\n" * 60_000), {"landed"}),
    )
    for name, put, allowed in bombs[:7] if short else bombs:
        _explode(tally, name, put, allowed)


def _explode(tally: Tally, name: str, put: Callable[[Scene], None], allowed: set[str]) -> None:
    with set_scene() as scene, _time(name):
        scene.reset()
        put(scene)
        scene.keep()
        checker = scene.reset()
        ended = scene.night(git_seconds=50).end(timeout=MOST_SECONDS * 3)
        problems = checker.check()
        if ended.status not in allowed:
            problems.append(f"it ended {ended.status}: {ended.reason[:300]}")
        if ended.peak_bytes > MOST_BYTES:
            problems.append(f"it took {ended.peak_bytes / 1e6:.0f} MB")
        if ended.seconds > MOST_SECONDS:
            problems.append(f"it took {ended.seconds:.0f} s")
        tally.note(name, problems)
        tally.remark(f"{name}: {ended.status}, {ended.seconds:.1f} s, {ended.peak_bytes / 1e6:.0f} MB")


@contextmanager
def _time(name: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    say(f"  {name}: {time.perf_counter() - start:.1f} s with its making")


def _commit_tree(scene: Scene, tree: str) -> None:
    path = scene.hosted.path
    named = ("-c", "user.name=Old", "-c", "user.email=old@test.invalid")
    git(path, "update-ref", "refs/heads/main", git(path, *named, "commit-tree", tree, "-p", "main", "-m", "bomb"))


def _tree_bomb(scene: Scene) -> None:
    path = scene.hosted.path
    below = git(path, "hash-object", "-w", "--stdin", stdin=b"# boom\n")
    mode, kind = "100644", "blob"
    for level in range(10):
        end = "" if level else ".md"
        lines = "".join(f"{mode} {kind} {below}\tn{number}{end}\n" for number in range(10))
        below, mode, kind = git(path, "mktree", stdin=lines.encode()), "040000", "tree"
    _commit_tree(scene, below)


def _deep_tree(scene: Scene) -> None:
    path = scene.hosted.path
    note = git(path, "hash-object", "-w", "--stdin", stdin=b"# deep\n")
    below = git(path, "mktree", stdin=f"100644 blob {note}\ta.md\n".encode())
    for _ in range(200):
        below = git(path, "mktree", stdin=f"040000 tree {below}\td\n".encode())
    _commit_tree(scene, below)


def _large_blob(scene: Scene, size: int) -> None:
    path = scene.hosted.path
    with subprocess.Popen(["head", "-c", str(size), "/dev/zero"], stdout=subprocess.PIPE) as zeros:
        done = subprocess.run(
            ["git", "-C", str(path), "-c", "core.bigFileThreshold=1m", "hash-object", "-w", "--stdin"],
            stdin=zeros.stdout,
            capture_output=True,
            text=True,
            check=True,
        )
    lines = git(path, "ls-tree", "main") + f"\n100644 blob {done.stdout.strip()}\tlarge.md\n"
    _commit_tree(scene, git(path, "mktree", stdin=lines.encode()))


def _many_references(scene: Scene, count: int) -> None:
    tip = scene.hosted.tip()
    with (scene.hosted.path / "packed-refs").open("w") as file:
        file.write("# pack-refs with: peeled fully-peeled sorted \n")
        file.writelines(f"{tip} refs/heads/x{number:07d}\n" for number in range(count))


def _yaml_bomb(scene: Scene) -> None:
    _note(scene, "services/bomb.md", f"{_YAML}---\n\n# Bomb\n\n- Something is said here.\n".encode())


def _deep_yaml(scene: Scene) -> None:
    _note(scene, "services/bomb.md", b"---\na: " + b"[" * 50_000 + b"]" * 50_000 + b"\n---\n\n- Something.\n")


def _nested(depth: int) -> bytes:
    return b"".join(b" " * (2 * (level % 60)) + b"- item %d\n" % level for level in range(depth))


def _note(scene: Scene, path: str, data: bytes) -> None:
    import_commit(scene.hosted, {**BUSY, path: data + b"\n"}, onto=scene.hosted.tip(), message="notes: a bomb")
