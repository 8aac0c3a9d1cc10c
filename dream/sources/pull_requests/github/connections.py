"""The elements of a connection, page after page, and whether these are all that there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.port import Answered, Missing, Platform, Unanswered, Want

_PAGE = 100
_ACCOUNTS = frozenset({"author", "actor", "mergedBy"})
_MAY_BE_NULL = frozenset({"user", "commits", "reviews", "comments", "reviewThreads", "timelineItems", "connection"})
"""Whoever reads these takes null for what is not known."""
UNNAMED = {"__typename": "", "login": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Elements:
    """What a connection gave; `gap` says why it is not all, `unanswered` why the next night may get more."""

    nodes: tuple[Mapping[str, Any], ...] = ()
    gap: str = ""
    unanswered: Unanswered | None = None


def settle(data: Mapping[str, Any], missing: Iterable[Missing]) -> None:
    """Take out of `data` what an error has left half empty, so that no null is read as if it had been said.

    An account that is missing is one that nobody named, not one that was deleted; for anything else the element of
    the innermost list around it goes.
    """
    for part in missing:
        if part.path and part.path[-1] not in _MAY_BE_NULL:
            _settle(data, part.path)


def _settle(data: Any, path: tuple[str | int, ...]) -> None:
    holders = [data]
    for step in path[:-1]:
        try:
            holders.append(holders[-1][step])
        except (KeyError, IndexError, TypeError):
            break
    if len(holders) == len(path) and path[-1] in _ACCOUNTS and isinstance(holders[-1], dict):
        holders[-1][path[-1]] = dict(UNNAMED)
        return
    for holder, step in reversed(list(zip(holders, path, strict=False))):
        if isinstance(holder, list) and isinstance(step, int) and 0 <= step < len(holder):
            holder[step] = None
            return


def read_rest(
    platform: Platform, connection: Any, operation: str, *, of: str, limits: GitHubLimits, counts: bool = True
) -> Elements:
    """Return what `connection` of the node `of` holds, asking for its other pages by `operation`.

    Where its total `counts`, fewer elements than that are a gap.
    """
    nodes: list[Mapping[str, Any]] = []
    cursors: set[str] = set()
    while True:
        page = _page(connection)
        if isinstance(page, str):
            return Elements(nodes=tuple(nodes), gap=page)
        nodes += page.nodes
        if not page.has_more:
            return Elements(nodes=tuple(nodes), gap=_fewer(nodes, page.total) if counts else "")
        if not page.cursor:
            return Elements(nodes=tuple(nodes), gap="its pages end early")
        if page.cursor in cursors:
            return Elements(nodes=tuple(nodes), gap="a page of it comes twice")
        if len(nodes) >= limits.elements:
            return Elements(nodes=tuple(nodes), gap=f"only the first {limits.elements} are read")
        cursors.add(page.cursor)
        answer = _ask_for_less(platform, operation, {"id": of, "after": page.cursor})
        if isinstance(answer, Unanswered):
            return Elements(nodes=tuple(nodes), gap=answer.reason, unanswered=answer)
        settle(answer.data, answer.missing)
        node = answer.data.get("node")
        connection = node.get("connection") if isinstance(node, dict) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page: its elements, and the way to the next."""

    nodes: tuple[Mapping[str, Any], ...]
    has_more: bool
    cursor: str
    total: int | None


def _page(connection: Any) -> Page | str:
    """Return the page that a connection is, or why it is none."""
    match connection:
        case {"nodes": list(nodes), "pageInfo": {"hasNextPage": bool(has_more), **way}}:
            found = tuple(node for node in nodes if isinstance(node, dict))
            if len(found) < len(nodes):
                return "a part of it may not be read"
            cursor, total = way.get("endCursor"), connection.get("totalCount")
            return Page(
                nodes=found,
                has_more=has_more,
                cursor=cursor if isinstance(cursor, str) else "",
                total=total if isinstance(total, int) else None,
            )
        case None:
            return "it may not be read"
        case _:
            return "its page is none"


def _fewer(nodes: list[Mapping[str, Any]], total: int | None) -> str:
    return f"its pages end early, at {len(nodes)} of {total}" if total is not None and len(nodes) < total else ""


def _ask_for_less(platform: Platform, operation: str, variables: Mapping[str, Any]) -> Answered | Unanswered:
    """Ask for a page, and for half of one as long as that is too much."""
    first = _PAGE
    while True:
        answer = platform.ask(operation, {**variables, "first": first})
        if isinstance(answer, Answered) or answer.want is not Want.TOO_MUCH or first == 1:
            return answer
        first //= 2
