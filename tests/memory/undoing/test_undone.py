"""What somebody undid is found on trees, however they undid it."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from dream.memory.records import Change, Effect, NightRecord
from dream.memory.tree import MappingTree
from dream.memory.undoing.undone import live_tombstones, open_effects, tombstone, undone_effects

NIGHT = date(2026, 10, 22)
ADD = Effect(
    id="add", task="tidy", kind="add", changes=(Change(path="a.md", above="# A", added=("- 2026-10-21: new",)),)
)
REVISE = Effect(
    id="revise",
    task="tidy",
    kind="revise",
    changes=(Change(path="a.md", above="# A", added=("- now",), removed=("- then",)),),
)
MERGE = Effect(
    id="merge",
    task="tidy",
    kind="merge",
    changes=(Change(path="a.md", above="- same", removed=("- same",)),),
    deleted={"b.md": "0" * 40},
)


def record(*effects: Effect, night: date = NIGHT) -> NightRecord:
    return NightRecord(night=night, scheduled=datetime(2026, 10, 22, 4, tzinfo=UTC), run="r", base="b", effects=effects)


def undone(effect: Effect, landed: dict[str, bytes], head: dict[str, bytes]) -> bool:
    changed = {path for path in {*landed, *head} if landed.get(path) != head.get(path)}
    found = undone_effects(
        [record(effect)], landed=MappingTree(landed), head=MappingTree(head), changed=changed, settled=()
    )
    return found == (effect,)


def test_an_added_line_that_is_gone_was_undone() -> None:
    assert undone(ADD, {"a.md": b"# A\n- 2026-10-21: new\n"}, {"a.md": b"# A\n"})


def test_an_added_line_that_a_person_reworded_was_undone() -> None:
    assert undone(ADD, {"a.md": b"# A\n- 2026-10-21: new\n"}, {"a.md": b"# A\n- 2026-10-21: newer\n"})


def test_an_added_line_that_moved_to_another_note_still_holds() -> None:
    assert not undone(ADD, {"a.md": b"# A\n- 2026-10-21: new\n"}, {"a.md": b"# A\n", "b.md": b"* 2026-10-21:  new\n"})


def test_a_change_elsewhere_in_the_note_undoes_nothing() -> None:
    assert not undone(ADD, {"a.md": b"# A\n- 2026-10-21: new\n"}, {"a.md": b"# A\n- 2026-10-21: new\n- more\n"})


def test_a_deleted_note_undoes_what_was_added_to_it() -> None:
    assert undone(ADD, {"a.md": b"# A\n- 2026-10-21: new\n"}, {})


def test_a_line_that_is_back_undoes_its_revision() -> None:
    assert undone(REVISE, {"a.md": b"# A\n- now\n"}, {"a.md": b"# A\n- now\n- then\n"})


def test_a_second_copy_that_is_back_undoes_its_merge() -> None:
    assert undone(MERGE, {"a.md": b"- same\n"}, {"a.md": b"- same\n- same\n"})


def test_a_note_that_is_back_undoes_its_deletion() -> None:
    assert undone(MERGE, {"a.md": b"- same\n"}, {"a.md": b"- same\n", "b.md": b"- x\n"})


def test_what_the_flow_itself_changed_later_is_closed() -> None:
    later = Effect(
        id="later",
        task="tidy",
        kind="revise",
        changes=(Change(path="a.md", above="", added=("- 2026-10-22: newest",), removed=("- 2026-10-21: new",)),),
    )
    records = [record(ADD), record(later, night=NIGHT + timedelta(days=1))]
    assert open_effects(records) == [later]


def test_what_was_reverted_by_command_is_not_found_again() -> None:
    assert not undone(ADD.model_copy(update={"reverted": True}), {"a.md": b"- 2026-10-21: new\n"}, {"a.md": b""})


def test_a_tombstone_of_an_edit_ends_with_its_notes_and_that_of_an_add_with_its_sources() -> None:
    stones = (tombstone(REVISE, undone=NIGHT), tombstone(ADD, undone=NIGHT))
    look_back = timedelta(days=14)
    gone = MappingTree({})
    assert live_tombstones(stones, head=gone, today=NIGHT, look_back=look_back) == (stones[1],)
    later = NIGHT + timedelta(days=15)
    assert live_tombstones(stones, head=MappingTree({"a.md": b""}), today=later, look_back=look_back) == (stones[0],)


def test_a_note_that_moved_brings_nothing_back_that_a_merge_took_from_another() -> None:
    merge = Effect(id="merge", task="tidy", kind="merge", changes=(Change(path="a.md", removed=("- same",)),))
    landed = {"a.md": b"# A\n- other\n", "b.md": b"# B\n- same\n"}
    assert not undone(merge, landed, {"a.md": b"# A\n- other\n", "c.md": b"# B\n- same\n"})


def test_a_corrected_date_or_source_takes_nothing_back() -> None:
    landed = {"a.md": b"# A\n- 2026-10-21: new\n"}
    assert not undone(ADD, landed, {"a.md": b"# A\n  - 2026-10-20: new [thread_0001, 2026-10-20]\n"})


def test_a_reworded_heading_takes_nothing_back() -> None:
    made = Effect(id="made", task="tidy", kind="add", changes=(Change(path="a.md", added=("# A", "", "- x")),))
    assert not undone(made, {"a.md": b"# A\n\n- x\n"}, {"a.md": b"# Apples\n\n- x\n"})


def test_what_an_undone_edit_had_closed_is_open_again() -> None:
    later = Effect(
        id="later",
        task="tidy",
        kind="revise",
        changes=(Change(path="a.md", added=("- at last",), removed=("- now",)),),
    )
    records = [record(REVISE), record(later, night=NIGHT + timedelta(days=1))]
    landed = MappingTree({"a.md": b"- at last\n"})
    for back, found in ((b"- then\n", (REVISE, later)), (b"- now\n", (later,)), (b"- my way\n", (later,))):
        head = MappingTree({"a.md": back})
        assert undone_effects(records, landed=landed, head=head, changed={"a.md"}, settled=()) == found


def test_a_reverted_edit_closes_nothing() -> None:
    later = REVISE.model_copy(
        update={"id": "later", "changes": (Change(path="a.md", removed=ADD.changes[0].added),), "reverted": True}
    )
    assert open_effects([record(ADD, later)]) == [ADD]


def test_what_was_found_undone_before_is_not_found_again() -> None:
    landed, head = MappingTree({"a.md": b"- 2026-10-21: new\n"}), MappingTree({"a.md": b""})
    assert undone_effects([record(ADD)], landed=landed, head=head, changed={"a.md"}, settled={"add"}) == ()


def test_what_the_flow_itself_brings_back_makes_again_or_takes_away_closes_what_stood_on_it() -> None:
    again = Effect(id="again", task="tidy", kind="add", changes=(Change(path="c.md", added=("* then",)),))
    made = Effect(id="made", task="tidy", kind="add", created=("b.md",))
    gone = Effect(id="gone", task="tidy", kind="merge", deleted={"a.md": "0" * 40})
    assert open_effects([record(REVISE), record(again)]) == [again]
    assert open_effects([record(MERGE), record(made)]) == [made]
    assert open_effects([record(REVISE), record(gone)]) == [gone]
    assert open_effects([record(MERGE), record(again)]) == [MERGE, again]


def test_a_heading_that_was_all_that_was_added_and_is_gone_was_undone() -> None:
    made = Effect(id="made", task="tidy", kind="add", changes=(Change(path="a.md", added=("## Rules",)),))
    assert undone(made, {"a.md": b"# A\n\n## Rules\n"}, {"a.md": b"# A\n"})


def test_what_was_not_there_when_the_night_had_landed_is_not_undone_by_a_change_elsewhere() -> None:
    assert not undone(ADD, {"a.md": b"# A\n", "b.md": b""}, {"a.md": b"# A\n", "b.md": b"- more\n"})


def test_a_line_of_a_daily_note_that_was_edited_around_it_still_holds() -> None:
    told = ADD.model_copy(update={"changes": (Change(path="daily/2026-10-21.md", added=("- told",)),)})
    landed = {"daily/2026-10-21.md": b"# The day\n\n- told\n"}
    assert not undone(told, landed, {"daily/2026-10-21.md": b"# A good day\n\n- told\n"})
    assert undone(told, landed, {"daily/2026-10-21.md": b"# The day\n"})


def test_a_statement_that_went_into_a_daily_note_is_no_longer_in_the_memory() -> None:
    landed = {"a.md": b"# A\n- 2026-10-21: new\n"}
    assert undone(ADD, landed, {"a.md": b"# A\n", "daily/2026-10-21.md": b"- 2026-10-21: new\n"})


def test_a_tombstone_knows_what_was_added_or_else_what_was_removed() -> None:
    assert tombstone(REVISE, undone=NIGHT).keys == ("- now",)
    assert tombstone(MERGE, undone=NIGHT).keys == ("- same",)
    assert tombstone(MERGE, undone=NIGHT).paths == ("a.md", "b.md")


LEARNT = "learnings/run-fmt/SKILL.md"
SKILL = (
    b"---\nname: run-fmt\ndescription: Use when committing.\n---\n\n# Run fmt\n\n- Run fmt. [thread_1, 2026-10-21]\n"
)
LEARNING = Effect(
    id="learnt",
    task="learnings",
    kind="add",
    created=(LEARNT,),
    changes=(Change(path=LEARNT, added=tuple(SKILL.decode().split("\n"))),),
)


def test_a_learning_that_is_gone_or_lost_its_line_was_undone() -> None:
    assert undone(LEARNING, {LEARNT: SKILL}, {})
    assert undone(LEARNING, {LEARNT: SKILL}, {LEARNT: SKILL.replace(b"- Run fmt.", b"- Run lint.")})
    assert undone(LEARNING, {LEARNT: SKILL}, {LEARNT: SKILL.partition(b"- Run")[0]})


def test_a_learning_that_moved_or_is_used_otherwise_still_holds() -> None:
    assert not undone(LEARNING, {LEARNT: SKILL}, {"learnings/fmt/SKILL.md": SKILL})
    assert not undone(LEARNING, {LEARNT: SKILL}, {LEARNT: SKILL.replace(b"Use when", b"Use only when")})
    assert not undone(LEARNING, {LEARNT: SKILL}, {LEARNT: SKILL.replace(b", 2026-10-21]", b", 2026-10-20]")})


def test_a_topic_note_holds_no_learning_and_a_learning_no_note() -> None:
    assert undone(LEARNING, {LEARNT: SKILL}, {"fmt.md": SKILL})
    line = b"# A\n- 2026-10-21: new\n"
    assert undone(ADD, {"a.md": line}, {"learnings/a/SKILL.md": line})


def test_a_learning_that_was_taken_away_and_is_back_was_undone() -> None:
    gone = Effect(id="gone", task="learnings", kind="remove", deleted={LEARNT: "0" * 40})
    assert undone(gone, {}, {LEARNT: SKILL})


def test_the_tombstone_of_a_learning_lasts_as_long_as_what_was_observed() -> None:
    stones = (tombstone(LEARNING, undone=NIGHT), tombstone(ADD, undone=NIGHT))
    told: dict[str, Any] = {"head": MappingTree({}), "look_back": timedelta(days=14), "observed": timedelta(days=180)}
    assert live_tombstones(stones, today=NIGHT + timedelta(days=180), **told) == (stones[0],)
    assert live_tombstones(stones, today=NIGHT + timedelta(days=181), **told) == ()
