from __future__ import annotations

import pytest

from dream.memory.completed import completed_tasks as completed_spans
from dream.memory.loss import measure_loss
from dream.memory.notes import NoteCache
from dream.memory.operations import Remove
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, Tree
from dream.memory.units import BaseUnits
from tasks.tidying.completed import completed_tasks
from tasks.tidying.freshness import Freshness
from tests.tasks.stories import planted, text_of

TASKS = """# Tasks

## Open

- [x] Rotate the signing key
  with both operators
  - [x] tell on-call
  - a note about it
- [ ] Move the queue
  - [x] ask for quota
    twice
  - [ ] cut over
- [x] Upgrade the database
  - [ ] drop the old one
  - [x] take a snapshot

1. [X] Write the runbook
2. [ ] Read the runbook

* [-] Buy a second rack
* [x](later.md) is no box

```
- [x] code
```

## Done

- Shipped the importer
- [x] Shipped the exporter

## Completed

- Everything else
- [ ] but this
"""
LEFT = """# Tasks

## Open

- [ ] Move the queue
  - [ ] cut over
- [x] Upgrade the database
  - [ ] drop the old one

2. [ ] Read the runbook

* [-] Buy a second rack
* [x](later.md) is no box

```
- [x] code
```

## Done

## Completed

- Everything else
- [ ] but this
"""


def five(tasks: str = TASKS, **others: str) -> MappingTree:
    files = {"index.md": "# Index\n", "facts.md": "# Facts\n", "decisions.md": "# Decisions\n", "tasks.md": tasks}
    return MappingTree({path: text.encode() for path, text in {**files, **others}.items()})


def plan(tree: Tree, *, landed: Tree | None = None) -> Plan:
    fresh = Freshness(["tasks.md"] if landed else [], landed=landed)
    return Plan(items=tuple(completed_tasks(tree, NoteCache(), fresh=fresh)))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_is_done_leaves_and_every_other_byte_stays(newline: str) -> None:
    tree = five("\ufeff" + TASKS.replace("\n", newline))
    after = planted(tree, plan(tree))
    assert after.read("tasks.md") == ("\ufeff" + LEFT.replace("\n", newline)).encode()
    assert plan(after) == Plan()


def test_clearing_them_costs_nothing() -> None:
    tree = five()
    after = planted(tree, plan(tree))
    loss = measure_loss(BaseUnits(tree, NoteCache()), after, touched={"tasks.md"}, last_landed=tree)
    assert (loss.notes, loss.statements) == ((), ())


def test_dropping_what_is_open_with_them_costs() -> None:
    tree = five()
    after = five(LEFT.replace("- [ ] Move the queue\n  - [ ] cut over\n", ""))
    loss = measure_loss(BaseUnits(tree, NoteCache()), after, touched={"tasks.md"}, last_landed=tree)
    assert len(loss.statements) == 1


def test_nothing_but_removals_of_what_stands_there_is_proposed() -> None:
    tree = five()
    (item,) = plan(tree).items
    assert all(isinstance(one, Remove) and (one.span.text or "") in TASKS for one in item.operations)
    assert (item.id, len(item.operations)) == ("tasks.md: completed", 6)


def test_a_task_that_was_ticked_since_the_last_night_stays_for_another() -> None:
    text = "# Tasks\n\n- [x] One\n- [x] Two\n- [ ] Three\n"
    tree = five(text)
    before = five(text.replace("[x] Two", "[ ] Two"))
    assert text_of(planted(tree, plan(tree, landed=before)), "tasks.md") == "# Tasks\n\n- [x] Two\n- [ ] Three\n"
    assert text_of(planted(tree, plan(tree, landed=tree)), "tasks.md") == "# Tasks\n\n- [ ] Three\n"
    (item,) = plan(five("# Tasks\n\n- [x] One\n"), landed=five("# Tasks\n\n- [ ] One\n")).items
    assert (item.operations, item.reason) == ((), "written-today")


def test_a_task_that_was_written_on_since_the_last_night_stays_for_another() -> None:
    tree = five("# Tasks\n\n- [x] One\n  it took long\n")
    (item,) = plan(tree, landed=five("# Tasks\n\n- [x] One\n")).items
    assert (item.operations, item.reason) == ((), "written-today")


@pytest.mark.parametrize("link", ["[[tasks#^key]]", "[the key](tasks.md#^key)", "[the key](tasks.md#L3)"])
def test_a_task_that_is_linked_to_stays(link: str) -> None:
    tree = five("# Tasks\n\n- [x] One ^key\n- [x] Two\n", **{"facts.md": f"# Facts\n\nSee {link}.\n"})
    assert text_of(planted(tree, plan(tree)), "tasks.md") == "# Tasks\n\n- [x] One ^key\n"


def test_equal_tasks_all_leave() -> None:
    tree = five("# Tasks\n\n- [x] Again\n- [ ] Other\n- [x] Again\n- [x] Again\n")
    assert text_of(planted(tree, plan(tree)), "tasks.md") == "# Tasks\n\n- [ ] Other\n"


def test_other_layouts_and_other_notes_keep_theirs() -> None:
    tree = MappingTree({"MEMORY.md": b"# M\n", "tasks.md": TASKS.encode()})
    assert plan(tree) == Plan()
    assert plan(five("# Tasks\n", **{"state.md": TASKS})) == Plan()


@pytest.mark.parametrize(
    "text",
    [
        "- [x]no blank\n",
        "- [ ] open\n",
        "[x] no item\n",
        "    - [x] code\n",
        "> - [x] quoted\n",
        "<!--\n- [x] hidden\n-->\n",
        "## Definition of done\n\n- plain\n",
        "Done\n\n- plain\n",
    ],
)
def test_what_is_no_task_that_is_done_is_left(text: str) -> None:
    assert completed_spans(text) == ()
