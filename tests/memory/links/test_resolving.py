from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.links.notation import (
    Link,
    PathLookup,
    candidates,
    is_external,
    resolve,
    retarget,
    scan_links,
    target_to,
)

PATHS = (
    "MEMORY.md",
    "services/checkout-api.md",
    "services/Orders.md",
    "services/a b.md",
    "services/100%.md",
    "queues/orders-events.md",
    "alerts/disk.md",
    "queues/disk.md",
    "notes/cafe\u0301.md",
    "notes/project_bga.md",
    "img/a.png",
)
LOOKUP = PathLookup(PATHS)


def link_of(text: str) -> Link:
    (link,) = scan_links(text)
    return link


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[x](checkout-api.md)", "services/checkout-api.md"),
        ("[x](./checkout-api.md)", "services/checkout-api.md"),
        ("[x](../queues/orders-events.md#dlq)", "queues/orders-events.md"),
        ("[x](/alerts/disk.md)", "alerts/disk.md"),
        ("[x](a%20b.md)", "services/a b.md"),
        ("[x](<a b.md>)", "services/a b.md"),
        ("[x](100%.md)", "services/100%.md"),
        ("[x](100%25.md)", "services/100%.md"),
        ("[x](../notes/caf\u00e9.md)", "notes/cafe\u0301.md"),
        ("![x](../img/a.png)", "img/a.png"),
        ("[x](#limits)", "services/self.md"),
        ("[[checkout-api]]", "services/checkout-api.md"),
        ("[[checkout-api.md#x|y]]", "services/checkout-api.md"),
        ("[[orders]]", "services/Orders.md"),
        ("[[project-bga]]", "notes/project_bga.md"),
        ("[[Project BGA]]", "notes/project_bga.md"),
        ("[[caf\u00e9]]", "notes/cafe\u0301.md"),
        ("[[alerts/disk]]", "alerts/disk.md"),
        ("[[a.png]]", "img/a.png"),
        ("[[#limits]]", "services/self.md"),
    ],
)
def test_a_link_points_at_a_path(text: str, expected: str) -> None:
    assert resolve("services/self.md", link_of(text), LOOKUP) == expected
    assert resolve("services/self.md", link_of(text), PATHS) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[x](gone.md)",
        "[x](../queues/)",
        "[x](../queues)",
        "[x](../../services/checkout-api.md)",
        "[x](/../services/checkout-api.md)",
        "[x](orders.md)",
        "[x]()",
        "[x](https://a.example/services/checkout-api.md)",
        "[x](//a.example/x.md)",
        "[x](mailto:a@a.example)",
        "[[gone]]",
        "[[gone/checkout-api]]",
    ],
)
def test_a_link_that_dangles_leaves_the_memory_or_is_a_folder_points_at_nothing(text: str) -> None:
    assert candidates("services/self.md", link_of(text), LOOKUP) == ()


def test_an_ambiguous_name_is_told_apart_from_one_that_dangles() -> None:
    assert resolve("services/self.md", link_of("[[disk]]"), LOOKUP) is None
    assert candidates("services/self.md", link_of("[[disk]]"), LOOKUP) == ("alerts/disk.md", "queues/disk.md")


def test_an_exact_name_comes_before_one_that_differs_in_case() -> None:
    lookup = PathLookup(["a/Disk.md", "b/disk.md"])
    assert resolve("x.md", link_of("[[disk]]"), lookup) == "b/disk.md"
    assert candidates("x.md", link_of("[[DISK]]"), lookup) == ("a/Disk.md", "b/disk.md")


def test_a_name_from_frontmatter_is_found() -> None:
    lookup = PathLookup(["a/note.md"], names={"How we deploy": "a/note.md"})
    assert resolve("x.md", link_of("[[how we deploy]]"), lookup) == "a/note.md"


@pytest.mark.parametrize(
    ("text", "external"),
    [
        ("[x](https://a.example)", True),
        ("[x](mailto:a@a.example)", True),
        ("[x](//a.example)", True),
        ("[x](a.md)", False),
        ("[x](/a.md)", False),
        ("[[note: a]]", False),
    ],
)
def test_a_link_with_a_scheme_or_a_host_is_external(text: str, external: bool) -> None:  # noqa: FBT001
    assert is_external(link_of(text)) is external


@pytest.mark.parametrize(
    ("text", "to", "expected"),
    [
        ("[x](a.md)", "queues/b.md", "../queues/b.md"),
        ("[x](./a.md)", "services/b.md", "./b.md"),
        ("[x](/services/a.md)", "queues/b.md", "/queues/b.md"),
        ("[x](a.md)", "services/b (c).md", "b%20%28c%29.md"),
        ("[x](a.md)", "services/日志 50%.md", "日志%2050%25.md"),
        ("[[a]]", "queues/b c.md", "b c"),
        ("[[services/a]]", "queues/b.md", "queues/b"),
        ("[[a.md]]", "queues/b.md", "b.md"),
    ],
)
def test_a_target_is_written_in_the_manner_of_the_link(text: str, to: str, expected: str) -> None:
    assert target_to("services/self.md", link_of(text), to) == expected


SEGMENTS = st.text(alphabet="abz09 %#()&é日._-'", min_size=1, max_size=6).filter(lambda text: text.strip(" .") == text)
NOTES = st.lists(SEGMENTS, min_size=1, max_size=3).map(lambda parts: "/".join(parts) + ".md")


@given(NOTES, NOTES, st.sampled_from(["[x](old.md#a 't')", "[x](<old.md>)", "[x](/old.md)", "[x](./old.md)"]))
def test_a_link_retargeted_to_a_path_points_at_it(path: str, to: str, text: str) -> None:
    link = link_of(text)
    (moved,) = scan_links(retarget(text, link, target_to(path, link, to)))
    assert resolve(path, moved, {to}) == to
    assert moved.anchor == link.anchor
