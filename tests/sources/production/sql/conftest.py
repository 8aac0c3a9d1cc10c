"""One PostgreSQL for the tests of a session, with what an invented shop runs in it and roles of three kinds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.postgres import Postgres, find_postgres, run_postgres

_SHOP = """
CREATE SCHEMA orders;
CREATE TABLE orders.services (
    name text PRIMARY KEY, env text, replicas int, load numeric, up boolean, since timestamptz, tags text[],
    config jsonb, key bytea, note text
);
INSERT INTO orders.services VALUES
    ('orders-api', 'production', 7, 0.50, true, '2026-03-01 10:00+02', '{web,eu}',
        '{"region": "eu-1", "limits": {"memory": "512Mi"}}', '\\x00ff', NULL),
    ('payments-api', 'production', 3, 'NaN', false, NULL, '{}', '[]', NULL, E'two\\nlines'),
    ('search-api', 'staging', 1, 1e20, true, 'infinity', NULL, NULL, NULL, repeat('long ', 100000));
CREATE TABLE public.plain (id int, "Mixed Case" text);
INSERT INTO public.plain VALUES (1, 'one');
CREATE TABLE orders.many AS SELECT g AS id, 'job-' || g AS name FROM generate_series(1, 300000) AS g;
CREATE VIEW orders.slow AS SELECT name, pg_sleep(60)::text AS waited FROM orders.services;
CREATE SEQUENCE orders.numbers;
CREATE FUNCTION orders.weight(services int) RETURNS int LANGUAGE sql AS 'SELECT services * 2';
CREATE ROLE reader LOGIN PASSWORD 'invented';
CREATE ROLE writer LOGIN PASSWORD 'invented';
GRANT USAGE ON SCHEMA orders TO reader, writer;
GRANT SELECT ON ALL TABLES IN SCHEMA orders, public TO reader, writer;
GRANT INSERT ON orders.services TO writer;
"""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server whose superuser is `postgres`, with a role `reader` and one `writer` that may insert."""
    programs = find_postgres()
    if programs is None:
        pytest.skip("PostgreSQL is not here: apt-get install postgresql")
    with run_postgres(programs) as running:
        running.run(_SHOP)
        yield running
