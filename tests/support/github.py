"""A GitHub on loopback: it runs the questions that it is asked against the published schema, and fails as it is told.

with github(GitHubState(repositories={"acme/web": [pull(41)]})) as server:
    GitHub(server.url, TokenLogin(secret=TOKEN))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema, build_schema, graphql_sync
from graphql.type import get_named_type

from tests.support.vendors import Request, Response, VendorServer, of_json, vendor_server

SCHEMA = Path(__file__).parents[1] / "sources" / "pull_requests" / "github" / "schema.graphql"
TOKEN = "t" * 36
APP_TOKEN = "ghs_invented"
NOW = datetime(2026, 11, 29, 4, tzinfo=UTC)
DEVIN = {"__typename": "Bot", "login": "devin-ai-integration"}
DEVINS = "158243242+devin-ai-integration[bot]@users.noreply.github.com"
Node = dict[str, Any]


@cache
def app_key() -> tuple[str, str]:
    """Return the private and the public key of an invented app."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private.decode(), public.decode()


def user(login: str) -> Node:
    """Return a person's account."""
    return {"__typename": "User", "login": login}


def sha(number: int) -> str:
    """Return the id of an invented commit."""
    return f"{number:040x}"


def commit(number: int, login: str = "", *, message: str = "fix", parents: tuple[int, ...] = (), **fields: Any) -> Node:
    """Return a commit of Devin, or of the person `login`, on top of the one before unless told otherwise."""
    hand = (
        {"name": login, "email": f"{login}@acme.example", "user": user(login)}
        if login
        else {"name": "Devin", "email": DEVINS, "user": None}
    )
    return {
        "commit": {
            "oid": sha(number),
            "message": message,
            "committedDate": "2026-11-27T10:00:00Z",
            "author": hand,
            "committer": hand,
            "authors": [hand],
            "parents": [{"__typename": "Commit", "oid": sha(one)} for one in parents or (number - 1,)],
            **fields,
        }
    }


def pull(number: int, *commits: Node, **fields: Any) -> Node:
    """Return a pull request that Devin opened and Ana merged; connections are lists."""
    return {
        "__typename": "PullRequest",
        "id": f"PR_{number}",
        "number": number,
        "state": "MERGED",
        "title": "Fix the queue",
        "body": "It fixes the queue.",
        "url": f"https://github.com/acme/web/pull/{number}",
        "createdAt": "2026-11-26T10:00:00Z",
        "updatedAt": "2026-11-28T11:00:00Z",
        "closedAt": "2026-11-28T10:00:00Z",
        "mergedAt": "2026-11-28T10:00:00Z",
        "headRefName": f"devin/{number}",
        "headRefOid": commits[-1]["commit"]["oid"] if commits else sha(0),
        "baseRefName": "main",
        "author": DEVIN,
        "mergedBy": user("ana"),
        "labels": [],
        "commits": list(commits),
        "reviews": [],
        "comments": [],
        "reviewThreads": [],
        "timelineItems": [],
        **fields,
    }


def remark(number: int, login: str = "ana", body: str = "Keep the name.", **fields: Any) -> Node:
    """Return a comment, or with a `state` a review."""
    return {
        "id": f"C_{number}",
        "body": body,
        "createdAt": "2026-11-28T09:00:00Z",
        "submittedAt": "2026-11-28T09:00:00Z",
        "authorAssociation": "MEMBER",
        "diffHunk": "@@ -1 +1 @@",
        "author": user(login),
        **fields,
    }


def happened(kind: str, login: str = "ana", **fields: Any) -> Node:
    """Return a line of the timeline."""
    return {"__typename": kind, "createdAt": "2026-11-28T10:00:00Z", "actor": user(login), **fields}


@dataclass
class Order:
    """A response in the place of those to the next `times` requests that it fits."""

    response: Response
    fits: Callable[[Request], bool]
    times: int


@dataclass
class GitHubState:
    """What the server has, and how it behaves; a test changes it while it runs."""

    repositories: dict[str, list[Node]] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    """What a repository that was renamed is called now."""
    archived: set[str] = field(default_factory=set)
    comparisons: dict[tuple[str, str], list[Node]] = field(default_factory=dict)
    token: str = TOKEN
    remaining: int = 4_900
    reset_at: str = "2026-11-29T05:00:00Z"
    clock: datetime = NOW
    tokens_given: int = 0
    page_info: Callable[[str, Node], Node] = lambda _name, info: info
    """What becomes of the way to the next page of a connection."""
    replaced: Mapping[bytes, bytes] = field(default_factory=dict)
    """What stands in the place of what in every answer to a question."""
    orders: list[Order] = field(default_factory=list)

    def fail(self, response: Response, *, on: str = "", times: int = 1) -> None:
        """Send `response` instead of answering `on`: an operation, `compare`, `token`, or anything."""
        self.orders.append(Order(response, lambda request: on in {"", asked(request)}, times))

    def answer(self, request: Request) -> Response:
        """Answer one request."""
        for order in self.orders:
            if order.times and order.fits(request):
                order.times -= 1
                return order.response
        path = urlsplit(request.path).path
        if path.endswith("/access_tokens"):
            return self._give_token(request)
        if request.headers.get("authorization") != f"Bearer {self.token}":
            return refusal(401, "Bad credentials", clock=self.clock)
        return self._compare(path) if request.method == "GET" else self._run(request)

    def _give_token(self, request: Request) -> Response:
        signed = request.headers["authorization"].removeprefix("Bearer ")
        claims = jwt.decode(
            signed, app_key()[1], algorithms=["RS256"], options={"verify_exp": False, "verify_iat": False}
        )
        now = self.clock.timestamp()
        if not claims["iat"] <= now <= claims["exp"] <= now + 600:
            return refusal(401, "'Issued at' claim ('iat') must be in the past", clock=self.clock)
        self.tokens_given += 1
        ends = (self.clock + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        return Response(status=201, body=json.dumps({"token": self.token, "expires_at": ends}).encode())

    def _compare(self, path: str) -> Response:
        base, _, head = unquote(path.rpartition("/")[2]).partition("...")
        files = self.comparisons.get((base, head))
        return refusal(404, "Not Found") if files is None else of_json({"files": files, "commits": []})

    def _run(self, request: Request) -> Response:
        result = graphql_sync(
            schema(),
            request.body["query"],
            root_value=_Root(self),
            context_value=self,
            variable_values=request.body["variables"],
            operation_name=request.body["operationName"],
            field_resolver=_resolve,
            type_resolver=lambda value, *_: value["__typename"],
        )
        body: Node = {"data": result.data}
        if result.errors:
            body["errors"] = [
                {"type": (error.extensions or {}).get("type"), "path": error.path, "message": error.message}
                for error in result.errors
            ]
        answer = json.dumps(body).encode()
        for old, new in self.replaced.items():
            answer = answer.replace(old, new)
        return Response(body=answer)


class _Root:
    """What a question may begin with."""

    def __init__(self, state: GitHubState) -> None:
        self._state = state

    def field(self, name: str, given: Mapping[str, Any]) -> Any:
        match name:
            case "rateLimit":
                return {"cost": 1, "remaining": self._state.remaining, "resetAt": self._state.reset_at}
            case "repository":
                return self._repository(f"{given['owner']}/{given['name']}")
            case "node":
                return self._node(given["id"])
            case _:
                return [self._node(key) for key in given["ids"]]

    def _repository(self, name: str) -> Node:
        if name not in self._state.repositories:
            message = f"Could not resolve to a Repository with the name '{name}'."
            raise GraphQLError(message, extensions={"type": "NOT_FOUND"})
        newest = sorted(self._state.repositories[name], key=lambda one: str(one["updatedAt"]), reverse=True)
        return {
            "nameWithOwner": self._state.named.get(name, name),
            "isArchived": name in self._state.archived,
            "pullRequests": newest,
        }

    def _node(self, key: str) -> Any:
        for pulls in self._state.repositories.values():
            for one in pulls:
                if one["id"] == key:
                    return one
                for thread in one["reviewThreads"]:
                    if thread["id"] == key:
                        return {"__typename": "PullRequestReviewThread", **thread}
        return GraphQLError("Could not resolve to a node", extensions={"type": "NOT_FOUND"})


def _resolve(source: Any, info: GraphQLResolveInfo[Any], **given: Any) -> Any:
    value = source.field(info.field_name, given) if isinstance(source, _Root) else source.get(info.field_name)
    if isinstance(value, Exception):
        raise value
    kind = get_named_type(info.return_type).name
    if not kind.endswith("Connection") or not isinstance(value, list):
        return value
    start = int(given.get("after") or 0)
    end = start + given["first"]
    way = {"hasNextPage": end < len(value), "endCursor": str(min(end, len(value)))}
    # as with GitHub, the total of a timeline counts what was not asked for
    total = len(value) + 7 * (kind == "PullRequestTimelineItemsConnection")
    return {
        "nodes": value[start:end],
        "totalCount": total,
        "pageInfo": info.context.page_info(info.field_name, way),
    }


def asked(request: Request) -> str:
    """Return what a request asks for: the name of an operation, `compare` or `token`."""
    if request.path.endswith("/access_tokens"):
        return "token"
    return "compare" if request.method == "GET" else str(request.body["operationName"])


def refusal(status: int, message: str, *, clock: datetime = NOW, **headers: str) -> Response:
    """Return an error as the REST interface words it; names of `headers` with underscores for hyphens."""
    told = {"Content-Type": "application/json", "Date": format_datetime(clock, usegmt=True)}
    told |= {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status=status, body=json.dumps({"message": message}).encode(), headers=told)


@cache
def schema() -> GraphQLSchema:
    """Return the part of GitHub's schema that the packaged query speaks of."""
    return build_schema(SCHEMA.read_text(encoding="utf-8"), assume_valid=True)


@contextmanager
def github(state: GitHubState) -> Iterator[VendorServer]:
    """Serve `state` for as long as the context lasts."""
    with vendor_server(state.answer, card=state.answer) as server:
        yield server
