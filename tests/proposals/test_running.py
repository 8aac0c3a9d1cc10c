"""What a person marked is done whole or not at all, and every byte of it can be taken back."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dream.errors import DreamError, FatalError, TransientError, UsageError
from dream.proposals.folder import Found, held_folder, no_tick
from dream.proposals.journal import Snapshot, Stage
from dream.proposals.running import TakenBack, carry_out, take_back, write_down
from tests.proposals.folders import folder_of, standing

FILES: Mapping[str, str | bytes] = {
    "a.md": "# A\n",
    "old/only.md": "# Only\r\n",
    "old/deep/x.md": "# X\n",
    "stays/b.md": "# B\n",
    "c.bin": b"\xff",
}
EDITS: Mapping[str, bytes | None] = {
    "a.md": b"# A, longer\n",
    "old/only.md": None,
    "old/deep/x.md": None,
    "archive/old/only.md": b"# Only\r\n",
    "stays/b.md": b"",
}
KILLED = 137


class Steps:
    """Counts the steps of a run, and lets one of them fail."""

    def __init__(self, failing: int = -1, failure: Callable[[], None] | None = None) -> None:
        self.names: list[str] = []
        self._failing = failing
        self._failure = failure

    def __call__(self, step: str) -> None:
        self.names.append(step)
        if self._failure and len(self.names) - 1 == self._failing:
            self._failure()


def full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def refused() -> None:
    raise OSError(errno.EACCES, "Permission denied")


def interrupted() -> None:
    raise KeyboardInterrupt


def run(
    memory: Path, undo: Path, tick: Callable[[str], None] = no_tick, edits: Mapping[str, bytes | None] = EDITS
) -> None:
    snapshot = Snapshot(undo)
    with held_folder(memory, tick=tick) as folder:
        before: dict[str, Found] = {}
        for path in edits:
            found = folder.read(path)
            if found is not None:
                before[path] = found
        journal = write_down(folder, edits, before, memory=memory, proposal="f" * 64, items=["1"])
        carry_out(folder, edits, before, journal=journal, snapshot=snapshot, tick=tick)


def undo_run(memory: Path, undo: Path, tick: Callable[[str], None] = no_tick) -> TakenBack:
    with held_folder(memory, tick=tick) as folder:
        return take_back(folder, Snapshot(undo), tick=tick)


def killed(call: Callable[[], object]) -> int:
    """Run `call` in a process of its own and return how that ended."""
    child = os.fork()
    if not child:
        try:
            call()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def die() -> None:
    os._exit(KILLED)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    made = folder_of(tmp_path / "memory", FILES)
    (made / "a.md").chmod(0o600)
    (made / "old").chmod(0o750)
    (made / "empty").mkdir()
    os.utime(made / "a.md", ns=(1, 1_700_000_000_123_456_789))
    return made


def count_steps(tmp_path: Path) -> tuple[int, int]:
    memory, undo = folder_of(tmp_path / "count", FILES), tmp_path / "count.undo"
    there, back = Steps(), Steps()
    run(memory, undo, there)
    undo_run(memory, undo, back)
    return len(there.names), len(back.names)


def test_a_run_writes_what_it_should_and_its_undo_brings_every_byte_mode_and_folder_back(
    memory: Path, tmp_path: Path
) -> None:
    before, undo = standing(memory), tmp_path / "p.undo"
    run(memory, undo)
    assert {path: data for path, (_, _, data) in standing(memory).items() if (memory / path).is_file()} == {
        "a.md": b"# A, longer\n",
        "archive/old/only.md": b"# Only\r\n",
        "stays/b.md": b"",
        "c.bin": b"\xff",
    }
    assert not (memory / "old").exists()
    assert (memory / "a.md").stat().st_mode & 0o777 == 0o600
    assert Snapshot(undo).stage() is Stage.DONE
    done = undo_run(memory, undo)
    assert done == TakenBack(paths=tuple(sorted(EDITS)))
    assert standing(memory) == before
    assert [path.name for path in tmp_path.iterdir()] == ["memory"]


def test_a_run_killed_at_any_step_is_taken_back_whole(memory: Path, tmp_path: Path) -> None:
    before, undo = standing(memory), tmp_path / "p.undo"
    steps, _ = count_steps(tmp_path)
    assert steps > 20
    broken_off = 0
    for number in range(steps):
        assert killed(lambda number=number: run(memory, undo, Steps(number, die))) == KILLED  # type: ignore[misc]
        if Snapshot(undo).stage() is Stage.NONE:
            assert standing(memory) == before
        else:
            broken_off += 1
            undo_run(memory, undo)
        assert standing(memory) == before
    assert broken_off > 10
    run(memory, undo)
    undo_run(memory, undo)
    assert standing(memory) == before


def test_an_undo_killed_at_any_step_goes_on_when_it_is_run_again(memory: Path, tmp_path: Path) -> None:
    before, undo = standing(memory), tmp_path / "p.undo"
    _, steps = count_steps(tmp_path)
    for number in range(steps):
        run(memory, undo)
        assert killed(lambda number=number: undo_run(memory, undo, Steps(number, die))) == KILLED  # type: ignore[misc]
        if Snapshot(undo).stage() is not Stage.NONE:
            undo_run(memory, undo)
        assert standing(memory) == before


@pytest.mark.parametrize(("failure", "kind"), [(full, TransientError), (refused, FatalError)])
def test_a_disk_that_refuses_any_step_leaves_everything_as_it_was(
    memory: Path, tmp_path: Path, failure: Callable[[], None], kind: type[DreamError]
) -> None:
    before, undo = standing(memory), tmp_path / "p.undo"
    steps, _ = count_steps(tmp_path)
    for number in range(steps):
        with pytest.raises(kind) as raised:
            run(memory, undo, Steps(number, failure))
        assert "nothing was changed" in raised.value.way_out
        assert standing(memory) == before
        assert Snapshot(undo).stage() is Stage.NONE
    assert not list(memory.rglob(".dream-*"))


def test_an_interrupt_at_any_step_leaves_everything_as_it_was(memory: Path, tmp_path: Path) -> None:
    before, undo = standing(memory), tmp_path / "p.undo"
    steps, _ = count_steps(tmp_path)
    for number in range(steps):
        with pytest.raises(KeyboardInterrupt):
            run(memory, undo, Steps(number, interrupted))
        if Snapshot(undo).stage() is not Stage.NONE:
            undo_run(memory, undo)
        assert standing(memory) == before


def test_a_disk_that_stays_full_leaves_what_the_undo_brings_back(memory: Path, tmp_path: Path) -> None:
    before, undo = standing(memory), tmp_path / "p.undo"
    steps, _ = count_steps(tmp_path)

    def from_on(number: int) -> Callable[[str], None]:
        seen = Steps()

        def tick(step: str) -> None:
            seen(step)
            if len(seen.names) > number:
                full()

        return tick

    for number in range(steps):
        with pytest.raises(DreamError):
            run(memory, undo, from_on(number))
        if Snapshot(undo).stage() is not Stage.NONE:
            undo_run(memory, undo)
        assert standing(memory) == before


def test_an_undo_refuses_and_names_what_somebody_changed_since(memory: Path, tmp_path: Path) -> None:
    undo = tmp_path / "p.undo"
    run(memory, undo)
    (memory / "a.md").write_text("# mine\n")
    (memory / "archive/old/only.md").write_text("# mine too\n")
    after = standing(memory)
    with pytest.raises(FatalError, match=r"changed since by somebody else: a\.md, archive/old/only\.md"):
        undo_run(memory, undo)
    assert standing(memory) == after
    assert Snapshot(undo).stage() is Stage.DONE


def test_an_undo_leaves_a_folder_in_which_somebody_has_put_something(memory: Path, tmp_path: Path) -> None:
    undo = tmp_path / "p.undo"
    run(memory, undo)
    (memory / "archive/theirs.md").write_text("# theirs\n")
    assert undo_run(memory, undo).left == ("archive",)
    assert (memory / "archive/theirs.md").read_text() == "# theirs\n"


def test_a_file_that_changes_under_a_run_stops_it_and_stays(memory: Path, tmp_path: Path) -> None:
    def meddle(step: str) -> None:
        if step == "replace a.md":
            (memory / "stays/b.md").write_text("# theirs\n")

    with pytest.raises(FatalError, match=r"stays/b\.md"):
        run(memory, tmp_path / "p.undo", meddle)
    assert (memory / "stays/b.md").read_text() == "# theirs\n"


@pytest.mark.parametrize(
    "path", ["../x.md", "/etc/x.md", ".git/x.md", "a/.git/x.md", ".dream/state.json", "a//b.md", ""]
)
def test_no_path_leads_out_of_the_folder_or_to_what_is_the_flows_or_gits(
    memory: Path, tmp_path: Path, path: str
) -> None:
    before = standing(tmp_path)
    with pytest.raises(UsageError):
        run(memory, tmp_path / "p.undo", edits={path: b"x"})
    assert standing(tmp_path) == before


def test_nothing_is_written_through_a_link_or_into_a_file_with_two_names(memory: Path, tmp_path: Path) -> None:
    outside = folder_of(tmp_path / "outside", {"x.md": "# x\n"})
    (memory / "linked").symlink_to(outside)
    (memory / "link.md").symlink_to(outside / "x.md")
    os.link(outside / "x.md", memory / "second.md")
    before = standing(tmp_path)
    for path in ("linked/x.md", "linked/new.md", "link.md", "second.md"):
        with pytest.raises(DreamError):
            run(memory, tmp_path / "p.undo", edits={path: b"x"})
        assert standing(tmp_path) == before


def test_one_run_at_a_time_works_on_a_folder(memory: Path) -> None:
    with held_folder(memory), pytest.raises(TransientError, match="another run"), held_folder(memory):
        pass


names = st.sampled_from(["a.md", "b.md", "d/a.md", "d/b.md", "d/e/a.md", "f/a.md"])
contents = st.binary(max_size=20)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files=st.dictionaries(names, contents, max_size=6),
    edits=st.dictionaries(names, st.none() | contents, max_size=6),
    folders=st.sets(st.sampled_from(["d/empty", "g"])),
)
def test_a_run_and_its_undo_are_the_identity(
    files: dict[str, bytes], edits: dict[str, bytes | None], folders: set[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("run")
    memory = folder_of(root / "memory", files)
    memory.mkdir(exist_ok=True)
    for name in folders:
        (memory / name).mkdir(parents=True, exist_ok=True)
    edits = {path: data for path, data in edits.items() if data is not None or path in files}
    before = standing(memory)
    run(memory, root / "p.undo", edits=edits)
    for path, data in edits.items():
        assert (memory / path).read_bytes() == data if data is not None else not (memory / path).exists()
    undo_run(memory, root / "p.undo")
    assert standing(memory) == before
