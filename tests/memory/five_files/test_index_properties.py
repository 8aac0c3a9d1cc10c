"""What holds of `index.md` for any memory of five files and anything that people have written in it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from dream.memory.index.reach import reachable_notes
from dream.memory.index.rewrite import rewrite_index
from dream.memory.limits import IndexLimits
from dream.memory.listing.findings import IndexRewrite
from dream.memory.notes import NoteCache
from dream.memory.paths import is_topic
from dream.memory.tree import MappingTree, OverlayTree, Tree
from tests.memory.index.test_properties import SMALL, TODAY, people

NAMES = ["a.md", "services/checkout.md", "services/größe.md", "q/100%.md", "w[x].md", "x y.md", "daily/2026-10-20.md"]
names = st.sampled_from([*NAMES, "learnings/ask/SKILL.md", "archive/old.md", "services/index.md"])
headings = st.sampled_from(["## Billing", "## Checkout & cart", "## 日本語", "# Title", "### Deep", "text 2026-03-04"])
five = st.lists(headings, max_size=6).map(lambda lines: "\n\n".join(lines) + "\n")
notes = st.dictionaries(names, five, max_size=9)

TARGETS = """
facts.md facts.md#billing facts.md#billing-1 state.md tasks.md#gone gone.md a.md AGENTS.md services/checkout.md
CATALOG.md daily/ index.md https://example.com/a.md ../up.md
"""
targets = st.sampled_from(TARGETS.split())
pointers = st.one_of(
    targets,
    targets.map(lambda target: f"`{target}`"),
    targets.map(lambda target: f"[words]({target})"),
    targets.map(lambda target: f"[{target}](./{target})"),
    st.just("[[facts]]"),
)
labels = st.sampled_from(["Billing", "our words for it", "**Billing**", "a | b", ""])
lines = st.one_of(
    people,
    st.sampled_from(["## Always load", "## Load when relevant", "## Topics", "**Updated:** 2026-10-01", "| a | b |"]),
    st.builds(lambda mark, one: f"{mark} {one}", st.sampled_from(["-", "*", "1.", "- [x]", "  -"]), pointers),
    st.builds(lambda label, one: f"- {label} → {one}", labels, pointers),
    st.builds(lambda one, label: f"- {one} — {label}", pointers, labels),
    st.builds(lambda label, one: f"| {label} | {one} |", labels, pointers),
    st.builds(lambda one, other: f"- {one}, {other}", pointers, pointers),
    st.just("| Topic | Where |\n|---|---|"),
)
indexes = st.builds(
    lambda mark, content, newline, end: (mark + "\n".join(content) + end).replace("\n", newline).encode(),
    st.sampled_from(["", "\ufeff"]),
    st.lists(lines, max_size=22),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
)
limits = st.sampled_from([SMALL, IndexLimits(), IndexLimits(lines=40, bytes=25_000)])


def memory(files: dict[str, str], facts: str, index: bytes) -> MappingTree:
    whole = {**files, "state.md": "# State\n", "tasks.md": "# Tasks\n", "facts.md": facts}
    return MappingTree({**{path: text.encode() for path, text in whole.items()}, "index.md": index})


def rewrite(tree: Tree, limits: IndexLimits) -> IndexRewrite:
    return rewrite_index(tree, NoteCache(), changed={}, today=TODAY, limits=limits)


@given(notes, five, indexes, limits)
def test_the_index_is_what_it_is_after_one_rewrite(
    files: dict[str, str], facts: str, index: bytes, limits: IndexLimits
) -> None:
    tree = memory(files, facts, index)
    once = OverlayTree(tree, rewrite(tree, limits).files)
    assert rewrite(once, limits).files == {}
    assert once.blob("MEMORY.md") is None


@given(notes, five, indexes, limits)
def test_peoples_lines_stand_byte_for_byte_and_in_order(
    files: dict[str, str], facts: str, index: bytes, limits: IndexLimits
) -> None:
    tree = memory(files, facts, index)
    after = rewrite(tree, limits).files.get("index.md", index) or b""
    may_go = re.compile(rb"[ \t]*(?:[-*+]|[0-9]+[.)])[ \t].*(?:\.md|\]\(|\[\[)|.*\|.*\.md|.*\*\*Updated", re.DOTALL)
    theirs = [line for line in index.removeprefix(b"\xef\xbb\xbf").split(b"\n") if not may_go.match(line)]
    stands = iter(after.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
    assert all(any(line == other for other in stands) for line in theirs if line.strip())
    assert after.startswith(b"\xef\xbb\xbf") == index.startswith(b"\xef\xbb\xbf")


@given(notes, five, indexes, limits)
def test_the_night_never_takes_the_index_over_its_limits(
    files: dict[str, str], facts: str, index: bytes, limits: IndexLimits
) -> None:
    result = rewrite(memory(files, facts, index), limits)
    after = result.files.get("index.md", index) or b""
    lines = after.count(b"\n") + (not after.endswith(b"\n") and after != b"")
    if lines > limits.lines or len(after) > limits.bytes:
        before = index.count(b"\n") + (not index.endswith(b"\n") and index != b"")
        assert before > limits.lines or len(index) > limits.bytes
        assert "index-over-limits" in {finding.reason for finding in result.findings}


@given(notes, five, indexes, limits)
def test_every_note_is_within_reach_of_what_is_loaded_or_it_is_said_that_it_is_not(
    files: dict[str, str], facts: str, index: bytes, limits: IndexLimits
) -> None:
    tree = memory(files, facts, index)
    result = rewrite(tree, limits)
    after = OverlayTree(tree, result.files)
    missing = {path for path in after.paths() if is_topic(path)} - reachable_notes(after, limits=limits)
    reasons = {finding.reason for finding in result.findings}
    assert not missing or reasons & {"no-room-for-the-catalog", "catalog-not-written", "index-left-alone"}
