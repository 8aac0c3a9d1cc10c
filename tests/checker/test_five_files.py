from __future__ import annotations

from dream.checker.inspection import check
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from tests.guards.proposals import Files, tree_of

FIVE: Files = {
    "index.md": "# Index\n\n## Always\n\n- [State](state.md)\n\n## Topics\n\n- Deploys: [how](decisions.md#deploys)\n",
    "state.md": "# State\n\nFine.\n",
    "decisions.md": "# Decisions\n\n## Deploys\n\nBy hand.\n",
    "facts.md": "# Facts\n\n- orders-api is in Go\n",
    "tasks.md": "# Tasks\n\n- [ ] write it\n",
}


def brief(changes: Files, limits: IndexLimits | None = None) -> list[tuple[str, str, int]]:
    findings = check(tree_of({**FIVE, **changes}), NoteCache(), limits or IndexLimits())
    return [(one.rule, one.path, one.line) for one in findings]


def test_five_files_need_no_other_index() -> None:
    assert brief({}) == []


def test_a_topic_of_the_index_whose_heading_is_gone_is_told() -> None:
    assert brief({"decisions.md": "# Decisions\n\n## Releases\n\nBy hand.\n"}) == [("dangling-anchor", "index.md", 9)]


def test_the_index_of_five_files_has_limits_too() -> None:
    assert brief({}, IndexLimits(lines=5)) == [("index-over-limits", "index.md", 0)]


def test_a_note_that_no_link_leads_to_is_an_orphan_also_beside_five_files() -> None:
    assert brief({"more/x.md": "# X\n"}) == [("orphan-note", "more/x.md", 0)]


def test_a_link_of_the_index_whose_note_is_gone_is_told_once() -> None:
    index = FIVE["index.md"]
    assert isinstance(index, str)
    assert brief({"index.md": index + "- [x](gone.md)\n"}) == [("dead-index-link", "index.md", 10)]


def test_tasks_that_are_done_are_told_where_they_begin() -> None:
    tasks = "# Tasks\n\n- [ ] write it\n- [x] read it\n  - [X] twice\n\n```\n- [x] code\n```\n"
    assert brief({"tasks.md": tasks}) == [("task-completed", "tasks.md", 4)]


def test_a_task_is_not_done_while_one_under_it_is_open_and_what_is_listed_as_done_is() -> None:
    tasks = "# Tasks\n\n- [x] read it\n  - [ ] twice\n\n## Done\n\n- printed it\n"
    assert brief({"tasks.md": tasks}) == [("task-completed", "tasks.md", 8)]


def test_done_tasks_of_other_layouts_are_peoples() -> None:
    files = {"MEMORY.md": "- [t](tasks.md)\n", "tasks.md": "- [x] read it\n"}
    assert check(tree_of(files), NoteCache(), IndexLimits()) == ()
