from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.dangling import DanglingGuard
from dream.memory.links.destinations import DANGLING, Destinations
from dream.memory.links.notation import scan_links
from dream.memory.notes import Note, NoteCache, parse_note
from dream.memory.operations import Proposal, Revise
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, OverlayTree, Tree
from tasks.tidying.links.relinking import Past, relinked
from tests.tasks.stories import planted, text_of

Files = Mapping[str, str]

ORDERS = (
    "# Orders\n\n## Limits\n\n- Ten orders a second are let through. ^ten\n\n"
    "## Keys\n\n- Orders are signed twice a day.\n"
)


def tree_of(files: Files) -> MappingTree:
    return MappingTree({path: text.encode() for path, text in files.items()})


def mend(before: Files, after: Files, renames: Mapping[str, str] | None = None) -> tuple[Plan, Tree]:
    """Return what is proposed for `after`, which people made of `before`, and the tree with it."""
    tree = tree_of(after)
    plan = relinked(tree, NoteCache(), Past(renames=renames or {}, landed=tree_of(before)))
    done = planted(tree, plan)
    assert relinked(done, NoteCache(), Past(renames=renames or {}, landed=tree_of(before))).items == ()
    return plan, done


def moved(line: str, renames: Mapping[str, str], *, path: str = "c/shop.md", at: str = "") -> str:
    """Return what becomes of `line` in the note at `path` (now `at`) when the notes of `renames` have moved."""
    before = {"a/orders.md": ORDERS, "b/keys.md": "# Keys\n", path: line}
    after = {renames.get(old, old): text for old, text in before.items()}
    return text_of(mend(before, after, renames)[1], at or renames.get(path, path))


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("[x](../a/orders.md)", "[x](../d/desk.md)"),
        ("[x](../a/orders.md#limits)", "[x](../d/desk.md#limits)"),
        ('[x](<../a/orders.md> "Title") tail', '[x](<../d/desk.md> "Title") tail'),
        ("![x](/a/orders.md)", "![x](/d/desk.md)"),
        ("[[orders]] and [[a/orders#^ten|the limit]]", "[[desk]] and [[d/desk#^ten|the limit]]"),
        (
            "| a | [[orders\\|b]] |\n|---|---|\n| `[[orders]]` | [x](../a/orders.md) |",
            "| a | [[desk\\|b]] |\n|---|---|\n| `[[orders]]` | [x](../d/desk.md) |",
        ),
        ("[o]: ../a/orders.md 'T'\r\n\r\nSee [o].\r\n", "[o]: ../d/desk.md 'T'\r\n\r\nSee [o].\r\n"),
        ("\ufeffSee [a\nb](\n  ../a/orders.md).", "\ufeffSee [a\nb](\n  ../d/desk.md)."),
        ("\\[[orders]] \\[x](../a/orders.md) <!-- [[orders]] -->", None),
        ("```\n[[orders]]\n```\n\n    [x](../a/orders.md)\n", None),
        ("---\nsee: '[[orders]]'\n---\n", None),
        ("<https://a/orders.md>", None),
    ],
)
def test_the_target_of_a_link_to_a_renamed_note_and_nothing_else_is_rewritten(line: str, mended: str | None) -> None:
    assert moved(line, {"a/orders.md": "d/desk.md"}) == (line if mended is None else mended)


@pytest.mark.parametrize(
    ("renames", "mended"),
    [
        ({"a/orders.md": "a/Orders.md"}, "[x](../a/Orders.md) [[orders]]"),
        ({"a/orders.md": "z/orders.md", "b/keys.md": "z/keys.md"}, "[x](../z/orders.md) [[orders]]"),
        ({"c/shop.md": "shop.md"}, "[x](a/orders.md) [[orders]]"),
        ({"c/shop.md": "c/d/shop.md", "a/orders.md": "c/d/orders.md"}, "[x](orders.md) [[orders]]"),
        ({"a/orders.md": "b/a b(1).md"}, "[x](../b/a%20b%281%29.md) [[a b(1)]]"),
    ],
)
def test_case_folders_and_the_linking_note_itself_may_be_what_moved(renames: Mapping[str, str], mended: str) -> None:
    assert moved("[x](../a/orders.md) [[orders]]", renames) == mended


def test_a_chain_of_renames_and_one_back_and_forth_end_where_the_note_is() -> None:
    before = {"a.md": ORDERS, "c.md": "[x](a.md)\n", "d.md": "[x](b.md)\n"}
    chain = mend(
        before, {"e.md": ORDERS, "c.md": before["c.md"], "d.md": before["d.md"]}, {"a.md": "b.md", "b.md": "e.md"}
    )
    assert [text_of(chain[1], path) for path in ("c.md", "d.md")] == ["[x](e.md)\n", "[x](e.md)\n"]
    back = mend(before, before, {"b.md": "a.md", "a.md": "b.md"})
    assert [text_of(back[1], path) for path in ("c.md", "d.md")] == ["[x](a.md)\n", "[x](a.md)\n"]


def test_a_new_note_at_the_old_path_and_a_swap_of_names_are_told_of() -> None:
    before = {"a.md": ORDERS, "b.md": "# Keys of the shop\n", "c.md": "[x](a.md)\n", "daily/2026-10-01.md": "[[a]]\n"}
    plan, _ = mend(before, {**before, "a.md": "# New\n", "d.md": ORDERS})
    assert plan == Plan(
        findings=(
            "c.md:1 links to a.md, where another note stands now; what stood there is d.md",
            "daily/2026-10-01.md:1 links to a.md, where another note stands now; what stood there is d.md",
        )
    )
    plan, _ = mend(before, {**before, "a.md": before["b.md"], "b.md": before["a.md"]})
    assert plan.items == ()
    assert plan.findings[0] == "c.md:1 links to a.md, where another note stands now; what stood there is b.md"


def test_a_note_that_a_person_merged_into_another_is_found_by_its_words() -> None:
    before = {
        "a/orders.md": ORDERS,
        "b/keys.md": "# Keys\n\n- A key lives ten days.\n",
        "c.md": "[x](a/orders.md#limits) [[orders]]\n",
    }
    merged = before["b/keys.md"] + ORDERS.removeprefix("# Orders\n")
    _, after = mend(before, {"b/keys.md": merged, "c.md": before["c.md"]})
    assert text_of(after, "c.md") == "[x](b/keys.md#limits) [[keys]]\n"


@pytest.mark.parametrize(
    "others",
    [
        {"b.md": "# B\n\n- Ten orders a second are let through. ^ten\n"},
        {"b.md": ORDERS, "d.md": ORDERS},
        {"b.md": "# B\n"},
    ],
)
def test_a_note_of_which_too_little_stands_or_too_often_is_nobodys(others: Files) -> None:
    before = {"orders.md": ORDERS, "c.md": "[x](orders.md)\n"}
    plan, _ = mend(before, {**others, "c.md": before["c.md"]})
    assert plan.items == ()


def test_a_heading_that_was_renamed_in_place_is_followed() -> None:
    line = "[x](orders.md#limits) [[orders#Limits]] [y](orders.md#keys)\n"
    before = {"orders.md": ORDERS + "\n[above](#limits)\n", "c.md": line}
    _, after = mend(before, {**before, "orders.md": before["orders.md"].replace("## Limits", "## How many: `max`")})
    assert text_of(after, "c.md") == "[x](orders.md#how-many-max) [[orders#How many: max]] [y](orders.md#keys)\n"
    assert text_of(after, "orders.md").endswith("\n[above](#how-many-max)\n")


def test_a_heading_whose_words_below_changed_or_stand_twice_is_left() -> None:
    before = {"orders.md": ORDERS, "c.md": "[x](orders.md#limits)\n"}
    changed = ORDERS.replace("## Limits", "## Caps").replace("Ten orders", "Two orders")
    twice = ORDERS.replace("## Limits", "## Caps") + "\n## Caps again\n\n- Ten orders a second are let through. ^ten\n"
    for text in (changed, twice):
        assert mend(before, {**before, "orders.md": text})[0].items == ()


def test_a_section_that_moved_to_another_note_is_followed_there() -> None:
    line = "[x](orders.md#limits) [[orders#Limits]] [[orders#^ten]] [y](orders.md)\n"
    section = "## Limits\n\n- Ten orders a second are let through. ^ten\n\n"
    before = {"orders.md": ORDERS, "c.md": line, "d/caps.md": "# Caps\n\n"}
    _, after = mend(before, {**before, "orders.md": ORDERS.replace(section, ""), "d/caps.md": "# Caps\n\n" + section})
    assert text_of(after, "c.md") == "[x](d/caps.md#limits) [[caps#Limits]] [[caps#^ten]] [y](orders.md)\n"


def test_a_renamed_note_whose_heading_was_renamed_too_is_followed_to_both() -> None:
    before = {"orders.md": ORDERS, "c.md": "[x](orders.md#limits)\n"}
    after = {"desk.md": ORDERS.replace("## Limits", "## Caps"), "c.md": before["c.md"]}
    assert text_of(mend(before, after, {"orders.md": "desk.md"})[1], "c.md") == "[x](desk.md#caps)\n"


def test_what_several_notes_may_mean_is_told_with_their_names() -> None:
    before = {"a/cart.md": "# A cart\n", "b/cart.md": "# B cart\n", "c.md": "See [[cart]].\n"}
    after = {"a/x.md": "# A cart\n", "b/y.md": "# B cart\n", "c.md": before["c.md"]}
    plan, _ = mend(before, after, {"a/cart.md": "a/x.md", "b/cart.md": "b/y.md"})
    assert plan == Plan(findings=("c.md:1 links to what several notes may mean: a/x.md, b/y.md",))


@pytest.mark.parametrize("path", ["daily/2026-10-01.md", "preferences/slack/a.md", "learnings/a/SKILL.md"])
def test_notes_that_people_alone_write_are_told_of_and_left(path: str) -> None:
    before = {"orders.md": ORDERS, path: "See [[orders]].\n"}
    plan, after = mend(before, {"desk.md": ORDERS, path: before[path]}, {"orders.md": "desk.md"})
    assert plan == Plan(findings=(f"{path}:1 links to what stands in desk.md now; nobody but people writes there",))
    assert text_of(after, path) == before[path]


NAMES = ["a.md", "b.md", "x/a.md", "x/c.md", "y/d e.md", "y/f.md"]
LINKS = [
    "[l](a.md)",
    "[l](../x/a.md#limits)",
    "[[a]]",
    "[[c#Limits]]",
    "[l](/y/d%20e.md)",
    "[[d e|z]]",
    "`[[a]]`",
    "[l](#keys)",
]


@given(
    bodies=st.lists(st.lists(st.sampled_from([*LINKS, "words", "\r", "- item"]), max_size=6), min_size=6, max_size=6),
    targets=st.lists(st.sampled_from([*NAMES, "z/g.md", "z/a.md", "A.md"]), min_size=6, max_size=6, unique=True),
    heads=st.lists(st.sampled_from(["## Limits", "## Caps"]), min_size=6, max_size=6),
)
def test_repairs_change_targets_alone_lead_somewhere_and_are_done_once(
    bodies: list[list[str]], targets: list[str], heads: list[str]
) -> None:
    before = {
        path: f"# {path}\n\n## Limits\n\nNothing in {path} is limited so far.\n\n"
        + "\n".join(body)
        + "\n\n## Keys\n\nKeys.\n"
        for path, body in zip(NAMES, bodies, strict=True)
    }
    renames = {old: new for old, new in zip(NAMES, targets, strict=True) if old != new and new not in NAMES}
    after = {
        renames.get(path, path): text.replace("## Limits", head)
        for (path, text), head in zip(before.items(), heads, strict=True)
    }
    plan, done = mend(before, after, renames)
    tree = tree_of(after)
    for path in tree.paths():
        old, new = _shape(tree.read(path) or b""), _shape(done.read(path) or b"")
        assert old == new
    guard, destinations = _guard()
    for operation in (operation for item in plan.items for operation in item.operations):
        assert isinstance(operation, Revise)
        links = [link for link in scan_links(text_of(done, operation.span.path)) if link.target or link.anchor]
        note = parse_note(done.read(operation.span.path) or b"")
        assert isinstance(note, Note)
        changed = [link for link in links if note.lines[link.line] == operation.new]
        assert any(destinations.find(done, operation.span.path, link).leading not in DANGLING for link in changed)
    step = OverlayTree(tree, {path: done.read(path) for path in done.paths()})
    if plan.items:
        operation = plan.items[0].operations[0]
        proposal = Proposal(task="tidy", operation=operation, before=tree, after=step, touched=frozenset(done.paths()))
        assert guard(proposal) is None


def _guard() -> tuple[DanglingGuard, Destinations]:
    notes = NoteCache()
    destinations = Destinations(notes)
    return DanglingGuard(notes, destinations), destinations


def _shape(data: bytes) -> list[str]:
    """The lines of a note with what each link points at cut out."""
    note = parse_note(data)
    assert isinstance(note, Note)
    lines = list(note.lines)
    for link in reversed(scan_links(note.text)):
        end = link.target_end + (len(link.anchor) + 1 if link.anchor else 0)
        lines[link.line] = lines[link.line][: link.target_start] + "\0" + lines[link.line][end:]
    return lines


def test_a_name_that_no_double_brackets_hold_keeps_no_other_link_of_its_line_from_its_note() -> None:
    line = "[x](../a/orders.md) and [[orders]].\n"
    assert moved(line, {"a/orders.md": "d/desk [v2].md"}) == "[x](../d/desk%20%5Bv2%5D.md) and [[orders]].\n"
