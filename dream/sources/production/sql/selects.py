"""What may stand in a SELECT over one table: its output, its table, its names and the rest of its parts. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from dream.sources.production.sql.grammar import (
    aggregate_of,
    arguments_of,
    describe,
    function_of,
    is_column,
    objection_to_select,
    objections,
    stray_parts,
    subselects,
)

_LONGEST_IDENTIFIER = 63
_BLANK = re.compile(r"[\t\n]")
_NUMBER = re.compile(r"[0-9]{1,9}")
_SYSTEM = ("pg_", "information_schema")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grants:
    """What a question may use beside what is harmless, and how many `rows` it gets.

    Of `tables` it may read all but the system's, where none is named.
    """

    functions: frozenset[str] = frozenset()
    tables: tuple[str, ...] = ()
    rows: int = 100


def objections_to(select: exp.Expr, grants: Grants) -> Iterator[str]:
    """Yield what a query may not have, for it and for every query in its condition."""
    wrong = objection_to_select(select)
    if wrong:
        yield wrong
        return
    table = select.args["from_"].this if select.args.get("from_") else None
    yield from _objections_to_table(table, grants)
    if not isinstance(table, exp.Table):
        return
    yield from _objections_to_output(select.expressions, grants.functions)
    yield from _objections_to_columns(select, table)
    yield from _objections_to_rest(select)
    where = select.args.get("where")
    if where:
        yield from objections(where.this, grants.functions)
        for inner in subselects(where):
            yield from objections_to(inner, grants)


def _objections_to_table(table: exp.Expr | None, grants: Grants) -> Iterator[str]:
    if type(table) is not exp.Table or type(table.this) is not exp.Identifier:
        yield f"{describe(table)} where one table stands" if table else "a SELECT that reads no table"
        return
    alias = table.args.get("alias")
    if stray_parts(table, frozenset({"this", "db", "alias"})) or (alias and stray_parts(alias, frozenset({"this"}))):
        yield f"more than a table in {describe(table)}"
    schema = _plain(table.args["db"]) if table.args.get("db") else "public"
    name = f"{schema}.{_plain(table.this)}"
    listed = {each if "." in each else f"public.{each}" for each in grants.tables}
    if schema.startswith(_SYSTEM) and name not in listed:
        yield f"the system's table {name}"
    if listed and not listed & {name, f"{schema}.*"}:
        yield f"the table {name}, which is not among the tables of this probe"


def _objections_to_output(projected: list[exp.Expr], functions: frozenset[str]) -> Iterator[str]:
    outputs = [bare(each) for each in projected]
    if not outputs:
        yield "a SELECT of no column"
    if len(outputs) > 1 and any(is_star(each) for each in outputs):
        yield "* beside other columns"
    if sum(bool(aggregate_of(each)) for each in outputs) > 1:
        yield "several aggregates, which may be of several rows, in one answer"
    for each in outputs:
        name = function_of(each)
        if name and name not in functions:
            yield f"the function {name}"
        elif name and not all(is_column(argument) for argument in arguments_of(each)):
            yield f"the function {name} of anything but columns in the answer"
        elif not (name or is_star(each) or is_column(each) or aggregate_of(each)):
            yield describe(each)


def _objections_to_columns(select: exp.Expr, table: exp.Table) -> Iterator[str]:
    own = {_plain(table.this), table.alias and _plain(table.args["alias"].this)}
    for identifier in select.find_all(exp.Identifier):
        name = identifier.name
        if not name or len(name.encode()) > _LONGEST_IDENTIFIER or '"' in name or _BLANK.search(name):
            yield "a name that PostgreSQL would read otherwise"
        elif not identifier.args.get("quoted") and not name.isascii():
            yield f"the name {name} without quotation marks"
    for column in select.find_all(exp.Column):
        if column.find_ancestor(exp.Select) is not select:
            continue
        qualifier = column.args.get("table")
        if column.args.get("catalog") or (qualifier and _plain(qualifier) not in own):
            yield f"{describe(column)}, which is no column of the table that is read"


def _objections_to_rest(select: exp.Expr) -> Iterator[str]:
    group, order, limit, distinct = (select.args.get(key) for key in ("group", "order", "limit", "distinct"))
    if group:
        yield from stray_parts(group, frozenset({"expressions"}))
        yield from (describe(each) for each in group.expressions if not is_column(each))
    if order:
        yield from stray_parts(order, frozenset({"expressions"}))
        for each in order.expressions:
            yield from stray_parts(each, frozenset({"this", "desc", "nulls_first"}))
            if not is_column(each.this) and not aggregate_of(each.this):
                yield describe(each.this)
    if limit and (
        type(limit) is not exp.Limit
        or stray_parts(limit, frozenset({"expression"}))
        or type(limit.expression) is not exp.Literal
        or not _NUMBER.fullmatch(limit.expression.name)
        or int(limit.expression.name) == 0
    ):
        yield describe(limit)
    if distinct and stray_parts(distinct, frozenset()):
        yield "DISTINCT ON"
    where = select.args.get("where")
    if where:
        yield from stray_parts(where, frozenset({"this"}))


def bare(node: exp.Expr) -> exp.Expr:
    """Return what stands within brackets."""
    while type(node) is exp.Paren:
        node = node.this
    return node


def is_star(node: exp.Expr) -> bool:
    """Say whether a node is all columns of the table, none left out or replaced."""
    star = node.this if type(node) is exp.Column else node
    return type(star) is exp.Star and not stray_parts(star, frozenset())


def _plain(identifier: exp.Expr) -> str:
    return identifier.name if identifier.args.get("quoted") else identifier.name.lower()
