"""Pull requests from recorded JSON: one record a file, a list of records, or a folder of such files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

import structlog
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from dream.sources.files import UnreadableError, find_files, open_file, reason_of
from dream.sources.instants import instant
from dream.sources.pull_requests.actors import UNNAMED, actor_of
from dream.sources.pull_requests.values import (
    Actor,
    Comment,
    Commit,
    Event,
    PullRequest,
    PullRequestReading,
    PullRequestSource,
    Review,
    SkippedRecord,
)
from dream.sources.strict_json import BadJSONError, parse_json

log = structlog.get_logger()

FILE_BYTES = 64_000_000
_OTHER = "another record of the same pull request knows more"

_Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{7,64}\z")]
_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}\z")]
_Instant = Annotated[datetime | None, BeforeValidator(instant)]
_Account = Annotated[Actor | None, BeforeValidator(actor_of)]
_Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value), Field(max_length=1_000_000)]


class _Record(BaseModel):
    """A part of a record: keys that are not read are ignored, because platforms add some all the time."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class _Commit(_Record):
    sha: _Sha
    author: _Account = None
    committer: _Account = None
    message: _Text = ""
    parents: list[_Sha] | None = None
    date: _Instant = None


class _Review(_Record):
    id: str | int = ""
    user: _Account = None
    state: _Text = ""
    body: _Text = ""
    submitted_at: _Instant = None


class _Comment(_Record):
    id: str | int = ""
    user: _Account = None
    body: _Text = ""
    created_at: _Instant = None


class _Event(_Record):
    event: str
    actor: _Account = None
    commit_id: _Text = ""
    created_at: _Instant = None


class _PullRequest(_Record):
    repo: _Name
    number: Annotated[int, Field(ge=1, le=999_999_999)]
    state: Literal["open", "closed", "merged"]
    title: _Text = ""
    author: _Account = None
    agent: _Text = ""
    html_url: _Text = ""
    body: _Text = ""
    branch: _Text = ""
    labels: list[str] | None = None
    created_at: _Instant = None
    closed_at: _Instant = None
    merged_at: _Instant = None
    closed_by: _Account = None
    merged_by: _Account = None
    commits: list[_Commit] | None = None
    reviews: list[_Review] | None = None
    comments: list[_Comment] | None = None
    timeline: list[_Event] | None = None


def read_pull_requests(sources: Sequence[PullRequestSource]) -> PullRequestReading:
    """Return every recorded pull request, sorted by repository and number, and why any record was skipped.

    Of several records of one pull request the one that knows most of its end counts. No record raises.
    """
    latest: dict[str, list[tuple[str, PullRequest]]] = {}
    skipped: list[SkippedRecord] = []
    records = 0
    for place, record in _records(sources):
        records += 1
        read = record if isinstance(record, SkippedRecord) else read_record(place, record)
        if isinstance(read, SkippedRecord):
            skipped.append(read)
            continue
        better, *rest = sorted(
            [(place, read), *latest.get(read.source, [])], key=lambda held: _weight(held[1]), reverse=True
        )
        latest[read.source] = [better]
        skipped.extend(SkippedRecord(place=other, reason=_OTHER) for other, _ in rest)
    pull_requests = sorted(
        (read for held in latest.values() for _, read in held), key=lambda read: (read.repository, read.number)
    )
    log.info("pull_requests.read", records=records, pull_requests=len(pull_requests), skipped=len(skipped))
    return PullRequestReading(pull_requests=tuple(pull_requests), skipped=tuple(skipped), records=records)


def _records(sources: Sequence[PullRequestSource]) -> Iterator[tuple[str, Any]]:
    paths = {found.path: found for source in sources for found in find_files(source.path, suffixes=(".json",))}
    for path, found in paths.items():
        if found.refused:
            yield path, SkippedRecord(place=path, reason=found.refused)
            continue
        try:
            with open_file(path, limit=FILE_BYTES) as handle:
                held = parse_json(handle.read())
        except (UnreadableError, BadJSONError) as error:
            yield path, SkippedRecord(place=path, reason=str(error))
        except OSError as error:
            yield path, SkippedRecord(place=path, reason=reason_of(error))
        else:
            if isinstance(held, list):
                yield from ((f"{path}[{position}]", record) for position, record in enumerate(held))
            else:
                yield path, held


def read_record(place: str, record: object) -> PullRequest | SkippedRecord:
    """Return one record as a pull request, or why it is none; `place` says where it was found."""
    try:
        read = _PullRequest.model_validate(record)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the record"
        return SkippedRecord(place=place, reason=f"{where}: {first['msg']}"[:300])
    told = record if isinstance(record, dict) else {}
    known = {key: value for key, value in told.items() if not key.startswith("_")}
    digest = hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()
    return _value(read, digest)


def _value(read: _PullRequest, digest: str) -> PullRequest:
    return PullRequest(
        repository=read.repo,
        number=read.number,
        title=read.title,
        author=read.author or UNNAMED,
        state="merged" if read.merged_at else read.state,
        digest=digest,
        agent=read.agent,
        url=read.html_url,
        body=read.body,
        branch=read.branch,
        labels=tuple(read.labels or ()),
        created_at=read.created_at,
        closed_at=read.closed_at,
        merged_at=read.merged_at,
        closed_by=read.closed_by,
        merged_by=read.merged_by,
        commits=None if read.commits is None else tuple(map(_commit, read.commits)),
        reviews=None if read.reviews is None else tuple(map(_review, read.reviews)),
        comments=None if read.comments is None else tuple(map(_comment, read.comments)),
        timeline=None if read.timeline is None else tuple(map(_event, read.timeline)),
    )


def _commit(read: _Commit) -> Commit:
    return Commit(
        sha=read.sha,
        author=read.author or UNNAMED,
        committer=read.committer or UNNAMED,
        message=read.message,
        parents=None if read.parents is None else tuple(read.parents),
        at=read.date,
    )


def _review(read: _Review) -> Review:
    return Review(
        id=str(read.id), actor=read.user or UNNAMED, state=read.state.upper(), body=read.body, at=read.submitted_at
    )


def _comment(read: _Comment) -> Comment:
    return Comment(id=str(read.id), actor=read.user or UNNAMED, body=read.body, at=read.created_at)


def _event(read: _Event) -> Event:
    return Event(name=read.event, actor=read.actor or UNNAMED, commit=read.commit_id, at=read.created_at)


def _weight(pull_request: PullRequest) -> tuple[bool, int, str]:
    parts = (pull_request.commits, pull_request.reviews, pull_request.comments, pull_request.timeline)
    return pull_request.state != "open", sum(len(part or ()) for part in parts), pull_request.digest
