"""A web server as a probe: the answers, status codes and headers of the GETs that its patterns allow."""

from __future__ import annotations

from dataclasses import dataclass

from dream.sources.production.fields import json_lines
from dream.sources.production.http.bodies import found, read_body
from dream.sources.production.http.questions import Question, is_allowed, read_question
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.networks import Resolve
from dream.sources.production.operations import no_operation
from dream.sources.production.port import Answer, Nothing, Operation, Proof, Refused
from dream.sources.production.responses import Response, absence_of, failure_of
from dream.sources.production.selections import objection_to_path
from dream.sources.production.web import Web

_OPERATIONS = (
    Operation(
        name="get",
        form="/services/orders-api $.replicas",
        meaning="what stands at a path, of JSON with a JSONPath what that selects",
    ),
    Operation(name="status", form="/services/orders-api", meaning="the status code of a path"),
    Operation(name="header", form="/services/orders-api X-Version", meaning="one header of the answer of a path"),
)
_SECRET_HEADERS = frozenset({"set-cookie", "set-cookie2", "authorization", "www-authenticate", "authentication-info"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSource:
    """A server that answers GET below `url`, where one of `paths` allows it; of headers only `headers` are shown."""

    name: str
    url: str
    paths: tuple[str, ...] = ("/*",)
    headers: tuple[str, ...] = ()
    credential_header: str = "Authorization"
    internal: bool = False


class HttpProbe:
    """A web server that is only ever asked with GET; as any probe, it raises nothing."""

    def __init__(
        self,
        source: HttpSource,
        *,
        secret: str = "",
        limits: ProbeLimits | None = None,
        resolve: Resolve | None = None,
    ) -> None:
        """Take a server; `secret` is sent to it as a bearer token, or as it is in a header of another name."""
        self._source = source
        self._limits = limits or ProbeLimits()
        self._shown = frozenset(header.lower() for header in source.headers) - _SECRET_HEADERS
        self._has_secret = bool(secret)
        bearer = source.credential_header.lower() == "authorization"
        sent = {source.credential_header: f"Bearer {secret}" if bearer else secret} if secret else {}
        self._web = Web(source.url, headers=sent, internal=source.internal, limits=self._limits, resolve=resolve)

    @property
    def name(self) -> str:
        """How the organisation calls it."""
        return self._source.name

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The answer, the status and, where any may be shown, a header of a path."""
        return _OPERATIONS if self._shown else _OPERATIONS[:-1]

    def objection(self, operation: str, text: str) -> str:
        """Return why a question may not be put, "" where it may."""
        question = self._read(operation, text)
        return question if isinstance(question, str) else ""

    def ask(self, operation: str, text: str) -> Answer:
        """Return what the server says of a path."""
        question = self._read(operation, text)
        if isinstance(question, str):
            return Refused(question)
        response = self._web.get(question.path, question.query, with_body=operation == "get")
        if not isinstance(response, Response):
            return response
        unusable = failure_of(response) or (None if operation == "status" else absence_of(response))
        if unusable is not None:
            return unusable
        if operation == "status":
            return self._one(question, "status", str(response.status))
        if operation == "get":
            return read_body(response, question.rest, question.segments, self._limits)
        value = response.header(question.rest)
        return self._one(question, question.rest.lower(), value) if value else Nothing("it sends no such header")

    def examine(self) -> tuple[Proof, ...]:
        """Return whether it answers, and that there is no way to ask it for anything but a GET below its address."""
        path = "/" + self._source.paths[0].partition("?")[0].partition("*")[0].strip("/") if self._source.paths else "/"
        response = self._web.get(path, with_body=False)
        failure = failure_of(response) if isinstance(response, Response) else response
        reached = f"status {response.status}" if isinstance(response, Response) else response.reason
        tries = (
            ("write with another operation", "post", path),
            ("write with another method", "get", f"POST {path}"),
            ("leave the address", "get", "/../"),
            ("ask another server", "get", "http://169.254.169.254/"),
        )
        refused = ((tried, self.objection(operation, text)) for tried, operation, text in tries)
        return (
            Proof(tried=f"GET {path}", sound=failure is None, seen=reached),
            *(Proof(tried=tried, sound=bool(why), seen=why or "it would be asked") for tried, why in refused),
            *self._about_the_credential(),
        )

    def _about_the_credential(self) -> tuple[Proof, ...]:
        if not self._has_secret:
            return ()
        sound = self._source.internal or self._source.url.startswith("https:")
        return (
            Proof(
                tried="send the credential",
                sound=sound,
                seen="encrypted, or inside the network" if sound else "it goes over the internet unencrypted",
            ),
        )

    def _read(self, operation: str, text: str) -> Question | str:
        """Return the question that an operation and its text are, or what is wrong with them."""
        if operation not in {known.name for known in self.operations}:
            return no_operation(operation, self.operations)
        question = read_question(text)
        if isinstance(question, str):
            return question
        if not is_allowed(question, self._source.paths):
            return "no pattern of this probe allows that path"
        objection = self._objection_to_rest(operation, question.rest)
        return objection or question

    def _objection_to_rest(self, operation: str, rest: str) -> str:
        match operation:
            case "get":
                return objection_to_path(rest) if rest else ""
            case "header":
                return "" if rest.lower() in self._shown else "that header is none of those that may be shown"
            case _:
                return "more follows the path" if rest else ""

    def _one(self, question: Question, name: str, value: str) -> Answer:
        shown: object = int(value) if name == "status" else value
        lines = json_lines({name: shown}, f"GET {question.path}", limits=self._limits)
        return found(lines, (value,), question.segments, self._limits)
