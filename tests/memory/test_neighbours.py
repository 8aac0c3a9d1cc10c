from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from dream.memory.neighbours import Alike, At, Neighbours
from dream.memory.notes import NoteCache
from dream.memory.similarity import word_set
from dream.memory.tree import MappingTree

FIRST = "checkout-api retries a declined card three times before it gives up"
AGAIN = "before it gives up checkout-api retries each declined card three times"
SHARE = len(word_set(FIRST) & word_set(AGAIN)) / len(word_set(FIRST) | word_set(AGAIN))
OTHER = "invoices are sent on the first working day of every month"


def taken(files: Mapping[str, Sequence[str]], known: Neighbours | None = None) -> Neighbours:
    tree = MappingTree({path: "".join(f"- {line}\n" for line in lines).encode() for path, lines in files.items()})
    neighbours = known or Neighbours()
    neighbours.take(tree, NoteCache(), tree.paths())
    return neighbours


def test_two_statements_with_most_words_in_common_are_found_wherever_they_stand() -> None:
    neighbours = taken({"a.md": [OTHER, FIRST], "b.md": [AGAIN]})
    assert list(neighbours.pairs(None, alike=0.5)) == [Alike(At("a.md", 1), At("b.md", 0), SHARE)]


def test_only_what_changed_is_compared_and_with_all_there_is() -> None:
    neighbours = taken({"a.md": [FIRST], "b.md": [AGAIN], "c.md": [OTHER], "d.md": [OTHER]})
    assert list(neighbours.pairs(["b.md"], alike=0.5)) == [Alike(At("a.md", 0), At("b.md", 0), SHARE)]


def test_only_blobs_that_are_not_known_are_read() -> None:
    neighbours = taken({"a.md": [FIRST], "b.md": [OTHER]})
    assert neighbours.read == 2
    taken({"moved.md": [FIRST], "b.md": [AGAIN]}, neighbours)
    assert neighbours.read == 1
    assert [pair.one.path for pair in neighbours.pairs(None, alike=0.5)] == ["b.md"]


def test_what_a_person_is_about_to_write_is_looked_up_by_its_words() -> None:
    neighbours = taken({"a.md": [OTHER, FIRST]})
    assert neighbours.near(word_set(AGAIN), alike=0.5) == [("a.md", 1, SHARE)]
    assert neighbours.near(word_set("something else entirely"), alike=0.5) == []


LINES = st.lists(
    st.lists(st.sampled_from("abcdefghijkl"), min_size=3, max_size=9, unique=True).map(" ".join), min_size=1, max_size=4
)


@given(st.dictionaries(st.sampled_from(["a.md", "b.md", "c.md"]), LINES, min_size=1), st.data())
def test_what_comparing_each_with_each_finds_is_found(files: dict[str, list[str]], data: st.DataObject) -> None:
    files = {path: [f"{path[0]}{path[0]}", *lines] for path, lines in files.items()}  # no two notes with the same bytes
    changed = data.draw(st.none() | st.sets(st.sampled_from(sorted(files))))
    places = [(At(path, at), word_set(line)) for path in sorted(files) for at, line in enumerate(files[path])]
    first: dict[frozenset[str], At] = {}
    for place, words in places:
        first.setdefault(words, place)
    expected = {
        (one, other)
        for (one, words), (other, others) in combinations(places, 2)
        if 2 * len(words & others) >= len(words | others)
        and (changed is None or {one.path, other.path} & changed)
        and (changed is not None or one == first[words])
        and (changed is not None or other == first[others] or words == others)
    }
    assert {(pair.one, pair.other) for pair in taken(files).pairs(changed, alike=0.5)} == expected
