"""The push, and what counts as having landed, over a served remote."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from dream.errors import FatalError, NotAMemoryError, RemoteError
from dream.repository.commits import CommitSpec, Identity, write_commit
from dream.repository.landing import DryLanding, Landed, Moved, NoAnswer, PushLanding, Rejected
from dream.repository.mirror import Head, Mirror, Unborn, open_mirror
from dream.repository.tree_edits import write_tree
from tests.repository.conftest import MirrorMaker
from tests.support.repositories import (
    EPOCH,
    Hosted,
    Person,
    assert_fast_forward,
    assert_sound,
    git,
    host,
    import_commit,
)
from tests.support.served import Fault, Served, Step, serve_by_daemon

DREAM = Identity("Nightly Dream", "dream@acme.example")
FILES = {"MEMORY.md": "# Memory\n", "services/api.md": "The API.\n"}
PUSHES = frozenset({Step.PUSH, Step.PUSH_REFS})


def _night(mirror: Mirror, base: str | None, commits: int = 2, mark: str = "") -> str:
    """Build a night of some commits on `base` and return its tip."""
    tip = base
    for number in range(commits):
        spec = CommitSpec(
            tree=write_tree(mirror.repository, tip, {f"daily/{number}{mark}.md": b"- something\n"}),
            parents=[tip] if tip else [],
            subject=f"task {number}",
            author=DREAM,
            author_time=EPOCH,
            committer_time=EPOCH,
        )
        tip = write_commit(mirror.repository, spec)
    assert tip is not None
    return tip


def _planted(hosted: Hosted, mirror_of: MirrorMaker, **limits: int) -> tuple[Mirror, str, str]:
    """Return a mirror, the head it stands on, and the tip of a night planted there."""
    mirror = mirror_of(hosted, **limits)
    found = mirror.fetch()
    assert isinstance(found, Head)
    return mirror, found.commit, _night(mirror, found.commit)


def test_a_night_lands_whole_and_on_top(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    assert PushLanding(mirror).land(tip, base) == Landed(head=tip)
    assert hosted.tip() == tip
    assert hosted.log() == ["task 1", "task 0", "memory: as it was"]
    assert_fast_forward(hosted, base, tip)
    assert_sound(hosted)
    assert mirror.fetch() == Head(commit=tip, seen=tip, rewritten=False)


def test_a_night_lands_on_a_branch_that_is_not_born(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory")
    mirror = mirror_of(hosted)
    assert mirror.fetch() == Unborn(seen=None)
    tip = _night(mirror, None)
    assert PushLanding(mirror).land(tip, None) == Landed(head=tip)
    assert hosted.tip() == tip


def test_a_branch_born_meanwhile_is_not_overwritten(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory")
    mirror = mirror_of(hosted)
    mirror.fetch()
    tip = _night(mirror, None)
    theirs = import_commit(hosted, FILES)
    assert PushLanding(mirror).land(tip, None) == Moved(head=theirs)
    assert hosted.tip() == theirs


def test_a_moved_branch_keeps_the_persons_lines(served: Served, mirror_of: MirrorMaker, tmp_path: Path) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    theirs = Person(hosted, tmp_path / "ada").append("services/api.md", "It moved.\n")
    assert PushLanding(mirror).land(tip, base) == Moved(head=theirs)
    assert hosted.tip() == theirs
    tip = _night(mirror, theirs)
    assert PushLanding(mirror).land(tip, theirs) == Landed(head=tip)
    assert hosted.files()["services/api.md"] == b"The API.\nIt moved.\n"


def test_a_branch_that_moves_during_the_push_is_not_overwritten(
    served: Served, mirror_of: MirrorMaker, tmp_path: Path
) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    ada = Person(hosted, tmp_path / "ada")
    ada.commit({"a.md": "A.\n"})
    theirs = []
    served.before_push = lambda: theirs.append(ada.push())
    assert PushLanding(mirror).land(tip, base) == Moved(head=theirs[0])
    assert hosted.tip() == theirs[0]


def test_a_branch_set_back_is_not_pushed_over(served: Served, mirror_of: MirrorMaker, tmp_path: Path) -> None:
    hosted = host(served, "memory", FILES)
    first = hosted.tip()
    assert first is not None
    Person(hosted, tmp_path / "ada").edit({"a.md": "A.\n"})
    mirror, base, tip = _planted(hosted, mirror_of)
    git(hosted.path, "update-ref", "refs/heads/main", first)
    assert PushLanding(mirror).land(tip, base) == Moved(head=first)
    assert hosted.tip() == first
    assert mirror.fetch().rewritten


def test_a_branch_that_is_gone_has_moved(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    git(hosted.path, "update-ref", "-d", "refs/heads/main")
    assert PushLanding(mirror).land(tip, base) == Moved(head=None)
    assert hosted.tip() is None


def test_what_does_not_descend_is_never_pushed(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, _ = _planted(hosted, mirror_of)
    stranger = _night(mirror, None)
    pushes = len([step for step in served.requests if step in PUSHES])
    for landing in (PushLanding(mirror), DryLanding(mirror)):
        with pytest.raises(FatalError, match="does not descend from"):
            landing.land(stranger, base)
        with pytest.raises(FatalError, match="does not descend from"):
            landing.land("1" * 40, None)
    assert len([step for step in served.requests if step in PUSHES]) == pushes
    assert hosted.tip() == base


def test_a_hooks_refusal_is_told_in_its_own_words(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    hosted.set_hook("pre-receive", "#!/bin/sh\necho 'frozen \033[31mtoday' >&2; echo 'ask ops' >&2; exit 1\n")
    expected = Rejected(message="frozen \\x1b[31mtoday\nask ops\n(pre-receive hook declined)")
    assert PushLanding(mirror).land(tip, base) == expected
    assert hosted.tip() == base
    hosted.set_hook("pre-receive", "")
    assert PushLanding(mirror).land(tip, base) == Landed(head=tip)


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (lambda hosted: hosted.set_hook("update", "#!/bin/sh\necho no >&2\nexit 1\n"), "(hook declined)"),
        (lambda hosted: hosted.set("receive.maxInputSize", "10"), "unpack"),
        (lambda hosted: hosted.set("transfer.hideRefs", "refs/heads/main"), "deny updating a hidden ref"),
    ],
    ids=["update hook", "size", "hidden"],
)
def test_other_refusals_are_told_as_well(prepare, said: str, served: Served, mirror_of: MirrorMaker) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    prepare(hosted)
    try:
        answer = PushLanding(mirror).land(tip, base)
    finally:
        hosted.set("transfer.hideRefs", "refs/none")
    assert hosted.tip() == base
    assert isinstance(answer, Rejected | Moved)
    assert said in (answer.message if isinstance(answer, Rejected) else said)


def test_an_answer_cut_off_after_it_landed_has_landed(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    served.fail(Fault.CUT_ANSWER)
    assert PushLanding(mirror).land(tip, base) == Landed(head=tip)
    assert hosted.tip() == tip


def test_a_push_cut_off_before_it_landed_has_not(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    served.fail(Fault.DROP)
    answer = PushLanding(mirror).land(tip, base)
    assert isinstance(answer, NoAnswer)
    assert f"{hosted.url} broke the connection off" in answer.message
    assert hosted.tip() == base
    assert PushLanding(mirror).land(tip, base) == Landed(head=tip)


def test_a_server_without_atomic_pushes_takes_a_night_too(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    hosted.set("receive.advertiseAtomic", "false")
    mirror, base, tip = _planted(hosted, mirror_of)
    assert PushLanding(mirror).land(tip, base) == Landed(head=tip)


def test_a_reference_that_the_remote_cannot_lock_is_no_answer(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    (hosted.path / "refs/heads/main.lock").touch()
    answer = PushLanding(mirror).land(tip, base)
    assert isinstance(answer, NoAnswer)
    assert "cannot lock ref 'refs/heads/main'" in answer.message
    (hosted.path / "refs/heads/main.lock").unlink()
    assert PushLanding(mirror).land(tip, base) == Landed(head=tip)


def test_landing_twice_is_landing_once(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    assert PushLanding(mirror).land(tip, base) == PushLanding(mirror).land(tip, base) == Landed(head=tip)
    assert hosted.log().count("task 0") == 1


def test_a_night_under_a_persons_newer_commit_has_landed(
    served: Served, mirror_of: MirrorMaker, tmp_path: Path
) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    PushLanding(mirror).land(tip, base)
    theirs = Person(hosted, tmp_path / "ada").edit({"a.md": "A.\n"})
    assert PushLanding(mirror).land(tip, base) == Landed(head=theirs)


def test_a_hanging_push_is_given_up_and_read_back(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of, push_seconds=1)
    served.fail(Fault.HANG)
    assert PushLanding(mirror).land(tip, base) == NoAnswer(message=f"{hosted.url} did not answer within 1 s")
    assert hosted.tip() == base


def test_a_remote_that_is_down_gives_no_answer(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    served.fail(Fault.REFUSE, on=frozenset(Step), times=None)
    answer = PushLanding(mirror).land(tip, base)
    assert isinstance(answer, NoAnswer)
    assert "503" in answer.message


def test_a_credential_that_may_not_push_is_named(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    served.fail(Fault.FORBID, on=PUSHES, times=None)
    with pytest.raises(RemoteError) as caught:
        PushLanding(mirror).land(tip, base)
    assert caught.value.data["cause"] == "credential-refused"
    served.fail(Fault.MISSING, on=frozenset(Step), times=None)
    served.recover()
    served.fail(Fault.MISSING, on=frozenset(Step), times=None)
    with pytest.raises(NotAMemoryError):
        PushLanding(mirror).land(tip, base)


def test_a_dry_landing_pushes_nothing(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror, base, tip = _planted(hosted, mirror_of)
    before = list(served.requests)
    assert DryLanding(mirror).land(tip, base) == Landed(head=tip)
    assert served.requests == before
    assert hosted.tip() == base


def test_a_night_lands_over_gits_own_protocol(tmp_path: Path, mirror_of: MirrorMaker) -> None:
    hosted = host(tmp_path / "hosted", "memory", FILES)
    with serve_by_daemon(tmp_path / "hosted") as origin:
        mirror = mirror_of(f"{origin}/memory.git")
        found = mirror.fetch()
        assert isinstance(found, Head)
        tip = _night(mirror, found.commit)
        assert PushLanding(mirror).land(tip, found.commit) == Landed(head=tip)
        assert PushLanding(mirror).land(_night(mirror, found.commit, 3), found.commit) == Moved(head=tip)
    assert hosted.tip() == tip


def test_of_two_nights_that_push_at_once_one_lands(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "memory", FILES)
    base = hosted.tip()
    assert base is not None
    answers: list[object] = []
    barrier = threading.Barrier(4)

    def run(number: int) -> None:
        mirror = open_mirror(tmp_path / f"home{number}", hosted.url)
        mirror.fetch()
        tip = _night(mirror, base, mark=str(number))
        barrier.wait()
        answers.append(PushLanding(mirror).land(tip, base))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    landed = [answer for answer in answers if isinstance(answer, Landed)]
    moved = [answer for answer in answers if isinstance(answer, Moved)]
    assert len(answers) == 4
    assert (len(landed), len(moved)) == (1, 3)
    assert {answer.head for answer in landed + moved} == {hosted.tip()}
    assert_fast_forward(hosted, base, hosted.tip())


def test_writers_and_nights_lose_nothing_of_each_other(served: Served, mirror_of: MirrorMaker, tmp_path: Path) -> None:
    hosted = host(served, "memory", FILES)
    acknowledged: list[str] = []

    def write(number: int) -> None:
        person = Person(hosted, tmp_path / f"writer{number}", f"Writer{number} Person")
        acknowledged.extend(person.edit({f"w{number}.md": f"{turn}\n"}) for turn in range(5))

    writers = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for writer in writers:
        writer.start()
    mirror = mirror_of(hosted)
    landed = 0
    for _ in range(60):
        found = mirror.fetch()
        assert isinstance(found, Head)
        tip = _night(mirror, found.commit, commits=6)
        if isinstance(PushLanding(mirror).land(tip, found.commit), Landed):
            landed += 1
            acknowledged.append(tip)
        if landed == 3:
            break
    for writer in writers:
        writer.join()
    assert landed == 3
    assert len(acknowledged) == 18
    for commit in acknowledged:
        assert_fast_forward(hosted, commit, hosted.tip())
    assert_sound(hosted)
