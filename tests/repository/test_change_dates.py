"""Dates of last change that are kept between nights."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pygit2
import pytest

from dream.repository.change_dates import change_dates
from dream.repository.mirror import Head, Mirror
from tests.repository.conftest import MirrorMaker
from tests.support.repositories import EPOCH, Hosted, Person, host, import_commit
from tests.support.served import Served

FILES = {"MEMORY.md": "# Memory\n", "services/api.md": "The API.\n"}
HOUR = timedelta(hours=1)


@pytest.fixture
def hosted(served: Served) -> Hosted:
    return host(served, "memory", FILES)


def _head(mirror: Mirror) -> str:
    found = mirror.fetch()
    assert isinstance(found, Head)
    return found.commit


def test_a_later_night_reads_only_what_is_new(hosted: Hosted, mirror_of: MirrorMaker, tmp_path: Path) -> None:
    mirror = mirror_of(hosted)
    first = _head(mirror)
    assert change_dates(mirror, first) == dict.fromkeys(FILES, EPOCH)
    Person(hosted, tmp_path / "ada").edit({"services/api.md": "It moved.\n"})
    head = _head(mirror)
    kept = mirror.home / "change-dates.json"
    kept.write_text(kept.read_text().replace(str(int(EPOCH.timestamp())), str(int(EPOCH.timestamp()) - 3600)))
    assert change_dates(mirror, head) == {"MEMORY.md": EPOCH - HOUR, "services/api.md": EPOCH + HOUR}


@pytest.mark.parametrize(
    "damage", [b"", b"[]", b"{}", b"null", b"\xff", b"[" * 100_000, b'{"for": 1, "commit": 2, "dates": 3}']
)
def test_a_damaged_answer_is_computed_afresh(hosted: Hosted, mirror_of: MirrorMaker, damage: bytes) -> None:
    mirror = mirror_of(hosted)
    head = _head(mirror)
    (mirror.home / "change-dates.json").write_bytes(damage)
    assert change_dates(mirror, head) == dict.fromkeys(FILES, EPOCH)
    assert change_dates(mirror_of(hosted), head) == dict.fromkeys(FILES, EPOCH)


def test_an_answer_of_another_history_or_folder_is_not_used(hosted: Hosted, mirror_of: MirrorMaker) -> None:
    mirror = mirror_of(hosted)
    change_dates(mirror, _head(mirror))
    assert change_dates(mirror_of(hosted, prefix="services"), _head(mirror)) == {"api.md": EPOCH}
    import_commit(hosted, FILES, at=EPOCH + HOUR, message="again")
    head = _head(mirror)
    assert change_dates(mirror, head) == dict.fromkeys(FILES, EPOCH + HOUR)
    assert pygit2.Repository(str(mirror.path))[head].peel(pygit2.Commit).parents == []
