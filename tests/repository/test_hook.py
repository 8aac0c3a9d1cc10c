"""The hook that guards `.dream/`, asked by real pushes over http."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dream.errors import UsageError
from dream.repository.commits import CommitSpec, Identity, write_commit
from dream.repository.hook import install_hook, render_hook
from dream.repository.landing import Landed, PushLanding, Rejected
from dream.repository.mirror import Head, Mirror
from dream.repository.tree_edits import write_tree
from tests.repository.conftest import MirrorMaker
from tests.support.repositories import EPOCH, GitFailedError, Hosted, Person, git, host
from tests.support.served import Served

DREAM = Identity("Nightly Dream", "dream@acme.example")
STATE = {".dream/state.json": b"{}\n"}


@pytest.fixture
def guarded(served: Served) -> Hosted:
    hosted = host(served, "memory", {"MEMORY.md": "# Memory\n", "a.md": "A.\n"})
    install_hook(hosted.path, DREAM)
    return hosted


@pytest.fixture
def ada(guarded: Hosted, tmp_path: Path) -> Person:
    return Person(guarded, tmp_path / "ada")


def _land(mirror: Mirror, *changes: dict[str, bytes | None], by: Identity = DREAM) -> object:
    """Land one commit per set of changes."""
    found = mirror.fetch()
    base = found.commit if isinstance(found, Head) else None
    tip = base
    for change in changes:
        spec = CommitSpec(
            tree=write_tree(mirror.repository, tip, change),
            parents=[tip] if tip else [],
            subject="a task",
            author=by,
            author_time=EPOCH,
            committer_time=EPOCH,
        )
        tip = write_commit(mirror.repository, spec)
    assert tip is not None
    return PushLanding(mirror).land(tip, base)


def _refused(push: object) -> str:
    assert isinstance(push, Rejected)
    assert "Only the nightly flow changes .dream/. To take back what a night did, run: dream revert" in push.message
    return push.message.split("\n")[0]


def test_people_push_notes_as_ever(guarded: Hosted, ada: Person) -> None:
    tip = ada.edit({"b.md": "B.\n", ".dreams/x.md": "no state\n", "x/.dream/y.md": "neither\n"})
    assert guarded.tip() == tip
    ada.git("push", "--quiet", "origin", "HEAD:refs/heads/topic", "HEAD:refs/tags/v1")
    assert guarded.tip("topic") == tip


def test_a_night_changes_the_state_in_a_commit_of_its_own(guarded: Hosted, mirror_of: MirrorMaker) -> None:
    mirror = mirror_of(guarded)
    assert isinstance(_land(mirror, {"daily/1.md": b"x"}, dict(STATE)), Landed)
    assert isinstance(_land(mirror, {".dream/nights/1.json": b"{}", ".dream/state.json": b"[]"}), Landed)
    assert isinstance(_land(mirror, {".dream/nights/1.json": None, ".dream/state.json": None}), Landed)


def test_a_commit_of_the_flow_that_mixes_state_and_notes_is_refused(guarded: Hosted, mirror_of: MirrorMaker) -> None:
    push = _land(mirror_of(guarded), {"daily/1.md": b"x", **STATE})
    assert _refused(push).endswith("changes .dream/ together with other files.")


@pytest.mark.parametrize("by", [Identity("Ada Person", "dream@acme.example"), Identity("Nightly Dream", "ada@x.test")])
def test_anybody_elses_change_of_the_state_is_refused(guarded: Hosted, mirror_of: MirrorMaker, by: Identity) -> None:
    push = _land(mirror_of(guarded), dict(STATE), by=by)
    assert _refused(push).endswith("was not committed by Nightly Dream <dream@acme.example>.")


def test_one_bad_commit_under_good_ones_refuses_the_push(guarded: Hosted, ada: Person) -> None:
    before = guarded.tip()
    ada.commit({".dream/state.json": "mine\n"})
    ada.commit({".dream/state.json": None})
    ada.commit({"b.md": "B.\n"})
    with pytest.raises(GitFailedError, match="dream revert"):
        ada.push()
    assert guarded.tip() == before


def test_a_plain_revert_of_the_state_is_refused_and_of_notes_is_not(
    guarded: Hosted, ada: Person, mirror_of: MirrorMaker
) -> None:
    landed = _land(mirror_of(guarded), {"daily/1.md": b"x"}, dict(STATE))
    assert isinstance(landed, Landed)
    ada.pull()
    ada.git("revert", "--no-edit", landed.head)
    with pytest.raises(GitFailedError, match="dream revert"):
        ada.push()
    ada.git("reset", "--hard", "--quiet", landed.head)
    tip = ada.revert(f"{landed.head}~1")
    assert guarded.tip() == tip
    assert "daily/1.md" not in guarded.files()


def test_a_merge_that_keeps_the_nights_state_passes(guarded: Hosted, ada: Person, mirror_of: MirrorMaker) -> None:
    ada.commit({"b.md": "B.\n"})
    _land(mirror_of(guarded), {"daily/1.md": b"x"}, dict(STATE))
    ada.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")
    tip = ada.push()
    assert guarded.tip() == tip
    assert guarded.files()[".dream/state.json"] == b"{}\n"


def test_a_merge_that_brings_an_old_state_back_is_refused(guarded: Hosted, ada: Person, mirror_of: MirrorMaker) -> None:
    mirror = mirror_of(guarded)
    _land(mirror, {"daily/1.md": b"x"}, dict(STATE))
    ada.pull()
    ada.commit({"b.md": "B.\n"})
    _land(mirror, {"daily/2.md": b"x"}, {".dream/state.json": b"[]\n"})
    ada.git("fetch", "--quiet", "origin")
    ada.git("merge", "--quiet", "--no-edit", "--strategy=ours", "origin/main")
    before = guarded.tip()
    with pytest.raises(GitFailedError, match=r"brings an older \.dream/ back on main"):
        ada.push()
    assert guarded.tip() == before


def test_a_merge_with_a_state_of_its_own_is_refused(guarded: Hosted, ada: Person, mirror_of: MirrorMaker) -> None:
    ada.commit({"b.md": "B.\n"})
    _land(mirror_of(guarded), dict(STATE))
    ada.git("fetch", "--quiet", "origin")
    ada.git("merge", "--quiet", "--no-commit", "--no-ff", "origin/main")
    (ada.folder / ".dream/state.json").write_text("mine\n")
    ada.git("add", "--all")
    ada.git("commit", "--quiet", "--message=merge")
    with pytest.raises(GitFailedError, match="was not committed by"):
        ada.push()


def test_a_forced_push_that_drops_a_nights_state_is_refused(
    guarded: Hosted, ada: Person, mirror_of: MirrorMaker
) -> None:
    before = guarded.tip()
    landed = _land(mirror_of(guarded), dict(STATE))
    assert isinstance(landed, Landed)
    with pytest.raises(GitFailedError, match=r"brings an older \.dream/ back"):
        ada.git("push", "--force", "origin", f"{before}:refs/heads/main")
    assert guarded.tip() == landed.head


@pytest.mark.usefixtures("guarded")
def test_a_tag_does_not_carry_in_what_a_branch_may_not(ada: Person) -> None:
    ada.commit({".dream/state.json": "mine\n"})
    ada.git("push", "--quiet", "origin", "HEAD:refs/tags/v1")
    with pytest.raises(GitFailedError, match="dream revert"):
        ada.push()


def test_other_branches_follow_the_guarded_one(guarded: Hosted, ada: Person, mirror_of: MirrorMaker) -> None:
    ada.git("push", "--quiet", "origin", "HEAD:refs/heads/copy")
    _land(mirror_of(guarded), dict(STATE))
    ada.pull()
    ada.git("push", "--quiet", "origin", "HEAD:refs/heads/copy")
    assert guarded.tip("copy") == guarded.tip()
    ada.git("push", "--quiet", "origin", ":refs/heads/copy")
    assert guarded.tip("copy") is None


def test_a_first_push_is_guarded_as_well(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "memory")
    install_hook(hosted.path, DREAM)
    ada = Person(hosted, tmp_path / "ada")
    ada.commit({".dream/state.json": "mine\n"})
    with pytest.raises(GitFailedError, match="dream revert"):
        ada.push()
    assert hosted.tip() is None


def test_a_memory_in_a_larger_repository_is_guarded_where_it_is(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "memory", {"code.py": "pass\n"})
    install_hook(hosted.path, DREAM, "/docs/it's memory/")
    ada = Person(hosted, tmp_path / "ada")
    ada.edit({".dream/state.json": "not the memory's\n"})
    ada.commit({"docs/it's memory/.dream/state.json": "mine\n"})
    with pytest.raises(GitFailedError, match=r"docs/it's memory/\.dream/"):
        ada.push()


def test_an_old_history_without_the_hook_does_not_block_new_pushes(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "memory", {"MEMORY.md": "# Memory\n", ".dream/state.json": "somebody's\n"})
    install_hook(hosted.path, DREAM)
    ada = Person(hosted, tmp_path / "ada")
    tip = ada.edit({"b.md": "B.\n"})
    assert hosted.tip() == tip


def test_names_are_quoted_for_the_shell(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    identity = Identity(f"Dream $(touch {ran}) `touch {ran}` 'x' \"y\"", "dream@acme.example")
    text = render_hook(identity, f"a'; touch {ran}; '$(x)")
    hook = tmp_path / "hook"
    hook.write_text(text)
    git(tmp_path, "init", "--quiet", "--bare", "x.git")
    done = subprocess.run(["sh", str(hook)], cwd=tmp_path / "x.git", input=b"", check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not ran.exists()
    assert subprocess.run(["sh", "-n", str(hook)], check=False).returncode == 0


def test_the_hook_needs_no_path_to_this_package(guarded: Hosted) -> None:
    text = (guarded.path / "hooks/pre-receive").read_text()
    assert "python" not in text
    assert text.startswith("#!/bin/sh\n")


def test_installing_again_renews_the_hook(guarded: Hosted) -> None:
    other = Identity("Other Dream", "other@acme.example")
    hook = install_hook(guarded.path, other)
    assert hook.read_text() == render_hook(other)
    assert hook.stat().st_mode & 0o777 == 0o755


def test_a_hook_of_somebody_elses_is_left_alone(served: Served) -> None:
    hosted = host(served, "memory")
    hosted.set_hook("pre-receive", "#!/bin/sh\nexit 0\n")
    with pytest.raises(UsageError, match="is there already"):
        install_hook(hosted.path, DREAM)
    assert (hosted.path / "hooks/pre-receive").read_text() == "#!/bin/sh\nexit 0\n"


@pytest.mark.parametrize("prefix", ["a\nb", "../x", "a//b", ".git"])
def test_a_prefix_that_is_no_path_is_wrong_usage(prefix: str) -> None:
    with pytest.raises(UsageError):
        render_hook(DREAM, prefix)


def test_ten_thousand_commits_pass_in_one_push(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "memory", {"MEMORY.md": "# Memory\n"})
    install_hook(hosted.path, DREAM)
    ada = Person(hosted, tmp_path / "ada")
    stream = [b"reset refs/heads/many\nfrom refs/heads/main\n\n"]
    stream += [
        b"commit refs/heads/many\ncommitter A <a@b.test> %d +0000\ndata 1\nx\nM 100644 inline n/%d.md\ndata 1\ny\n\n"
        % (1_800_000_000 + number, number % 50)
        for number in range(10_000)
    ]
    ada.git("fast-import", "--quiet", stdin=b"".join(stream))
    ada.git("push", "--quiet", "origin", "many:refs/heads/main")
    assert len(hosted.log()) == 10_001
