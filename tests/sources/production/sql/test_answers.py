"""What a database says, as lines, values and names."""

from __future__ import annotations

import pytest

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Found, Line, Nothing, Refused
from dream.sources.production.sql.probe import SqlProbe, SqlSource
from tests.support.postgres import PASSWORD, Postgres


def probe(postgres: Postgres, *, rows: int = 100, limits: ProbeLimits | None = None) -> SqlProbe:
    source = SqlSource(name="orders-db", url=postgres.url("reader"), rows=rows, internal=True)
    return SqlProbe(source, secret=PASSWORD, limits=limits)


def test_a_row_is_a_line_about_what_the_question_fixed(postgres: Postgres) -> None:
    asked = probe(postgres).ask("select", "SELECT replicas FROM orders.services WHERE name = 'orders-api'")

    assert asked == Found(
        lines=(
            Line(
                text='orders.services: replicas=7 name="orders-api"',
                fields=(("replicas", "7"), ("name", "orders-api")),
            ),
        ),
        values=("7",),
        names=("orders-api",),
    )


def test_a_line_shows_by_what_its_row_was_chosen(postgres: Postgres) -> None:
    asked = probe(postgres).ask("select", "SELECT replicas FROM orders.services WHERE env <> 'production'")

    assert asked == Found(
        lines=(Line(text='orders.services: replicas=1 env="staging"', fields=(("replicas", "1"), ("env", "staging"))),),
        values=("1",),
    )


def test_cells_of_every_type_are_written_in_one_way(postgres: Postgres) -> None:
    asked = probe(postgres).ask("select", "SELECT * FROM orders.services WHERE name = 'orders-api'")

    assert isinstance(asked, Found)
    assert [line.text for line in asked.lines] == [
        (
            'orders.services: name="orders-api" env="production" replicas=7 load=0.50 up=true'
            ' since="2026-03-01 08:00:00+00" tags="{web,eu}" key="\\\\x00ff" note=null'
        ),
        'orders.services.orders-api.config: region="eu-1"',
        'orders.services.orders-api.config.limits: memory="512Mi"',
    ]


def test_what_is_not_a_number_or_breaks_a_line_stays_on_its_line(postgres: Postgres) -> None:
    asked = probe(postgres).ask(
        "select", "SELECT load, up, config, note FROM orders.services WHERE name = 'payments-api'"
    )

    assert isinstance(asked, Found)
    assert [line.text for line in asked.lines] == [
        'orders.services: load="NaN" up=false config=[] note="two\\nlines" name="payments-api"'
    ]


def test_a_cell_of_half_a_megabyte_is_cut_and_is_no_value(postgres: Postgres) -> None:
    asked = probe(postgres).ask("select", "SELECT note, replicas FROM orders.services WHERE name = 'search-api'")

    assert isinstance(asked, Found)
    assert asked.cut
    assert asked.values == ()
    assert [len(line.text) for line in asked.lines] == [500, 45]
    assert asked.lines[1] == Line(
        text='orders.services: replicas=1 name="search-api"', fields=(("replicas", "1"), ("name", "search-api"))
    )


def test_a_table_of_many_rows_costs_no_more_than_those_that_are_kept(postgres: Postgres) -> None:
    asked = probe(postgres, rows=3).ask("select", "SELECT name FROM orders.many ORDER BY id")

    assert isinstance(asked, Found)
    assert asked.values == ("job-1", "job-2", "job-3")
    assert asked.cut


def test_a_limit_that_left_rows_out_shows_as_a_cut(postgres: Postgres) -> None:
    one = probe(postgres).ask("select", "SELECT name FROM orders.services ORDER BY name LIMIT 1")
    all_three = probe(postgres).ask("select", "SELECT name FROM orders.services ORDER BY name LIMIT 3")

    assert isinstance(one, Found)
    assert isinstance(all_three, Found)
    assert (one.values, one.cut) == (("orders-api",), True)
    assert (all_three.values, all_three.cut) == (("orders-api", "payments-api", "search-api"), False)


def test_an_answer_ends_with_the_bytes_that_it_may_have(postgres: Postgres) -> None:
    few = probe(postgres, limits=ProbeLimits(output_bytes=100)).ask(
        "select", "SELECT name FROM orders.many ORDER BY id"
    )
    none = probe(postgres, limits=ProbeLimits(output_bytes=20)).ask(
        "select", "SELECT note FROM orders.services WHERE name = 'search-api'"
    )

    assert isinstance(few, Found)
    assert few.values[-1] == "job-18"
    assert few.cut
    assert none == Refused("a row of orders.services is larger than an answer may be")


def test_an_aggregate_is_known_by_what_it_is_of(postgres: Postgres) -> None:
    asked = probe(postgres).ask("select", "SELECT env, max(replicas) FROM orders.services GROUP BY env ORDER BY env")

    assert isinstance(asked, Found)
    assert [line.text for line in asked.lines] == [
        'orders.services: env="production" "max(replicas)"=7',
        'orders.services: env="staging" "max(replicas)"=1',
    ]
    assert [line.fields for line in asked.lines] == [(("env", "production"),), (("env", "staging"),)]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT name FROM orders.services WHERE name = 'orders_api'",
        "SELECT count(*) FROM orders.services WHERE name = 'orders_api'",
        "SELECT max(replicas) FROM orders.services WHERE name = 'orders_api'",
        "SELECT count(note) FROM orders.services WHERE name = 'orders-api'",
    ],
)
def test_nothing_there_is_never_a_value(postgres: Postgres, text: str) -> None:
    assert isinstance(probe(postgres).ask("select", text), Nothing)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT name FROM orders.nope", 'relation "orders.nope" does not exist'),
        ("SELECT nope FROM orders.services WHERE name = 'planted'", 'column "nope" does not exist'),
        ("SELECT name FROM orders.services WHERE replicas = 'planted'", "InvalidTextRepresentation (22P02)"),
        ("SELECT user FROM orders.services", 'column "user" does not exist'),
        ("SELECT services.weight FROM orders.services", 'column "weight" does not exist'),
        ("SELECT rolname FROM pg_roles", 'relation "public.pg_roles" does not exist'),
    ],
)
def test_what_the_server_will_not_read_is_refused_without_what_was_compared(
    postgres: Postgres, text: str, reason: str
) -> None:
    assert probe(postgres).ask("select", text) == Refused(f"127.0.0.1:{postgres.port}: {reason}")


@pytest.mark.parametrize(
    ("operation", "text", "objection"),
    [
        ("select", "SELECT name FROM orders.services", ""),
        (
            "select",
            "DELETE FROM orders.services",
            "the probe takes no such question: a statement that begins with DELETE",
        ),
        ("drop\n", "", "there is no operation drop\\n; it has select"),
    ],
)
def test_an_objection_needs_no_server(operation: str, text: str, objection: str) -> None:
    nowhere = SqlProbe(SqlSource(name="orders-db", url="postgresql://reader@127.0.0.1:9/orders", internal=True))

    assert nowhere.objection(operation, text) == objection
