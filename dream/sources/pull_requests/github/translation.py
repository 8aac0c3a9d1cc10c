"""What GitHub calls the parts of a pull request, under the names that a record has. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dream.sources.pull_requests.actors import WEB_EDITOR
from dream.sources.pull_requests.addresses import login_of

_BOT = "[bot]"
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
Record = dict[str, Any]
Node = Mapping[str, Any]


@dataclass(slots=True, kw_only=True)
class Words:
    """Texts of a pull request up to `longest` characters each; `cut` tells whether any was longer."""

    longest: int
    cut: bool = False

    def keep(self, text: object) -> str:
        """Return a text, or its beginning; "" for what is none."""
        if not isinstance(text, str):
            return ""
        if len(text) > self.longest:
            self.cut = True
        return text[: self.longest]


def account(actor: Any) -> Record:
    """Return an account as a record has it; apps bear `[bot]`, null is an account that was deleted."""
    match actor:
        case None:
            return {"login": None}
        case {"__typename": "Bot", "login": str(login)}:
            return {"login": login if login.endswith(_BOT) else f"{login}{_BOT}", "type": "Bot"}
        case {"__typename": str(kind), "login": str(login)}:
            return {"login": login, "type": kind}
        case _:
            return {"login": ""}


def hand(actor: Any) -> Record:
    """Return who wrote a commit: the user that GitHub knows, else the app or account that the address names.

    GitHub names no app there. What an address of GitHub's names without there being such a user is neither a person
    nor an app, for all that is known; another address names nobody.
    """
    match actor:
        case {"user": {"login": str(login)}}:
            return {"login": login, "type": "User"}
        case {"email": str(address)}:
            login = login_of(address)
            kind = "User" if login == WEB_EDITOR else "Bot" if login.endswith(_BOT) else "Unknown"
            return {"login": login, "type": kind} if login else {"login": ""}
        case _:
            return {"login": ""}


def commit(node: Node, words: Words) -> Record:
    """Return one commit."""
    told = node.get("commit")
    told = told if isinstance(told, dict) else {}
    first, *others = _nodes(told.get("authors")) or (told.get("author"),)
    return {
        "sha": told.get("oid"),
        "author": hand(told.get("author") or first),
        "committer": hand(told.get("committer")),
        "co_authors": [hand(other) for other in others],
        "message": words.keep(told.get("message")),
        "parents": [parent.get("oid") for parent in _nodes(told.get("parents"))],
        "date": told.get("committedDate"),
    }


def review(node: Node, words: Words) -> Record:
    """Return one review."""
    return {
        "id": words.keep(node.get("id")),
        "user": account(node.get("author")),
        "association": words.keep(node.get("authorAssociation")),
        "state": words.keep(node.get("state")),
        "body": words.keep(node.get("body")),
        "submitted_at": node.get("submittedAt"),
    }


def comment(node: Node, words: Words) -> Record:
    """Return one comment, on the pull request or in a thread."""
    return {
        "id": words.keep(node.get("id")),
        "user": account(node.get("author")),
        "association": words.keep(node.get("authorAssociation")),
        "body": words.keep(node.get("body")),
        "created_at": node.get("createdAt"),
    }


def thread(node: Node, comments: Sequence[Node], words: Words) -> Record:
    """Return one thread with all its comments."""
    line = node.get("line") or node.get("originalLine")
    return {
        "id": words.keep(node.get("id")),
        "path": words.keep(node.get("path")),
        "line": line if isinstance(line, int) and line > 0 else 0,
        "resolved": node.get("isResolved") is True,
        "hunk": words.keep(comments[0].get("diffHunk")) if comments else "",
        "comments": [comment(one, words) for one in comments],
    }


def event(node: Node, words: Words) -> Record:
    """Return one line of the timeline; kinds that are not known keep GitHub's name."""
    name = words.keep(node.get("__typename")).removesuffix("Event")
    told: Record = {
        "event": _CAPITAL.sub("_", name).lower(),
        "actor": account(node.get("actor")),
        "created_at": node.get("createdAt"),
        "commit_id": _oid(node.get("commit")),
        "before": _oid(node.get("beforeCommit")),
        "after": _oid(node.get("afterCommit")),
    }
    match node.get("closer"):
        case {"oid": str(oid)}:
            told["commit_id"] = oid
        case {"number": int(number), "repository": {"nameWithOwner": str(name)}}:
            told["closer"] = words.keep(f"{name}#{number}")
    return told


def outline(node: Node, repository: str, words: Words) -> Record:
    """Return what a pull request says of itself, its connections left out."""
    state = {"MERGED": "merged", "CLOSED": "closed", "OPEN": "open"}.get(str(node.get("state")))
    if state is None:  # a word that came after this was written
        state = "merged" if node.get("mergedAt") else "closed" if node.get("closedAt") else None
    return {
        "repo": repository,
        "number": node.get("number"),
        "state": state,
        "title": words.keep(node.get("title")),
        "body": words.keep(node.get("body")),
        "html_url": words.keep(node.get("url")),
        "author": account(node.get("author")),
        "branch": words.keep(node.get("headRefName")),
        "head": words.keep(node.get("headRefOid")),
        "base": words.keep(node.get("baseRefName")),
        "labels": labels(node),
        "created_at": node.get("createdAt"),
        "closed_at": node.get("closedAt"),
        "merged_at": node.get("mergedAt"),
        "merged_by": account(node.get("mergedBy")) if state == "merged" else None,
    }


def labels(node: Node) -> list[str]:
    """Return the names of a pull request's labels."""
    return [label["name"] for label in _nodes(node.get("labels")) if isinstance(label.get("name"), str)]


def closed_by(timeline: Sequence[Node]) -> Record | None:
    """Return who closed a pull request last, None where no line of the timeline says so."""
    closings = [node for node in timeline if node.get("__typename") == "ClosedEvent"]
    return account(closings[-1].get("actor")) if closings else None


def _nodes(connection: Any) -> tuple[Node, ...]:
    found = connection.get("nodes") if isinstance(connection, dict) else None
    return tuple(node for node in found if isinstance(node, dict)) if isinstance(found, list) else ()


def _oid(told: Any) -> str:
    return told["oid"] if isinstance(told, dict) and isinstance(told.get("oid"), str) else ""
