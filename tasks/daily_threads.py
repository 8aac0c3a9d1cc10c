"""What code can honestly say of one thread on one local day, as one line."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from dream.sources.pull_requests.values import PullRequest
from dream.sources.sessions.values import Message, Role, Session
from tasks.titles import LONGEST_NAME, number_of, plain, plain_name, says_little, title_of

NAMED_FILES = 3
NAMED_COMMANDS = 2
NAMED_PULL_REQUESTS = 5
_LONGEST_COMMAND = 60
_FAILED = re.compile(r"Exit code ([0-9]{1,4})(?:\n|\Z)")
_COMMAND = re.compile(r"(?:Bash|Shell|bash|shell): (?=\S)")
_PULL_REQUEST = re.compile(r"(?:[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100})?#[0-9]{1,9}")
_NOBODY = "nobody"
_RETOLD = "; "
_MORE = re.compile(r"[0-9]{1,9} more")
_TAIL = re.compile(
    r"(?:no|[0-9]+) messages? by people, (?:no|[0-9]+) agent repl(?:y|ies)"
    r"(?:, [0-9]+ files? edited \([^()]*\))?"
    r"(?:, [0-9]+ commands? failed last \([^()]*\))?"
    r"(?:, opened ([^,]{1,2000}))?"
    r"(?:, mentioned ([^,]{1,2000}))?"
    r", (?:a person|the agent) answered last\.?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadDay:
    """The messages of one session that fall on one local day, and those before."""

    session: Session
    day: date
    messages: tuple[Message, ...]
    earlier: tuple[Message, ...]

    @property
    def id(self) -> str:
        """How this input is named: `thread_7c2e/2026-10-21`."""
        return f"{self.session.source}/{self.day.isoformat()}"

    @property
    def digest(self) -> str:
        """A hash of the day's messages, which changes when the thread grows."""
        digest = hashlib.sha256()
        for message in self.messages:
            for part in (message.id, message.at.isoformat(), message.role, message.author, message.text):
                data = part.encode("utf-8", "surrogatepass")
                digest.update(b"%d:" % len(data) + data)
        return digest.hexdigest()[:16]

    @property
    def first(self) -> datetime:
        """The instant of the day's first message."""
        return self.messages[0].at

    @property
    def last(self) -> datetime:
        """The instant of the day's last message."""
        return self.messages[-1].at

    @property
    def by_people(self) -> tuple[Message, ...]:
        """The day's messages that a person typed."""
        return _spoken(self.messages, Role.PERSON)

    @property
    def by_agent(self) -> tuple[Message, ...]:
        """The day's answers of the agent."""
        return _spoken(self.messages, Role.AGENT)

    @property
    def asked(self) -> Message | None:
        """What a person wanted: the day's first words that say it, else the last ones before it that do.

        Where none says more than `go on`, the day's first, else the last before it; None where nobody typed anything.
        """
        earlier = _spoken(self.earlier, Role.PERSON)[::-1]
        said = (*self.by_people, *earlier)
        return next((message for message in said if not says_little(message.text)), said[0] if said else None)

    @property
    def silence(self) -> str:
        """Why there is nothing to say of it: `no-person` typed anything so far, or `nobody-spoke` that day."""
        if self.asked is None:
            return "no-person"
        return "" if self.by_people or self.by_agent else "nobody-spoke"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retold:
    """What somebody worded of a thread's day in one line, without its counts; tentative where it was seen once."""

    text: str
    tentative: bool


def thread_days(session: Session, *, days: Collection[date], timezone: ZoneInfo) -> Iterator[ThreadDay]:
    """Yield the share of `session` of each of `days` that it has messages on, oldest first.

    A message belongs to the local day of its own instant.
    """
    messages = sorted(session.messages, key=lambda message: message.at)
    by_day: dict[date, list[Message]] = {}
    for message in messages:
        by_day.setdefault(message.at.astimezone(timezone).date(), []).append(message)
    seen = 0
    for day in sorted(by_day):
        if day in days:
            yield ThreadDay(session=session, day=day, messages=tuple(by_day[day]), earlier=tuple(messages[:seen]))
        seen += len(by_day[day])


def thread_statement(
    thread: ThreadDay, *, pull_requests: Mapping[str, PullRequest], screen: Callable[[str], str]
) -> str:
    """Return who asked what and how it went, such as `ana asked "fix it"; 1 message by people, …`, without a full stop.

    Files and pull requests of a session that runs over several days are told for a day only where that day's own
    messages name them, because the session as a whole does not say when.
    """
    asked = thread.asked
    if asked is None:
        message = "nobody asked anything in this thread"
        raise ValueError(message)
    clauses = _clauses(thread, pull_requests=pull_requests, screen=screen)
    return f'{_asker(asked, screen)} asked "{title_of(asked.text, screen=screen)}"; {clauses}'


def retold_statement(
    thread: ThreadDay, text: str, *, pull_requests: Mapping[str, PullRequest], screen: Callable[[str], str]
) -> str:
    """Return `text` with who asked and how it went as code counted it, without a full stop."""
    asked = thread.asked
    who = _asker(asked, screen) if asked else _NOBODY
    return f"{text}{_RETOLD}{who} asked, {_clauses(thread, pull_requests=pull_requests, screen=screen)}"


def _clauses(thread: ThreadDay, *, pull_requests: Mapping[str, PullRequest], screen: Callable[[str], str]) -> str:
    opened, mentioned = _pull_requests(thread, pull_requests)
    clauses = [
        number_of(len(thread.by_people), "message", "messages") + " by people",
        number_of(len(thread.by_agent), "agent reply", "agent replies"),
        _listed("file edited", "files edited", _files(thread), most=NAMED_FILES, screen=screen),
        _listed("command failed last", "commands failed last", _failed(thread), most=NAMED_COMMANDS, screen=screen),
        f"opened {_joined(opened)}" if opened else "",
        f"mentioned {_joined(mentioned)}" if mentioned else "",
        f"{'a person' if _person_was_last(thread) else 'the agent'} answered last",
    ]
    return ", ".join(filter(None, clauses))


def is_thread_statement(key: str, thread: ThreadDay, *, screen: Callable[[str], str]) -> bool:
    """Whether `key` is a line of ours about `thread`, as it may have read when the thread was shorter or longer.

    Who asked and the title must be the thread's own and the rest must be in our words to the letter, so that a line
    that somebody reworded is theirs.
    """
    who, asked, rest = key.partition(' asked "')
    title, closed, tail = rest.rpartition('"; ')
    said = _spoken((*thread.earlier, *thread.messages), Role.PERSON)
    if not asked or not closed or not _is_tail(tail):
        return False
    return any(
        (_nfc(_asker(message, screen)), _nfc(title_of(message.text, screen=screen))) == (_nfc(who), _nfc(title))
        for message in said
    )


def looks_like_thread(key: str) -> bool:
    """Whether `key` is in the words of a line about a thread, whichever it is."""
    if ' asked "' in key and _is_tail(key.rpartition('"; ')[2]):
        return True
    _, asked, tail = key.rpartition(_RETOLD)[2].partition(" asked, ")
    return bool(asked) and _RETOLD in key and _is_tail(tail)


def _is_tail(text: str) -> bool:
    match = _TAIL.fullmatch(text)
    if match is None:
        return False
    names = [name for listed in match.groups("") for name in listed.split(" and ") if listed]
    return all(_PULL_REQUEST.fullmatch(name) or _MORE.fullmatch(name) for name in names)


def _spoken(messages: Sequence[Message], role: Role) -> tuple[Message, ...]:
    return tuple(message for message in messages if message.role is role and message.text.strip())


def _asker(message: Message, screen: Callable[[str], str]) -> str:
    author = message.author.strip()
    return (plain(screen(author), longest=LONGEST_NAME) if author else "") or "a person"


def _person_was_last(thread: ThreadDay) -> bool:
    spoken = (message.role for message in reversed(thread.messages) if message.text.strip())
    return next((role for role in spoken if role in {Role.PERSON, Role.AGENT}), None) is Role.PERSON


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _files(thread: ThreadDay) -> list[str]:
    files = sorted(set(thread.session.files))
    if len(thread.messages) < len(thread.session.messages):
        calls = [message.tool for message in thread.messages if message.role is Role.TOOL]
        files = [path for path in files if any(path in call for call in calls)]
    return [path.rpartition("/")[2] or path for path in files]


def _failed(thread: ThreadDay) -> list[str]:
    """The commands whose last run that day failed, in the order of that run."""
    ended: dict[str, bool] = {}
    for message in thread.messages:
        label = _COMMAND.match(message.tool) if message.role is Role.TOOL else None
        if label:
            command = message.tool[label.end() :]
            ended.pop(command, None)
            code = _FAILED.match(message.text)
            ended[command] = code is not None and int(code[1]) != 0
    return [command for command, failed in ended.items() if failed]


def _pull_requests(thread: ThreadDay, known: Mapping[str, PullRequest]) -> tuple[list[str], list[str]]:
    session = thread.session
    opened: list[str] = []
    mentioned: list[str] = []
    whole = len(thread.messages) == len(session.messages)
    text = "" if whole else "\n".join(message.text for message in thread.messages)
    for name in session.pull_requests:
        if not _PULL_REQUEST.fullmatch(name):
            continue
        repository, _, number = name.rpartition("#")
        full = name if repository or "/" not in session.repository else f"{session.repository}#{number}"
        if not whole and not re.search(rf"(?:#|/pull/){number}(?![0-9])", text):
            continue
        created = known[full].created_at if full in known else None
        is_new = created is not None and thread.first <= created <= thread.last
        (opened if is_new else mentioned).append(full)
    return sorted(set(opened)), sorted(set(mentioned))


def _joined(names: Sequence[str]) -> str:
    more = len(names) - NAMED_PULL_REQUESTS
    return " and ".join([*names[:NAMED_PULL_REQUESTS], *([f"{more} more"] if more > 0 else [])])


def _listed(one: str, many: str, names: Sequence[str], *, most: int, screen: Callable[[str], str]) -> str:
    if not names:
        return ""
    shown = [plain_name(screen(name), longest=_LONGEST_COMMAND) or "withheld" for name in names[:most]]
    if len(names) > most:
        shown.append("…")
    return f"{number_of(len(names), one, many)} ({', '.join(shown)})"
