from __future__ import annotations

from dream.memory.tree import MappingTree, Tree
from tasks.tidying.choosing import choose, notes_waiting
from tasks.tidying.freshness import Freshness
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominations import Matter, Nomination
from tests.tasks.tidying.rulers import pair

SAID = (
    "orders-api holds 20 connections.",
    "orders-api keeps 20 connections.",
    "orders-api has 20 connections.",
    "billing-api has 20 connections.",
    "orders-api drops its connections.",
)
TREE = MappingTree({f"n/{n}.md": f"# {n}\n\n- {said}\n- Note {n}.\n".encode() for n, said in enumerate(SAID)})
EVERYTHING_OLD = Freshness(())


def of(one: int, other: int, tree: Tree = TREE, matter: Matter = Matter.DUPLICATE) -> Nomination:
    return pair(tree, f"n/{one}.md", f"n/{other}.md", matter=matter)


def chosen(
    *nominations: Nomination, fresh: Freshness = EVERYTHING_OLD, most: int = 9, **declined: str
) -> tuple[list[str], dict[str, str]]:
    found = choose(nominations, declined=declined, aside=(), fresh=fresh, limits=TidyLimits(nominations=most))
    return [one.id for one in found.asked], dict(found.waiting)


def test_what_code_can_tell_apart_and_what_no_wording_holds_is_not_asked_about() -> None:
    assert chosen(of(0, 1), of(0, 3), of(0, 4)) == ([of(0, 1).id], {})


def test_a_contradiction_is_asked_about_though_no_wording_holds_both() -> None:
    assert chosen(of(0, 4, matter=Matter.CONTRADICTION))[0] == [of(0, 4, matter=Matter.CONTRADICTION).id]


def test_what_was_written_since_the_last_landing_waits_by_its_notes() -> None:
    assert chosen(of(0, 1), fresh=Freshness(["n/1.md"])) == ([], {"n/0.md": "written-today", "n/1.md": "written-today"})


def test_what_may_go_is_asked_about_once_and_what_stays_as_often_as_there_is_something_to_take_in() -> None:
    three = [of(0, 1), of(0, 2), of(1, 2)]
    assert chosen(*three) == ([one.id for one in three[:2]], {"n/1.md": "no-room", "n/2.md": "no-room"})
    assert chosen(*three, most=1) == ([three[0].id], {f"n/{n}.md": "no-room" for n in range(3)})


def test_what_was_told_apart_from_one_wording_is_asked_about_beside_another_the_next_night() -> None:
    both = [of(0, 2), of(1, 2)]

    def asked(*declined: Nomination) -> tuple[Nomination, ...]:
        known = {one.id: one.digest for one in declined}
        return choose(both, declined=known, aside=(), fresh=EVERYTHING_OLD, limits=TidyLimits()).asked

    assert asked() == (both[0],)
    assert asked(both[0]) == (both[1],)
    assert asked(*both) == ()


def test_a_statement_that_takes_its_note_with_it_is_asked_about_twice_at_once() -> None:
    alone = MappingTree({f"n/{n}.md": f"# {n}\n\n- {said}\n".encode() for n, said in enumerate(SAID)})
    three = [of(one, other, alone) for one, other in ((0, 1), (0, 2), (1, 2))]
    assert chosen(*three)[0] == [one.id for one in three]


def test_both_sides_of_a_contradiction_are_asked_about_twice() -> None:
    several = [of(0, n, matter=Matter.CONTRADICTION) for n in (1, 2, 4)]
    assert chosen(*several) == ([one.id for one in several[:2]], {"n/0.md": "no-room", "n/4.md": "no-room"})


def test_other_words_are_asked_about_where_somebody_attests_and_nothing_closed_differs() -> None:
    tree = MappingTree(
        {
            "n/a.md": b"# a\n\n- The timeout of orders-api is 30 s.\n",
            "n/b.md": b"# b\n\n- orders-api cuts a stalled caller loose after 30 s.\n",
            "n/c.md": b"# c\n\n- orders-api never cuts a stalled caller loose within 30 s.\n",
        }
    )
    pairs = [pair(tree, "n/a.md", f"n/{name}.md") for name in "bc"]
    for attests, asked in ((False, ()), (True, (pairs[0],))):
        found = choose(
            pairs, declined={}, aside=(), fresh=EVERYTHING_OLD, limits=TidyLimits(nominations=9), attests=attests
        )
        assert found.asked == asked


def test_a_declined_pair_takes_no_place_until_a_side_says_something_else() -> None:
    one = of(0, 1)
    assert (
        choose(
            [one], declined={one.id: one.digest}, aside=(), fresh=EVERYTHING_OLD, limits=TidyLimits(nominations=9)
        ).asked
        == ()
    )
    assert choose(
        [one], declined={one.id: "another"}, aside=(), fresh=EVERYTHING_OLD, limits=TidyLimits(nominations=9)
    ).asked == (one,)
    assert (
        choose([one], declined={}, aside={one.id}, fresh=EVERYTHING_OLD, limits=TidyLimits(nominations=9)).asked == ()
    )
    assert [
        item.id
        for item in choose([one], declined={}, aside=(), fresh=EVERYTHING_OLD, limits=TidyLimits(nominations=0)).items
    ] == [
        "waiting n/0.md",
        "waiting n/1.md",
    ]


def test_a_note_that_waits_is_known_by_its_own_name_and_by_that_of_a_pair() -> None:
    names = ["waiting n/0.md", of(1, 2).id, "n/3.md + n/4.md: 0123abcd", "link n/5.md"]
    assert list(notes_waiting(names)) == ["n/0.md", "n/1.md", "n/2.md"]


def test_how_often_a_statement_may_be_asked_about_is_told() -> None:
    pairs = [of(0, 1), of(0, 2), of(1, 2)]
    asked = [
        len(choose(pairs, declined={}, aside=(), fresh=EVERYTHING_OLD, limits=TidyLimits(of_one=most)).asked)
        for most in (1, 2, 3)
    ]
    assert asked == [2, 2, 3]
