from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.ownership import OWNERS, guard_ownership
from dream.guards.paths import PathGuard
from dream.memory.notes import NoteCache
from dream.memory.operations import Add, Move, Operation, Proposal, Refusal, Remove, Revise, Span
from dream.memory.tree import MappingTree, OverlayTree
from tests.guards.proposals import Files, OddTree, propose, tree_of, whole

_PLAIN_PATH = re.compile(
    r"(?:MEMORY|CATALOG)\.md|learnings/[a-z0-9][a-z0-9._-]{0,63}/SKILL\.md"
    r"|(?:CATALOG/)?(?:[a-z0-9][a-z0-9._-]{0,63}/){0,3}[a-z0-9][a-z0-9._-]{0,60}\.md"
)


def judge(operation: Operation, files: Files | OddTree, *, task: str = "distil") -> Refusal | None:
    return PathGuard(NoteCache())(propose(operation, files, task=task))


def create(path: str) -> Add:
    return Add(path=path, text="- x", opening="# X")


@pytest.mark.parametrize(
    "path", ["services/checkout-api.md", "a.md", "learnings/retry/SKILL.md", "daily/2026-10-21.md"]
)
def test_a_plain_new_path_passes(path: str) -> None:
    assert judge(create(path), {"other.md": "x\n"}) is None


@pytest.mark.parametrize(
    "path",
    [
        "../x.md", "/x.md", "a/../x.md", "a\\x.md", "a\0.md", "a%2e%2e/x.md", "x.md.", "x.md ", "x.md/", "x.md\n",
        "A.md", "\u00e9.md", "\u0430.md", ".git/x.md", ".github/x.md", "a/.git/x.md", "git~1/../x.md",
        "a/.gitattributes", "con.md", "nul.md", "aux/x.md", "a/b/c/d/e.md", "x.txt", "x", "", "a//x.md",
        "./x.md", "~/x.md", ".g\u200cit/x.md", "\u0663.md", "x" * 65 + ".md", "preferences\u2215x.md",
    ],
)  # fmt: skip
def test_a_path_that_the_night_may_not_make_is_refused(path: str) -> None:
    refusal = judge(create(path), {"other.md": "x\n"})
    assert refusal is not None
    assert refusal.reason in {"path-not-allowed", "path-collision"}
    assert refusal.detail.isascii()


def test_an_existing_path_however_odd_may_be_edited() -> None:
    odd = "Dienste/Über uns (alt).md"
    assert judge(Add(path=odd, text="- y"), {odd: "- x\n"}) is None
    files = {odd: "- x\n"}
    assert judge(Remove(span=whole(odd, files)), files) is None


@pytest.mark.parametrize(
    ("created", "standing"),
    [
        ("services/api.md", "services/API.md"),
        ("services/api.md", "Services/other.md"),
        ("notes.md", "notes.md/deep.md"),
        ("memory.md", "x.md"),
        ("cafe/x.md", "CAFE"),
        ("catalog.md", "x.md"),
    ],
)
def test_a_name_that_some_file_systems_take_for_another_is_refused(created: str, standing: str) -> None:
    refusal = judge(create(created), {standing: "x\n"})
    assert refusal is not None
    assert refusal.reason == "path-collision"


def test_a_name_that_was_made_a_moment_ago_counts() -> None:
    guard = PathGuard(NoteCache())
    first = propose(create("services/api.md"), {"a.md": "x\n"})
    assert guard(first) is None
    inside = propose(create("services/api.md/x.md"), first.after)
    assert guard(inside) == Refusal("path-not-allowed", "services/api.md/x.md")
    beside = propose(create("services/other.md"), first.after)
    assert guard(beside) is None
    gone = propose(Remove(span=whole("services/api.md", first.after)), first.after)
    assert guard(gone) is None
    assert guard(propose(create("services/api.md"), gone.after)) is None


def test_a_move_is_judged_by_where_it_goes() -> None:
    files = {"Alt.md": "- x\n"}
    assert judge(Move(span=whole("Alt.md", files), to="new.md"), files) is None
    assert judge(Move(span=whole("Alt.md", files), to="New.md"), files) == Refusal("path-not-allowed", "New.md")


def test_a_symlink_or_submodule_is_left_alone_and_so_is_what_is_under_it() -> None:
    tree = OddTree(tree_of({"a.md": "- x\n"}), {"link": "symlink", "sub.md": "submodule"})
    assert judge(create("sub.md"), tree) == Refusal("left-alone", "sub.md: submodule")
    assert judge(create("link/x.md"), tree) == Refusal("left-alone", "link: symlink")
    assert judge(create("links/x.md"), tree) is None


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe- x\x00",
        b"- caf\xe9\n- x\n",
        b"- x\n" + b"- y\n" * 64_001,
        b"- x\n\0\n",
        b"---\nname: [unclosed\ntype: x\n---\n- x\n",
        b"---\nname: a\nname: b\n---\n- x\n",
    ],
)
def test_a_note_that_cannot_be_read_is_left_as_it_is(data: bytes) -> None:
    files: dict[str, str | bytes] = {"a.md": data, "b.md": "- y\n"}
    tree = tree_of(files)
    gone = Proposal(
        task="tidy",
        operation=Remove(span=whole("a.md", tree)),
        before=tree,
        after=OverlayTree(tree, {"a.md": None}),
        touched=frozenset({"a.md"}),
    )
    refusal = PathGuard(NoteCache())(gone)
    assert refusal is not None
    assert refusal.reason == "withheld-note"


def test_not_even_a_link_is_mended_under_broken_frontmatter() -> None:
    files = {"a.md": "---\nname: [unclosed\ntype: x\n---\nsee [x](old.md)\n"}
    mend = Revise(span=Span(path="a.md", text="see [x](old.md)"), new="see [x](new.md)")
    refusal = judge(mend, files, task="tidy")
    assert refusal is not None
    assert refusal.reason == "withheld-note"


def test_an_edit_that_breaks_the_frontmatter_is_refused() -> None:
    files = {"a.md": "---\nname: fine\ntype: x\n---\nbody\n"}
    breaking = Revise(span=Span(path="a.md", text="name: fine"), new="name: [fine")
    refusal = judge(breaking, files)
    assert refusal is not None
    assert refusal.reason == "unreadable-result"
    assert judge(Revise(span=Span(path="a.md", text="body"), new="bo\0dy"), files) == Refusal(
        "unreadable-result", "a.md: holds NUL bytes"
    )


def test_the_flows_own_files_are_no_notes() -> None:
    assert judge(create(".dream/state.json"), {"a.md": "x\n"}, task="state_update") is None
    assert judge(create(".dream/nights/2026-10-21.json"), {}, task="state_update") is None
    assert judge(create(".dream/other.md"), {}, task="state_update") == Refusal("path-not-allowed", ".dream/other.md")


_ODD_SEGMENTS = (
    "..", ".", "", ".git", ".GIT", "git~1", "con", "daily", "services", "preferences", "CATALOG", "archive", "x.md",
    "SKILL.md", "MEMORY.md", "a" * 70, "caf\u00e9", "\u0410", ".g\u200cit", "%2e%2e", "x\\y", "x\0", "x\n", "C:",
)  # fmt: skip
_CHARACTERS = "ab09._-/\\%~: \0\n\u00e9\u0410\u2215\uff0e"


def wild_paths(count: int) -> Iterator[str]:
    """Yield paths of odd parts, odd characters and plain ones, the same every time."""
    rng = random.Random(11)  # noqa: S311  # the same paths every time
    for _ in range(count):
        parts = [
            rng.choice(_ODD_SEGMENTS) if rng.random() < 0.4 else "".join(rng.choices(_CHARACTERS, k=rng.randint(0, 6)))
            for _ in range(rng.randint(1, 5))
        ]
        yield "/".join(parts) + rng.choice((".md", ".md", ".md", "", ".MD", ".md ", ".md\n", "/"))


def test_of_ten_thousand_wild_paths_nothing_lands_outside_the_allowlist() -> None:
    guard, before = PathGuard(NoteCache()), MappingTree({"services/api.md": b"- x\n"})
    landed: list[str] = []
    for path in wild_paths(10_000):
        for task in OWNERS:
            proposal = Proposal(
                task=task,
                operation=create(path),
                before=before,
                after=OverlayTree(before, {path: b"# X\n\n- x\n"}),
                touched=frozenset({path}),
            )
            if not (guard_ownership(proposal) or guard(proposal)):
                landed.append(path)
    assert len(landed) > 100
    assert [path for path in landed if not _PLAIN_PATH.fullmatch(path)] == []


@given(st.text(), st.sampled_from(sorted(OWNERS)))
def test_whatever_text_is_a_path_it_is_plain_or_refused(path: str, task: str) -> None:
    before = MappingTree({})
    proposal = Proposal(
        task=task,
        operation=create(path),
        before=before,
        after=OverlayTree(before, {path: b"# X\n\n- x\n"}),
        touched=frozenset({path}),
    )
    refused = PathGuard(NoteCache())(proposal) or guard_ownership(proposal)
    assert refused or _PLAIN_PATH.fullmatch(path)
