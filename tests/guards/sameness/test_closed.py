from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.sameness.closed import closed_difference, matter_of

IN_OTHER_WORDS = [
    ("The timeout of orders-api is 30 s.", "orders-api cuts a stalled caller loose after 30 seconds."),
    ("orders-api belongs to team Falcon.", "orders-api is the business of the Falcon team."),
    ("orders-api listens on port 8080.", "Point your browser at 8080 to talk to orders-api."),
    ("Logs of orders-api are kept for 30 days.", "Whatever orders-api logs stays around for 30 days."),
    ("Logs of orders-api are kept for 30 days.", "You can look 30 days back in what orders-api told."),
    ("orders-api writes 30 days down.", "orders-api jots 30 days down."),
    ("Team Falcon owns orders-api.", "orders-api is owned by team Falcon."),
    ("orders-api rings cart-api.", "cart-api is seldomly rung by orders-api."),
    ("orders-api has a pool of 30 connections.", "orders-api spreads its load over 30 connections."),
    ("orders-api has a pool of 30 connections.", "30 connections is all orders-api has to hand."),
    ("orders-api has a pool of 30 connections.", "30 connections rest prepared in orders-api."),
    ("orders-api listens on port 8080.", "Anybody who wants orders-api goes to 8080."),
    ("orders-api listens on port 8080.", "orders-api welcomes its guests at 8080."),
    ("orders-api listens on port 8080.", "Traffic destined for orders-api lands at 8080."),
    ("orders-api listens on port 8080.", "Curl orders-api at 8080."),
    ("Traces of orders-api are kept for 30 days.", "Footprints of orders-api live 30 days."),
]
ANOTHER_THING = [
    ("the value", "The timeout of orders-api is 30 s.", "orders-api cuts a stalled caller loose after 40 s."),
    ("the unit", "The timeout of orders-api is 30 s.", "orders-api cuts a stalled caller loose after 30 ms."),
    ("the name", "The timeout of orders-api is 30 s.", "cart-api cuts a stalled caller loose after 30 s."),
    ("a name of one word", "Falcon owns orders-api.", "Heron tends orders-api."),
    ("a name within", "We ask team Falcon about orders-api.", "We tell team Heron of orders-api."),
    ("a negation", "orders-api trusts the proxy.", "orders-api does not believe the proxy."),
    ("a prefix", "The export of orders-api is sealed.", "The dump of orders-api is unsealed."),
    ("a quantifier", "orders-api logs all requests.", "orders-api notes requests."),
    ("a bound", "orders-api holds 20 connections.", "orders-api opens up to 20 connections."),
    ("a condition", "orders-api warms its cache.", "orders-api warms its cache if asked."),
    ("a limit", "orders-api warms its cache.", "orders-api only warms its cache."),
    ("an order in time", "orders-api is told before the proxy.", "orders-api hears of it after the proxy."),
    ("how often", "orders-api is dumped daily.", "orders-api is dumped weekly."),
    ("a doubt", "orders-api leaks memory.", "orders-api may leak memory."),
    ("the past", "orders-api was behind the proxy.", "orders-api sits behind the proxy."),
    ("a verb in the past", "orders-api listened on port 80.", "orders-api listens on port 80."),
    ("a plan", "orders-api moves to port 80.", "orders-api will move to port 80."),
    ("an environment", "orders-api in staging wants port 80.", "orders-api in production wants port 80."),
    ("a region", "orders-api wants port 80 in eu-west-1.", "orders-api wants port 80 in us-east-1."),
    ("a state", "The tracing of orders-api is enabled.", "The tracing of orders-api is disabled."),
    ("a state in two words", "Tracing is switched on in orders-api.", "Tracing is turned off in orders-api."),
    ("a state of one side", "orders-api is deprecated.", "orders-api is there."),
    ("a role", "orders-db is the primary.", "orders-db is the replica."),
    ("a direction", "The volume of orders-api increases.", "The volume of orders-api shrinks."),
    ("a right", "Guests are let into orders-api and allowed in.", "Guests are let into orders-api and blocked."),
    ("who does it", "orders-api calls cart-api.", "cart-api rings orders-api."),
    ("who does it, passive", "orders-api rings cart-api.", "orders-api is rung by cart-api."),
    ("what goes where", "orders-api has 5 tries in 10 s.", "orders-api has 10 tries in 5 s."),
    ("what is counted", "orders-api holds 20 threads.", "orders-api holds 20 connections."),
    ("code", "orders-api reads `a.yml`.", "orders-api reads `b.yml`."),
    ("a product", "orders-api trusts redis.", "orders-api trusts memcached."),
    ("a guess at a value", "orders-api wants 20 s.", "orders-api takes around 20 s."),
    ("a day", "orders-api rests on mondays.", "orders-api rests on fridays."),
    ("who does it, turned round", "orders-api belongs to cart-api.", "cart-api belongs to orders-api."),
    ("who does it, both passive", "orders-api is rung by cart-api.", "cart-api is rung by orders-api."),
    ("what it is done by", "orders-api feeds cart-api.", "cart-api is started by hand to feed orders-api."),
    ("where it came from", "orders-api feeds cart-api.", "cart-api is fed by orders-api from billing-db."),
    ("an ability denied", "orders-api can see cart-api.", "orders-api cannot see cart-api."),
    ("an ability and a fact denied", "orders-api can not see it.", "orders-api does not see it."),
    ("the other of two rights", "orders-api reads 5 tables.", "orders-api writes 5 tables."),
    ("the end of it alone", "orders-api offers port 80.", "orders-api has closed port 80."),
    ("more than that", "orders-api warns at a load of 30.", "orders-api warns at a load over 30."),
    ("nobody", "Anybody who asks orders-api is let in.", "Nobody who asks orders-api is let in."),
    ("whose it is", "Kestrel's cart-api rests.", "Heron's cart-api rests."),
    ("a name before a name", "Kestrel cart-api at 80 rests.", "Heron cart-api at 80 rests."),
    ("where it runs", "orders-api in live wants port 80.", "orders-api wants port 80."),
    ("a question", "orders-api rests.", "orders-api takes a rest?"),
]


@pytest.mark.parametrize(("one", "other"), IN_OTHER_WORDS)
def test_ordinary_words_are_not_closed(one: str, other: str) -> None:
    assert closed_difference(one, other) == closed_difference(other, one) == ""
    assert matter_of(one) == matter_of(other) != ()


@pytest.mark.parametrize(
    ("one", "other"), [told[1:] for told in ANOTHER_THING], ids=[told[0] for told in ANOTHER_THING]
)
def test_what_is_closed_tells_two_statements_apart_in_either_order(one: str, other: str) -> None:
    assert closed_difference(one, other)
    assert closed_difference(other, one)


def test_a_statement_that_names_nothing_has_no_matter() -> None:
    assert matter_of("The queue holds 5 workers.") == ()


def test_a_long_text_is_compared_with_nothing() -> None:
    assert closed_difference("orders-api rests. " * 60, "orders-api sleeps.") == "too long to compare"


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_order_of_the_two_decides_nothing(one: str, other: str) -> None:
    assert bool(closed_difference(one, other)) == bool(closed_difference(other, one))
    assert closed_difference(one, one) == ""
