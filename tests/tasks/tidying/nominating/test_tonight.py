from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, timedelta

from dream.memory.neighbours.alike import Neighbours
from dream.memory.notes import NoteCache
from dream.memory.tree import MappingTree
from dream.sources.production.code.tree import CodeTree
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominating.tonight import nominate
from tasks.tidying.nominations import Matter, Nomination
from tests.checker.memories import brief

NIGHT = date(2026, 11, 30)
RETRIES = "checkout-api retries a declined card three times before it gives up"
AGAIN = "before it gives up, checkout-api retries a card that was declined three times"
FIVE = "checkout-api retries a declined card five times before it gives up"
NEVER = "checkout-api never retries a declined card three times before it gives up"
ELSEWHERE = "orders-api retries a declined card three times before it gives up"


def found(
    files: Mapping[str, str],
    *,
    changed: Collection[str] | None = None,
    code: Collection[CodeTree] = (),
    content: str = "",
    night: date = NIGHT,
    most: int = TidyLimits().nominations,
) -> tuple[Nomination, ...]:
    tree = MappingTree({path.replace("__", "/") + ".md": text.encode() for path, text in files.items()})
    notes, neighbours = NoteCache(), Neighbours()
    neighbours.take(tree, notes, tree.paths())
    return nominate(
        tree, notes, neighbours, changed=changed, code=tuple(code), read=lambda *_: content, night=night, most=most
    )


def shown(nominations: Collection[Nomination]) -> list[tuple[Matter, tuple[str, ...]]]:
    return [(one.matter, tuple(place.shown for place in one.places)) for one in nominations]


def note(title: str, *lines: str) -> str:
    return f"# {title}\n\n" + "".join(f"- {line}\n" for line in lines)


def test_a_restatement_is_nominated_as_a_duplicate() -> None:
    assert shown(found({"a": note("One", RETRIES), "b": note("Two", AGAIN)})) == [
        (Matter.DUPLICATE, ("a.md:3", "b.md:3"))
    ]


def test_another_value_and_a_negation_are_contradictions_and_no_duplicates() -> None:
    for other in (FIVE, NEVER):
        assert shown(found({"a": note("One", RETRIES), "b": note("Two", other)})) == [
            (Matter.CONTRADICTION, ("a.md:3", "b.md:3"))
        ]


def test_a_statement_that_stands_twice_in_a_note_is_nominated_once() -> None:
    said = ("The timeout of search-api is 30 s for every caller.", "search-api: timeout 60 s.")
    ids = [one.id for one in found({"a": note("One", *said, "Something else.", said[1])})]
    assert [one.split()[0] for one in ids] == ["duplicate", "contradiction"]


def test_what_is_said_of_two_things_is_not_nominated() -> None:
    assert found({"a": note("One", RETRIES), "b": note("Two", ELSEWHERE)}) == ()


def test_two_values_of_one_attribute_are_found_whatever_the_words() -> None:
    files = {
        "a": note("One", "The timeout of search-api is 30 s for every caller, since the proxy in front hangs up then."),
        "b": note("Two", "search-api: timeout 60 s."),
    }
    expected = [(Matter.CONTRADICTION, ("a.md:3", "b.md:3"))]
    assert shown(found(files)) == shown(found(files, changed=["b.md"])) == expected


def test_two_environments_may_have_two_values() -> None:
    files = {
        "a": note("One", "In staging the timeout of search-api is 30 s."),
        "b": note("Two", "In production the timeout of search-api is 60 s."),
    }
    assert found(files) == ()


def test_two_notes_with_the_same_words_are_on_one_topic() -> None:
    lines = [f"search-api moves shard{n} to host{n} when node{n} of the ring leaves" for n in range(9)]
    files = {"search": note("Search", *lines, "one"), "search-shards": note("Search", *lines, "two")}
    assert (Matter.SAME_TOPIC, ("search-shards.md", "search.md")) in shown(found(files))
    trees = {f"{path}.md": text for path, text in files.items()}
    assert ("same-topic", "search-shards.md", 0) in brief(trees)


def test_old_incidents_of_one_thing_that_nothing_leads_to_come_together() -> None:
    files = {
        "incidents__2026-09-01-search-api-down": note(
            "Search down",
            "The disk of the first shard was full at noon, and all that was written then went to the second one.",
        ),
        "incidents__2026-10-01-search-api-slow": note(
            "Search slow",
            "A query without a limit took all the workers, so that nobody else was served for half an hour.",
        ),
        "services__search-api": note(
            "search-api",
            "It finds what customers look for in the catalogue of the shop, and counts what they did not find.",
        ),
    }
    places = ("incidents/2026-09-01-search-api-down.md", "incidents/2026-10-01-search-api-slow.md")
    assert shown(found(files)) == [(Matter.INCIDENTS, places)]
    linked = {**files, "services__search-api": files["services__search-api"] + "\nSee 2026-09-01-search-api-down.\n"}
    assert shown(found(linked)) == [(Matter.INCIDENTS, places[1:])]
    assert found(files, night=date(2026, 9, 10)) == ()


def test_a_note_with_next_to_nothing_in_it_is_nominated_and_one_that_only_leads_on_is_not() -> None:
    assert shown(found({"disks": note("Disks", "To do."), "shards": "# Shards\n\nSee [search](search.md).\n"})) == [
        (Matter.NEARLY_EMPTY, ("disks.md",))
    ]


def test_sections_about_different_things_are_several_topics() -> None:
    first = "".join(f"- Our oven bakes brown loaf{n} slowly beside crust{n} until morning{n}.\n" for n in range(9))
    second = "".join(f"- Every parcel{n} leaves through gate seven by lorry{n} before dawn{n}.\n" for n in range(9))
    text = f"# Mixed\n\n## bread-oven\n\n{first}\n## parcel-gate\n\n{second}"
    assert (Matter.SEVERAL_TOPICS, ("mixed.md",)) in shown(found({"mixed": text}))
    same = text.replace(second, first)
    assert Matter.SEVERAL_TOPICS not in {matter for matter, _ in shown(found({"mixed": same}))}


def test_what_a_file_says_as_well_is_in_the_code() -> None:
    code = CodeTree(name="shop", commit="1" * 40, paths=["deploy/search.yaml"])
    files = {"a": note("One", "In `deploy/search.yaml` the number of replicas is 4.")}
    content = "# the number of pods\nreplicas: 4\n"
    assert shown(found(files, code=[code], content=content)) == [(Matter.IN_CODE, ("a.md:3",))]
    assert found(files, code=[code], content="replicas: 5\n") == ()
    assert found(files, code=[code]) == ()


def test_a_long_statement_that_repeats_itself_is_wordy() -> None:
    said = " and then it is what it is, as it was when it was what it was," * 15
    assert shown(found({"a": note("One", f"The team says{said} as ever.")})) == [(Matter.WORDY, ("a.md:3",))]


def test_what_changed_comes_first_and_a_tenth_is_kept_for_the_rest() -> None:
    old = {
        f"old{n}": note(f"Old {n}", f"batch-job-{n} writes {n} reports to the archive every evening") for n in range(9)
    }
    twice = {f"{path}x": text.replace("every", "each") for path, text in old.items()}
    new = {
        f"new{n}": note(f"New {n}", f"mail-job-{n} sends letters to all people of the list at noon") for n in range(20)
    }
    again = {f"{path}x": text.replace("all", "the") for path, text in new.items()}
    files = {**old, **twice, **new, **again}
    nominations = found(files, changed=[f"{path}.md" for path in new], most=20)
    fresh = [any(place.path.startswith("new") for place in one.places) for one in nominations]
    assert fresh == [True] * 18 + [False] * 2


def test_everything_that_did_not_change_has_its_turn() -> None:
    files = {f"note{n}": note(f"Note {n}", "To do.") for n in range(120)}
    looked_at = [found(files, changed=[], night=NIGHT + timedelta(days=night)) for night in range(3)]
    assert sorted(place.path for night in looked_at for one in night for place in one.places) == sorted(
        f"{path}.md" for path in files
    )
    assert looked_at[0] == found(files, changed=[], night=NIGHT)


def test_no_more_is_nominated_than_there_is_room_for() -> None:
    files = {f"note{n}": note(f"Note {n}", "To do.") for n in range(500)}
    assert len(found(files)) == TidyLimits().nominations
