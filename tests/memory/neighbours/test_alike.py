from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from dream.memory.neighbours.alike import Alike, At, Neighbours
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


def test_what_is_kept_is_what_was_known_without_the_notes_that_have_gone() -> None:
    neighbours = taken({"a.md": [OTHER], "b.md": [AGAIN]})
    taken({"b.md": [AGAIN], "c.md": [FIRST, "caf\u00e9 au lait pour tous"]}, neighbours)
    assert neighbours.is_news
    known = Neighbours.load(neighbours.dump())
    taken({"b.md": [AGAIN], "c.md": [FIRST, "caf\u00e9 au lait pour tous"]}, known)
    assert (known.read, known.is_news) == (0, False)
    assert list(known.pairs(None, alike=0.5)) == list(neighbours.pairs(None, alike=0.5)) != []
    assert known.dump() == neighbours.dump()


FILES = st.dictionaries(st.sampled_from(["a.md", "b.md", "c.md", "d.md"]), LINES, min_size=1)


@given(FILES, FILES)
def test_what_is_found_by_what_was_kept_is_what_is_found_by_reading_all(
    before: dict[str, list[str]], after: dict[str, list[str]]
) -> None:
    before, after = (
        {path: [f"{path[0]}{path[0]}", *lines] for path, lines in files.items()} for files in (before, before | after)
    )
    known, fresh = taken(after, Neighbours.load(taken(before).dump())), taken(after)
    asked = [word_set(line) for lines in after.values() for line in lines]
    assert list(known.pairs(sorted(after), alike=0.5)) == list(fresh.pairs(sorted(after), alike=0.5))
    assert known.nearest(asked, alike=0.4) == fresh.nearest(asked, alike=0.4)
    found, wanted = known.holding(asked), fresh.holding(asked)
    assert {words: sorted(places) for words, places in found.items()} == {
        words: sorted(places) for words, places in wanted.items()
    }


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_what_was_damaged_is_made_again(place: int, byte: int) -> None:
    data = bytearray(taken({"a.md": [OTHER], "b.md": [AGAIN]}).dump())
    place %= len(data)
    is_damaged = data[place] != byte
    data[place] = byte
    known = taken({"a.md": [OTHER], "b.md": [AGAIN]}, Neighbours.load(bytes(data)))
    assert known.read == 0 or is_damaged
    assert known.dump() == taken({"a.md": [OTHER], "b.md": [AGAIN]}).dump()


def test_two_notes_with_the_same_words_are_found() -> None:
    files = {"a.md": [FIRST, OTHER], "b.md": [OTHER, AGAIN], "c.md": ["nothing of all that stands here at all"]}
    assert [(one, other) for one, other, _ in taken(files).notes_alike(None, alike=0.5)] == [("a.md", "b.md")]
    assert [(one, other) for one, other, _ in taken(files).notes_alike(["b.md"], alike=0.5)] == [("a.md", "b.md")]
    assert list(taken(files).notes_alike(["c.md"], alike=0.5)) == []


def test_ten_thousand_statements_that_differ_in_one_word_are_cut_short_and_said_to_be() -> None:
    lines = [f"service number{n} is owned by the team alpha and pages nobody" for n in range(10_000)]
    neighbours = taken({f"{at}.md": lines[at : at + 1_000] for at in range(0, 10_000, 1_000)})
    found = list(neighbours.pairs(None, alike=0.5))
    assert 10_000 < len(found) < 20 * len(lines)
    assert neighbours.cut > 0


def test_ten_thousand_equal_statements_are_each_paired_with_the_first_alone() -> None:
    found = list(taken({f"{at}.md": [FIRST] * (1_000 + at) for at in range(10)}).pairs(None, alike=0.5))
    assert len(found) == 10_000 + sum(range(10)) - 1
    assert {pair.one for pair in found} == {At("0.md", 0)}


def test_an_entry_of_200_kilobytes_is_compared_with_none_and_counted() -> None:
    neighbours = taken({"a.md": [" ".join(f"word{n}" for n in range(22_000))]})
    assert neighbours.left_out == 1
    assert list(neighbours.pairs(None, alike=0.5)) == []
