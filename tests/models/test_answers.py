from __future__ import annotations

import json
import stat
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.errors import UsageError
from dream.models.answers import AnswerStore, KeptAnswer
from dream.models.port import Usage

NIGHT = date(2026, 10, 22)
KEPT = KeptAnswer(reply='{"line":"ja, é"}', usage=Usage(input=10, cached=4, output=2, calls=1))


def store(folder: Path | str, *, organisation: str = "acme", night: date = NIGHT) -> AnswerStore:
    return AnswerStore(str(folder), organisation=organisation, night=night)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_was_kept_is_found_by_this_run_and_the_next(tmp_path: Path) -> None:
    first = store(tmp_path)
    assert first.get("a" * 64) is None
    first.put("a" * 64, KEPT)
    assert first.get("a" * 64) == KEPT
    assert store(tmp_path).get("a" * 64) == KEPT
    assert store(tmp_path, night=date(2026, 10, 25)).get("a" * 64) == KEPT
    assert store(tmp_path).get("b" * 64) is None


def test_another_kind_of_store_serves_as_well() -> None:
    store("memory://kept").put("a" * 64, KEPT)
    assert store("memory://kept").get("a" * 64) == KEPT


def test_an_answer_is_one_file_in_a_folder_for_its_owner_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    store(tmp_path / "made").put("a" * 64, KEPT)
    (path,) = files(tmp_path)
    assert path.parent == tmp_path / "made" / "answers" / "2026-10-22"
    assert stat.S_IMODE(path.parents[1].stat().st_mode) == 0o700


def test_two_organisations_at_one_address_do_not_see_each_others_answers(tmp_path: Path) -> None:
    store(tmp_path).put("a" * 64, KEPT)
    assert store(tmp_path, organisation="other").get("a" * 64) is None


def test_an_entry_under_a_name_that_is_not_its_own_is_no_answer(tmp_path: Path) -> None:
    kept = store(tmp_path)
    kept.put("a" * 64, KEPT)
    kept.put("b" * 64, KeptAnswer(reply='{"line":"no"}', usage=Usage()))
    one, other = files(tmp_path)
    one.write_bytes(other.read_bytes())
    again = store(tmp_path)
    assert {again.get("a" * 64) is None, again.get("b" * 64) is None} == {True, False}


@given(data=st.data())
def test_a_damaged_entry_is_no_answer_and_no_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    store(folder).put("a" * 64, KEPT)
    (path,) = files(folder)
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    damaged = data.draw(
        st.sampled_from([whole[:place], whole[:place] + b"\xff" + whole[place + 1 :], b"", b"[" * 9999])
    )
    path.write_bytes(damaged)
    assert store(folder).get("a" * 64) is None


def test_a_reply_that_was_changed_in_its_file_is_no_answer(tmp_path: Path) -> None:
    store(tmp_path).put("a" * 64, KEPT)
    (path,) = files(tmp_path)
    document = json.loads(path.read_bytes())
    path.write_text(json.dumps({**document, "reply": '{"line":"nein"}'}), encoding="utf-8")
    assert store(tmp_path).get("a" * 64) is None


def test_what_old_nights_kept_is_taken_away_and_nothing_else(tmp_path: Path) -> None:
    store(tmp_path, night=date(2026, 9, 1)).put("a" * 64, KEPT)
    store(tmp_path, night=date(2026, 9, 17)).put("b" * 64, KEPT)
    (tmp_path / "answers" / "mine").mkdir()
    kept = store(tmp_path)
    kept.forget(date(2026, 9, 17))
    assert sorted(path.name for path in (tmp_path / "answers").iterdir()) == ["2026-09-17", "mine"]
    assert store(tmp_path).get("a" * 64) is None
    assert store(tmp_path).get("b" * 64) == KEPT
    assert kept.troubles == 0


def test_a_store_that_cannot_be_written_stops_nothing_and_is_counted(tmp_path: Path) -> None:
    (tmp_path / "answers").write_text("a file where a folder should be", encoding="utf-8")
    kept = store(tmp_path)
    kept.put("a" * 64, KEPT)
    assert kept.get("a" * 64) is None
    assert kept.troubles > 0


def test_an_address_of_an_unknown_kind_is_wrong_configuration() -> None:
    kept = store("nosuch://user:secret@bucket")
    with pytest.raises(UsageError) as refusal:
        kept.connect()
    assert str(refusal.value) == "nothing can be kept at nosuch: ValueError"
    kept.put("a" * 64, KEPT)
    assert kept.get("a" * 64) is None
    assert kept.troubles > 0
