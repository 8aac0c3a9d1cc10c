"""What a mirror answers about its remote, and how it heals."""

from __future__ import annotations

import re
import shutil
import threading
from pathlib import Path

import pygit2
import pytest
from structlog.testing import capture_logs

from dream.errors import FatalError, NotAMemoryError, RemoteError, UsageError
from dream.repository.address import Credential
from dream.repository.commits import CommitSpec, Identity, write_commit
from dream.repository.failures import BROKEN_MARK, BrokenMirrorError
from dream.repository.mirror import Head, Mirror, Unborn, open_mirror
from tests.repository.conftest import MirrorMaker
from tests.support.repositories import EPOCH, Person, git, host, import_commit
from tests.support.served import ANY_STEP, Fault, Served, free_port, serve, serve_by_daemon

FILES = {"MEMORY.md": "# Memory\n", "services/api.md": "The API.\n"}
SECRET = "s3cr3t/Token+42"


def test_the_first_fetch_brings_the_branch(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    tip = hosted.tip()
    assert tip is not None
    mirror = mirror_of(hosted)
    assert mirror.fetch() == Head(commit=tip, seen=None, rewritten=False)
    assert {path: mirror.tree(tip).read(path) for path in mirror.tree(tip).paths()} == hosted.files()


def test_only_its_owner_may_enter_the_home_of_a_mirror(served: Served, mirror_of: MirrorMaker) -> None:
    mirror = mirror_of(host(served, "memory", FILES))
    assert mirror.home.stat().st_mode & 0o777 == 0o700


def test_a_later_fetch_follows_the_branch(served: Served, mirror_of: MirrorMaker, tmp_path: Path) -> None:
    hosted = host(served, "memory", FILES)
    first = hosted.tip()
    mirror_of(hosted).fetch()
    tip = Person(hosted, tmp_path / "ada").edit({"services/api.md": "The API moved.\n"})
    assert mirror_of(hosted).fetch() == Head(commit=tip, seen=first, rewritten=False)


def test_a_remote_without_any_branch_is_unborn(served: Served, mirror_of: MirrorMaker) -> None:
    assert mirror_of(host(served, "memory")).fetch() == Unborn(seen=None)


def test_tags_and_other_branches_stay_where_they_are(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    git(hosted.path, "tag", "v1", "main")
    import_commit(hosted, FILES, branch="other")
    mirror = mirror_of(hosted)
    mirror.fetch()
    assert list(mirror.repository.references) == ["refs/remotes/origin/main"]


def test_a_missing_branch_names_those_there_are(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES, branch="trunk")
    import_commit(hosted, FILES, branch="draft")
    with pytest.raises(FatalError) as caught:
        mirror_of(hosted).fetch()
    assert str(caught.value) == f"{hosted.url} has no branch 'main'; it has: draft, trunk"
    assert caught.value.way_out == "correct memory.branch"
    assert caught.value.data == {"address": hosted.url, "cause": "there is no branch 'main'"}


def test_an_address_without_a_repository_is_no_memory(served: Served, mirror_of: MirrorMaker) -> None:
    with pytest.raises(NotAMemoryError, match="there is no git repository at "):
        mirror_of(served.url("nothing")).fetch()


def test_a_folder_that_is_no_repository_is_no_memory(tmp_path: Path, mirror_of: MirrorMaker) -> None:
    with pytest.raises(NotAMemoryError):
        mirror_of(str(tmp_path)).fetch()


@pytest.mark.parametrize("url", ["", "-u", " http://x/y", "http://", "http://x:port/y", "http://x/\ny"])
def test_what_is_no_address_is_wrong_usage(url: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        open_mirror(tmp_path / "home", url)


@pytest.mark.parametrize("branch", ["", "a..b", "a b", "x.lock"])
def test_what_is_no_branch_name_is_wrong_usage(branch: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        open_mirror(tmp_path / "home", "http://127.0.0.1/memory.git", branch)


def test_the_ext_protocol_runs_no_program(tmp_path: Path, mirror_of: MirrorMaker) -> None:
    with pytest.raises(FatalError, match="protocol"):
        mirror_of(f"ext::sh -c 'touch {tmp_path}/ran'").fetch()
    assert not (tmp_path / "ran").exists()


def test_a_remote_that_is_down_can_be_tried_later(mirror_of: MirrorMaker) -> None:
    with pytest.raises(RemoteError, match="cannot be reached") as caught:
        mirror_of(f"http://127.0.0.1:{free_port()}/memory.git").fetch()
    assert caught.value.data["cause"] == "down"


def test_a_remote_that_refuses_is_told_apart(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    served.fail(Fault.REFUSE, on=ANY_STEP)
    with pytest.raises(RemoteError, match=r"refuses to serve.*503") as caught:
        mirror_of(hosted).fetch()
    assert caught.value.data["cause"] == "refuses"


def test_a_remote_that_cuts_the_connection_is_told_apart(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    served.fail(Fault.DROP, on=ANY_STEP, times=None)
    with pytest.raises(RemoteError) as caught:
        mirror_of(hosted).fetch()
    assert caught.value.data["cause"] == "cut-off"


def test_a_remote_that_hangs_is_given_up(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    served.fail(Fault.HANG, on=ANY_STEP)
    with pytest.raises(RemoteError, match="did not answer within 1 s") as caught:
        mirror_of(hosted, fetch_seconds=1).fetch()
    assert caught.value.data["cause"] == "hangs"


def test_a_transfer_that_stalls_is_given_up_before_the_time_limit(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    served.fail(Fault.HANG, on=ANY_STEP)
    with pytest.raises(RemoteError, match="hangs") as caught:
        mirror_of(hosted, fetch_seconds=50, stall_seconds=1).fetch()
    assert caught.value.data["cause"] == "hangs"


def test_a_credential_opens_a_closed_repository(tmp_path: Path, mirror_of: MirrorMaker) -> None:
    with serve(tmp_path / "hosted", login=("x-access-token", SECRET), direct=False) as served:
        hosted = host(served, "memory", FILES)
        found = mirror_of(hosted, credential=Credential(secret=SECRET)).fetch()
        assert isinstance(found, Head)
        assert found.commit == hosted.tip()


def test_a_login_in_the_address_works_and_reaches_no_argument(tmp_path: Path, mirror_of: MirrorMaker) -> None:
    with serve(tmp_path / "hosted", login=("ada", SECRET)) as served:
        hosted = host(served, "memory", FILES)
        written = hosted.url.replace("http://", "http://ada:s3cr3t%2FToken%2B42@")
        mirror = mirror_of(written)
        mirror.fetch()
        assert mirror.url == hosted.url
        assert SECRET not in (mirror.path / "config").read_text()


def test_a_missing_credential_is_named(tmp_path: Path, mirror_of: MirrorMaker) -> None:
    with serve(tmp_path / "hosted", login=("x-access-token", SECRET), direct=False) as served:
        hosted = host(served, "memory", FILES)
        with pytest.raises(RemoteError, match="asks for a credential, and none is configured") as caught:
            mirror_of(hosted).fetch()
    assert caught.value.way_out == "set memory.credential"


def test_a_refused_credential_is_named_and_its_secret_is_not(tmp_path: Path, mirror_of: MirrorMaker) -> None:
    credential = Credential(secret="wrong/" + SECRET)
    with serve(tmp_path / "hosted", login=("x-access-token", SECRET), direct=False) as served:
        hosted = host(served, "memory", FILES)
        with pytest.raises(RemoteError, match="refuses the credential") as caught:
            mirror_of(hosted, credential=credential).fetch()
    error = caught.value
    assert error.data == {"cause": "credential-refused", "address": hosted.url}
    told = "".join((str(error), repr(error), error.way_out, repr(error.data), repr(credential)))
    for spelling in credential.secrets():
        assert spelling not in told


def test_a_credential_for_a_path_is_wrong_usage(tmp_path: Path, mirror_of: MirrorMaker) -> None:
    with pytest.raises(UsageError, match="only https addresses take one"):
        mirror_of(str(tmp_path), credential=Credential(secret=SECRET)).fetch()


def test_a_credential_does_not_follow_a_redirect(tmp_path: Path, mirror_of: MirrorMaker) -> None:
    with serve(tmp_path / "hosted") as served:
        hosted = host(served, "memory", FILES)
        served.redirect_to = served.url("elsewhere")
        with pytest.raises(FatalError, match="redirects") as caught:
            mirror_of(hosted, credential=Credential(secret=SECRET)).fetch()
    assert caught.value.way_out == "configure the final address as memory.url"


def test_a_rotated_credential_is_asked_for_at_each_use(tmp_path: Path) -> None:
    with serve(tmp_path / "hosted", login=("x-access-token", "new")) as served:
        hosted = host(served, "memory", FILES)
        secrets = iter(["old", "new"])
        mirror = open_mirror(tmp_path / "home", hosted.url, credential=lambda: Credential(secret=next(secrets)))
        with pytest.raises(RemoteError):
            mirror.fetch()
        assert isinstance(mirror.fetch(), Head)


def test_a_rewritten_history_is_noticed_until_it_is_accepted(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    first = hosted.tip()
    mirror_of(hosted).fetch()
    other = import_commit(hosted, {"MEMORY.md": "# Another\n"})
    for _ in range(2):
        assert mirror_of(hosted).fetch() == Head(commit=other, seen=first, rewritten=True)
    mirror_of(hosted).accept_history(other)
    assert mirror_of(hosted).fetch() == Head(commit=other, seen=other, rewritten=False)


def test_a_rewritten_history_is_noticed_even_by_a_fresh_clone(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror = mirror_of(hosted)
    mirror.fetch()
    other = import_commit(hosted, {"MEMORY.md": "# Another\n"})
    shutil.rmtree(mirror.path)
    found = mirror_of(hosted).fetch()
    assert isinstance(found, Head)
    assert (found.commit, found.rewritten) == (other, True)


def test_a_branch_set_back_is_a_rewritten_history(served: Served, mirror_of: MirrorMaker, tmp_path: Path) -> None:
    hosted = host(served, "memory", FILES)
    first = hosted.tip()
    assert first is not None
    Person(hosted, tmp_path / "ada").edit({"a.md": "A.\n"})
    mirror_of(hosted).fetch()
    git(hosted.path, "update-ref", "refs/heads/main", first)
    assert mirror_of(hosted).fetch().rewritten


def test_an_emptied_remote_is_a_rewritten_history(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    first = hosted.tip()
    mirror_of(hosted).fetch()
    git(hosted.path, "update-ref", "-d", "refs/heads/main")
    found = mirror_of(hosted).fetch()
    assert found == Unborn(seen=first)
    assert found.rewritten


def _objects(mirror: Mirror) -> list[Path]:
    return [path for path in (mirror.path / "objects").rglob("*") if path.is_file() and path.parent.name != "info"]


def _write(path: Path, data: bytes) -> None:
    path.chmod(0o600)
    path.write_bytes(data)


def _lose_an_object(mirror: Mirror) -> None:
    blob = mirror.tree(mirror.fetch().commit).blob("services/api.md")  # type: ignore[union-attr]
    assert blob is not None
    (mirror.path / "objects" / blob[:2] / blob[2:]).unlink()


def _empty_every_object(mirror: Mirror) -> None:
    for path in _objects(mirror):
        _write(path, b"")


def _break_head(mirror: Mirror) -> None:
    (mirror.path / "HEAD").write_bytes(b"\0garbage")


def _break_the_reference(mirror: Mirror) -> None:
    (mirror.path / "refs/remotes/origin/main").write_text("garbage\n")


def _break_packed_refs(mirror: Mirror) -> None:
    (mirror.path / "packed-refs").write_text("garbage\n" * 3)


def _break_the_config(mirror: Mirror) -> None:
    (mirror.path / "config").write_text("[[[\n")


def _lose_the_objects(mirror: Mirror) -> None:
    shutil.rmtree(mirror.path / "objects")


def _mark(mirror: Mirror) -> None:
    (mirror.path / BROKEN_MARK).touch()


@pytest.mark.parametrize(
    "damage",
    [
        _lose_an_object,
        _empty_every_object,
        _break_head,
        _break_the_reference,
        _break_packed_refs,
        _break_the_config,
        _lose_the_objects,
        _mark,
    ],
)
def test_a_damaged_mirror_is_cloned_again(damage, served: Served, mirror_of: MirrorMaker) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    hosted = host(served, "memory", FILES)
    mirror = mirror_of(hosted)
    mirror.fetch()
    damage(mirror)
    with capture_logs() as logs:
        mirror = mirror_of(hosted)
        found = mirror.fetch()
    assert isinstance(found, Head)
    assert not found.rewritten
    assert {path: mirror.tree(found.commit).read(path) for path in FILES} == hosted.files()
    assert [entry["event"] for entry in logs].count("mirror.rebuilt") == 1


def test_many_that_open_a_mirror_at_once_get_the_same(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    inodes = []

    def look() -> None:
        inodes.append(mirror_of(hosted).path.stat().st_ino)

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    mirror = mirror_of(hosted)
    assert inodes == [mirror.path.stat().st_ino] * 8
    assert [path.name for path in mirror.home.iterdir()] == ["memory.git"]


def test_a_healthy_mirror_is_kept(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror_of(hosted).fetch()
    inode = mirror_of(hosted).path.stat().st_ino
    with capture_logs() as logs:
        mirror_of(hosted).fetch()
    assert mirror_of(hosted).path.stat().st_ino == inode
    assert logs == []


def test_a_mirror_found_broken_while_reading_is_cloned_by_the_next_run(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror = mirror_of(hosted)
    found = mirror.fetch()
    assert isinstance(found, Head)
    blob = mirror.tree(found.commit).blob("services/api.md")
    assert blob is not None
    _write(mirror.path / "objects" / blob[:2] / blob[2:], b"garbage")
    mirror = mirror_of(hosted)
    with pytest.raises(BrokenMirrorError) as caught:
        mirror.tree(found.commit).read("services/api.md")
    assert caught.value.way_out == "run again: a mirror is thrown away and cloned afresh"
    mirror = mirror_of(hosted)
    mirror.fetch()
    assert mirror.tree(found.commit).read("services/api.md") == b"The API.\n"


def test_a_remote_that_is_damaged_itself_is_told_apart(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    blob = git(hosted.path, "rev-parse", "main:services/api.md")
    (hosted.path / "objects" / blob[:2] / blob[2:]).unlink()
    with (
        capture_logs() as logs,
        pytest.raises(FatalError, match=f"the repository at {re.escape(hosted.url)} is damaged"),
    ):
        mirror_of(hosted).fetch()
    assert logs == []


def test_a_failure_nobody_can_explain_costs_no_night(served: Served, mirror_of: MirrorMaker, tmp_path: Path) -> None:
    hosted = host(served, "memory", FILES)
    mirror = mirror_of(hosted)
    found = mirror.fetch()
    assert isinstance(found, Head)
    mirror.keep_night_tip(EPOCH.date(), found.commit)
    real = shutil.which("git")
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *" fetch "*) echo "fatal: the moon is full" >&2; exit 128; esac\nexec {real} "$@"\n'
    )
    program.chmod(0o755)
    strange = open_mirror(tmp_path / "home", hosted.url, environment={"PATH": f"{program.parent}:/usr/bin:/bin"})
    with pytest.raises(RemoteError, match=r"not even into a fresh clone: .*the moon is full"):
        strange.fetch()
    assert strange.night_tip(EPOCH.date()) == found.commit
    assert mirror_of(hosted).fetch() == Head(commit=found.commit, seen=found.commit, rewritten=False)


def test_what_a_killed_run_left_does_not_stop_a_night(served: Served, mirror_of: MirrorMaker, tmp_path: Path) -> None:
    hosted = host(served, "memory", FILES)
    mirror = mirror_of(hosted)
    mirror.fetch()
    left = ["HEAD.lock", "index.lock", "config.lock", "packed-refs.lock", "shallow.lock", "gc.pid"]
    left += ["refs/remotes/origin/main.lock", "refs/dream/nights/2026-10-21.lock", "objects/pack/multi-pack-index.lock"]
    left += ["objects/pack/tmp_pack_1a2b3c", "objects/tmp_obj_4d5e6f", "objects/info/commit-graphs/chain.lock"]
    for name in left:
        (mirror.path / name).parent.mkdir(parents=True, exist_ok=True)
        (mirror.path / name).write_bytes(b"")
    tip = Person(hosted, tmp_path / "ada").edit({"a.md": "A.\n"})
    mirror = mirror_of(hosted)
    found = mirror.fetch()
    assert isinstance(found, Head)
    assert found.commit == tip
    mirror.keep_night_tip(EPOCH.date().replace(day=21), tip)
    assert mirror.night_tip(EPOCH.date().replace(day=21)) == tip
    assert list(mirror.path.rglob("*.lock")) == []


def test_locks_of_the_remote_are_left_alone(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    lock = hosted.path / "refs/heads/main.lock"
    lock.touch()
    mirror_of(hosted).fetch()
    assert lock.exists()


def test_a_night_tip_outlives_the_process(served: Served, mirror_of: MirrorMaker) -> None:
    hosted = host(served, "memory", FILES)
    mirror = mirror_of(hosted)
    found = mirror.fetch()
    assert isinstance(found, Head)
    me = Identity("Dream", "dream@acme.example")
    tree = mirror.tree(found.commit).tree_id
    assert tree is not None
    spec = CommitSpec(
        tree=tree, parents=[found.commit], subject="x", author=me, author_time=EPOCH, committer_time=EPOCH
    )
    commit = write_commit(mirror.repository, spec)
    mirror.keep_night_tip(EPOCH.date(), commit)
    again = mirror_of(hosted)
    again.fetch()
    assert again.night_tip(EPOCH.date()) == commit
    assert again.nights() == ["refs/dream/nights/2026-10-01"]


def test_git_daemon_serves_as_well(tmp_path: Path, mirror_of: MirrorMaker) -> None:
    hosted = host(tmp_path / "hosted", "memory", FILES)
    with serve_by_daemon(tmp_path / "hosted") as origin:
        found = mirror_of(f"{origin}/memory.git").fetch()
        assert isinstance(found, Head)
        assert found.commit == hosted.tip()
        with pytest.raises(NotAMemoryError):
            mirror_of(f"{origin}/nothing.git").fetch()


def test_hooks_and_settings_of_the_machine_do_not_act(served: Served, mirror_of: MirrorMaker, tmp_path: Path) -> None:
    hosted = host(served, "memory", FILES)
    mirror = mirror_of(hosted)
    ran = tmp_path / "ran"
    for name in ("reference-transaction", "post-checkout", "pre-auto-gc", "post-update", "pre-push"):
        hook = mirror.path / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
        hook.chmod(0o755)
    mirror.fetch()
    assert not ran.exists()


def test_a_missing_git_program_is_named(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "memory", FILES)
    with pytest.raises(FatalError, match="the git program cannot be run"):
        open_mirror(tmp_path / "home", hosted.url, environment={"PATH": str(tmp_path)})


def test_pygit2_is_what_reads_the_mirror(served: Served, mirror_of: MirrorMaker) -> None:
    mirror = mirror_of(host(served, "memory", FILES))
    assert isinstance(mirror.repository, pygit2.Repository)
    assert mirror.repository.is_bare
