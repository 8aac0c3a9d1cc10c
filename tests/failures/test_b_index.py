"""B31, B33, B35, B77: every note is reached from what agents load, whatever state the memory was found in."""

from __future__ import annotations

from pathlib import Path

import pytest

from dream.checker.inspection import check
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from dream.memory.operations import Merge, Move, Refusal, Remove, Revise, Span
from dream.memory.tree import MappingTree
from tests.support.observer import KilledError, killed_at, linked, loaded, reached, topic_notes
from tests.support.scripted import draft_over, whole
from tests.support.served import Served
from tests.support.stage import MEMORY, Stage, stage_of


def findings(files: dict[str, bytes]) -> list[str]:
    return [finding.rule for finding in check(MappingTree(files), NoteCache(), IndexLimits())]


def assert_index_is_whole(files: dict[str, bytes]) -> None:
    """Assert that links from what is loaded of the index lead to every topic note, and that none leads nowhere."""
    assert topic_notes(files) - reached(files) == set()
    pages = ["MEMORY.md", *(path for path in files if path.startswith("CATALOG"))]
    for page in pages:
        dead = {path for path in linked(files[page].decode(), at=page) if path.endswith(".md") and path not in files}
        assert dead == set()
    assert files["MEMORY.md"].count(b"\n") <= 200
    assert len(files["MEMORY.md"]) <= 25_000


def many(count: int) -> dict[str, str]:
    """Notes over many folders, each with a long first line."""
    return {
        f"area-{number % 40:02}/topic-{number:04}.md": f"# Topic {number} of area {number % 40}, {'at length, ' * 9}"
        f"\n\n- The item {number} is kept in shelf {number * 3}.\n"
        for number in range(count)
    }


@pytest.mark.parametrize("count", [28, 238, 5000])
def test_b31_every_note_is_reached_from_the_first_200_lines(served: Served, tmp_path: Path, count: int) -> None:
    stage = stage_of(served, tmp_path, many(count))
    assert stage.dream().status == "landed"
    files = stage.files()
    assert len(topic_notes(files)) == count
    assert_index_is_whole(files)
    assert not {"index-over-limits", "orphan-note", "dead-index-link"} & set(findings(files))


@pytest.mark.parametrize(
    ("index", "rule"),
    [
        ("# Memory\n\n" + "- A rule of ours.\n" * 237 + "- [Last](notes/last.md)\n", "index-over-limits"),
        ("# Memory\n\n" + ("A long rule. " * 2000) + "\n- [Last](notes/last.md)\n", "index-over-limits"),
        ("# Memory\n", "orphan-note"),
    ],
    ids=["238-lines", "26-kB", "no-line"],
)
def test_b31_what_is_cut_off_or_missing_is_a_finding_of_the_checker(index: str, rule: str) -> None:
    assert rule in findings({"MEMORY.md": index.encode(), "notes/last.md": b"# Last\n"})


def test_b31_peoples_rule_at_line_238_is_kept_and_the_night_says_that_it_is_not_loaded(
    served: Served, tmp_path: Path
) -> None:
    lines = [f"- Rule {number} of ours." for number in range(1, 236)]
    index = "\n".join(["# Memory", "", *lines, "Rule at line 238."]) + "\n"
    assert index.count("\n") == 238
    stage = stage_of(served, tmp_path, {"MEMORY.md": index, "notes/a.md": "# A\n"})
    result = stage.dream()
    assert b"\nRule at line 238.\n" in stage.files()["MEMORY.md"]
    assert any("MEMORY.md" in finding for finding in result.findings)
    assert "index-over-limits" in findings(stage.files())


DRIFTED = {
    "a-note-without-a-line": {"MEMORY.md": MEMORY["MEMORY.md"]},
    "a-line-without-a-note": {"MEMORY.md": MEMORY["MEMORY.md"] + "- [Gone](services/gone.md)\n- [Left](left.md)\n"},
    "both": {"MEMORY.md": "# Memory\n\n- [Gone](services/gone.md)\n"},
    "another-case": {"MEMORY.md": "# Memory\n\n- [Checkout](services/Checkout.md)\n"},
    "twice": {"MEMORY.md": MEMORY["MEMORY.md"] + "- [Again](services/checkout.md)\n"},
    "no-index": {"services/new.md": "# New\n\n- Something new.\n"},
}


@pytest.mark.parametrize("drift", DRIFTED.values(), ids=DRIFTED)
def test_b33_index_and_notes_agree_after_every_night(served: Served, tmp_path: Path, drift: dict[str, str]) -> None:
    files = {**MEMORY, **drift}
    if "MEMORY.md" not in drift:
        del files["MEMORY.md"]
    stage = stage_of(served, tmp_path, files)
    stage.summarise({})
    stage.dream()
    assert_index_is_whole(stage.files())
    ada = stage.person()
    ada.rename("services/orders.md", "services/order-archive.md")
    ada.delete("queues/invoices.md")
    ada.edit({"queues/new.md": "# A new queue\n\n- It is drained at noon.\n"})
    stage.next_night()
    assert_index_is_whole(stage.files())
    assert {"queues/new.md", "services/order-archive.md"} <= linked(loaded(stage.files()), at="MEMORY.md")


@pytest.mark.parametrize("step", ["tidy", "index_rewrite", "state_update", "land"])
def test_b33_index_and_notes_agree_after_a_crash_and_a_resumed_night(stage: Stage, step: str) -> None:
    ada = stage.person()
    ada.edit({"MEMORY.md": "# Memory\n\n- [Gone](services/gone.md)\n"})
    with pytest.raises(KilledError):
        stage.dream(call=killed_at(step))
    ada.edit({"queues/new.md": "# A new queue\n\n- It is drained at noon.\n"})
    assert stage.dream().status == "landed"
    assert_index_is_whole(stage.files())


def test_b35_a_memory_that_breaks_every_rule_still_gets_its_night(served: Served, tmp_path: Path) -> None:
    orphans = {f"notes/orphan-{number:02}.md": f"# Orphan {number}\n\n- It says {number}.\n" for number in range(28)}
    broken: dict[str, str | bytes] = {
        "MEMORY.md": "# Memory\n\n" + "- [Gone](services/gone.md)\n" * 300 + "- Our own rule.\n",
        "notes/latin.md": "# Caf\u00e9\n".encode("latin-1"),
        "notes/cut.md": "---\nname: cut\n\n# No end\n",
        "notes/merge.md": "# M\n\n<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n",
        "notes/big.md": b"# Big\n\n" + b"- A line that stands here.\n" * 10_000,
        "services/links.md": "# Links\n\n- See [this](../nowhere.md) and [[nobody]].\n",
    }
    stage = stage_of(served, tmp_path, {**MEMORY, **orphans, **broken})
    stage.summarise({})
    result = stage.dream()
    assert (result.status, result.exit_code) == ("landed", 0)
    after = stage.files()
    assert b"refuses refunds" in after["daily/2026-10-21.md"]
    assert_index_is_whole(after)
    assert b"- Our own rule.\n" in after["MEMORY.md"]
    for path, data in broken.items():
        if path.startswith("notes/"):
            assert after[path] == (data.encode() if isinstance(data, str) else data)
    assert {"note-unreadable", "note-too-large", "frontmatter-broken", "conflict-marker"} <= set(findings(after))


DUPLICATE = "- Orders are archived after ninety days by the nightly orders job."
UNPARSABLE = {
    "not-closed": f"---\nname: orders\ndescription: what we know\n\n{DUPLICATE}\n",
    "a-key-twice": f"---\nname: orders\nname: other\n---\n\n{DUPLICATE}\n",
    "a-tab": f"---\nname: orders\n\tdescription: x\n---\n\n{DUPLICATE}\n",
    "a-colon-in-a-value": f"---\nname: orders: the queue\n---\n\n{DUPLICATE}\n",
    "an-open-bracket": f"---\ntags: [a, b\n---\n\n{DUPLICATE}\n",
    "two-documents": f"---\nname: a\n--- b\nname: c\n---\n\n{DUPLICATE}\n",
    "crlf": f"---\r\nname: a\r\nname: b\r\n---\r\n\r\n{DUPLICATE}\r\n".encode(),
}


@pytest.mark.parametrize("text", UNPARSABLE.values(), ids=UNPARSABLE)
def test_b77_no_operation_of_a_model_touches_such_a_note(tmp_path: Path, text: str | bytes) -> None:
    files: dict[str, str | bytes] = {"orders.md": text, "other.md": f"# Other\n\n{DUPLICATE}\n- More.\n"}
    draft = draft_over(tmp_path, files, task="tidy")
    ending = "\r" if isinstance(text, bytes) else ""
    line, other = Span(path="orders.md", text=DUPLICATE + ending), Span(path="other.md", text=DUPLICATE)
    note = whole(draft.tree, "orders.md")
    operations = (
        Revise(span=line, new=DUPLICATE.replace("nightly ", "")),
        Revise(span=note, new="---\nname: orders\n---\n"),
        Remove(span=line),
        Remove(span=note),
        Merge(into=other, new=None, absorbed=(line,)),
        Merge(into=line, new=None, absorbed=(other,)),
        Move(span=note, to="archive/orders.md"),
    )
    for operation in operations[:5] + operations[6:]:
        answer = draft.apply(operation)
        assert isinstance(answer, Refusal)
        assert answer.reason == "withheld-note"
    draft.apply(operations[5])  # it stays as it is, so that it may be what is kept
    assert draft.tree.read("orders.md") == (text if isinstance(text, bytes) else text.encode())


@pytest.mark.parametrize("text", UNPARSABLE.values(), ids=UNPARSABLE)
def test_b77_a_note_whose_frontmatter_cannot_be_read_is_left_and_reported(
    served: Served, tmp_path: Path, text: str | bytes
) -> None:
    """Its statement stands twice and its link leads to a note that was renamed, so that every task would like to."""
    linking = b"\nSee [the old name](services/old-name.md).\n"
    data = (text if isinstance(text, bytes) else text.encode()) + linking
    files: dict[str, str | bytes] = {
        "orders.md": data,
        "services/copy.md": data,
        "services/orders.md": f"# Orders\n\n{DUPLICATE}\n- The orders queue is short.\n",
        "services/old-name.md": "# A note\n\n- It will be renamed before the second night.\n",
    }
    stage = stage_of(served, tmp_path, files)
    result = stage.dream()
    stage.person().rename("services/old-name.md", "services/new-name.md")
    stage.next_night()
    after = stage.files()
    assert after["orders.md"] == after["services/copy.md"] == data
    assert DUPLICATE.encode() in after["services/orders.md"]
    assert any("orders.md" in finding and "frontmatter" in finding for finding in result.findings)
    assert_index_is_whole(after)
