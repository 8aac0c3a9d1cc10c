from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from dream.errors import FatalError
from dream.models.budget import Budget, Spent
from dream.models.ledger import Ledger, Reservation, Row
from dream.models.port import Reason, Role, Unanswered, Usage
from dream.models.prices import Price, PriceTable
from tests.models.answering import said

ONE = Decimal(1)
TABLE = PriceTable(prices={"openai/test": Price(input=ONE, cached=ONE, cache_written=ONE, output=ONE)})
CALL = Usage(input=80, output=20, calls=1)


def ledger(budget: Budget | None = None, **told: object) -> Ledger:
    return Ledger(budget or Budget(), TABLE, **told)  # type: ignore[arg-type]


def reserved(book: Ledger, usage: Usage = CALL, *, model: str = "openai/test", now: float = 0.0) -> Reservation:
    room = book.reserve(model, usage, now=now)
    assert isinstance(room, Reservation), room
    return room


def test_what_a_call_took_stands_in_the_place_of_what_was_reserved_for_it() -> None:
    book = ledger()
    room = reserved(book)
    assert book.spent(now=0) == Spent(tokens=100, dollars=Decimal("0.0001"), calls=1)
    book.charge(room, Usage(input=10, output=5, calls=2), now=7.5)
    assert book.spent(now=100) == Spent(tokens=15, dollars=Decimal("0.000015"), calls=2, seconds=7.5)


def test_a_call_for_which_there_is_no_room_does_not_begin() -> None:
    book = ledger(Budget(tokens=150))
    reserved(book)
    assert book.reserve("openai/test", CALL, now=0) == (
        "the ceiling of 150 tokens a night leaves no room for another question"
    )
    assert book.spent(now=0).calls == 1


def test_calls_under_way_at_once_share_the_same_room() -> None:
    book = ledger(Budget(calls=10))
    with ThreadPoolExecutor(8) as pool:
        rooms = list(pool.map(lambda _: book.reserve("openai/test", CALL, now=0), range(40)))
    assert sum(isinstance(room, Reservation) for room in rooms) == 10


def test_a_model_without_a_price_is_held_by_the_other_ceilings() -> None:
    book = ledger(Budget(dollars=Decimal(0), calls=1))
    book.charge(reserved(book, model="openai/unknown"), CALL, now=0)
    assert book.spent(now=0) == Spent(tokens=100, calls=1)
    assert str(book.reserve("openai/unknown", CALL, now=0)).startswith("the ceiling of 1 calls")


def test_time_counts_while_an_answer_is_waited_for_and_once_for_answers_at_once() -> None:
    book = ledger(Budget(seconds=60))
    first, second = reserved(book, now=100), reserved(book, now=110)
    book.charge(first, CALL, now=120)
    assert book.spent(now=125).seconds == 25
    book.charge(second, CALL, now=130)
    assert book.spent(now=1_000).seconds == 30
    book.charge(reserved(book, now=2_000), CALL, now=2_030)
    assert str(book.reserve("openai/test", CALL, now=3_000)).startswith("the ceiling of 1 minutes")


def test_waits_between_calls_count_as_time() -> None:
    book = ledger(Budget(seconds=60))
    book.charge(reserved(book, now=0), CALL, now=10)
    book.wait(50)
    assert str(book.reserve("openai/test", CALL, now=60)).startswith("the ceiling of 1 minutes")


def test_a_night_that_runs_again_goes_on_from_what_it_had_spent() -> None:
    book = ledger(Budget(calls=3), before=Spent(calls=2))
    reserved(book)
    assert isinstance(book.reserve("openai/test", CALL, now=0), str)


def test_what_is_spent_is_written_down_before_each_call_and_after_it() -> None:
    written: list[Spent] = []
    book = ledger(keep=written.append)
    book.charge(reserved(book), Usage(input=1, calls=1), now=2)
    assert written == [
        Spent(tokens=100, dollars=Decimal("0.0001"), calls=1),
        Spent(tokens=1, dollars=Decimal("0.000001"), calls=1, seconds=2),
    ]


def test_no_call_begins_that_cannot_be_written_down() -> None:
    def full(_: Spent) -> None:
        message = "the disk is full"
        raise FatalError(message)

    book = ledger(keep=full)
    assert book.reserve("openai/test", CALL, now=0) == "what is spent cannot be written down"
    assert book.spent(now=0) == Spent()


def test_questions_are_counted_by_task_and_role_with_how_they_ended() -> None:
    book = ledger()
    book.note("distil", Role.JUDGE, "openai/b", said())
    book.note("distil", Role.DREAMER, "openai/a", said(), kept=True)
    book.note("distil", Role.DREAMER, "openai/a", Unanswered(reason=Reason.REFUSED, usage=Usage(input=4, calls=1)))
    book.note("daily_note", Role.DREAMER, "openai/a", Unanswered(reason=Reason.STOPPED))
    assert book.rows("distil") == (
        Row(
            task="distil",
            role=Role.DREAMER,
            model="openai/a",
            questions=2,
            kept=1,
            usage=Usage(input=14, output=2, calls=2),
            unanswered={Reason.REFUSED: 1},
        ),
        Row(task="distil", role=Role.JUDGE, model="openai/b", questions=1, usage=Usage(input=10, output=2, calls=1)),
    )
    assert [row.answered for row in book.rows()] == [0, 1, 1]


@given(calls=st.lists(st.tuples(st.integers(0, 3_000), st.integers(0, 3_000), st.booleans()), min_size=1, max_size=30))
def test_no_sequence_of_calls_goes_further_beyond_a_ceiling_than_one_call_took_more_than_expected(
    calls: list[tuple[int, int, bool]],
) -> None:
    budget = Budget(tokens=10_000)
    book = ledger(budget)
    open_rooms: list[tuple[Reservation, int]] = []
    excess = 0
    for expected, took, ends in calls:
        room = book.reserve("openai/test", Usage(input=expected, calls=1), now=0)
        if isinstance(room, Reservation):
            open_rooms.append((room, took))
            excess += max(took - expected, 0)
        if ends and open_rooms:
            done, paid = open_rooms.pop()
            book.charge(done, Usage(input=paid, calls=1), now=0)
    for done, paid in open_rooms:
        book.charge(done, Usage(input=paid, calls=1), now=0)
    assert book.spent(now=0).tokens <= budget.tokens + excess
