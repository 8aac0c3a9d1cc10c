"""Learnings that stand: which the night may change, on whose words, and which are people's."""

from __future__ import annotations

from datetime import date

import pytest

from dream.guards.specifics import guard_specifics
from dream.memory.operations import Merge, Remove, Revise
from dream.memory.skills import learning_path
from dream.memory.state import Tombstone
from dream.memory.tree import MappingTree, Tree
from dream.models.prompt import Prompt
from dream.sources.sessions.values import Session
from tasks.candidates import ProposedLearnings
from tests.guards.proposals import propose
from tests.tasks.stories import planted
from tests.tasks.teaching import (
    LINE,
    PATH,
    Teaching,
    candidate,
    ids_of,
    learning,
    line,
    own,
    part,
    proposing,
    the_one,
    three_days,
    told_on,
)

STANDING = """---
name: run-make-fmt
description: Use when committing in acme/web.
---

# Run make fmt

- Run `make fmt` before you commit. [person:ana@thread_0001, person:ana@thread_0002, thread_0003, 2026-09-20]
- Keep commits small. [person:bo@thread_0001, person:ana@thread_0004, thread_0005, 2026-09-21]
"""
TREE = MappingTree({PATH: STANDING.encode()})
NOW = "From now on run `make format` before you commit in acme/web."
FORMAT = (NOW, "please run `make format` before you commit", "run `make format` before you commit, not make fmt")
AGAINST = (
    "Do not run `make fmt` before you commit any more, the hook does it.",
    "please do not run `make fmt` before you commit",
    "Again: do not run `make fmt` before you commit, the hook does.",
)


def said(*texts: str) -> list[Session]:
    return [told_on(18 + n, text, name=f"a{n:03}") for n, text in enumerate(texts)]


def text_of(tree: Tree, path: str = PATH) -> str:
    return (tree.read(path) or b"").decode()


def updating(prompt: Prompt) -> ProposedLearnings:
    shown = part(prompt, "the learnings that stand")
    assert shown.startswith("run-make-fmt (the night's own): Use when committing in acme/web.\n  l1: Run `make fmt`")
    new = line("Run `make format` before you commit", *ids_of(prompt, "make format"), replaces="l1")
    return proposing(learning(new, action="update", trigger=""))


def deleting(prompt: Prompt) -> ProposedLearnings:
    against = line("Do not run `make fmt` before you commit", *ids_of(prompt, "not run"))
    return proposing(learning(against, action="delete", trigger=""))


def test_a_line_of_its_own_is_replaced_by_what_people_say_now_and_the_others_stay_byte_for_byte() -> None:
    plan = Teaching(proposes=updating).plan(*said(*FORMAT), tree=TREE, own=own(TREE))
    (operation,) = candidate(plan).operations
    assert isinstance(operation, Revise)
    sources = ", ".join(f"person:ana@thread_a00{n}" for n in range(3))
    new = f"- Run `make format` before you commit. [{sources}, 2026-10-20]"
    lines = STANDING.split("\n")
    assert text_of(planted(TREE, plan)).split("\n") == [*lines[:7], new, *lines[8:]]


@pytest.mark.parametrize("proposes", [updating, deleting], ids=["update", "delete"])
def test_a_learning_that_a_person_touched_is_theirs(proposes: object) -> None:
    texts = FORMAT if proposes is updating else AGAINST
    edited = MappingTree({PATH: STANDING.replace("Keep commits small", "Keep commits very small").encode()})

    def answer(prompt: Prompt) -> ProposedLearnings:
        assert "run-make-fmt (people's)" in part(prompt, "the learnings that stand")
        made = line("Run `make format` before you commit", *ids_of(prompt), replaces="l1")
        return proposing(learning(made, action="update" if proposes is updating else "delete", trigger=""))

    plan = Teaching(proposes=answer).plan(*said(*texts), tree=edited, own=own(TREE))
    assert candidate(plan).reason == "a-persons-own"
    again = Teaching(proposes=the_one).plan(*three_days(), tree=edited, own=own(TREE))
    assert candidate(again).reason == "a-persons-own", "nor does a second one say the same"


def test_what_would_be_a_second_file_becomes_an_update_or_nothing() -> None:
    plan = Teaching().plan(*three_days(), tree=TREE, own=own(TREE))
    assert candidate(plan).reason == "already-learned"

    def another(prompt: Prompt) -> ProposedLearnings:
        return proposing(learning(line("Squash the commits", *ids_of(prompt)), name="squash-commits"))

    plan = Teaching(proposes=another).plan(*said(*["squash the commits, please"] * 3), tree=TREE, own=own(TREE))
    after = planted(TREE, plan)
    assert [path for path in after.paths() if path.startswith("learnings/")] == [PATH]
    assert "- Squash the commits. [" in text_of(after), "what is used for the very same stands in the same file"


def test_a_line_about_another_matter_goes_into_no_learning_that_stands() -> None:
    trigger = "description: Use when reviewing migrations."
    tree = MappingTree({PATH: STANDING.replace("description: Use when committing in acme/web.", trigger).encode()})

    def beside(prompt: Prompt) -> ProposedLearnings:
        return proposing(learning(line("Use British spelling", *ids_of(prompt)), action="update", trigger=""))

    plan = Teaching(proposes=beside).plan(*said(*["use British spelling, please"] * 3), tree=tree, own=own(tree))
    assert candidate(plan).reason == "another-matter"


def test_people_who_say_the_opposite_often_enough_take_a_learning_away() -> None:
    plan = Teaching(proposes=deleting).plan(*said(*AGAINST), tree=TREE, own=own(TREE))
    (operation,) = candidate(plan).operations
    assert isinstance(operation, Remove)
    assert operation.span.text is None
    assert text_of(planted(TREE, plan)) == ""
    two = Teaching(proposes=deleting).plan(
        *said(*AGAINST[:2]), told_on(20, "hello again", name="x"), tree=TREE, own=own(TREE)
    )
    assert candidate(two).reason == "too-few-sessions"


def test_nobody_is_counted_against_a_learning_who_says_the_same() -> None:
    def agreeing(prompt: Prompt) -> ProposedLearnings:
        return proposing(learning(line(LINE, *ids_of(prompt, "make fmt")), action="delete", trigger=""))

    plan = Teaching(proposes=agreeing).plan(*three_days(), tree=TREE, own=own(TREE))
    assert candidate(plan).reason == "not-against-it"
    before = STANDING.replace("2026-09", "2026-11")
    tree = MappingTree({PATH: before.encode()})
    plan = Teaching(proposes=deleting).plan(*said(*AGAINST), tree=tree, own=own(tree))
    assert candidate(plan).reason == "undone", "what it rests on was said later"


def other(name: str, *lines: str) -> str:
    body = "\n".join(f"- {one}" for one in lines)
    return f"---\nname: {name}\ndescription: Use when committing in acme/web.\n---\n\n# Formatting\n\n{body}\n"


def test_two_that_say_the_same_are_merged_with_all_their_sources() -> None:
    path = learning_path("format-first")
    second = other("format-first", "Run `make fmt` before you commit. [person:bo@thread_0009, 2026-09-01]")
    tree = MappingTree({PATH: STANDING.encode(), path: second.encode()})

    def merging(prompt: Prompt) -> ProposedLearnings:
        assert ids_of(prompt)
        return proposing(learning(action="merge", absorbs=["format-first"], trigger=""))

    plan = Teaching(proposes=merging).plan(*three_days(), tree=tree, own=own(tree))
    (operation,) = candidate(plan).operations
    assert isinstance(operation, Merge)
    after = planted(tree, plan)
    assert after.blob(path) is None
    assert (
        "- Run `make fmt` before you commit. [person:ana@thread_0001, person:ana@thread_0002, thread_0003, "
        "person:bo@thread_0009, 2026-09-01]\n- Keep commits small."
    ) in text_of(after)
    assert guard_specifics(propose(operation, {one: tree.read(one) or b"" for one in tree.paths()})) is None


@pytest.mark.parametrize(
    ("absorbs", "owned", "end"),
    [
        (["nowhere"], True, "no-such-learning"),
        ([], True, "no-such-learning"),
        (["run-make-fmt"], True, "no-such-learning"),
        (["squash-first"], True, "not-alike"),
        (["squash-first"], False, "a-persons-own"),
    ],
)
def test_what_says_something_else_is_not_merged(absorbs: list[str], *, owned: bool, end: str) -> None:
    path = learning_path("squash-first")
    second = other("squash-first", "Squash before you merge. [thread_0009, 2026-09-01]").replace(
        "committing", "merging"
    )
    tree = MappingTree({PATH: STANDING.encode(), path: second.encode()})
    kept = own(tree) if owned else own(TREE)

    def merging(_: Prompt) -> ProposedLearnings:
        return proposing(learning(action="merge", absorbs=absorbs, trigger=""))

    assert candidate(Teaching(proposes=merging).plan(*three_days(), tree=tree, own=kept)).reason == end


@pytest.mark.parametrize(
    ("told", "end"),
    [
        ({"action": "update", "name": "nowhere"}, "no-such-learning"),
        ({"action": "delete", "name": "nowhere"}, "no-such-learning"),
        ({"action": "update", "lines": [line(LINE, "o1", replaces="l9")]}, "no-such-line"),
        ({"action": "update", "lines": []}, "already-learned"),
        ({"action": "delete", "lines": []}, "no-line"),
        ({"lines": [], "name": "another", "trigger": "Use when reviewing."}, "no-line"),
        ({"lines": [line(LINE, "o1")] * 7}, "too-many-lines"),
    ],
)
def test_a_candidate_without_ground_is_refused_by_name(told: dict[str, object], end: str) -> None:
    made = learning(**{"lines": [line(LINE, "o1")], **told})
    plan = Teaching(proposes=lambda _: proposing(made)).plan(*three_days(), tree=TREE, own=own(TREE))
    assert candidate(plan).reason == end


def test_two_changes_a_night() -> None:
    names = ("run-make-fmt", "run-make-lint", "run-make-test")
    texts = {
        name: STANDING.replace("run-make-fmt", name).replace("make fmt", name.replace("run-", "").replace("-", " "))
        for name in names
    }
    tree = MappingTree({learning_path(name): text.encode() for name, text in texts.items()})
    sessions = [
        told_on(18 + day, f"do not run `make {verb}` before you commit, {add}", name=f"{verb}{day}", hour=8 + 2 * place)
        for day, add in enumerate(("please", "as I said", "the hook does"))
        for place, verb in enumerate(("fmt", "lint", "test"))
    ]

    def all_of(prompt: Prompt) -> ProposedLearnings:
        made = [
            learning(
                line(f"Do not run `make {verb}` before you commit", *ids_of(prompt, f"make {verb}")),
                action="delete",
                name=f"run-make-{verb}",
                trigger="",
            )
            for verb in ("fmt", "lint", "test")
        ]
        return proposing(*made)

    plan = Teaching(proposes=all_of).plan(*sessions, tree=tree, own=own(tree))
    assert [item.reason for item in plan.items if not item.digest] == ["", "", "waits-its-turn"]


@pytest.mark.parametrize(("undone", "end"), [(17, ""), (18, "undone"), (21, "undone")])
def test_what_somebody_undid_needs_words_that_are_newer(undone: int, end: str) -> None:
    stone = Tombstone(
        effect="e",
        kind="add",
        task="learnings",
        paths=("learnings/format/SKILL.md",),
        keys=("name: format", "- Run `make fmt` before you commit. [person:ana@thread_0001, 2026-09-20]"),
        dated=date(2026, 9, 20),
        undone=date(2026, 10, undone),
    )
    plan = Teaching().plan(*three_days(), tombstones=[stone])
    assert candidate(plan).reason == end


def test_what_one_candidate_wrote_stands_before_the_next() -> None:
    def twice(prompt: Prompt) -> ProposedLearnings:
        made = learning(line(LINE, *ids_of(prompt)))
        return proposing(made, made.model_copy(update={"name": "format-before-committing"}))

    plan = Teaching(proposes=twice).plan(*three_days())
    assert [item.reason for item in plan.items if not item.digest] == ["", "already-learned"]
