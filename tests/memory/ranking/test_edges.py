"""Which notes stand near one another, and why."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dream.memory.notes import NoteCache
from dream.memory.ranking.edges import EdgeLimits, edges_of
from dream.memory.tree import MappingTree

LIMITS = EdgeLimits()
OTHERS = {
    f"other/{word}.md": f"# {word.title()}\n\nNothing of this.\n" for word in ("alpha", "bravo", "delta", "gamma")
}


def why(files: dict[str, str], path: str, limits: EdgeLimits = LIMITS) -> dict[str, tuple[str, ...]]:
    """The neighbours of a note among `files` and a few others, each with its reasons."""
    tree = MappingTree({name: text.encode() for name, text in {**OTHERS, **files}.items()})
    return {edge.path: edge.why for edge in edges_of(tree, NoteCache(), [path], limits=limits)[path]}


def test_a_resource_that_both_name_ties_two_notes() -> None:
    files = {
        "a/checkout.md": "# Checkout\n\n- 2026-10-01: It reads `orders-v2` and MAX_POOL_SIZE. [thread_1, 2026-10-01]\n",
        "b/lag.md": "# Lag\n\n- 2026-10-01: Raise max_pool_size when orders-v2 lags. [thread_2, 2026-10-01]\n",
    }
    assert why(files, "a/checkout.md") == {"b/lag.md": ("resource max_pool_size", "resource orders-v2")}
    assert why(files, "b/lag.md") == {"a/checkout.md": ("resource max_pool_size", "resource orders-v2")}


def test_a_note_that_is_called_as_a_resource_stands_near_those_that_name_it() -> None:
    files = {"services/checkout-api.md": "# The till\n", "b/lag.md": "# Lag\n\nPage checkout-api on call.\n"}
    assert why(files, "services/checkout-api.md") == {"b/lag.md": ("resource checkout-api",)}
    assert why(files, "b/lag.md") == {"services/checkout-api.md": ("resource checkout-api",)}


def test_dates_values_threads_and_english_hyphens_tie_nothing() -> None:
    text = "# {}\n\n- 2026-10-01: It is read-only, `true`, 30 s, v2.1, port 8443, not more. [thread_7c2e, 2026-10-01]\n"
    assert why({"a/one.md": text.format("One"), "b/two.md": text.format("Two")}, "a/one.md") == {}


def test_a_skill_in_the_frontmatter_ties_also_where_it_is_a_list() -> None:
    files = {
        "a/one.md": "---\nname: one\nskill: deploy\n---\nText.\n",
        "b/two.md": "---\nname: two\nskills:\n  - Deploy\n  - roll back everything\n---\nText.\n",
        "c/three.md": "---\nname: three\nskills: [build, deploy]\n---\nText.\n",
    }
    assert why(files, "a/one.md") == {"b/two.md": ("skill deploy",), "c/three.md": ("skill deploy",)}


def test_a_rare_word_of_the_title_a_tag_and_a_folder_tie_and_the_tag_more() -> None:
    files = {
        "a/one.md": "---\nname: one\ntags: [billing]\n---\n# Refunds\n",
        "a/two.md": "# Two\n",
        "b/three.md": "---\nname: three\ntags: billing, other\n---\nText.\n",
    }
    assert why(files, "a/one.md") == {"b/three.md": ("topic billing",), "a/two.md": ("folder a",)}


def test_links_tie_both_ways_and_notes_that_are_named_on_one_line() -> None:
    files = {
        "a/one.md": "# One\n\nSee [two](../b/two.md).\n",
        "b/two.md": "# Two\n",
        "c/hub.md": "# Hub\n\n- [[two]] fails with [[three]].\n- [[one]]\n",
        "d/three.md": "# Three\n",
    }
    assert why(files, "b/two.md") == {
        "a/one.md": ("linked",),
        "c/hub.md": ("linked",),
        "d/three.md": ("named together",),
    }
    assert why(files, "a/one.md") == {"b/two.md": ("linked",), "c/hub.md": ("linked",)}


def test_what_many_share_ties_none_and_a_rare_name_ties_more_than_a_frequent_one() -> None:
    files = {f"n/{number}.md": "Uses `common_pool`.\n" for number in range(60)}
    files |= {
        "a/x.md": "Uses `common_pool`, `some_queue`, `rare_queue`.\n",
        "b/y.md": "`rare_queue` and `some_queue`\n",
    }
    files |= {f"c/{number}.md": "`some_queue`\n" for number in range(5)}
    found = why(files, "a/x.md")
    assert next(iter(found.items())) == ("b/y.md", ("resource rare_queue", "resource some_queue"))
    all_of_it = why(files, "a/x.md", replace(LIMITS, neighbours=999, reasons=99))
    assert {name for reasons in all_of_it.values() for name in reasons} == {
        "resource rare_queue",
        "resource some_queue",
    }


def test_a_note_has_no_more_neighbours_and_reasons_than_allowed() -> None:
    files = {f"n/{number}.md": "`one_x` `two_x` `three_x` `four_x`\n" for number in range(9)}
    found = why(files, "n/0.md", replace(LIMITS, neighbours=2, reasons=1))
    assert found == {"n/1.md": ("resource four_x",), "n/2.md": ("resource four_x",)}


def test_a_note_that_cannot_be_read_has_no_neighbours_and_hurts_nobody() -> None:
    tree = MappingTree({"a.md": b"\0", "b.md": b"\xff `some_queue`", "c.md": b"`some_queue`\n", "d.md": b""})
    found = edges_of(tree, NoteCache(), ["a.md", "b.md", "c.md", "gone.md", "d.md"])
    assert {path: [edge.path for edge in edges] for path, edges in found.items()} == {"c.md": ["b.md"], "d.md": []}
    assert edges_of(tree, NoteCache(), []) == {}


WORDS = ["`pool_size`", "`orders_v2`", "See [[two]].", "checkout-api", "`read_only`", "[x](../b/two.md)"]
MEMORY = st.dictionaries(
    st.sampled_from(["a/one.md", "b/two.md", "c/checkout-api.md", "d/four.md"]),
    st.lists(st.sampled_from(WORDS), max_size=4).map(lambda words: "\n".join(["# T", *words])),
)


@given(files=MEMORY, seed=st.integers(0, 99))
def test_edges_do_not_depend_on_the_order_and_nobody_is_their_own_neighbour(files: dict[str, str], seed: int) -> None:
    tree = MappingTree({path: text.encode() for path, text in files.items()})
    shown = list(files)
    random.Random(seed).shuffle(shown)  # noqa: S311 - repeatable on purpose
    found = edges_of(tree, NoteCache(), shown)
    assert found == edges_of(tree, NoteCache(), sorted(files))
    assert all(edge.path != path and edge.path in files and edge.why for path in found for edge in found[path])
