from __future__ import annotations

import pytest

from dream.guards.linked import LinkedNotes, LinkGuard
from dream.memory.notes import NoteCache
from dream.memory.operations import Merge, Move, Operation, Refusal, Remove, Span
from tests.guards.proposals import Files, propose, tree_of, whole

NOTES = {"services/a.md": "- one\n", "services/b.md": "---\nname: The B\ntype: project\n---\none\n"}


def judge(operation: Operation, files: Files, *, task: str = "tidy") -> Refusal | None:
    return LinkGuard(LinkedNotes(NoteCache()))(propose(operation, files, task=task))


def merge_away(path: str, into: str, files: Files) -> Merge:
    return Merge(into=whole(into, files), new=None, absorbed=(whole(path, files),))


@pytest.mark.parametrize(
    "linking",
    ["daily/2026-10-21.md", "preferences/slack/ops.md", "learnings/retry/SKILL.md", "learnings/retry/more.md"],
)
def test_a_note_that_people_or_a_day_link_to_stays(linking: str) -> None:
    depth = "../" * linking.count("/")
    files = {**NOTES, linking: f"see [a]({depth}services/a.md#top)\n"}
    assert judge(merge_away("services/a.md", "services/b.md", files), files) == Refusal(
        "linked-note", f"services/a.md is linked from {linking}"
    )
    assert judge(Move(span=whole("services/a.md", files), to="services/c.md"), files) is not None
    assert judge(merge_away("services/b.md", "services/a.md", files), files) is None


@pytest.mark.parametrize(
    "link", ["[[a]]", "[[A]]", "[x](/services/a.md)", "[x](../services/%61.md)", "[x]: ../services/a.md"]
)
def test_every_way_to_link_counts(link: str) -> None:
    files = {**NOTES, "daily/2026-10-21.md": f"see {link}\n" if "]:" not in link else f"[x]\n\n{link}\n"}
    assert judge(merge_away("services/a.md", "services/b.md", files), files) is not None


@pytest.mark.parametrize("link", ["[[the b]]", "[[The-B]]", "[[b]]"])
def test_a_link_by_the_notes_own_name_counts(link: str) -> None:
    files = {**NOTES, "preferences/slack/ops.md": f"see {link}\n"}
    assert judge(merge_away("services/b.md", "services/a.md", files), files) is not None


def test_where_both_are_linked_neither_goes() -> None:
    files = {**NOTES, "daily/2026-10-21.md": "[a](../services/a.md) [b](../services/b.md)\n"}
    assert judge(merge_away("services/a.md", "services/b.md", files), files) is not None
    assert judge(merge_away("services/b.md", "services/a.md", files), files) is not None


def test_links_from_elsewhere_code_and_other_notes_do_not_hold_a_note() -> None:
    files = {
        **NOTES,
        "services/c.md": "[a](a.md)\n",
        "MEMORY.md": "- [a](services/a.md)\n",
        "daily/2026-10-21.md": "`[a](../services/a.md)` and [x](../other/a.md)\n",
    }
    assert judge(merge_away("services/a.md", "services/b.md", files), files) is None


def test_an_entry_may_leave_a_linked_note_and_a_removal_with_evidence_is_not_asked() -> None:
    files = {**NOTES, "services/c.md": "- one\n- two\n", "daily/2026-10-21.md": "[c](../services/c.md)\n"}
    merge = Merge(
        into=Span(path="services/a.md", text="- one"), new=None, absorbed=(Span(path="services/c.md", text="- one"),)
    )
    assert judge(merge, files) is None
    removal = Remove(span=whole("services/c.md", files))
    assert judge(removal, files, task="production_verification") is None
    assert judge(removal, files) == Refusal("linked-note", "services/c.md is linked from daily/2026-10-21.md")


def test_an_unreadable_note_links_to_nothing() -> None:
    tree = tree_of({**NOTES, "daily/2026-10-21.md": b"\xff [a](../services/a.md)"})
    assert LinkedNotes(NoteCache()).linking_note(tree, "services/a.md") is None
