"""`dream consolidate` and `dream apply`: a proposal, its marks, and the way back."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.proposals.folders import folder_of, standing
from tests.support.commands import Commands, Ended
from tests.support.repositories import git

STATEMENT = "checkout-api never retries a 402 of the payment provider."
MEMORY = {
    "MEMORY.md": "# Memory\n\n- [Old](services/old.md)\n- [Checkout](services/checkout-api.md)\n",
    "services/checkout-api.md": f"# checkout-api\n\n- 2026-10-06: {STATEMENT} [thread_77, 2026-10-06]\n"
    "- 2026-10-01: It leans on [old](old.md). [thread_5, 2026-10-01]\n",
    "services/slow.md": f"# slow\n\n- 2026-09-01: One thing is slow here. [thread_1, 2026-09-01]\n"
    f"- 2026-10-01: {STATEMENT} [thread_78, 2026-10-01]\n",
    "services/old.md": "# old\n\n- 2020-01-01: checkout-api was called basket before, see [slow](slow.md) for what it"
    " took in those days. [thread_0, 2020-01-01]\n",
    "tiny/t.md": "# t\n\nSoon.\n",
}


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    folder_of(tmp_path / "memory", MEMORY)
    yield Commands(tmp_path, capsys, monkeypatch)
    structlog.reset_defaults()


def propose(dream: Commands, *arguments: str) -> Path:
    ended = dream("consolidate", "memory", "--out", "p.md", *arguments)
    assert ended.exit == 0, ended.err
    return dream.root / "p.md"


def mark(proposal: Path, *words: str) -> None:
    """Mark every item whose line holds one of `words`."""
    lines = proposal.read_text().split("\n")
    marked = [
        line.replace("- [ ]", "- [x]", 1) if line.startswith("- [ ]") and any(word in line for word in words) else line
        for line in lines
    ]
    proposal.write_text("\n".join(marked))


def test_a_proposal_is_written_beside_the_memory_and_changes_nothing_in_it(dream: Commands) -> None:
    before = standing(dream.root / "memory")
    text = propose(dream).read_text()
    assert standing(dream.root / "memory") == before
    assert [line[6:].rpartition(" `")[0] for line in text.split("\n") if line.startswith("- [ ]")] == [
        "**1.** Keep a statement once, in `services/checkout-api.md`, and not in `services/slow.md`",
        "**2.** Retire `services/old.md` to `archive/services/old.md`",
        "**3.** Retire `tiny/t.md` to `archive/tiny/t.md`",
    ]


def test_what_is_marked_is_shown_then_done_then_taken_back_to_the_byte(dream: Commands) -> None:
    memory, proposal = dream.root / "memory", propose(dream)
    before = standing(memory)
    mark(proposal, "Retire", "Keep")
    shown = dream("apply", "p.md")
    assert (shown.exit, standing(memory)) == (0, before)
    assert "services/old.md → archive/services/old.md" in shown.out
    assert dream("apply", "p.md", "--yes").exit == 0
    files = {path: data.decode() for path, (_, _, data) in standing(memory).items() if (memory / path).is_file()}
    assert files == {
        "MEMORY.md": "# Memory\n\n- [Checkout](services/checkout-api.md)\n",
        "archive/services/old.md": MEMORY["services/old.md"].replace("(slow.md)", "(../../services/slow.md)"),
        "archive/tiny/t.md": MEMORY["tiny/t.md"],
        "services/checkout-api.md": "# checkout-api\n\n"
        f"- 2026-10-01: {STATEMENT} [thread_77, thread_78, 2026-10-01]\n"
        "- 2026-10-01: It leans on [old](../archive/services/old.md). [thread_5, 2026-10-01]\n",
        "services/slow.md": "# slow\n\n- 2026-09-01: One thing is slow here. [thread_1, 2026-09-01]\n",
    }
    assert not (memory / "tiny").exists()
    after = standing(memory)
    again = dream("apply", "p.md", "--yes")
    assert (again.exit, again.out.startswith("done already"), standing(memory)) == (0, True, after)
    assert dream("apply", "p.md", "--undo").exit == 0
    assert standing(memory) == before
    assert dream("apply", "p.md", "--undo").out.startswith("nothing of p.md is done")
    assert dream("apply", "p.md", "--yes").exit == 0
    assert {path: one[2] for path, one in standing(memory).items()} == {path: one[2] for path, one in after.items()}


def test_where_nothing_is_marked_nothing_is_done(dream: Commands) -> None:
    propose(dream)
    before = standing(dream.root)
    ended = dream("apply", "p.md", "--yes")
    assert (ended.exit, ended.out.startswith("nothing is marked"), standing(dream.root)) == (0, True, before)


@pytest.mark.parametrize(
    ("path", "text"), [("services/slow.md", "# slow\n"), ("archive/services/old.md", "x"), ("MEMORY.md", "# M\n")]
)
def test_a_memory_that_moved_is_refused_and_what_moved_is_named(dream: Commands, path: str, text: str) -> None:
    mark(propose(dream), "Retire", "Keep")
    folder_of(dream.root / "memory", {path: text})
    before = standing(dream.root)
    ended = dream("apply", "p.md", "--yes")
    assert (ended.exit, standing(dream.root)) == (3, before)
    assert f"the memory moved since the proposal was made: {path} (item" in ended.err
    assert "run dream consolidate again" in ended.err


def test_an_item_whose_files_stand_as_they_did_goes_on_when_the_moved_one_is_unticked(dream: Commands) -> None:
    mark(propose(dream), "tiny")
    folder_of(dream.root / "memory", {"services/slow.md": "# slow\n", "new.md": "# new\n"})
    assert dream("apply", "p.md", "--yes").exit == 0
    assert (dream.root / "memory/archive/tiny/t.md").is_file()


def test_an_undo_refuses_to_take_away_what_somebody_wrote_since(dream: Commands) -> None:
    mark(propose(dream), "Keep")
    assert dream("apply", "p.md", "--yes").exit == 0
    folder_of(dream.root / "memory", {"services/slow.md": "# slow, by hand\n"})
    before = standing(dream.root)
    ended = dream("apply", "p.md", "--undo")
    assert (ended.exit, standing(dream.root)) == (3, before)
    assert "services/slow.md" in ended.err


def test_more_than_a_night_may_take_needs_a_person_to_say_so(dream: Commands) -> None:
    folder_of(dream.root / "memory", {f"tiny/{name}.md": f"# {name}\n\nSoon.\n" for name in "abcdef"})
    mark(propose(dream), "Retire")
    before = standing(dream.root)
    assert "more than a night may" in dream("apply", "p.md").out
    refused = dream("apply", "p.md", "--yes")
    assert (refused.exit, standing(dream.root)) == (3, before)
    assert "--over-budget" in refused.err
    assert dream("apply", "p.md", "--yes", "--over-budget").exit == 0


def test_other_marks_after_a_run_are_refused(dream: Commands) -> None:
    proposal = propose(dream)
    mark(proposal, "Keep")
    assert dream("apply", "p.md", "--yes").exit == 0
    mark(proposal, "Retire")
    ended = dream("apply", "p.md", "--yes")
    assert ended.exit == 2
    assert "with other marks" in ended.err


def test_a_proposal_overwrites_nothing_and_lies_in_no_memory(dream: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    propose(dream)
    before = standing(dream.root)
    for arguments in (
        ("--out", "p.md"),
        ("--out", "memory/p.md"),
        ("--out", "memory/../memory/p.md"),
        ("--out", "no/p"),
    ):
        assert dream("consolidate", "memory", *arguments).exit == 2
    monkeypatch.chdir(dream.root / "memory")
    assert dream("consolidate", ".").exit == 2
    assert standing(dream.root) == before
    shutil.copy(dream.root / "p.md", dream.root / "memory/p.md")
    assert dream("apply", "p.md").exit == 2
    for path in ("nowhere", "MEMORY.md"):
        assert dream("consolidate", path).exit == 2


def test_where_there_is_nothing_to_propose_no_file_is_written(dream: Commands) -> None:
    folder_of(
        dream.root / "clean",
        {"a.md": "# A\n\nA statement that is long enough to say something of its own, and then some more of that.\n"},
    )
    ended = dream("consolidate", "clean", "--json")
    assert (ended.exit, ended.document["items"], ended.document["proposal"]) == (0, [], "")
    assert sorted(path.name for path in dream.root.iterdir()) == ["clean", "memory", "organisations"]


def test_in_a_work_tree_git_is_left_alone_and_what_was_done_is_a_persons_to_commit(dream: Commands) -> None:
    memory = dream.root / "memory"
    git(memory, "init", "--quiet", "--initial-branch=main")
    git(memory, "add", "--all")
    git(memory, "-c", "user.name=A", "-c", "user.email=a@test.invalid", "commit", "--quiet", "--message=x")
    before = standing(memory / ".git")
    mark(propose(dream), "Keep")
    assert dream("apply", "p.md", "--yes").exit == 0
    assert standing(memory / ".git") == before
    assert git(memory, "diff", "--name-only").split() == ["services/checkout-api.md", "services/slow.md"]


def test_links_odd_files_and_other_repositories_are_left_alone(dream: Commands) -> None:
    memory = dream.root / "memory"
    outside = folder_of(dream.root / "outside", {"t.md": "# t\n\nSoon.\n"})
    (memory / "link").symlink_to(outside)
    (memory / "one.md").symlink_to(outside / "t.md")
    folder_of(memory / "module", {".git": "gitdir: ../x\n", "t.md": "# t\n\nSoon.\n"})
    folder_of(memory / ".dream", {"t.md": "# t\n\nSoon.\n"})
    (memory / "latin.md").write_bytes(b"# \xe9\n")
    proposal = propose(dream)
    assert [line for line in proposal.read_text().split("\n") if line.startswith("- [ ]") and "module" in line] == []
    mark(proposal, "Retire", "Keep")
    kept = {path: one for path, one in standing(dream.root).items() if path.startswith(("outside", "memory/module"))}
    assert dream("apply", "p.md", "--yes").exit == 0
    after = standing(dream.root)
    assert {path: after.get(path) for path in kept} == kept
    assert "memory/.dream/t.md" in after


def test_the_archive_that_is_a_link_is_not_written_through(dream: Commands) -> None:
    outside = folder_of(dream.root / "outside", {"x.md": "# x\n"})
    proposal = propose(dream)
    mark(proposal, "Retire")
    (dream.root / "memory/archive").symlink_to(outside)
    before = standing(dream.root)
    assert dream("apply", "p.md", "--yes").exit == 3
    assert standing(dream.root) == before


def test_a_note_of_secrets_is_withheld_and_can_still_be_retired(dream: Commands) -> None:
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    folder_of(dream.root / "memory", {"tiny/k.md": f"# k\n\n- token: {secret}\n"})
    proposal = propose(dream)
    mark(proposal, "tiny/k.md")
    assert secret not in proposal.read_text()
    assert "[withheld: " in proposal.read_text()
    done = dream("apply", "p.md", "--yes")
    assert (done.exit, secret in done.out) == (0, False)
    assert secret in (dream.root / "memory/archive/tiny/k.md").read_text()


def test_a_run_that_broke_off_must_be_taken_back_first(dream: Commands) -> None:
    mark(propose(dream), "Keep")
    before = standing(dream.root / "memory")
    assert dream("apply", "p.md", "--yes").exit == 0
    (dream.root / "p.md.undo/done").unlink()
    ended = dream("apply", "p.md", "--yes")
    assert (ended.exit, "--undo" in ended.err) == (3, True)
    assert dream("apply", "p.md", "--undo").exit == 0
    assert standing(dream.root / "memory") == before


def real_trees() -> list[str]:
    data = Path(__file__).resolve().parents[4] / "shared/data/memory_trees"
    return sorted(path.name for path in data.iterdir() if path.is_dir()) if data.is_dir() else ["none"]


@pytest.mark.parametrize("name", real_trees())
def test_real_memories_come_back_byte_for_byte_whatever_is_marked(
    dream: Commands, shared_data: Path, name: str
) -> None:
    memory = dream.root / "real"
    shutil.copytree(shared_data / "memory_trees" / name, memory)
    for path in (memory, *memory.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)
    before = standing(memory)
    ended: Ended = dream("consolidate", "real", "--out", "r.md", "--json")
    assert (ended.exit, standing(memory)) == (0, before)
    if not ended.document["items"]:
        return
    mark(dream.root / "r.md", "")
    done = dream("apply", "r.md", "--yes", "--over-budget", "--json")
    assert (done.exit, done.err) == (0, "")
    after = standing(memory)
    files = {path for path in {*before, *after} if not stat.S_ISDIR(before.get(path, after.get(path, (0,)))[0])}
    differing = {path for path in files if before.get(path, (0, 0, None))[2] != after.get(path, (0, 0, None))[2]}
    assert sorted(done.document["files"]) == sorted(differing)
    assert dream("apply", "r.md", "--undo").exit == 0
    assert standing(memory) == before


def test_a_note_with_an_odd_name_keeps_it_in_the_archive(dream: Commands) -> None:
    folder_of(dream.root / "memory", {"a/b/c/d/Odd Näme.md": "# Odd\n\nSoon.\n"})
    mark(propose(dream), "Odd")
    assert dream("apply", "p.md", "--yes").exit == 0
    assert (dream.root / "memory/archive/a/b/c/d/Odd Näme.md").read_text() == "# Odd\n\nSoon.\n"
    assert not (dream.root / "memory/a").exists()


def test_what_daily_notes_and_preferences_link_to_is_not_retired(dream: Commands) -> None:
    folder_of(dream.root / "memory", {"daily/2026-11-01.md": "# 2026-11-01\n\n- See [t](../tiny/t.md).\n"})
    text = propose(dream).read_text()
    assert "* `tiny/t.md: retire`: linked-note: tiny/t.md is linked from daily/2026-11-01.md" in text
    assert "Retire `tiny/t.md`" not in text


def test_a_part_of_what_was_proposed_is_held_to_the_rules_again(dream: Commands) -> None:
    proposal = propose(dream)
    mark(proposal, "tiny")
    folder_of(dream.root / "memory", {"daily/2026-11-01.md": "# 2026-11-01\n\n- See [t](../tiny/t.md).\n"})
    before = standing(dream.root)
    ended = dream("apply", "p.md", "--yes")
    assert (ended.exit, standing(dream.root)) == (3, before)
    assert "a rule refuses what is marked" in ended.err
    assert "linked-note" in ended.err


def test_incidents_from_which_nothing_was_learned_are_proposed_to_be_retired(dream: Commands) -> None:
    told = "# Outage\n\n- 2020-02-03: basket-db ran out of disk for an hour, and then it was restarted by hand twice.\n"
    folder_of(dream.root / "memory", {"incidents/2020-02-03-outage.md": told})
    text = propose(dream).read_text()
    assert "Retire `incidents/2020-02-03-outage.md`" in text
    assert "it tells of what happened, and no rule came of it: nothing was learned" in text
