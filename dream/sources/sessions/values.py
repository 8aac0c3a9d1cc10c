"""What a reading of session files comes to, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum

from dream.sources.sessions.identity import short_id
from dream.sources.sessions.kept import links_of

_MOST_LINKS = 1_000


class Role(StrEnum):
    """Who a message comes from, by the transcript's structure and never by its wording."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    HARNESS = "harness"
    RECALLED = "recalled"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSource:
    """A file or a folder of session files in the format `kind`.

    `person` is who is speaking where the transcript's structure names nobody, and `repository` ("owner/name") where
    the sessions belong if the transcript does not say; both empty means unknown. `zone` is that of stamps without one.
    """

    kind: str
    path: str
    person: str = ""
    repository: str = ""
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of one speaker; `text` is the transcript's own characters, so that offsets into it hold.

    `author` names the person where that is known. `tool` says, for the output of a tool, which call it answers
    (`Bash: make test`), in at most 200 characters. `cut` counts the characters that a limit left out at the end.

    Of the output of a tool the structure tells more: the whole shell `command` that it answers, its `exit_code` where
    one is given, whether it `failed`, and the path that the call `edits` with what changed there: `diff` is the lines
    of a unified diff without a file's header.
    """

    id: str
    at: datetime
    role: Role
    text: str
    author: str = ""
    tool: str = ""
    cut: int = 0
    command: str = ""
    exit_code: int | None = None
    failed: bool = False
    edits: str = ""
    diff: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A shell command that an agent ran; `message` (`m12`) brings its output."""

    message: str
    text: str
    exit_code: int | None = None
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What a tool said when it failed; `call` is what it was asked, in one line."""

    message: str
    call: str
    text: str
    exit_code: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An address that a person, an agent or a tool gave, with the first message that has it."""

    message: str
    url: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One edit of one file; `diff` is "" where the transcript does not say what changed."""

    message: str
    path: str
    diff: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation, whole, whatever number of files it was found in; messages are in order of time.

    `title` is what the tool itself calls the session, usually an agent's words; `pull_requests` are `acme/web#41` or
    `#41`; `files` are the paths that tools edited; `digest` is of the messages alone, before those that
    another session had first are left out, so that it depends on no other file and on no file's name.
    """

    id: str
    tool: str
    messages: tuple[Message, ...]
    digest: str
    title: str = ""
    repository: str = ""
    branch: str = ""
    pull_requests: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    origin_files: tuple[str, ...] = ()
    short: str = ""

    @property
    def source(self) -> str:
        """How entries cite this session: `thread_7c2e91aa`."""
        return "thread_" + (self.short or short_id(self.id))

    @property
    def numbered(self) -> tuple[tuple[str, Message], ...]:
        """The messages with the names that they are cited by: `m1` to `mn`, in order."""
        return tuple((f"m{number}", message) for number, message in enumerate(self.messages, 1))

    @property
    def commands(self) -> tuple[Command, ...]:
        """The shell commands that were run, in order."""
        return tuple(
            Command(message=name, text=one.command, exit_code=one.exit_code, failed=one.failed)
            for name, one in self.numbered
            if one.command
        )

    @property
    def errors(self) -> tuple[Failure, ...]:
        """What failed, in order: the tool said so, or the command exited with another code than 0."""
        return tuple(
            Failure(message=name, call=one.tool, text=one.text, exit_code=one.exit_code)
            for name, one in self.numbered
            if one.failed or one.exit_code
        )

    @property
    def links(self) -> tuple[Link, ...]:
        """The addresses that people, agents and tools gave, each once, in order; the first 1,000."""
        found: dict[str, Link] = {}
        for name, one in self.numbered:
            if one.role not in {Role.PERSON, Role.AGENT, Role.TOOL}:
                continue
            for start, end in links_of(one.text):
                if len(found) == _MOST_LINKS:
                    return tuple(found.values())
                url = one.text[start:end]
                found.setdefault(url, Link(message=name, url=url, role=one.role))
        return tuple(found.values())

    @property
    def diffs(self) -> tuple[Change, ...]:
        """The edits that were made, in order."""
        return tuple(Change(message=name, path=one.edits, diff=one.diff) for name, one in self.numbered if one.edits)

    @property
    def started(self) -> datetime:
        """The instant of the first message."""
        return self.messages[0].at

    @property
    def ended(self) -> datetime:
        """The instant of the last message, which moves when a session grows."""
        return self.messages[-1].at


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A session that somebody has already summarised: `lasting` is worth keeping, `stale` is true for days only."""

    id: str
    started: datetime
    ended: datetime
    person: str
    title: str
    lasting: str
    stale: str
    digest: str
    pull_requests: tuple[str, ...] = ()
    repository: str = ""
    short: str = ""

    @property
    def source(self) -> str:
        """How entries cite this session: `thread_7c2e91aa`."""
        return "thread_" + (self.short or short_id(self.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFile:
    """A file that gave nothing, and why; `expected` where nothing is wrong with it and nobody need look."""

    path: str
    reason: str
    expected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A file that was read but not whole: what was left out of it, and how many times."""

    path: str
    what: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything that the configured sources gave; each of `files` is in a session, a summary or `skipped`."""

    sessions: tuple[Session, ...] = ()
    summaries: tuple[Summary, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    remarks: tuple[Remark, ...] = ()
    files: int = 0
