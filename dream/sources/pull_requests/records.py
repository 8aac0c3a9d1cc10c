"""One pull request from the keys that a record has, under the names that `docs/formats.md` gives them."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from dream.sources.instants import instant
from dream.sources.pull_requests.actors import UNNAMED, actor_of
from dream.sources.pull_requests.addresses import co_authors_in
from dream.sources.pull_requests.values import (
    Actor,
    Comment,
    Commit,
    Event,
    FileEdit,
    PullRequest,
    Review,
    SkippedRecord,
    Thread,
)


def _text(value: Any) -> Any:
    return "" if value is None else value


def _line(value: Any) -> Any:
    return 0 if value is None else value


_Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{7,64}\z")]
_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}\z")]
_Instant = Annotated[datetime | None, BeforeValidator(instant)]
_Account = Annotated[Actor | None, BeforeValidator(actor_of)]
_Text = Annotated[str, BeforeValidator(_text), Field(max_length=1_000_000)]
_Path = Annotated[str, Field(min_length=1, max_length=4_096)]
_Line = Annotated[int, BeforeValidator(_line), Field(ge=0)]


class _Record(BaseModel):
    """A part of a record: keys that are not read are ignored, because platforms add some all the time."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class _Commit(_Record):
    sha: _Sha
    author: _Account = None
    committer: _Account = None
    co_authors: list[_Account] | None = None
    message: _Text = ""
    parents: list[_Sha] | None = None
    date: _Instant = None


class _Review(_Record):
    id: str | int = ""
    user: _Account = None
    association: _Text = ""
    state: _Text = ""
    body: _Text = ""
    submitted_at: _Instant = None


class _Comment(_Record):
    id: str | int = ""
    user: _Account = None
    association: _Text = ""
    body: _Text = ""
    created_at: _Instant = None


class _Thread(_Record):
    id: str | int = ""
    path: _Path
    line: _Line = 0
    resolved: bool = False
    hunk: _Text = ""
    comments: list[_Comment] = []


class _Edit(_Record):
    path: _Path
    status: Literal["added", "removed", "modified", "renamed"]
    previous: _Text = ""
    patch: str | None = Field(default=None, max_length=1_000_000)


class _Event(_Record):
    event: str
    actor: _Account = None
    commit_id: _Text = ""
    created_at: _Instant = None
    before: _Text = ""
    after: _Text = ""
    closer: _Text = ""


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
    base: _Text = ""
    head: _Text = ""
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
    threads: list[_Thread] | None = None
    edits: list[_Edit] | None = None


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
        threads=None if read.threads is None else tuple(map(_thread, read.threads)),
        edits=None if read.edits is None else tuple(map(_edit, read.edits)),
        base=read.base,
        head=read.head,
    )


def _commit(read: _Commit) -> Commit:
    named = co_authors_in(read.message) if read.co_authors is None else read.co_authors
    return Commit(
        sha=read.sha,
        author=read.author or UNNAMED,
        committer=read.committer or UNNAMED,
        message=read.message,
        parents=None if read.parents is None else tuple(read.parents),
        at=read.date,
        co_authors=tuple(actor or UNNAMED for actor in named),
    )


def _review(read: _Review) -> Review:
    return Review(
        id=str(read.id),
        actor=read.user or UNNAMED,
        state=read.state.upper(),
        body=read.body,
        at=read.submitted_at,
        association=read.association.upper(),
    )


def _comment(read: _Comment) -> Comment:
    return Comment(
        id=str(read.id),
        actor=read.user or UNNAMED,
        body=read.body,
        at=read.created_at,
        association=read.association.upper(),
    )


def _event(read: _Event) -> Event:
    return Event(
        name=read.event,
        actor=read.actor or UNNAMED,
        commit=read.commit_id,
        at=read.created_at,
        before=read.before,
        after=read.after,
        closer=read.closer,
    )


def _thread(read: _Thread) -> Thread:
    return Thread(
        id=str(read.id),
        path=read.path,
        line=read.line,
        resolved=read.resolved,
        hunk=read.hunk,
        comments=tuple(map(_comment, read.comments)),
    )


def _edit(read: _Edit) -> FileEdit:
    return FileEdit(path=read.path, status=read.status, previous=read.previous, patch=read.patch)
