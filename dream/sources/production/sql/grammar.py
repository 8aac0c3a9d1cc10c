"""The part of SQL that a question may be written in: which nodes, with which parts; all else is refused. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

_EVERY: dict[type[exp.Expr], frozenset[str]] = {}
"""Of every node that may stand in a condition, the parts that it may have."""

for _node, _parts in (
    (exp.Column, "this table db"),
    (exp.Identifier, "this quoted"),
    (exp.Literal, "this is_string"),
    (exp.Boolean, "this"),
    (exp.Null, ""),
    (exp.Paren, "this"),
    (exp.And, "this expression"),
    (exp.Or, "this expression"),
    (exp.Not, "this"),
    (exp.EQ, "this expression"),
    (exp.NEQ, "this expression"),
    (exp.GT, "this expression"),
    (exp.GTE, "this expression"),
    (exp.LT, "this expression"),
    (exp.LTE, "this expression"),
    (exp.NullSafeEQ, "this expression"),
    (exp.NullSafeNEQ, "this expression"),
    (exp.Is, "this expression negate"),
    (exp.Between, "this low high negate"),
    (exp.In, "this expressions query negate"),
    (exp.Like, "this expression negate"),
    (exp.ILike, "this expression negate"),
    (exp.Neg, "this"),
    (exp.Add, "this expression"),
    (exp.Sub, "this expression"),
    (exp.Interval, "this unit"),
    (exp.Var, "this"),
    (exp.CurrentTimestamp, ""),
    (exp.CurrentDate, ""),
    (exp.Lower, "this"),
    (exp.Upper, "this"),
    (exp.Length, "this"),
    (exp.Abs, "this"),
    (exp.Coalesce, "this expressions"),
):
    _EVERY[_node] = frozenset(_parts.split())

_SELECT = frozenset({"expressions", "from_", "where", "group", "order", "limit", "distinct"})
_AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
    exp.LogicalAnd: "bool_and",
    exp.LogicalOr: "bool_or",
}
_COUNTED = frozenset({"this", "big_int"})
_FUNCTION = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_NAMES = {
    exp.With: "WITH",
    exp.Into: "SELECT INTO",
    exp.Lock: "FOR UPDATE or FOR SHARE",
    exp.Join: "a join, in which a row is about several things: have a view made of it",
    exp.Alias: "a name for a column, which would stand in the answer",
    exp.Literal: "a literal in a column, which would stand in the answer",
}


def aggregate_of(node: exp.Expr) -> str:
    """Return how an aggregate over one column, or `count(*)`, is called; "" for anything else."""
    name = _AGGREGATES.get(type(node), "")
    argument = node.this
    counts_all = isinstance(node, exp.Count) and type(argument) is exp.Star and not stray_parts(argument, frozenset())
    if not name or stray_parts(node, _COUNTED) or not (counts_all or is_column(argument)):
        return ""
    return name


def is_column(node: exp.Expr) -> bool:
    """Say whether a node is one column, by its name."""
    return type(node) is exp.Column and type(node.this) is exp.Identifier and not stray_parts(node, _EVERY[exp.Column])


def function_of(node: exp.Expr) -> str:
    """Return the name of a called function that is not written as something else, with its schema; "" for none."""
    schema = ""
    if type(node) is exp.Dot and type(node.this) is exp.Identifier:
        schema, node = f"{node.this.name}.", node.expression
    if type(node) is exp.Anonymous:
        called = node.this if isinstance(node.this, str) else ""
    elif isinstance(node, exp.Func) and type(node) not in _EVERY and type(node) not in _AGGREGATES:
        called = node.sql("postgres", comments=False).partition("(")[0]
    else:
        return ""
    name = f"{schema}{called.lower()}"
    return name if all(_FUNCTION.fullmatch(part) for part in name.split(".")) else ""


def arguments_of(node: exp.Expr) -> list[exp.Expr]:
    """Return the arguments of a call that `function_of` has a name for."""
    return list((node.expression if type(node) is exp.Dot else node).iter_expressions())


def stray_parts(node: exp.Expr, allowed: frozenset[str]) -> list[str]:
    """Return the parts of a node beyond the allowed ones that it has."""
    return [key for key, value in node.args.items() if key not in allowed and value not in (None, False, [])]


def objection_to_select(select: exp.Expr) -> str:
    """Return which part of a SELECT may not be there, "" where all may; what is in the parts is not looked at."""
    if type(select) is not exp.Select:
        return describe(select)
    for key in stray_parts(select, _SELECT):
        value = select.args[key]
        return describe(value[0] if isinstance(value, list) else value)
    return ""


def objections(node: exp.Expr, functions: frozenset[str]) -> Iterator[str]:
    """Yield what may not stand in a condition: nodes and parts that the grammar does not have.

    A SELECT within is for the caller to read: `subselects`.
    """
    if type(node) is exp.Subquery and not stray_parts(node, frozenset({"this"})):
        return
    name = function_of(node)
    if name:
        if name not in functions:
            yield f"the function {name}"
        for argument in arguments_of(node):
            yield from objections(argument, functions)
        return
    allowed = _EVERY.get(type(node))
    if allowed is None:
        yield describe(node)
        return
    for part in stray_parts(node, allowed):
        yield f"{part.strip('_')} of {describe(node)}"
    for child in node.iter_expressions():
        yield from objections(child, functions)


def subselects(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the queries that stand in a condition, outermost only."""
    if type(node) is exp.Subquery:
        yield node.this
        return
    for child in node.iter_expressions():
        yield from subselects(child)


def describe(node: object) -> str:
    """Return how a node is called in a refusal."""
    if isinstance(node, exp.Expr):
        name = function_of(node)
        known = next((words for kind, words in _NAMES.items() if type(node) is kind), "")
        if name or known:
            return f"the function {name}" if name else known
        return f"{type(node).__name__} ({node.sql('postgres', comments=False)[:60]})"
    return str(node)[:60]
