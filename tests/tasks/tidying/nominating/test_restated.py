from __future__ import annotations

from dream.memory.neighbours.alike import Neighbours
from dream.memory.notes import NoteCache
from tasks.tidying.nominating.restated import MOST_OF_ONE_MATTER, restated_statements
from tasks.tidying.nominations import Nomination
from tests.tasks.stories import memory

KEPT = "- 2026-09-01: The timeout of orders-api is 30 s. [thread_a, 2026-09-01]"
AGAIN = "- 2026-10-01: orders-api cuts a stalled caller loose after 30 s. [thread_b, 2026-10-01]"
MORE = "- 2026-10-02: A caller who keeps orders-api waiting is on his own within 30 s. [thread_c, 2026-10-02]"
ANOTHER = "- 2026-10-03: orders-api cuts a stalled caller loose after 40 s. [thread_d, 2026-10-03]"


def found(changed: list[str], **texts: str) -> list[Nomination]:
    tree, notes = memory(**{name: f"# {name}\n\n{text}\n" for name, text in texts.items()}), NoteCache()
    neighbours = Neighbours()
    neighbours.take(tree, notes, tree.paths())
    return list(restated_statements(tree, notes, neighbours, changed=changed))


def shown(nominations: list[Nomination]) -> list[tuple[str, ...]]:
    return [tuple(place.shown for place in one.places) for one in nominations]


def test_what_shares_names_and_values_alone_is_paired_with_the_wording_that_is_to_stay() -> None:
    nominations = found(["b.md"], a=f"{KEPT}\n{ANOTHER}", b=AGAIN)
    assert shown(nominations) == [("a.md:3", "b.md:3")]
    assert [one.why for one in nominations] == ["the same names and values"]


def test_several_restatements_are_each_paired_with_the_best_founded_first() -> None:
    nominations = sorted(found(["b.md"], a=KEPT, b=f"{AGAIN}\n{MORE}"), key=lambda one: -one.score)
    assert shown(nominations)[:2] == [("a.md:3", "b.md:3"), ("a.md:3", "b.md:4")]
    assert nominations[0].score == nominations[1].score > nominations[2].score


def test_a_restatement_is_paired_with_three_wordings_at_most_so_that_one_wrong_ruling_costs_a_night() -> None:
    several = [AGAIN.replace("stalled", word) for word in ("hung", "silent", "quiet", "mute")]
    last = "- 2026-10-09: orders-api walks away after 30 s. [thread_e, 2026-10-09]"
    nominations = found(["b.md"], a="\n".join([KEPT, *several]), b=last)
    assert shown(nominations) == [("a.md:3", "b.md:3"), ("a.md:4", "b.md:3"), ("a.md:5", "b.md:3")]
    assert [one.score for one in nominations] == sorted((one.score for one in nominations), reverse=True)


def test_notes_that_did_not_change_are_no_matter_of_tonight() -> None:
    assert found(["c.md"], a=KEPT, b=AGAIN, c="- Nothing is said of that here.") == []


def test_what_differs_in_something_closed_is_no_restatement() -> None:
    assert found(["b.md"], a=KEPT, b=AGAIN.replace("cuts", "never cuts")) == []


def test_a_matter_of_very_many_statements_is_a_log() -> None:
    words = (f"q{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(MOST_OF_ONE_MATTER + 5))
    many = "\n".join(AGAIN.replace("stalled", word) for word in words)
    assert found(["b.md"], a=KEPT, b=many) == []
