"""Rows of a database as lines: one for the plain cells of each, and one for each object within a cell of JSON. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jiter

from dream.sources.production.fields import json_lines, read_json, way_text
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Line
from dream.sources.strict_json import BadJSONError

_NUMBERS = frozenset({20, 21, 23, 26, 700, 701, 1700})
_BOOLEAN = 16
_DOCUMENTS = frozenset({114, 3802})
_NUMBER = re.compile(r"-?[0-9]{1,1000}(?:\.[0-9]{1,1000})?(?:e[+-]?[0-9]{1,4})?")
_DOCUMENT_CHARACTERS = 20_000
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of an answer: its name, and the number of its type; one that is `computed` the question made itself."""

    name: str
    type: int
    computed: bool = False


def characters_of(column: Column, limits: ProbeLimits) -> int:
    """Return how many characters of a cell are asked for: one more than are shown, so that a cut is seen."""
    most = _DOCUMENT_CHARACTERS if column.type in _DOCUMENTS else limits.line_characters
    return min(most, limits.output_bytes) + 1


def row_lines(table: str, columns: Sequence[Column], row: Sequence[str | None], limits: ProbeLimits) -> Iterator[Line]:
    """Yield the lines of one row: `orders.services: name="orders-api" replicas=7`, then what its documents hold.

    The path of a document begins with the row's first text, by which it is known. What is computed is no field, as the
    question chose what it is of.
    """
    cells = {column.name: _cell(column, cell) for column, cell in zip(columns, row, strict=True)}
    computed = {column.name for column in columns if column.computed}
    documents = {name: cell for name, cell in cells.items() if isinstance(cell, dict | list) and cell}
    plain = {name: cell for name, cell in cells.items() if name not in documents}
    for line in json_lines(plain, table, limits=limits):
        yield Line(text=line.text, fields=tuple(each for each in line.fields if each[0] not in computed))
    called = next((cell for cell in plain.values() if isinstance(cell, str) and len(cell) <= _LONGEST_NAME), "")
    root = way_text((called,), table) if called else table
    for name, document in documents.items():
        yield from json_lines({name: document}, root, limits=limits)


def cell_values(column: Column, cells: Iterable[str | None], limits: ProbeLimits) -> tuple[str, ...]:
    """Return the cells of a column to be compared: those that are there, and whole."""
    most = characters_of(column, limits)
    return tuple(cell for cell in cells if cell is not None and len(cell) < most)


def _cell(column: Column, cell: str | None) -> Any:
    if cell is None:
        return None
    if column.type == _BOOLEAN:
        return cell == "true"
    if column.type in _NUMBERS and _NUMBER.fullmatch(cell):
        return jiter.from_json(cell.encode(), float_mode="lossless-float")
    if column.type in _DOCUMENTS:
        try:
            return read_json(cell.encode())
        except BadJSONError:
            return cell
    return cell
