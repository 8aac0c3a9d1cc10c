"""Learnings in a project: written where agents look, and nothing else of it is ever touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.errors import FatalError, TransientError, UsageError
from dream.projects.installing import LEDGER, Installation, Left, install_learnings
from dream.projects.places import TOOLS, Place, places_for

ONE = {"review-migrations": b"one\n"}
TWO = {**ONE, "deploy-invoices": b"two\n"}
CLAUDE = places_for(["claude-code"], "")
PATH = ".claude/skills/review-migrations/SKILL.md"
OTHER = ".claude/skills/deploy-invoices/SKILL.md"
ODD = "its way leads through a link, or something else that is no folder or file"


def install(project: Path, learnings: dict[str, bytes], *, dry_run: bool = False, by: str = "acme") -> Installation:
    return install_learnings(project, learnings, organisation=by, places=CLAUDE, dry_run=dry_run)


def files_in(project: Path) -> dict[str, bytes]:
    return {
        path.relative_to(project).as_posix(): path.read_bytes()
        for path in sorted(project.rglob("*"))
        if path.is_file() and not path.is_symlink() and path.name != LEDGER
    }


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with something of its own."""
    folder = tmp_path / "project"
    (folder / ".claude" / "skills" / "own").mkdir(parents=True)
    (folder / ".claude" / "skills" / "own" / "SKILL.md").write_bytes(b"mine\n")
    return folder


def test_they_are_written_updated_and_taken_away_again(project: Path) -> None:
    before = files_in(project)
    assert install(project, TWO) == Installation(written=(OTHER, PATH))
    assert files_in(project) == {**before, PATH: b"one\n", OTHER: b"two\n"}
    assert install(project, {"review-migrations": b"new\n"}) == Installation(updated=(PATH,), removed=(OTHER,))
    assert files_in(project) == {**before, PATH: b"new\n"}
    assert install(project, {}) == Installation(removed=(PATH,))
    assert files_in(project) == before
    assert not (project / LEDGER).exists()
    assert sorted(path.name for path in (project / ".claude" / "skills").iterdir()) == ["own"]


def test_a_second_time_changes_nothing(project: Path) -> None:
    install(project, TWO)
    stamps = {path: path.stat().st_mtime_ns for path in project.rglob("*")}
    assert install(project, TWO) == Installation(unchanged=(OTHER, PATH))
    assert {path: path.stat().st_mtime_ns for path in project.rglob("*")} == stamps


def test_a_dry_run_tells_the_same_and_does_nothing(project: Path) -> None:
    install(project, ONE)
    before = {**files_in(project), LEDGER: (project / LEDGER).read_bytes()}
    told = install(project, {"deploy-invoices": b"two\n"}, dry_run=True)
    assert {**files_in(project), LEDGER: (project / LEDGER).read_bytes()} == before
    assert told == install(project, {"deploy-invoices": b"two\n"})


def test_all_tools_look_in_two_folders(project: Path) -> None:
    places = places_for([], "")
    assert install_learnings(project, ONE, organisation="acme", places=places).written == (
        PATH,
        ".agents/skills/review-migrations/SKILL.md",
    )
    assert set(TOOLS) == {"claude-code", "codex", "cursor", "opencode", "pi"}


def test_what_somebody_changed_is_left_alone(project: Path) -> None:
    install(project, TWO)
    (project / PATH).write_bytes(b"changed\n")
    (project / OTHER).write_bytes(b"changed\n")
    told = install(project, {"review-migrations": b"new\n"})
    assert told == Installation(
        left=(Left(PATH, "somebody changed it"), Left(OTHER, "its learning is gone, and somebody changed it"))
    )
    assert (project / PATH).read_bytes() == (project / OTHER).read_bytes() == b"changed\n"


def test_what_was_there_before_is_left_alone(project: Path) -> None:
    told = install(project, {"own": b"ours\n"})
    assert told == Installation(left=(Left(".claude/skills/own/SKILL.md", "it was there before"),))
    assert (project / ".claude/skills/own/SKILL.md").read_bytes() == b"mine\n"


def test_what_reads_the_same_is_not_taken_for_ours(project: Path) -> None:
    assert install(project, {"own": b"mine\n"}).unchanged == (".claude/skills/own/SKILL.md",)
    assert install(project, {"own": b"new\n"}).left == (Left(".claude/skills/own/SKILL.md", "it was there before"),)
    assert install(project, {}) == Installation()
    assert (project / ".claude/skills/own/SKILL.md").read_bytes() == b"mine\n"


def test_two_organisations_leave_each_other_alone(project: Path) -> None:
    install(project, ONE)
    told = install(project, {"review-migrations": b"theirs\n", "deploy-invoices": b"two\n"}, by="bolt")
    assert told == Installation(written=(OTHER,), left=(Left(PATH, "it is of acme"),))
    assert install(project, {}, by="bolt") == Installation(removed=(OTHER,))
    assert (project / PATH).read_bytes() == b"one\n"


def test_other_places_are_not_looked_at(project: Path) -> None:
    install(project, ONE)
    places = places_for(["codex"], "")
    install_learnings(project, {}, organisation="acme", places=places)
    assert (project / PATH).read_bytes() == b"one\n"


def test_a_file_in_the_folder_of_one_that_goes_stays(project: Path) -> None:
    install(project, ONE)
    beside = project / ".claude/skills/review-migrations/notes.txt"
    beside.write_bytes(b"mine\n")
    assert install(project, {}).removed == (PATH,)
    assert beside.read_bytes() == b"mine\n"


@pytest.mark.parametrize("at", [".claude", ".claude/skills", ".claude/skills/review-migrations"])
def test_no_link_is_followed(project: Path, tmp_path: Path, at: str) -> None:
    outside = tmp_path / "outside"
    for folder in ("", "skills/review-migrations", "review-migrations"):
        (outside / folder).mkdir(parents=True, exist_ok=True)
    link = project / at
    if link.exists():
        link.rename(tmp_path / "aside")
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside)
    assert install(project, ONE) == Installation(left=(Left(PATH, ODD),))
    assert files_in(outside) == {}


def test_a_file_that_is_a_link_is_left_alone(project: Path, tmp_path: Path) -> None:
    install(project, ONE)
    outside = tmp_path / "outside.md"
    outside.write_bytes(b"one\n")
    (project / PATH).unlink()
    (project / PATH).symlink_to(outside)
    assert install(project, {"review-migrations": b"new\n"}).left == (Left(PATH, ODD),)
    assert install(project, {}).left == (Left(PATH, "its learning is gone, and its way leads through a link"),)
    assert outside.read_bytes() == b"one\n"


def test_a_folder_or_a_file_in_the_way_is_left_alone(project: Path) -> None:
    (project / PATH).mkdir(parents=True)
    (project / ".claude/skills/deploy-invoices").write_bytes(b"a file\n")
    assert install(project, TWO) == Installation(left=(Left(OTHER, ODD), Left(PATH, ODD)))


def test_a_link_for_the_project_itself_is_its_folder(project: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(project)
    assert install(link, ONE).written == (PATH,)
    assert (project / PATH).read_bytes() == b"one\n"


@pytest.mark.parametrize(
    "ledger",
    [
        b"",
        b"[]",
        b"{",
        b'{"version": 1, "files": {"a": {}}}',
        b'{"version": 2, "files": {}}',
        b'{"version": 1, "files": {}, "more": 1}',
        b"\xff",
    ],
)
def test_a_ledger_that_cannot_be_read_stops_before_anything_is_written(project: Path, ledger: bytes) -> None:
    (project / LEDGER).write_bytes(ledger)
    before = files_in(project)
    with pytest.raises(FatalError, match="dream-learnings"):
        install(project, ONE)
    assert files_in(project) == before


@pytest.mark.parametrize(
    "path", ["../outside.md", "README.md", "/etc/hosts", ".claude/skills/Own/SKILL.md", ".git/config"]
)
def test_a_ledger_moves_nobody_to_other_files(project: Path, path: str) -> None:
    (project.parent / "outside.md").write_bytes(b"mine\n")
    (project / "README.md").write_bytes(b"mine\n")
    digest = "c6e4a9bd0f7b1d0ab5f2d2e0a4b0c7a0f0e9d7c6b5a4f3e2d1c0b9a8f7e6d5c4"
    files = {path: {"organisation": "acme", "digest": digest}}
    (project / LEDGER).write_text(json.dumps({"version": 1, "files": files}))
    assert install(project, {}) == Installation()
    assert (project / "README.md").read_bytes() == (project.parent / "outside.md").read_bytes() == b"mine\n"


def test_what_was_written_until_something_broke_is_known(project: Path) -> None:
    long = "a" * 64
    place = Place("{name}/" * 3 + "b" * 200 + "{name}.md")
    with pytest.raises(TransientError, match="File name too long"):
        install_learnings(project, {"0": b"one\n", long: b"two\n"}, organisation="acme", places=[place])
    assert install_learnings(project, {}, organisation="acme", places=[place]).removed == (place.path("0"),)


def test_there_has_to_be_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        install(tmp_path / "missing", ONE)


@pytest.mark.parametrize(
    "template",
    [
        "",
        "skills/SKILL.md",
        "/etc/{name}.md",
        "../{name}.md",
        "a/../{name}.md",
        "a/./{name}.md",
        "a//{name}.md",
        ".git/{name}.md",
        ".GIT/hooks/{name}.md",
        "a\\{name}.md",
        "a/{name}",
        "a/{name}.sh",
        "a/{name}/{other}.md",
        "a/{name}\n.md",
        "a/{name}.md/",
        "a /{name}.md",
        "x" * 300 + "/{name}.md",
    ],
)
def test_a_template_that_leads_elsewhere_is_refused(template: str) -> None:
    if template:
        with pytest.raises(UsageError, match="the template"):
            places_for([], template)
    assert places_for(["codex"], "") == (Place(".agents/skills/{name}/SKILL.md"),)


def test_a_template_stands_beside_tools_or_alone() -> None:
    own = Place(".tool/{name}.md")
    assert places_for([], ".tool/{name}.md") == (own,)
    assert places_for(["pi", "codex"], ".tool/{name}.md") == (Place(TOOLS["pi"]), own)
    with pytest.raises(UsageError, match="nobody knows where 'emacs'"):
        places_for(["emacs"], "")


names = st.from_regex(r"[a-z0-9]+(?:-[a-z0-9]+){0,3}", fullmatch=True).filter(lambda name: len(name) <= 64)


@given(names, st.sampled_from([*TOOLS.values(), "a/{name}/{name}.md", "{name}.md"]))
def test_a_place_knows_its_own_paths(name: str, template: str) -> None:
    place = Place(template)
    assert place.holds(place.path(name))
    assert not place.holds(f"x/{place.path(name)}")
    assert not place.holds(place.path(name.upper() + "_"))
