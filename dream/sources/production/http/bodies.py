"""What the body of an answer says, as JSON or as text: never a page for people."""

from __future__ import annotations

import re
from typing import Any

from dream.sources.production.fields import json_lines, kept_lines, printable, read_json, text_lines, value_text
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Found, Nothing, Refused
from dream.sources.production.responses import Response
from dream.sources.production.selections import select
from dream.sources.strict_json import BadJSONError

_PAGE = re.compile(
    r"\s*+(?:<!--.{0,100000}?-->\s{0,1000})*+<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_EMPTY: tuple[Any, ...] = ({}, [], "", None)
_FIRST = 1_000


def read_body(response: Response, path: str, names: tuple[str, ...], limits: ProbeLimits) -> Found | Nothing | Refused:
    """Return what a body says: all of it, or with a JSONPath what that selects and the objects around it.

    An empty body, an empty object and a path that selects nothing are Nothing. A page for people is Refused, whatever
    its status says: it is most often one to sign in on.
    """
    text = response.text()
    if text is None or response.kind in _PAGES or _PAGE.match(text[:_FIRST]):
        is_page = text is not None or response.kind in _PAGES
        return Refused("it answers with a page for people" if is_page else "its answer is no text that is read here")
    if not text.strip():
        return Nothing("its answer is empty")
    try:
        value = read_json(response.body)
    except BadJSONError as error:
        if path or _says_json(response):
            return Refused(f"its answer is no JSON: {error}")
        return _text(text, names, limits)
    if value in _EMPTY:
        return Nothing("its answer is empty")
    return _selected(value, path, names, limits) if path else _whole(value, names, limits)


def found(lines: tuple[Any, ...], values: tuple[str, ...], names: tuple[str, ...], limits: ProbeLimits) -> Found:
    """Return an answer within the limits; of values that are too many or too long none is given, rather than a part."""
    kept, cut = kept_lines(lines, limits)
    whole = len(values) <= limits.lines and all(len(value) <= limits.line_characters for value in values)
    return Found(lines=kept, values=values if whole else (), names=names, cut=cut or not whole)


def _says_json(response: Response) -> bool:
    return response.kind == "application/json" or response.kind.endswith("+json")


def _whole(value: Any, names: tuple[str, ...], limits: ProbeLimits) -> Found:
    alone = () if isinstance(value, (dict, list)) else (value_text(value),)
    return found(json_lines(value, limits=limits), alone, names, limits)


def _selected(value: Any, path: str, names: tuple[str, ...], limits: ProbeLimits) -> Found | Nothing | Refused:
    selected = select(value, path, limits=limits)
    if isinstance(selected, Refused):
        return selected
    if not selected.lines:
        return Nothing(f"{printable(path)} selects nothing of its answer")
    given = found(selected.lines, () if selected.cut else selected.values, names, limits)
    return Found(lines=given.lines, values=given.values, names=names, cut=given.cut or selected.cut)


def _text(text: str, names: tuple[str, ...], limits: ProbeLimits) -> Found:
    lines = text_lines(text, limits=limits)
    return found(lines, (text.strip(),) if len(lines) == 1 else (), names, limits)
