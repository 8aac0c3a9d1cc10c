from __future__ import annotations

import stat
from datetime import UTC, datetime
from pathlib import Path

from flows.crashes import crash_way_out, write_crash

AT = datetime(2026, 10, 22, 4, 0, 5, tzinfo=UTC)


def crash(text: str) -> Exception:
    return ZeroDivisionError(text)


def test_a_crash_report_holds_the_command_the_version_and_the_traceback(tmp_path: Path) -> None:
    path = write_crash(tmp_path, crash("by zero"), ["run", "acme"], at=AT)
    assert path is not None
    assert path.parent == tmp_path / "crashes"
    text = path.read_text(encoding="utf-8")
    assert "command: dream run acme\n" in text
    assert "nightly-dreaming: " in text
    assert text.endswith("ZeroDivisionError: by zero\n")


def test_a_crash_report_is_for_its_owner_and_holds_no_login(tmp_path: Path) -> None:
    path = write_crash(tmp_path, crash("https://ana:hunter2@git.acme.example/x \x1b[2J"), [], at=AT)
    assert path is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text(encoding="utf-8")
    assert "hunter2" not in text
    assert "\x1b" not in text


def test_where_home_cannot_be_written_the_report_goes_elsewhere(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("a file, no folder")
    path = write_crash(home, crash("x"), [], at=AT)
    assert path is not None
    path.unlink()


def test_where_no_report_could_be_written_nobody_is_sent_to_it(tmp_path: Path) -> None:
    assert crash_way_out(tmp_path / "one.txt") == f"report it with {tmp_path / 'one.txt'}"
    assert crash_way_out(None) == "report it; no crash report could be written"
