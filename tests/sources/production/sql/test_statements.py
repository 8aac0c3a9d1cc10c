"""Which statements may be sent to a database: the first of the layers, with no database at all."""

from __future__ import annotations

import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from dream.sources.production.sql.selects import Grants
from dream.sources.production.sql.statements import Objection, Statement, read_statement

GRANTS = Grants(functions=frozenset({"orders.weight", "round"}), rows=100)


def test_what_is_sent_is_written_anew_with_one_row_more_than_is_kept() -> None:
    text = "select Name, replicas FROM orders.services s WHERE s.name = 'orders-api' AND ('eu-1') = region;"

    assert read_statement(text, GRANTS) == Statement(
        text='SELECT "name", "replicas", "region" FROM "orders"."services"'
        " WHERE \"name\" = 'orders-api' AND ('eu-1') = \"region\" LIMIT 101",
        table="orders.services",
        rows=100,
        keys=("name", "replicas", "region"),
        names=("orders-api",),
    )


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("SELECT * FROM plain LIMIT 5", 'SELECT * FROM "public"."plain" LIMIT 6'),
        ("SELECT s.* FROM services AS s LIMIT 5000", 'SELECT * FROM "public"."services" LIMIT 101'),
        ('SELECT "Mixed Case" FROM "Odd"', 'SELECT "Mixed Case" FROM "public"."Odd" LIMIT 101'),
        ("SELECT user FROM t", 'SELECT "user" FROM "public"."t" LIMIT 101'),
        (
            "SELECT count(*) FROM t WHERE a IS NOT NULL",
            'SELECT COUNT(*) FROM "public"."t" WHERE "a" IS NOT NULL LIMIT 101',
        ),
        (
            "SELECT env, max(load) FROM t GROUP BY env ORDER BY max(load) DESC",
            'SELECT "env", MAX("load") FROM "public"."t" GROUP BY "env" ORDER BY MAX("load") DESC LIMIT 101',
        ),
        (
            "SELECT a FROM t WHERE a NOT IN (1, 2) AND b LIKE 'x%' AND a > now() - interval '1 day'",
            (
                'SELECT "a", "b" FROM "public"."t" WHERE NOT "a" IN (1, 2) AND "b" LIKE \'x%\''
                " AND \"a\" > CURRENT_TIMESTAMP - INTERVAL '1 DAY' LIMIT 101"
            ),
        ),
        (
            "SELECT a FROM t WHERE a = (SELECT max(b) FROM u WHERE u.c = 'd')",
            'SELECT "a" FROM "public"."t" WHERE "a" = (SELECT MAX("b") FROM "public"."u" WHERE "c" = \'d\') LIMIT 101',
        ),
        ("SELECT orders.weight(a) FROM t", 'SELECT "orders".weight("a") FROM "public"."t" LIMIT 101'),
        ("SELECT round(a) FROM t", 'SELECT ROUND("a") FROM "public"."t" LIMIT 101'),
    ],
)
def test_a_select_over_one_table_may_be_sent(text: str, sent: str) -> None:
    read = read_statement(text, GRANTS)

    assert isinstance(read, Statement), read
    assert read.text == sent


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a = 'x'", ("x",)),
        ("a = 'x' AND (b = 'y' AND c = 'x')", ("x", "y")),
        ("'x' = a", ()),
        ("(a) = 'x'", ()),
        ("\"depends-on-service\" = 'x'", ()),
        ("a = 'x' OR b = 'y'", ()),
        ("a = 'x' OR b = 'y' AND c = 'z'", ()),
        ("NOT a = 'x'", ()),
        ("NOT (a = 'x' AND b = 'y')", ()),
        ("a <> 'x' AND a LIKE 'x%' AND a IN ('x')", ()),
        ("a = 'x' AND (b = 'y' OR c = 'z')", ("x",)),
        ("lower(a) = 'x' AND a = 7", ()),
        ("(a = 'x') = (b = 'y')", ()),
        ("a = 'x' IS FALSE", ()),
        ("a IN (SELECT b FROM u WHERE c = 'x')", ()),
    ],
)
def test_only_what_a_condition_fixes_by_equality_is_a_name(text: str, names: tuple[str, ...]) -> None:
    read = read_statement(f"SELECT a FROM t WHERE {text}", GRANTS)  # noqa: S608

    assert isinstance(read, Statement), read
    assert read.names == names


CHANGES = {
    "terminate backend": "SELECT pg_terminate_backend(pid) FROM t",
    "terminate backend by its whole name": "SELECT pg_catalog.pg_terminate_backend(pid) FROM t",
    "terminate backend in a condition": "SELECT a FROM t WHERE pg_terminate_backend(a)",
    "import a large object": "SELECT lo_import('/etc/hostname') FROM t",
    "make a large object": "SELECT a FROM t WHERE a = lo_create(0)",
    "copy to a program": "COPY t TO PROGRAM 'true'",
    "data-changing CTE": "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
    "data-changing CTE in a condition": (
        "SELECT a FROM t WHERE a IN (WITH g AS (DELETE FROM t RETURNING a) SELECT a FROM g)"
    ),
    "insert": "INSERT INTO t VALUES (1)",
    "update": "UPDATE t SET a = 1",
    "merge": "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
    "truncate": "TRUNCATE t",
    "create": "CREATE TABLE u AS SELECT * FROM t",
    "select into": "SELECT a INTO u FROM t",
    "for update": "SELECT a FROM t FOR UPDATE",
    "for share in a condition": "SELECT a FROM t WHERE a IN (SELECT b FROM u FOR SHARE)",
    "lock": "LOCK TABLE t",
    "do": "DO $$BEGIN DELETE FROM t; END$$",
    "call": "CALL change()",
    "set": "SET ROLE postgres",
    "show": "SHOW ALL",
    "explain analyze": "EXPLAIN ANALYZE DELETE FROM t",
    "second statement": "SELECT a FROM t; DELETE FROM t",
    "second statement that is hidden": "SELECT a FROM t WHERE a = 'x\\'; DELETE FROM t; --'",
    "nextval": "SELECT nextval('numbers') FROM t",
    "set_config": "SELECT a FROM t WHERE set_config('a', 'b', false) = a",
    "advisory lock": "SELECT a FROM t WHERE pg_advisory_lock(1) IS NULL",
    "sleep": "SELECT pg_sleep(60) FROM t",
    "dblink": "SELECT * FROM dblink('host=elsewhere', 'SELECT 1') AS x(a int)",
    "read a file": "SELECT pg_read_file('/etc/passwd') FROM t",
    "query_to_xml": "SELECT query_to_xml('DELETE FROM t', true, true, '') FROM t",
    "operator by its name": "SELECT a FROM t WHERE a OPERATOR(evil.=) 1",
    "cast": "SELECT a FROM t WHERE b = 'pg_authid'::regclass",
    "quoted function": 'SELECT "pg_sleep"(1) FROM t',
    "function of the schema of an allowed one": "SELECT orders.change(a) FROM t",
    "allowed function of another schema": "SELECT evil.round(a) FROM t",
}


@pytest.mark.parametrize("text", CHANGES.values(), ids=CHANGES)
def test_what_could_change_anything_is_not_sent(text: str) -> None:
    assert isinstance(read_statement(text, GRANTS), Objection)


ECHOES = {
    "literal": "SELECT 7 FROM t",
    "text": "SELECT a, 'orders-api has 7' FROM t",
    "alias": "SELECT replicas AS payments_api FROM t",
    "alias without AS": 'SELECT replicas "payments-api" FROM t',
    "names of columns of a table": "SELECT x FROM t AS t(x)",
    "CASE": "SELECT CASE WHEN a = 1 THEN 7 END FROM t",
    "COALESCE": "SELECT coalesce(a, 'orders-api') FROM t",
    "concatenation": "SELECT a || 'x' FROM t",
    "concat": "SELECT concat(a, 'x') FROM t",
    "arithmetic": "SELECT a + 7 FROM t",
    "arithmetic of columns": "SELECT a - a FROM t",
    "aggregate of a literal": "SELECT max(7) FROM t",
    "count of a literal": "SELECT count(7) FROM t",
    "allowed function of a literal": "SELECT orders.weight(7) FROM t",
    "UNION": "SELECT a FROM t UNION SELECT b FROM u",
    "VALUES": "SELECT * FROM (VALUES ('orders-api', 7)) AS v(name, replicas)",
    "CTE": "WITH v AS (SELECT 7 AS a) SELECT a FROM v",
    "subquery for a table": "SELECT a FROM (SELECT 7 AS a) AS q",
    "subquery for a column": "SELECT (SELECT 7) FROM t",
    "LATERAL": "SELECT x FROM t, LATERAL (SELECT 7 AS x) AS q",
    "series": "SELECT * FROM generate_series(7, 7)",
    "unnest": "SELECT * FROM unnest(ARRAY['x'])",
    "array": "SELECT ARRAY[a, 'x'] FROM t",
    "row": "SELECT ROW(a, 'x') FROM t",
    "interval": "SELECT interval '7 days' FROM t",
    "the user": "SELECT current_user FROM t",
    "time": "SELECT now() FROM t",
    "boolean": "SELECT a = 'x' FROM t",
    "filter": "SELECT count(*) FILTER (WHERE a = 'x') FROM t",
    "key of a document": "SELECT a ->> 'orders-api' FROM t",
    "string_agg": "SELECT string_agg(a, 'x') FROM t",
}


@pytest.mark.parametrize("text", ECHOES.values(), ids=ECHOES)
def test_nothing_of_a_question_comes_back_as_its_answer(text: str) -> None:
    assert isinstance(read_statement(text, GRANTS), Objection)


MIXTURES = {
    "join": "SELECT a.name, b.replicas FROM s AS a JOIN s AS b ON a.team = b.team WHERE a.name = 'orders-api'",
    "cross join": "SELECT a.name, b.replicas FROM s AS a, s AS b",
    "two aggregates": "SELECT min(name), max(replicas) FROM s",
    "array of all": "SELECT array_agg(name) FROM s",
    "correlation": "SELECT name FROM s WHERE replicas = (SELECT max(u.a) FROM u WHERE u.b = s.name)",
    "window": "SELECT name, max(replicas) OVER () FROM s",
    "column of another": "SELECT pg_class.relname FROM s",
}


@pytest.mark.parametrize("text", MIXTURES.values(), ids=MIXTURES)
def test_no_row_is_about_several_things(text: str) -> None:
    assert isinstance(read_statement(text, GRANTS), Objection)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no statement"),
        ("SELECT a /* why */ FROM t", "a comment"),
        ("SELECT a -- why\nFROM t", "a comment"),
        ("SELECT a FROM t WHERE b = E'x'", "ByteString (e'x')"),
        ("SELECT a FROM t WHERE b = $$x$$", "RawString ('x')"),
        ("SELECT a FROM t WHERE b = U&'x'", "UnicodeString (U&'x')"),
        ("SELECT a FROM t WHERE b = 'x\\y'", "a backslash or a character that cannot be seen"),
        ("SELECT a FROM t WHERE b = 'x\u202ey'", "a backslash or a character that cannot be seen"),
        ("SELECT a FROM t WHERE b = 'x\x00'", "a backslash or a character that cannot be seen"),
        ("SELECT a FROM t WHERE " + "(" * 13 + "a" + ")" * 13, "more than 12 brackets in one another"),
        ("SELECT a FROM t WHERE " + "NOT " * 450 + "a", "a statement that is nested too deep"),
        ("SELECT a FROM t WHERE " + "a AND " * 300 + "a", "a statement of more than 500 words"),
        ("SELECT a FROM t WHERE b = '" + "x" * 4000 + "'", "a statement of more than 4000 characters"),
        ("SELECT a FROM t WHERE b = $1", "Parameter ($1)"),
        ("SELECT a FROM t WHERE b = %s", "Placeholder (%s)"),
        ("SELECT a FROM other.place.t", "more than a table in Table (other.place.t)"),
        ("SELECT a FROM pg_catalog.pg_authid", "the system's table pg_catalog.pg_authid"),
        ("SELECT a FROM PG_CATALOG.pg_authid", "the system's table pg_catalog.pg_authid"),
        ('SELECT a FROM "information_schema".tables', "the system's table information_schema.tables"),
        ("SELECT " + "a" * 64 + " FROM t", "a name that PostgreSQL would read otherwise"),
        ('SELECT "a""b" FROM t', "a name that PostgreSQL would read otherwise"),
        ("SELECT é FROM t", "the name é without quotation marks"),
        ("SELECT a FROM t WHERE a     = 'x'", "more than four blanks in a row"),
        ("SELECT a FROM t LIMIT 0", "Limit (LIMIT 0)"),
        ("SELECT a FROM t LIMIT 5 OFFSET 3", "Offset (OFFSET 3)"),
    ],
)
def test_a_refusal_names_what_is_wrong(text: str, reason: str) -> None:
    assert read_statement(text, GRANTS) == Objection(reason)


@pytest.mark.parametrize(
    ("tables", "text", "allowed"),
    [
        (("orders.services",), "SELECT a FROM orders.services", True),
        (("orders.services",), "SELECT a FROM orders.secrets", False),
        (("orders.services",), "SELECT a FROM services", False),
        (("orders.services",), "SELECT a FROM orders.services WHERE a IN (SELECT b FROM orders.secrets)", False),
        (("orders.*",), "SELECT a FROM orders.secrets", True),
        (("services",), "SELECT a FROM public.services", True),
        (("pg_catalog.pg_class",), "SELECT relname FROM pg_catalog.pg_class", True),
        (("pg_catalog.*",), "SELECT rolname FROM pg_catalog.pg_authid", False),
    ],
)
def test_where_tables_are_named_no_other_is_read(tables: tuple[str, ...], text: str, *, allowed: bool) -> None:
    assert isinstance(read_statement(text, Grants(tables=tables)), Statement) is allowed


WORDS = """
SELECT FROM WHERE a b t s.t * ( ) , . ; 'x' 7 = <> AND OR NOT IN LIKE IS NULL max( count(*) round( lower( GROUP BY ORDER
LIMIT 5 DISTINCT AS x JOIN ON UNION WITH DELETE RETURNING INTO FOR UPDATE :: int || + - [ ] CASE WHEN THEN END EXISTS
VALUES pg_sleep( now() interval
"""
some_words = st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join)


@given(some_words.map("SELECT a FROM t ".__add__) | some_words | st.text(max_size=60))
def test_whatever_is_asked_only_one_select_of_columns_is_sent(text: str) -> None:
    read = read_statement(text, GRANTS)

    if isinstance(read, Statement):
        (tree,) = sqlglot.parse(read.text, dialect="postgres")
        assert type(tree) is exp.Select
        assert not list(tree.find_all(exp.DML, exp.DDL, exp.Command, exp.Into, exp.Lock, exp.Join, exp.With))
        assert not [literal for output in tree.expressions for literal in output.find_all(exp.Literal)]
        assert read_statement(read.text, Grants(functions=GRANTS.functions, rows=read.rows)) == read


@given(some_words)
def test_any_output_that_is_sent_holds_no_literal(words: str) -> None:
    read = read_statement(f"SELECT {words} FROM t", GRANTS)  # noqa: S608

    if isinstance(read, Statement):
        (tree,) = sqlglot.parse(read.text, dialect="postgres")
        assert type(tree) is exp.Select
        assert not [literal for output in tree.expressions for literal in output.find_all(exp.Literal, exp.Alias)]
