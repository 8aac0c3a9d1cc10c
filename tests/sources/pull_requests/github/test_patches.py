from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.github.fetching import Fetched
from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.patches import Compared, Edits, Run, read_edits, runs_of_people
from dream.sources.pull_requests.github.port import Answered, Unanswered, Want
from dream.sources.pull_requests.values import FileEdit
from tests.sources.pull_requests.github.asking import WEB, read
from tests.sources.pull_requests.records import BOT, commit, pull_request, record
from tests.support import github as served
from tests.support.repositories import git


def sha(number: int) -> str:
    return f"{number:040x}"


def on(number: int, author: str = BOT, parents: tuple[int, ...] = (), **fields: Any) -> dict[str, Any]:
    above = [sha(one) for one in parents or (number - 1,)]
    return commit(number, author, parents=above, **fields)


def runs(*commits: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    found = runs_of_people(pull_request(record("merged", *commits)), KNOWN_AGENTS)
    return tuple((int(one.base, 16), int(one.head, 16)) for one in found)


def test_peoples_commits_on_top_of_the_agents_are_one_stretch_from_its_last_head() -> None:
    assert runs(on(1), on(2), on(3, "ana"), on(4, "ben")) == ((2, 4),)


def test_merges_formatters_and_the_agents_own_commits_stand_between_stretches() -> None:
    merge = on(4, "ana", (3, 90), message="Merge branch 'main'")
    commits = (on(1), on(2, "ana"), on(3), merge, on(5, "ana"), on(6, "ana"), on(7, "autofix-ci[bot]"), on(8, "ben"))
    assert runs(*commits) == ((1, 2), (4, 6), (7, 8))


def test_nobodys_edits_are_no_stretch() -> None:
    assert runs(on(1), on(2)) == ()
    assert runs_of_people(pull_request(record("closed", on(1), on(2, "ana"), closed_by="ana")), KNOWN_AGENTS) == ()


@dataclass
class Told:
    """Comparisons as they are told, by their ends."""

    files: dict[tuple[str, str], Any] = field(default_factory=dict)

    def ask(self, operation: str, variables: object) -> Answered | Unanswered:
        raise NotImplementedError(operation, variables)

    def compare(self, repository: str, base: str, head: str) -> Any:
        assert repository == WEB
        return self.files.get((base, head), Unanswered(want=Want.ABSENT, reason="not there"))


def edits(*files: list[dict[str, Any]], limits: GitHubLimits | None = None) -> Edits:
    """What several comparisons make together."""
    platform = Told({(str(n), str(n + 1)): tuple(one) for n, one in enumerate(files)})
    found = [Run(base=base, head=head) for base, head in platform.files]
    return read_edits(Compared(platform), WEB, found, limits or GitHubLimits())


def test_of_one_file_changed_twice_there_is_one_edit_with_all_hunks() -> None:
    first = [{"filename": "a", "status": "added", "patch": "@@ 1"}, {"filename": "b.png", "status": "modified"}]
    second = [{"filename": "a", "status": "modified", "patch": "@@ 2"}, {"filename": "b.png", "status": "removed"}]
    assert edits(first, second) == Edits(
        files=(FileEdit(path="a", status="added", patch="@@ 1\n@@ 2"), FileEdit(path="b.png", status="removed"))
    )


def test_renames_changed_modes_and_words_that_are_not_known_are_told() -> None:
    files: list[dict[str, Any]] = [
        {"filename": "b", "status": "renamed", "previous_filename": "a", "patch": ""},
        {"filename": "c", "status": "changed"},
        {"filename": "d", "status": "transmogrified", "previous_filename": "x", "patch": "@@"},
        {"filename": ""},
        {"filename": 3},
    ]
    assert edits(files).files == (
        FileEdit(path="b", status="renamed", previous="a"),
        FileEdit(path="c", status="modified"),
        FileEdit(path="d", status="modified", patch="@@"),
    )


def test_what_is_too_much_is_left_out_and_said() -> None:
    small, large = {"filename": "a", "patch": "@@ 1"}, {"filename": "b", "patch": "@@" + "x" * 100}
    found = edits([large, small], limits=GitHubLimits(patch_characters=50))
    assert (found.files, found.gap) == (
        (FileEdit(path="b", status="modified"), FileEdit(path="a", status="modified", patch="@@ 1")),
        "patches that are too large are left out",
    )
    assert edits([{"filename": f"f{n}"} for n in range(300)]).gap == "only the first 300 files are told"
    many = edits(*([] for _ in range(12)))
    assert (many.files, many.gap) == ((), "of 12 stretches of commits only the first 10 are compared")


def test_one_comparison_is_asked_for_each_stretch() -> None:
    one = served.pull(1, served.commit(1), served.commit(2, "ana"), served.commit(3, "ana"))
    state = served.GitHubState(repositories={WEB: [one]}, comparisons={(sha(1), sha(3)): [{"filename": "a"}]})
    asked = read(state)
    assert asked.operations == ["ClosedPullRequests", "PullRequests", "compare"]
    assert asked.reading.pull_requests[0].edits == (FileEdit(path="a", status="modified"),)


@dataclass
class Workshop:
    """A repository of code, and a folder for what is fetched from it."""

    code: Path
    home: Path

    def write(self, name: str, content: bytes | str) -> None:
        path = self.code / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, message: str = "work") -> str:
        git(self.code, "add", "--all")
        git(
            self.code,
            "-c",
            "user.name=Ana",
            "-c",
            "user.email=ana@acme.example",
            "commit",
            "--quiet",
            "--allow-empty",
            "-m",
            message,
        )
        return git(self.code, "rev-parse", "HEAD").strip()

    def fetched(self) -> Fetched:
        return Fetched(self.home, url=lambda _name: self.code.as_uri(), environment=dict, limits=GitHubLimits())


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    code = tmp_path / "code"
    code.mkdir()
    git(code, "init", "--quiet")
    return Workshop(code, tmp_path / "home")


def test_git_tells_what_people_changed_after_the_branch_is_gone_and_the_head_was_pushed_over(
    workshop: Workshop,
) -> None:
    workshop.write("keep.py", "a = 1\nb = 2\n")
    workshop.write("old.txt", "".join(f"line {n}\n" for n in range(20)))
    workshop.write("logo.png", b"\x89PNG\0\0")
    workshop.write("run.sh", "#!/bin/sh\n")
    base = workshop.commit()
    workshop.write("keep.py", "a = 1\r\nb = 3\r\n")
    (workshop.code / "old.txt").rename(workshop.code / "new.txt")
    workshop.write("logo.png", b"\x89PNG\0\1")
    workshop.write('odd "näme\t*.py', "x\n")
    (workshop.code / "run.sh").chmod(0o755)
    head = workshop.commit()
    git(workshop.code, "update-ref", "refs/pull/41/head", head)
    git(workshop.code, "reset", "--quiet", "--hard", base)
    patches = workshop.fetched()
    assert patches.prepare(WEB, [41]) is None
    found = read_edits(patches, WEB, [Run(base=base, head=head)], GitHubLimits())
    assert found == Edits(
        files=(
            FileEdit(path="keep.py", status="modified", patch="@@ -1,2 +1,2 @@\n-a = 1\n-b = 2\n+a = 1\r\n+b = 3\r"),
            FileEdit(path="logo.png", status="modified"),
            FileEdit(path="new.txt", status="renamed", previous="old.txt"),
            FileEdit(path='odd "näme\t*.py', status="added", patch="@@ -0,0 +1 @@\n+x"),
            FileEdit(path="run.sh", status="modified"),
        )
    )


def test_heads_of_many_are_one_fetch_and_one_that_is_gone_takes_no_other_with_it(workshop: Workshop) -> None:
    workshop.write("a", "1\n")
    base = workshop.commit()
    workshop.write("a", "2\n")
    head = workshop.commit()
    git(workshop.code, "update-ref", "refs/pull/1/head", head)
    patches = workshop.fetched()
    assert patches.prepare(WEB, [1, 2, 3]) is None
    assert patches.changes(WEB, base, head) != ()
    assert patches.changes(WEB, base, sha(9)) == Unanswered(want=Want.ABSENT, reason="git has no such commits")
    assert patches.changes(WEB, base, base) == ()


def test_a_repository_that_cannot_be_fetched_is_said(tmp_path: Path) -> None:
    gone = (tmp_path / "gone").as_uri()
    patches = Fetched(tmp_path, url=lambda _: gone, environment=dict, limits=GitHubLimits())
    failed = patches.prepare(WEB, [1])
    assert failed is not None
    assert failed.want is Want.DOWN
    assert failed.reason.startswith("git fetch: ")
