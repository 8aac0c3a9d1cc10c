"""What became of the pull requests that agents opened: counted, one tally for each code repository.

The tally stands in `conventions/<owner>-<repo>.md` in exactly one form. What a night adds is added to what the entry
says, so that no history is needed. An entry that still reads like it (two of its counts, or six tenths of its words)
but not to the letter is a person's and is never touched again. Each pull request counts once, on the night that first
sees it ended. What people did with them teaches lessons elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from dream.memory.notes import Entry, Note, NoteCache, Unreadable
from dream.memory.operations import Add, Basis, Operation, Revise
from dream.memory.outcomes import Item, Plan
from dream.memory.paths import fold
from dream.memory.similarity import similarity
from dream.memory.tree import Tree
from dream.sources.pull_requests.values import Classification, Fate, PullRequest
from tasks.entries import chunks_of, dated_entry, span_of
from tasks.titles import number_of

_COUNTED = {
    Fate.MERGED_UNTOUCHED: "merged untouched",
    Fate.MERGED_EDITED: "merged after people's edits",
    Fate.CLOSED_BY_PERSON: "closed by a person",
    Fate.CLOSED_BY_SYSTEM: "closed by a system",
    Fate.UNKNOWN: "with an unknown end",
}
_TALLY = re.compile(
    r"Of ([0-9]{1,7}) agent pull requests? in ([^ ]{1,200}) since ([0-9]{4}-[0-9]{2}-[0-9]{2}): ([^:]{1,400}?)\.?"
)
_PART = re.compile(r"([0-9]{1,7}) ([a-z' ]{1,40})")
_REWORDED = 0.6
_PLAIN = re.compile(r"[^a-z0-9._-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestTally:
    """How many agent pull requests of one code repository ended how, from `since` on."""

    repository: str
    since: date
    counts: Mapping[Fate, int]

    def statement(self) -> str:
        """Return the tally as its entry states it, without a full stop."""
        total = sum(self.counts.values())
        parts = [f"{self.counts[fate]} {words}" for fate, words in _COUNTED.items() if self.counts.get(fate)]
        noun = number_of(total, "agent pull request", "agent pull requests")
        return f"Of {noun} in {self.repository} since {self.since.isoformat()}: {', '.join(parts)}"

    def plus(self, fates: Sequence[Fate]) -> PullRequestTally:
        """Return the tally with `fates` counted in."""
        counts = Counter(self.counts)
        counts.update(fates)
        return PullRequestTally(repository=self.repository, since=self.since, counts=counts)


def parse_tally(key: str) -> PullRequestTally | None:
    """Return the tally that a key states; None where it is not in our words to the letter or does not add up."""
    match = _TALLY.fullmatch(key)
    if not match:
        return None
    words = {text: fate for fate, text in _COUNTED.items()}
    parts = [_PART.fullmatch(part) for part in match[4].split(", ")]
    counts = {words[part[2]]: int(part[1]) for part in parts if part and part[2] in words}
    try:
        since = date.fromisoformat(match[3])
    except ValueError:
        return None
    tally = PullRequestTally(repository=match[2], since=since, counts=counts)
    return tally if tally.statement() == key.rstrip(".") else None


def propose(
    *,
    tree: Tree,
    notes: NoteCache,
    pull_requests: Sequence[PullRequest],
    classify: Callable[[PullRequest], Classification],
    window_start: datetime,
    window_end: datetime,
    timezone: ZoneInfo,
    done: Mapping[str, str],
) -> Plan:
    """Return one item for each agent pull request that ended in the window and has not been counted.

    Those of one repository share one operation on its tally, which is applied once and stands for each of them. One
    that was counted and came back with another digest is an input that is `already-counted`.
    """
    ended: dict[str, list[PullRequest]] = {}
    items: dict[str, Item] = {}
    for pull_request in sorted(pull_requests, key=lambda one: (one.repository, one.number)):
        at = pull_request.settled_at
        if at is None or not window_start <= at < window_end or classify(pull_request).fate is Fate.OPEN:
            continue
        if pull_request.source in done:
            if done[pull_request.source] != pull_request.digest:
                items[pull_request.source] = _item(pull_request, reason="already-counted")
            continue
        ended.setdefault(pull_request.repository, []).append(pull_request)
    for repository, counted in ended.items():
        since = window_start.astimezone(timezone).date()
        dated = max(one.settled_at for one in counted if one.settled_at).astimezone(timezone).date()
        night = _Night(repository=repository, counted=tuple(counted), since=since, dated=dated)
        result = _operation(tree, notes, night, [classify(one).fate for one in counted])
        for one in counted:
            items[one.source] = _item(one, reason=result) if isinstance(result, str) else _item(one, result)
    return Plan(items=tuple(items[name] for name in sorted(items)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Night:
    repository: str
    counted: tuple[PullRequest, ...]
    since: date
    dated: date

    @property
    def sources(self) -> tuple[str, ...]:
        """The newest that fit into one bracket."""
        newest = dict.fromkeys(one.source for one in reversed(self.counted))
        return next(chunks_of(newest), ())[::-1]


def _operation(tree: Tree, notes: NoteCache, night: _Night, fates: Sequence[Fate]) -> Operation | str:
    """Return what counts the night's pull requests in, or the reason why nothing may."""
    path = conventions_path(tree, night.repository)
    note = notes.note(tree, path) if tree.blob(path) is not None else None
    if isinstance(note, Unreadable) or path in tree.oddities():
        return "note-unreadable"
    standing = _standing(note, night.repository)
    before = PullRequestTally(repository=night.repository, since=night.since, counts={})
    if standing is not None:
        if standing[1] is None:
            return "taken-over"
        before = standing[1]
    after = before.plus(fates)
    text = dated_entry(note, after.statement(), dated=night.dated, sources=night.sources)
    basis = Basis(sources=night.sources, dated=night.dated, evidence=tuple(_additions(before, after)))
    if standing is None or note is None:
        return Add(path=path, text=text, opening=f"# Conventions of {night.repository}\n", basis=basis)
    return Revise(span=span_of(path, note, standing[0]), new=text, basis=basis)


def _additions(before: PullRequestTally, after: PullRequestTally) -> Iterator[str]:
    """Yield each sum that the entry states, so that a reader of the commit can check it."""
    sums = [(words, before.counts.get(fate, 0), after.counts.get(fate, 0)) for fate, words in _COUNTED.items()]
    sums.append(("in all", sum(before.counts.values()), sum(after.counts.values())))
    for words, was, now in sums:
        if now != was:
            yield f"{words}: {was} before, {now - was} tonight, {now} now"


def _standing(note: Note | None, repository: str) -> tuple[Entry, PullRequestTally | None] | None:
    """The entry that counts `repository`'s pull requests, with its tally; the tally is None where it is a person's."""
    entries = note.entries if note else ()
    for entry in entries:
        tally = parse_tally(entry.key)
        if tally is not None and tally.repository == repository:
            return entry, tally
    example = PullRequestTally(repository=repository, since=date.min, counts=dict.fromkeys(_COUNTED, 1)).statement()
    for entry in entries:
        if parse_tally(entry.key):
            continue
        counts = sum(words in entry.key for words in _COUNTED.values())
        if counts > 1 or similarity(entry.key, example, cutoff=_REWORDED):
            return entry, None
    return None


def conventions_path(tree: Tree, repository: str) -> str:
    """Return the note of a code repository: the one that is there, in whatever case, else the one to be made."""
    owner, slash, name = repository.rpartition("/")
    wanted = _PLAIN.sub("-", (f"{owner}-{name}" if slash else name).lower()).strip("-.")[:60]
    path = f"conventions/{wanted or 'unnamed'}.md"
    return next((other for other in tree.paths() if fold(other) == path), path)


def _item(pull_request: PullRequest, *operations: Operation, reason: str = "") -> Item:
    return Item(
        id=pull_request.source,
        digest=pull_request.digest,
        last=pull_request.settled_at,
        operations=operations,
        reason=reason,
    )
