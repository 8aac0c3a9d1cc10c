"""What holds of the index for any memory and anything that people have written in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dream.memory.index.reach import check_index, reachable_notes
from dream.memory.index.rewrite import is_indexed, rewrite_index
from dream.memory.limits import IndexLimits
from dream.memory.links.notation import PathLookup
from dream.memory.listing.findings import IndexRewrite
from dream.memory.listing.page import Surroundings, read_page
from dream.memory.notes import NoteCache
from dream.memory.paths import is_topic
from dream.memory.tree import MappingTree, OverlayTree, Tree

TODAY = date(2026, 10, 22)
SMALL = IndexLimits(lines=12, bytes=700, catalog_notes=6, page_bytes=400)

NAMES = """
a.md b.md services/checkout.md services/größe.md services/n.md services-2/n.md x/y/deep.md q/100%.md z/z.md w[x].md
index.md catalog/n.md Überblick/n.md daily/2026-10-20.md daily/2026-10-21.md archive/old.md learnings/ask/SKILL.md
preferences/slack/ops.md .dream/state.md asset.txt
"""
names = st.sampled_from([*NAMES.split(), "services/a b (c).md", "services/#1 & <b>.md"])
titles = st.sampled_from(
    ["# Checkout", "# [x](y) `z`", "plain words", "", "# \u202egnp.exe", "# " + "long " * 60, "---\n---\n", "# 日本語"]
)
notes = st.dictionaries(names, titles.map(lambda title: f"{title}\n\ntext\n".encode()), max_size=14)

targets = st.one_of(
    names, st.sampled_from(["gone.md", "x/gone.md", "CATALOG.md", "CATALOG/services.md", "daily/", "MEMORY.md"])
)
links = st.one_of(
    targets.map(lambda target: f"[words]({target.replace(' ', '%20').replace('(', '%28').replace(')', '%29')})"),
    targets.map(lambda target: f"[{target}](<{target}>)"),
    st.sampled_from(
        ["[[checkout]]", "[[nowhere]]", "[site](https://example.com/a.md)", "[up](../up.md)", "[n](/n.md)"]
    ),
)
words = st.sampled_from(["", "read this first", "Owner:", "**Deploys** — ", "- ", "tail: x", "`code`", "日本"])
indents = st.sampled_from(["", "  ", "    ", "\t"])
markers = st.sampled_from(["- ", "* ", "+ ", "1. ", "2) ", "- [ ] ", "-   "])
people = st.one_of(
    st.sampled_from(
        ["", " ", "# Memory", "## Rules", "Title\n=====", "prose goes on", "  indented", "    code", "---", "***"]
    ),
    st.sampled_from(
        [
            "```",
            "~~~",
            "<!--",
            "-->",
            "<details>",
            "</details>",
            "> quoted",
            "| a | b |",
            "|---|---|",
            "- item",
            "1. one",
        ]
    ),
    st.text(alphabet="ab-*#[]()<>`|\\!\t \u2028é", max_size=12),
)
lines = st.one_of(
    people,
    st.builds(lambda indent, marker, link, tail: f"{indent}{marker}{link}{tail}", indents, markers, links, words),
    st.builds(lambda marker, head, link, tail: f"{marker}{head} {link} {tail}", markers, words, links, words),
    st.builds(lambda head, link: f"{head} {link}", words, links),
    st.builds(lambda one, other: f"- {one}, {other}", links, links),
)
indexes = st.builds(
    lambda mark, content, newline, end: (mark + newline.join(content) + end).replace("\n", newline).encode(),
    st.sampled_from(["", "\ufeff"]),
    st.lists(lines, max_size=22),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
)


def rewrite(tree: Tree, changed: Mapping[str, date], limits: IndexLimits) -> IndexRewrite:
    return rewrite_index(tree, NoteCache(), changed=changed, today=TODAY, limits=limits)


def around(tree: Tree) -> Surroundings:
    daily = any(path.startswith("daily/") for path in tree.paths())
    return Surroundings(paths=PathLookup(tree.paths()), folders={"daily": daily})


ages = st.dictionaries(names, st.integers(-3, 200).map(lambda days: TODAY - timedelta(days=days)))
limits = st.sampled_from([SMALL, IndexLimits(), IndexLimits(lines=40, bytes=25_000)])


@given(notes, indexes, ages, limits)
def test_the_index_is_what_it_is_after_one_rewrite(
    files: dict[str, bytes], index: bytes, changed: dict[str, date], limits: IndexLimits
) -> None:
    tree = MappingTree({**files, "MEMORY.md": index})
    once = OverlayTree(tree, rewrite(tree, changed, limits).files)
    assert rewrite(once, changed, limits).files == {}


@given(notes, indexes, ages, limits)
def test_peoples_lines_stand_byte_for_byte_and_in_order(
    files: dict[str, bytes], index: bytes, changed: dict[str, date], limits: IndexLimits
) -> None:
    tree = MappingTree({**files, "MEMORY.md": index})
    after = rewrite(tree, changed, limits).files.get("MEMORY.md", index)
    assert after is not None
    is_item = re.compile(rb"[ \t]*(?:[-*+]|[0-9]+[.)])[ \t].*(?:\]\(|\[\[)", re.DOTALL)
    theirs = [line for line in index.removeprefix(b"\xef\xbb\xbf").split(b"\n") if not is_item.match(line)]
    stands = iter(after.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
    assert all(any(line == other for other in stands) for line in theirs if line.strip())
    assert after.startswith(b"\xef\xbb\xbf") == index.startswith(b"\xef\xbb\xbf")


@given(notes, indexes, ages, limits)
def test_a_persons_wording_changes_only_where_a_link_is_dead(
    files: dict[str, bytes], index: bytes, changed: dict[str, date], limits: IndexLimits
) -> None:
    tree = MappingTree({**files, "MEMORY.md": index})
    after = OverlayTree(tree, rewrite(tree, changed, limits).files)
    before = {line.text for line in read_page("MEMORY.md", index.decode(), around(after)).lines}
    now = read_page("MEMORY.md", (after.read("MEMORY.md") or b"").decode(), around(after)).lines
    made = re.compile(r"\s*[-*+]\s+\[(?:[^\[\]\\]|\\.)*\]\([^()\s]*\)")
    assert [
        line.text
        for line in now
        if line.text.strip() and line.text not in before and not made.fullmatch(line.text.rstrip("\r"))
    ] == []


@given(notes, indexes, ages, limits)
def test_the_night_never_takes_the_index_over_its_limits(
    files: dict[str, bytes], index: bytes, changed: dict[str, date], limits: IndexLimits
) -> None:
    tree = MappingTree({**files, "MEMORY.md": index})
    result = rewrite(tree, changed, limits)
    after = result.files.get("MEMORY.md", index) or b""
    lines = after.count(b"\n") + (not after.endswith(b"\n") and after != b"")
    if lines > limits.lines or len(after) > limits.bytes:
        before = index.count(b"\n") + (not index.endswith(b"\n") and index != b"")
        assert before > limits.lines or len(index) > limits.bytes
        assert "index-over-limits" in {finding.reason for finding in result.findings}


@given(notes, indexes, ages, limits)
def test_every_note_is_within_reach_of_what_is_loaded_or_it_is_said_that_it_is_not(
    files: dict[str, bytes], index: bytes, changed: dict[str, date], limits: IndexLimits
) -> None:
    tree = MappingTree({**files, "MEMORY.md": index})
    result = rewrite(tree, changed, limits)
    after = OverlayTree(tree, result.files)
    missing = {path for path in files if is_topic(path)} - reachable_notes(after, limits=limits)
    reasons = {finding.reason for finding in result.findings}
    assert not missing or reasons & {"no-room-for-the-catalog", "catalog-not-written", "index-left-alone"}
    if "index-left-alone" not in reasons:
        assert {finding.reason for finding in check_index(after, limits=limits)} <= {
            "dead-link",
            "index-over-limits",
            "out-of-reach",
        }


@given(notes, indexes, ages)
def test_no_item_links_to_a_note_that_does_not_exist(
    files: dict[str, bytes], index: bytes, changed: dict[str, date]
) -> None:
    tree = MappingTree({**files, "MEMORY.md": index})
    result = rewrite(tree, changed, IndexLimits())
    after = OverlayTree(tree, result.files)
    text = (after.read("MEMORY.md") or b"").decode()
    page = read_page("MEMORY.md", text, around(after), repairs=False)
    if "index-left-alone" not in {finding.reason for finding in result.findings}:
        assert [line.text for line in page.lines if line.is_item and line.dead] == []


@given(notes, ages, limits)
def test_an_index_that_only_nights_have_written_links_every_note_that_fits_and_nothing_else(
    files: dict[str, bytes], changed: dict[str, date], limits: IndexLimits
) -> None:
    tree = MappingTree(files)
    after = OverlayTree(tree, rewrite(tree, changed, limits).files)
    topics = {path for path in files if is_indexed(path)}
    listed: set[str] = set()
    for line in read_page("MEMORY.md", (after.read("MEMORY.md") or b"").decode(), around(after)).lines:
        listed.update(line.links)
    assert listed - {"CATALOG.md", "daily/"} <= topics
    if limits == IndexLimits():
        assert listed - {"CATALOG.md", "daily/"} == topics
    assert reachable_notes(after, limits=limits) == {
        path for path in files if path.endswith(".md") and not path.startswith(".")
    }


@given(notes, st.data())
def test_a_note_that_comes_or_goes_moves_no_other_line(files: dict[str, bytes], data: st.DataObject) -> None:
    first = OverlayTree(MappingTree(files), rewrite(MappingTree(files), {}, IndexLimits()).files)
    name = data.draw(names.filter(is_topic))
    change = None if name in files else b"# New\n"
    second = OverlayTree(first, {name: change})
    after = rewrite(second, {}, IndexLimits()).files.get("MEMORY.md") or b""
    before = first.read("MEMORY.md") or b""
    assert len(set(before.split(b"\n")) ^ set(after.split(b"\n"))) == 1
