"""What a role could do to a database if it were let: each privilege that is more than reading, by its name."""

from __future__ import annotations

from dataclasses import dataclass

import psycopg

_MOST = 20

# Whatever the role is a member of it can become by SET ROLE, so that all of those count as itself. The system's own
# tables are left out: everybody may update the view pg_settings, which only sets what a session has for itself.
_POWERS = """
WITH RECURSIVE me AS (
    SELECT r.oid, r.rolname, r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolreplication, r.rolbypassrls
    FROM pg_catalog.pg_roles AS r
    WHERE pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')
), places AS (
    SELECT n.oid, n.nspname FROM pg_catalog.pg_namespace AS n
    WHERE n.nspname NOT LIKE 'pg\\_%%' AND n.nspname <> 'information_schema'
)
(SELECT 'it is a superuser' AS power FROM me WHERE rolsuper LIMIT 1)
UNION ALL (SELECT 'it has CREATEROLE' FROM me WHERE rolcreaterole LIMIT 1)
UNION ALL (SELECT 'it has CREATEDB' FROM me WHERE rolcreatedb LIMIT 1)
UNION ALL (SELECT 'it has REPLICATION' FROM me WHERE rolreplication LIMIT 1)
UNION ALL (SELECT 'it has BYPASSRLS' FROM me WHERE rolbypassrls LIMIT 1)
UNION ALL (SELECT 'it is a member of ' || rolname FROM me
    WHERE rolname ~ '^pg_' AND rolname NOT IN ('pg_read_all_data', 'pg_read_all_settings', 'pg_read_all_stats',
        'pg_stat_scan_tables', 'pg_monitor', 'pg_use_reserved_connections')
    ORDER BY rolname LIMIT %(most)s)
UNION ALL (SELECT DISTINCT 'CREATE on the database ' || pg_catalog.current_database() FROM me
    WHERE pg_catalog.has_database_privilege(me.oid, pg_catalog.current_database(), 'CREATE') LIMIT 1)
UNION ALL (SELECT DISTINCT 'CREATE on the schema ' || p.nspname FROM places AS p, me
    WHERE pg_catalog.has_schema_privilege(me.oid, p.oid, 'CREATE') LIMIT %(most)s)
UNION ALL (SELECT DISTINCT 'write on the table ' || p.nspname || '.' || c.relname
    FROM pg_catalog.pg_class AS c JOIN places AS p ON p.oid = c.relnamespace, me
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND (
        pg_catalog.has_table_privilege(me.oid, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
        OR pg_catalog.has_any_column_privilege(me.oid, c.oid, 'INSERT, UPDATE, REFERENCES'))
    LIMIT %(most)s)
UNION ALL (SELECT DISTINCT 'USAGE or UPDATE on the sequence ' || p.nspname || '.' || c.relname
    FROM pg_catalog.pg_class AS c JOIN places AS p ON p.oid = c.relnamespace, me
    WHERE c.relkind = 'S' AND pg_catalog.has_sequence_privilege(me.oid, c.oid, 'USAGE, UPDATE')
    LIMIT %(most)s)
UNION ALL (SELECT DISTINCT 'EXECUTE on the function ' || f.proname FROM pg_catalog.pg_proc AS f, me
    WHERE f.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AND f.proname = ANY(%(guarded)s)
        AND pg_catalog.has_function_privilege(me.oid, f.oid, 'EXECUTE')
    LIMIT %(most)s)
"""

# Nobody but a superuser may call these of the system's functions that change something, unless it is granted to them.
GUARDED = (
    "lo_import",
    "lo_export",
    "pg_reload_conf",
    "pg_rotate_logfile",
    "pg_switch_wal",
    "pg_create_restore_point",
    "pg_promote",
    "pg_wal_replay_pause",
    "pg_replication_origin_create",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Who asks, of which server, within what: `powers` are what the role could change, none for one that only reads."""

    role: str
    version: str
    read_only: bool
    powers: tuple[str, ...]


def read_standing(connection: psycopg.Connection) -> Standing:
    """Return what the server says of the role and of the transaction. Raises psycopg.Error."""
    role, version, read_only = connection.execute(
        "SELECT session_user::text, pg_catalog.current_setting('server_version'),"
        " pg_catalog.current_setting('transaction_read_only')"
    ).fetchone() or ("", "", "")
    powers = connection.execute(_POWERS, {"most": _MOST, "guarded": list(GUARDED)}).fetchall()
    return Standing(role=role, version=version, read_only=read_only == "on", powers=tuple(power for (power,) in powers))
