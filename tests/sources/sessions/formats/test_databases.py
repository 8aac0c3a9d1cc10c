from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dream.sources.files import UnreadableError
from dream.sources.sessions.formats.databases import bytes_of, opened_copy, tables_of
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.limits import ReadingLimits

FOREVER = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "one.db"
    with closing(sqlite3.connect(made)) as database:
        database.executescript("CREATE TABLE a (x); INSERT INTO a VALUES (1); CREATE VIEW b AS SELECT * FROM a;")
    return made


def test_a_copy_is_read_whole_and_what_is_written_to_it_is_not_kept(path: Path) -> None:
    before = path.read_bytes()
    with path.open("rb") as handle, opened_copy(SessionFile(path=str(path), handle=handle)) as database:
        assert tables_of(database) == {"a"}
        database.execute("DELETE FROM a")
        assert handle.tell() == 0
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["one.db"]


def test_a_query_that_does_not_end_is_cut_short(path: Path) -> None:
    with (
        path.open("rb") as handle,
        opened_copy(SessionFile(path=str(path), handle=handle)) as database,
        pytest.raises(sqlite3.OperationalError, match="interrupted"),
    ):
        database.execute(FOREVER).fetchone()


def test_a_log_that_is_too_large_is_refused(path: Path) -> None:
    Path(f"{path}-wal").write_bytes(bytes(2000))
    file = SessionFile(path=str(path), handle=path.open("rb"), limits=ReadingLimits(file_bytes=1000))
    with file.handle, pytest.raises(UnreadableError, match="the file is too large"), opened_copy(file):
        pass


@pytest.mark.parametrize(("value", "data"), [("ä", "ä".encode()), (b"\xff", b"\xff"), (None, b""), (7, b"")])
def test_a_value_is_bytes_however_it_was_kept(value: object, data: bytes) -> None:
    assert bytes_of(value) == data
