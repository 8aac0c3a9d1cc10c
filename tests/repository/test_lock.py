"""The lock of an organisation."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from dream.repository.failures import LockedError
from dream.repository.lock import lock

_HOLDER = """
import sys, time
from pathlib import Path
from dream.repository.lock import lock
with lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_run_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    with (
        lock(tmp_path),
        pytest.raises(LockedError, match=f"another run \\(process {os.getpid()}\\)") as caught,
        lock(tmp_path),
    ):
        pass
    assert caught.value.data == {"path": str(tmp_path), "holder": str(os.getpid())}


def test_a_lock_that_was_let_go_can_be_taken(tmp_path: Path) -> None:
    with lock(tmp_path / "acme"):
        pass
    with lock(tmp_path / "acme"):
        assert (tmp_path / "acme").stat().st_mode & 0o777 == 0o700


def test_waiting_ends_when_the_other_run_does(tmp_path: Path) -> None:
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with lock(tmp_path):
            held.set()
            release.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    threading.Timer(0.2, release.set).start()
    with lock(tmp_path, wait_seconds=10):
        assert release.is_set()
    holder.join()


def test_the_lock_of_a_killed_process_is_free_at_once(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(tmp_path)], cwd=root, stdout=subprocess.PIPE, env={**os.environ}
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LockedError), lock(tmp_path):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with lock(tmp_path):
            pass


def test_two_organisations_do_not_wait_for_each_other(tmp_path: Path) -> None:
    with lock(tmp_path / "acme"), lock(tmp_path / "umbrella"):
        pass
