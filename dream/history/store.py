"""One organisation's history: kept, found, refreshed and in the end forgotten."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from hashlib import sha256

from dream.guards.masking import mask_secrets
from dream.history.describing import description_of
from dream.history.limits import HistoryLimits
from dream.history.locating import locate
from dream.history.masking import masked_session
from dream.history.naming import key_in, key_of, place_of, stem_of
from dream.history.pull_requests import PullRequestStates
from dream.history.records import Record, Whole
from dream.history.shelf import Shelf
from dream.history.values import Found, HistoryLine, Kept, Mark, NamedPullRequest, parse_mark
from dream.object_store import Objects
from dream.report.escaping import one_line
from dream.sources.sessions.values import Message, Role, Session

Describe = Callable[[Session], str]
"""Returns what got done in a session, one plain sentence; "" where nobody has said."""

FOLDER = "history"


def nobody_says(session: Session) -> str:
    """Return no description: it is then taken from the session's last message."""
    del session
    return ""


class HistoryStore:
    """The history of `organisation` at `address`: `<address>/history/<month>/<name>.json`, `.txt` and `.jsonl.gz`.

    What cannot be read, or belongs to somebody else, is passed over and told in `damages`. A store that cannot be
    reached raises StoreDownError.
    """

    def __init__(self, address: str, *, organisation: str, limits: HistoryLimits | None = None) -> None:
        """Take an address that fsspec knows, or a path; nothing is opened yet."""
        self._objects = Objects(address, FOLDER)
        self._organisation = organisation
        self._limits = limits or HistoryLimits()
        self._shelf = Shelf(self._objects, organisation=organisation)
        self._states = PullRequestStates(self._objects, self._shelf, organisation=organisation)
        self._lines: tuple[HistoryLine, ...] | None = None

    @property
    def damages(self) -> tuple[str, ...]:
        """The objects that were passed over, each with why."""
        return self._shelf.damages

    def connect(self) -> None:
        """Open the store; raises UsageError where there is no such kind of store here."""
        self._objects.connect()

    def expect(self, sessions: Iterable[Session]) -> None:
        """Look up together what is known of `sessions`, which somebody will `keep` soon."""
        keys = [self._key(session) for session in sessions]
        places = self._shelf.places()
        self._shelf.expect(places[key] for key in keys if key in places)

    def keep(
        self,
        session: Session,
        *,
        condense: Callable[[Session], str],
        describe: Describe = nobody_says,
        people: Collection[str] = (),
    ) -> Kept:
        """Keep `session` without its credentials, and return what that came to.

        `people` took part beside those whose words it holds.

        One that is kept as it is stays untouched, but for a description that somebody now gives. One that has grown
        replaces what was kept of it, together with the messages that only stood there.
        """
        key = self._key(session)
        place = self._shelf.places().get(key) or place_of(self._source(session), key, session.started)
        record = self._shelf.record(place)
        said = self._plain(describe(session))
        if record is not None and record.digest == session.digest and self._shelf.is_whole(place):
            return self._take_up(place, record, self._source(session), said)
        whole = masked_session(session, source=self._source(session))
        before = self._shelf.whole(place)
        if before is not None:
            whole = replace(whole, messages=_united(before.messages, whole.messages))
        text = condense(whole).encode("utf-8", "surrogatepass")
        self._put(place, whole, text, said=said, record=record, people=people)
        return Kept.GROWN if record else Kept.NEW

    def refresh(self, states: Mapping[str, str], *, named: Collection[str], on: date, before: date) -> int:
        """Take up the states of pull requests (`acme/web#41`: `merged`) and return how many are new.

        `named` are those that sessions name which were read `on` that day; what nobody has named since `before` goes.
        """
        self._lines = None
        states = {self._plain(name): state for name, state in states.items()}
        return self._states.refresh(states, named=set(map(self._plain, named)), on=on, before=before)

    def pull_request_state(self, name: str) -> str:
        """Return the state of a pull request that a session names, "" where it is not known."""
        return self._states.state(name)

    def lines(self) -> tuple[HistoryLine, ...]:
        """Return a line for each session that is kept, the one that began last at the end."""
        if self._lines is None:
            found = self._shelf.records(self._shelf.places().values())
            lines = [self._line(place, record) for place, record in found]
            self._lines = tuple(sorted(lines, key=lambda line: (line.started, line.name)))
        return self._lines

    def find(self, wanted: str) -> tuple[HistoryLine, ...]:
        """Return the sessions that `wanted` names: by source, by name, by the tool's own id, or by how these begin.

        A whole name goes before a beginning, which has at least `limits.least_name` characters.
        """
        exact = self._named(wanted)
        if exact or len(wanted) < self._limits.least_name:
            return exact
        return tuple(line for line in self.lines() if any(name.startswith(wanted) for name in _names(line)))

    def condensed(self, line: HistoryLine) -> str | None:
        """Return what is worth reading of a session, None where it cannot be had."""
        return next(text for _, text in self.texts([line]))

    def texts(self, lines: Iterable[HistoryLine]) -> Iterator[tuple[HistoryLine, str | None]]:
        """Yield each line with what is worth reading of its session, None where that cannot be had."""
        by_place = {line.path: line for line in lines}
        for place, text in self._shelf.texts([(line.path, line.condensed) for line in by_place.values()]):
            yield by_place[place], text

    def full(self, line: HistoryLine) -> tuple[Message, ...] | None:
        """Return all messages of a session, `m1` first, None where they cannot be had."""
        whole = self._shelf.whole(line.path)
        return whole.messages if whole else None

    def session(self, line: HistoryLine) -> Session | None:
        """Return a session as it was kept, None where it cannot be had."""
        whole = self._shelf.whole(line.path)
        if whole is None:
            return None
        return Session(
            id=line.id,
            tool=line.tool,
            messages=whole.messages,
            digest="",
            title=whole.title,
            repository=line.repository,
            branch=line.branch,
            pull_requests=tuple(one.name for one in line.pull_requests),
            files=whole.files,
            short=line.source.removeprefix("thread_"),
        )

    def locate(self, mark: Mark) -> Found | None:
        """Return where the words are that `mark` points at, None where they are not to be had.

        Its digest decides. Where messages that came late have moved the numbers, the words are found in another message
        of the same thread.
        """
        if not mark.message:
            return None
        found = (locate(mark, line, self.full(line) or ()) for line in self._named(mark.source))
        return next((one for one in found if one is not None), None)

    def resolve(self, mark: str) -> str | None:
        """Return the words that `mark` (`thread_x/m12:140-203 <digest>`) points at, checked against its digest."""
        parsed = parse_mark(mark)
        found = self.locate(parsed) if parsed is not None and parsed.digest else None
        return found.text if found else None

    def forget(self, before: datetime, *, cited: Callable[[], Collection[str]]) -> int:
        """Take away the sessions that ended before `before` and are not `cited`, and return how many these were.

        `cited`, the sources of entries, is asked only if there is any such session.
        """
        old = [place for place in self._shelf.places().values() if place[:7] <= before.date().isoformat()[:7]]
        gone = [(place, record) for place, record in self._shelf.records(old) if record.ended < before]
        still = frozenset(cited()) if gone else frozenset()
        unwanted = [place for place, record in gone if still.isdisjoint(record.sources)]
        for place in unwanted:
            self._shelf.remove(place)
        self._shelf.remove_leftovers(before=before.date().isoformat()[:7])
        self._lines = None
        return len(unwanted)

    def _key(self, session: Session) -> str:
        return key_of(self._organisation, session.tool, session.id)

    def _source(self, session: Session) -> str:
        """Return how entries cite a session, or another name where the one that it has is itself a credential."""
        name = session.source.removeprefix("thread_")
        return self._plain(session.source) if mask_secrets(name) == name else f"thread_{self._key(session)}"

    def _named(self, wanted: str) -> tuple[HistoryLine, ...]:
        """Return the sessions called `wanted`; where the names of objects tell which, no other record is read."""
        if self._lines is None:
            places = [place for place in self._shelf.places().values() if stem_of(place) == wanted]
            lines = tuple(self._line(place, record) for place, record in self._shelf.records(places))
            if lines:
                return lines
        return tuple(line for line in self.lines() if wanted in _names(line))

    def _take_up(self, place: str, record: Record, source: str, said: str) -> Kept:
        """Take up what is now said of a session, and a name that it did not have; change nothing else."""
        told = {"description": said, "told": True} if said and not record.told else {}
        names = {} if source in record.sources else {"sources": (*record.sources, source)}
        if not told and not names:
            return Kept.UNCHANGED
        self._shelf.put_record(place, record.model_copy(update={**told, **names}))
        self._lines = None
        return Kept.DESCRIBED if told else Kept.UNCHANGED

    def _put(
        self,
        place: str,
        session: Session,
        condensed: bytes,
        *,
        said: str,
        record: Record | None,
        people: Collection[str],
    ) -> None:
        speakers = dict.fromkeys(one.author for one in session.messages if one.role is Role.PERSON and one.author)
        known = record.sources if record else ()
        self._shelf.put(
            place,
            record=Record(
                organisation=self._organisation,
                key=key_in(place),
                id=self._plain(session.id),
                sources=tuple(dict.fromkeys((*known, self._plain(session.source)))),
                tool=self._plain(session.tool),
                started=session.started,
                ended=session.ended,
                messages=len(session.messages),
                digest=session.digest,
                condensed=sha256(condensed).hexdigest(),
                people=tuple(map(self._plain, dict.fromkeys((*people, *speakers)))),
                repository=self._plain(session.repository),
                branch=self._plain(session.branch),
                description=said or description_of(session, most=self._limits.description),
                told=bool(said),
                pull_requests=tuple(map(self._plain, session.pull_requests)),
            ),
            condensed=condensed,
            whole=Whole(messages=session.messages, title=session.title, files=session.files),
        )
        self._lines = None

    def _plain(self, text: str) -> str:
        return one_line(mask_secrets(text), most=self._limits.description)

    def _line(self, place: str, record: Record) -> HistoryLine:
        return HistoryLine(
            name=place.rpartition("/")[2],
            source=record.sources[-1],
            sources=record.sources,
            id=record.id,
            tool=record.tool,
            started=record.started,
            ended=record.ended,
            path=place,
            condensed=record.condensed,
            messages=record.messages,
            people=record.people,
            repository=record.repository,
            branch=record.branch,
            description=record.description,
            pull_requests=tuple(
                NamedPullRequest(name=name, state=self._states.state(name)) for name in record.pull_requests
            ),
        )


def _names(line: HistoryLine) -> tuple[str, ...]:
    return (*line.sources, line.name, line.id)


def _united(kept: tuple[Message, ...], now: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return what is read now, and of what was kept whatever is no longer there, in the order of time."""
    ids = {one.id for one in now}
    lost = [one for one in kept if one.id not in ids]
    return tuple(sorted((*now, *lost), key=lambda one: one.at)) if lost else now
