"""The kinds of B31, B33 and B35: the newest is not lost first, drift both ways, and an index found in any state."""

from __future__ import annotations

from pathlib import Path

import pytest

from dream.memory.index.reach import check_index
from dream.memory.limits import IndexLimits
from dream.memory.tree import MappingTree
from tests.support.observer import KilledError, killed_at, linked, loaded, reached, topic_notes
from tests.support.served import Served
from tests.support.stage import MEMORY, stage_of

STANDING = {"CATALOG.md", "daily/"}


def listed(files: dict[str, bytes]) -> set[str]:
    return linked(loaded(files), at="MEMORY.md") - STANDING


def notes(count: int, *, folder: str = "old") -> dict[str, str]:
    return {f"{folder}/note-{n:04}.md": f"# Note {n} of {folder}\n\n- It is {n}.\n" for n in range(count)}


@pytest.mark.parametrize("arrived", [1, 30, 90])
def test_b31_the_newest_notes_are_in_what_is_loaded_and_the_oldest_make_room(
    served: Served, tmp_path: Path, arrived: int
) -> None:
    stage = stage_of(served, tmp_path, notes(400))
    stage.dream()
    before = listed(stage.files())
    new = notes(arrived, folder="new")
    stage.person().edit(dict(new))
    stage.next_night(days=2)
    after = stage.files()
    assert set(new) <= listed(after)
    assert topic_notes(after) - reached(after) == set()
    assert after["MEMORY.md"].count(b"\n") <= 200
    assert len(before - listed(after)) <= arrived


def test_b31_a_flood_of_new_notes_in_one_folder_does_not_push_everything_else_out(
    served: Served, tmp_path: Path
) -> None:
    stage = stage_of(served, tmp_path, notes(120))
    stage.dream()
    stage.person().edit(dict(notes(500, folder="flood")))
    stage.next_night()
    after = stage.files()
    assert sum(path.startswith("old/") for path in listed(after)) >= 60
    assert topic_notes(after) - reached(after) == set()


DAMAGED: dict[str, str | bytes] = {
    "empty": "",
    "blank": "\n\n\n",
    "a-conflict": "# M\n\n<<<<<<< ours\n- [A](a.md)\n=======\n- [B](b.md)\n>>>>>>> theirs\n",
    "cut-in-a-link": "# M\n\n- [Checkout](services/chec",
    "an-open-fence": "# M\n\n```\n- [Checkout](services/checkout.md)\n",
    "an-open-comment": "# M\n\n<!-- for later\n- [Checkout](services/checkout.md)\n",
    "every-line-twice": "# M\n\n" + "- [Checkout](services/checkout.md)\n" * 300,
    "a-mark-and-returns": "\ufeff# M\r\n\r\n- [Gone](gone.md)\r\n".encode(),
    "a-long-line": "# M\n\n" + "word " * 6_000 + "\n",
    "238-dead-lines": "# M\n\n" + "".join(f"- [Gone {n}](gone/{n}.md)\n" for n in range(238)),
    "a-table": "# M\n\n| Topic | Note |\n|---|---|\n| Gone | [x](gone.md) |\n| C | [c](services/checkout.md) |\n",
}


@pytest.mark.parametrize("index", DAMAGED.values(), ids=DAMAGED)
def test_b35_an_index_found_in_any_state_is_whole_after_the_night_or_it_is_said_why_not(
    served: Served, tmp_path: Path, index: str | bytes
) -> None:
    stage = stage_of(served, tmp_path, {**MEMORY, "MEMORY.md": index})
    stage.summarise({})
    result = stage.dream()
    after = stage.files()
    assert (result.status, result.exit_code) == ("landed", 0)
    assert b"refuses refunds" in after["daily/2026-10-21.md"]
    missing = topic_notes(after) - reached(after)
    assert missing == set() or any("no-room-for-the-catalog" in finding for finding in result.findings)
    assert missing == set() or index == DAMAGED["a-long-line"]


@pytest.mark.parametrize("index", [b"# \xff\xfe\n", b"# M\n\0\n"], ids=["not-utf-8", "nul"])
def test_b35_an_index_that_is_no_text_is_left_alone_and_the_rest_of_the_night_lands(
    served: Served, tmp_path: Path, index: bytes
) -> None:
    stage = stage_of(served, tmp_path, {**MEMORY, "MEMORY.md": index})
    stage.summarise({})
    result = stage.dream()
    after = stage.files()
    assert (result.status, result.exit_code) == ("landed", 0)
    assert after["MEMORY.md"] == index
    assert any("index-left-alone" in finding for finding in result.findings)
    assert topic_notes(after) <= linked(after["CATALOG.md"].decode(), at="CATALOG.md")


@pytest.mark.parametrize("step", ["tidy", "index_rewrite", "land"])
def test_b33_the_index_lists_the_notes_and_nothing_else_while_both_drift_and_nights_die(
    served: Served, tmp_path: Path, step: str
) -> None:
    stage = stage_of(served, tmp_path, {**MEMORY, "MEMORY.md": "# Memory\n\n- [Gone](services/gone.md)\n"})
    ada = stage.person()
    with pytest.raises(KilledError):
        stage.dream(call=killed_at(step))
    ada.edit({"queues/new.md": "# A new queue\n", "MEMORY.md": "# Memory\n\n- [Left](left.md)\n- [X](queues/new.md)\n"})
    ada.rename("services/orders.md", "services/order-archive.md")
    stage.dream()
    assert listed(stage.files()) == topic_notes(stage.files())
    ada.pull()
    ada.delete("queues/invoices.md", "queues/new.md")
    with pytest.raises(KilledError):
        stage.next_night(call=killed_at(step))
    ada.edit({"queues/newer.md": "# A newer queue\n"})
    stage.dream(stage.now.date())
    after = stage.files()
    assert listed(after) == topic_notes(after)
    assert check_index(MappingTree(after), limits=IndexLimits()) == ()
