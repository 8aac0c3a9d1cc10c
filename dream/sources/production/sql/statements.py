"""Which SELECT may be put to a database, and what is sent in its place: written anew from what was understood. Pure.

One SELECT over one table. Its output is columns of that table and at most one aggregate, under their own names: no
literal, alias, join, set operation or expression reaches it, so that nothing of a question comes back as an answer and
every row is about one thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import TokenType

from dream.sources.production.sql.grammar import aggregate_of, arguments_of, function_of, is_column
from dream.sources.production.sql.selects import Grants, bare, is_star, objections_to

_LONGEST = 4_000
_MOST_TOKENS = 500
_DEEPEST = 12
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_UNREADABLE = (
    ("more than four blanks in a row", re.compile(r"\s{5}")),
    (
        "a backslash or a character that cannot be seen",
        re.compile(r"[\\\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"),
    ),
)
_OPEN, _CLOSED = {TokenType.L_PAREN, TokenType.L_BRACKET}, {TokenType.R_PAREN, TokenType.R_BRACKET}


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A question that may be put: `text` asks for one row more than the `rows` that are kept.

    `keys` are the names of the output's columns, none where those are all of the table's, and of these `computed` are
    no columns. `names` are what the condition fixes by equality. A `summary` always has one row, also of nothing.
    """

    text: str
    table: str
    rows: int
    keys: tuple[str, ...] = ()
    computed: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    summary: bool = False


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a text is no question that may be put."""

    reason: str


def read_statement(text: str, grants: Grants) -> Statement | Objection:
    """Return what may be sent for a text, or why nothing may."""
    try:
        reason = _objection_to_text(text)
        if reason:
            return Objection(reason)
        parsed = sqlglot.parse(text, dialect="postgres")
        if len(parsed) != 1 or parsed[0] is None:
            return Objection("more than one statement")
        return _read(parsed[0], grants)
    except SqlglotError:
        return Objection("no SELECT that can be understood")
    except RecursionError:
        return Objection("a statement that is nested too deep")


def _objection_to_text(text: str) -> str:
    if len(text) > _LONGEST:
        return f"a statement of more than {_LONGEST} characters"
    unreadable = next((reason for reason, found in _UNREADABLE if found.search(text)), "")
    if unreadable:
        return unreadable
    tokens = sqlglot.tokenize(text, dialect="postgres")
    if len(tokens) > _MOST_TOKENS:
        return f"a statement of more than {_MOST_TOKENS} words"
    if not tokens or tokens[0].token_type is not TokenType.SELECT:
        return f"a statement that begins with {tokens[0].text[:20].upper() or 'nothing'}" if tokens else "no statement"
    depth = deepest = 0
    for token in tokens:
        if token.comments:
            return "a comment"
        depth += (token.token_type in _OPEN) - (token.token_type in _CLOSED)
        deepest = max(deepest, depth)
    return f"more than {_DEEPEST} brackets in one another" if deepest > _DEEPEST else ""


def _read(tree: exp.Expr, grants: Grants) -> Statement | Objection:
    wrong = next(objections_to(tree, grants), "")
    if wrong:
        return Objection(wrong)
    for identifier in tree.find_all(exp.Identifier):
        identifier.set("this", identifier.name if identifier.args.get("quoted") else identifier.name.lower())
        identifier.set("quoted", True)  # noqa: FBT003
    for column in tree.find_all(exp.Column):
        column.set("table", None)
        column.set("db", None)
    for table in tree.find_all(exp.Table):
        table.set("db", table.args.get("db") or exp.to_identifier("public", quoted=True))
        table.set("alias", None)
    projected = [exp.Star() if is_star(each) else bare(each) for each in tree.expressions]
    summarised = any(aggregate_of(each) for each in projected)
    where = tree.args.get("where")
    if not (summarised or tree.args.get("group") or is_star(projected[0])):
        # What a row was chosen by belongs to what it says: a line about staging shows that it is.
        projected += [each for each in _conditions_of(where) if each not in projected]
    tree.set("expressions", projected)
    rows = _rows(tree, grants.rows)
    tree.set("limit", exp.Limit(expression=exp.Literal.number(rows + 1)))
    sent = _write(tree)
    again = sqlglot.parse(sent, dialect="postgres")
    if len(again) != 1 or again[0] is None or again[0] != tree or _write(again[0]) != sent:
        return Objection("a statement that reads differently when it is written again")
    table = tree.args["from_"].this
    return Statement(
        text=sent,
        table=f"{table.args['db'].name}.{table.name}",
        rows=rows,
        computed=tuple(_key(each) for each in projected if not (is_column(each) or is_star(each))),
        keys=() if is_star(projected[0]) else tuple(_key(each) for each in projected),
        names=tuple(dict.fromkeys(_names(where.this))) if where else (),
        summary=summarised and not tree.args.get("group"),
    )


def _write(tree: exp.Expr) -> str:
    return tree.sql(dialect="postgres", identify=True, comments=False, normalize_functions=False)


def _rows(select: exp.Expr, most: int) -> int:
    limit = select.args.get("limit")
    return min(int(limit.expression.name), most) if limit else most


def _conditions_of(where: exp.Expr | None) -> Iterator[exp.Column]:
    """Yield the columns of a condition, without those of a SELECT within it."""
    if where is None:
        return
    for column in where.find_all(exp.Column):
        if column.find_ancestor(exp.Select) is where.parent:
            yield column.copy()


def _names(condition: exp.Expr) -> Iterator[str]:
    while type(condition) is exp.Paren:
        condition = condition.this
    if type(condition) is exp.And:
        yield from _names(condition.this)
        yield from _names(condition.expression)
    # Only as people write it, so that whoever reads the question sees what it is that is equal.
    if type(condition) is exp.EQ and is_column(condition.this) and _PLAIN.fullmatch(condition.this.name):
        literal = condition.expression
        if type(literal) is exp.Literal and literal.is_string and literal.name:
            yield literal.name


def _key(node: exp.Expr) -> str:
    if type(node) is exp.Column:
        return node.name
    inner = [node.this] if aggregate_of(node) else arguments_of(node)
    return f"{aggregate_of(node) or function_of(node)}({', '.join(each.name or '*' for each in inner)})"
