"""Labels are of records that are there, and code gives real pull requests the class that a person gives them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.outcomes.__main__ import classified, main
from bench.outcomes.labels import OF_FATE, Label, read_labels, read_raw
from bench.outcomes.tables import by_change, scores
from bench.outcomes.teaching import taught
from bench.outcomes.variants import variants

TOLD_BY_A_BROWSER = "julep-ai/julep#1372"
"""A person took a review's suggestion there; the record shows one account alone, so that code says `unknown`."""


def test_at_least_eighty_real_records_are_labelled_and_every_class_is_among_them(shared_data: Path) -> None:
    labels, records = read_labels(), read_raw(shared_data / "pull_requests")
    assert len({one.source for one in labels}) == len(labels) >= 80
    assert {one.source for one in labels} - records.keys() == set()
    assert {one.label for one in labels} == set(Label)
    assert all(one.why for one in labels)


def test_code_and_hand_differ_on_one_record_of_which_code_says_that_it_cannot_tell(shared_data: Path) -> None:
    records = read_raw(shared_data / "pull_requests")
    said = {one.source: OF_FATE[classified(records[one.source]).fate] for one in read_labels()}
    apart = {one.source: said[one.source] for one in read_labels() if said[one.source] is not one.label}
    assert apart == {TOLD_BY_A_BROWSER: Label.UNKNOWN}


def test_one_changed_thing_moves_a_real_record_into_the_class_that_follows(shared_data: Path) -> None:
    made = list(variants(read_labels(), read_raw(shared_data / "pull_requests")))
    apart = {(one.source, one.change) for one in made if OF_FATE[classified(one.record).fate] is not one.label}
    assert len({one.change for one in made}) == 11
    assert {source for source, _ in apart} == {TOLD_BY_A_BROWSER}


def test_no_record_that_a_system_closed_teaches_whatever_a_model_says(shared_data: Path) -> None:
    labels, records = read_labels(), read_raw(shared_data / "pull_requests")
    rows = [row.strip("| ").split(" | ") for row in taught(records.values()).split("\n")[2:]]
    by_name = {(name, label): [int(one) for one in counts] for name, label, *counts in rows}
    believer, alone = "a model who believes anything", "code alone"
    for name in (alone, believer):
        assert by_name[name, "closed-by-system"] == [10, 10, 0, 0, 0]
        assert by_name[name, "unknown"][2:] == by_name[name, "untouched"][2:] == [0, 0, 0]
    assert by_name[believer, "edited"][3] > by_name[alone, "edited"][3] > 0
    closed = [one.record for one in variants(labels, records) if one.change == "a stale bot closed it"]
    counted = [row.strip("| ").split(" | ") for row in taught(closed).split("\n")[2:]]
    assert {tuple(row[-3:]) for row in counted} == {("0", "0", "0")}


def test_the_tables_count_what_they_say() -> None:
    pairs = [(Label.EDITED, Label.EDITED), (Label.EDITED, Label.UNKNOWN), (Label.OPEN, Label.OPEN)]
    assert "| edited | 2 | 1 | 1 | 1.000 | 0.500 |" in scores(pairs)
    assert "| unknown | 0 | 1 | 0 | 0.000 | - |" in scores(pairs)
    assert "| a bot closed it | 2 | 1 |" in by_change([("a bot closed it", pair) for pair in pairs[:2]])


def test_the_program_prints_its_tables_and_names_a_folder_that_is_not_there(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(shared_data / "pull_requests")]) == 0
    printed = capsys.readouterr().out
    assert "### Against 136 labels made by hand" in printed
    assert "### What 234 records teach in one night" in printed
    with pytest.raises(SystemExit):
        main([str(tmp_path / "nowhere")])
