"""What a merge, a shortening or a rewrite must keep, and what it must not bring in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance.Levenshtein import distance
from rapidfuzz.process import extractOne

from dream.guards.heirs import Heirs
from dream.guards.sameness.attesting import MAY_ATTEST, is_attested, without_attestations
from dream.guards.sameness.covering import cut, uncovered
from dream.guards.vocabulary import content_words, is_negation, is_value
from dream.guards.wording import span_text
from dream.memory.notes import Entry, Note, parse_note
from dream.memory.operations import Basis, Merge, Move, Proposal, Refusal, Revise, Shorten, Span
from dream.memory.paths import is_topic
from dream.memory.similarity import lost_specifics, similarity, specifics, word_set
from dream.memory.tree import Tree

SUPERSEDES = "supersedes "
SAME_MATTER = 0.6
MERGE_COVERAGE = 0.6
_NUMERAL = re.compile(r"[0-9]+(?:[.,][0-9]+){0,5}")
_LONG_NAME = 5
_LETTERS = 2

Says = Callable[[Entry, Entry], bool]
"""Whether the first of two statements is attested to say what the second says."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What some lines say: their entries, and all their text without markers, dates and sources."""

    entries: tuple[Entry, ...]
    text: str


def read_statements(text: str) -> Stated:
    """Return what `text` states; text that cannot be read as a note is taken as it is."""
    note = parse_note(text.encode(errors="replace"))
    if not isinstance(note, Note):
        return Stated((), text)
    return Stated(note.entries, "\n".join((*(entry.key for entry in note.entries), *note.other)))


def superseded(basis: Basis) -> frozenset[str]:
    """Return the specifics that `basis` names as superseded, each with its evidence: `supersedes 5432: <evidence>`."""
    named = (line.removeprefix(SUPERSEDES).partition(": ") for line in basis.evidence if line.startswith(SUPERSEDES))
    return frozenset(specific for specific, _, evidence in named if specific and evidence.strip())


def guard_specifics(proposal: Proposal) -> Refusal | None:
    """Refuse a merge, shortening or rewrite of a topic note that loses or invents something.

    Reasons: `lost-specific`, `differing-value`, `negation`, `unique-line`, `lost-source`, `date-not-oldest`,
    `status-laundering`, `differing-word`, `adds-words`, `adds-value`.
    """
    operation = proposal.operation
    match operation:
        case Merge():
            return _judge_merge(operation, proposal.before, may_attest=proposal.task in MAY_ATTEST)
        case Shorten(span=span, new=new, basis=basis):
            old, now = _read(span, proposal.before), read_statements(new)
            return (
                _loses([old], now, basis)
                or _misdates(old.entries, Heirs(now.entries), basis)
                or _adds([old], now, basis.evidence)
                or _rewords(old, now)
            )
        case Move(span=span, opening=opening) if opening:
            return _adds([read_statements(_all_text(span.path, proposal.before))], read_statements(opening), ())
        case Revise(span=span, new=new, basis=basis) if is_topic(span.path):
            return _adds([_read(span, proposal.before)], read_statements(new), basis.evidence)
        case _:
            return None


def _judge_merge(operation: Merge, before: Tree, *, may_attest: bool) -> Refusal | None:
    if operation.into in operation.absorbed:
        return Refusal("unique-line", f"{operation.into.path} would take in itself")
    into = _read(operation.into, before)
    absorbed = [_read(span, before) for span in operation.absorbed]
    if operation.new is None:
        absorbed = [stated for stated in absorbed if stated != into]
        if not absorbed:
            return None  # the very same note, of which nothing can be lost
    result = into if operation.new is None else read_statements(operation.new)
    inputs = [into, *absorbed]
    entries = [entry for stated in inputs for entry in stated.entries]
    basis = replace(operation.basis, evidence=without_attestations(operation.basis.evidence))
    heirs = Heirs(result.entries)
    standing = frozenset(entry.key for entry in into.entries)
    attested = operation.basis.evidence if may_attest else ()

    def says(kept: Entry, other: Entry) -> bool:
        """Whether a judge has attested it of a wording that stood before."""
        return kept.key in standing and is_attested(attested, kept.key, other.key)

    return (
        _contradicts(into, absorbed, superseded(basis))
        or _loses(inputs, result, basis)
        or _drops_a_line(absorbed, heirs, says)
        or _misdates(entries, heirs, basis)
        or (_loses_a_word(entries, heirs, basis, says) if is_topic(operation.into.path) else None)
        or _adds(inputs, result, basis.evidence)
    )


def _all_text(path: str, tree: Tree) -> str:
    return span_text(Span(path=path, text=None), tree)


def _read(span: Span, tree: Tree) -> Stated:
    return read_statements(span_text(span, tree))


def _contradicts(into: Stated, absorbed: Sequence[Stated], settled: frozenset[str]) -> Refusal | None:
    """Find two statements on one matter whose specifics differ both ways: one is wrong, and code cannot say which.

    What stands in `into` word for word is at odds with nothing there that was not at odds before.
    """
    said = {entry.key for entry in into.entries}
    for entry in (entry for stated in absorbed for entry in stated.entries if entry.key not in said):
        for other in into.entries:
            is_only_pair = len(into.entries) == 1 and len(absorbed) == 1 and len(absorbed[0].entries) == 1
            if not is_only_pair and similarity(entry.key, other.key, cutoff=SAME_MATTER) < SAME_MATTER:
                continue
            ours, theirs = specifics(other.key) - settled, specifics(entry.key) - settled
            if any(map(is_negation, ours ^ theirs)):
                return Refusal("negation", _shown(ours ^ theirs))
            mistaken = _misspelt(ours - theirs, entry.key) | _misspelt(theirs - ours, other.key)
            only_ours = ours - theirs | _more(other.key, entry.key) - settled
            only_theirs = theirs - ours | mistaken | _more(entry.key, other.key) - settled
            if mistaken or (only_ours and only_theirs):
                return Refusal("differing-value", f"{_shown(only_ours)} against {_shown(only_theirs)}")
    return None


def _misspelt(names: Iterable[str], text: str) -> frozenset[str]:
    """Return the words of `text` that are one of `names` but for a letter or two, and so may be another thing."""
    words = [word for word in word_set(text) if len(word) >= _LONG_NAME]
    found = (extractOne(name.casefold(), words, scorer=distance, score_cutoff=_LETTERS) for name in names)
    return frozenset(best[0] for best in found if best and best[1] > 0)


def _loses(inputs: Iterable[Stated], result: Stated, basis: Basis) -> Refusal | None:
    missing = lost_specifics((stated.text for stated in inputs), result.text) - superseded(basis)
    return Refusal("lost-specific", _shown(missing)) if missing else None


def _drops_a_line(absorbed: Iterable[Stated], heirs: Heirs, says: Says) -> Refusal | None:
    """Find an absorbed entry that no entry of the result stands for: merging is no way to remove a unique line."""
    for entry in (entry for stated in absorbed for entry in stated.entries):
        words = content_words(entry.key)
        heir = heirs.of(entry)
        covered = words & content_words(heir.key) if heir else frozenset()
        if words and len(covered) < MERGE_COVERAGE * len(words) and not (heir and says(heir, entry)):
            return Refusal("unique-line", f"line {entry.start + 1} of what is absorbed")
    return None


def _misdates(entries: Iterable[Entry], heirs: Heirs, basis: Basis) -> Refusal | None:
    """Find an entry of the result that looks older, firmer or better founded than the entries it stands for."""
    groups: dict[int, list[Entry]] = {}
    for entry in entries:
        heir = heirs.of(entry)
        if heir:
            groups.setdefault(heir.start, []).append(entry)
    for heir in heirs.entries:
        refusal = _misdates_one(heir, groups.get(heir.start, []), basis)
        if refusal:
            return refusal
    return None


def _misdates_one(heir: Entry, group: list[Entry], basis: Basis) -> Refusal | None:
    sources = frozenset(source for entry in group for source in entry.sources)
    if sources - frozenset(heir.sources):
        return Refusal("lost-source", _shown(sources - frozenset(heir.sources)))
    oldest = min((entry.date for entry in group if entry.date), default=None)
    if heir.date != oldest:
        return Refusal("date-not-oldest", f"{heir.date} for {oldest}")
    if any(entry.tentative for entry in group) and not heir.tentative:
        return Refusal("status-laundering", "tentative")
    lent = frozenset(heir.sources) - sources - frozenset(basis.sources)
    if lent:
        return Refusal("status-laundering", f"{_shown(lent)} never said this")
    vouched = frozenset().union(*(content_words(entry.key) for entry in group if entry.sources))
    unvouched = content_words(heir.key) - vouched - frozenset().union(*map(content_words, basis.evidence))
    if heir.sources and unvouched:
        return Refusal("status-laundering", f"no source said {_shown(unvouched)}")
    return None


def _loses_a_word(entries: Iterable[Entry], heirs: Heirs, basis: Basis, says: Says) -> Refusal | None:
    """Find an entry that no entry of the result holds in full: one word may be all in which two facts differ."""
    if superseded(basis):
        return None
    standing = frozenset(other.key for other in heirs.entries)
    for entry in (entry for entry in entries if entry.key not in standing):
        near = heirs.nearest(entry)
        against = ["" if says(other, entry) else uncovered(other.key, entry.key) for other in near]
        if against and all(against):
            return Refusal("differing-word", _shown([against[0]]))
    return None


def _rewords(old: Stated, now: Stated) -> Refusal | None:
    against = cut(_all_of(old), _all_of(now))
    return Refusal("differing-word", _shown([against])) if against else None


def _all_of(stated: Stated) -> str:
    return "\n".join(entry.key for entry in stated.entries) or stated.text


def _adds(inputs: Iterable[Stated], result: Stated, evidence: Iterable[str]) -> Refusal | None:
    stated, shown = [one.text for one in inputs], tuple(evidence)
    texts = (*stated, *shown)
    added = content_words(result.text) - frozenset().union(*map(content_words, texts))
    if added:
        return Refusal("adds-words", _shown(added))
    said = dict.fromkeys(line for text in texts for line in text.split("\n"))
    stood = "\n".join(said)
    values = frozenset(filter(is_value, specifics(result.text) - specifics(stood)))
    if any(map(is_negation, values)):
        return Refusal("negation", _shown(values))
    values -= _measured(values, "\n".join(stated), "\n".join(shown))
    values |= frozenset(one for one in _more(result.text, stood) if _numerals(stood)[one])
    return Refusal("adds-value", _shown(values)) if values else None


def _measured(values: frozenset[str], stated: str, evidence: str) -> frozenset[str]:
    """Return those of `values` whose number is in the evidence and whose unit was stated: `retention_days=466`."""
    units = frozenset(one.partition(" ")[2] for one in specifics(stated))
    numbers = _numerals(evidence)
    return frozenset(
        one for one in values if (unit := one.partition(" ")[2]) and unit in units and numbers[one.partition(" ")[0]]
    )


def _more(text: str, other: str) -> frozenset[str]:
    """Return the numbers that stand more often in `text` than in `other`: one of them took the place of another."""
    return frozenset(_numerals(text) - _numerals(other))


def _numerals(text: str) -> Counter[str]:
    return Counter(number.replace(",", "") for number in _NUMERAL.findall(text))


def _shown(names: Iterable[str]) -> str:
    ordered = sorted(names)
    return ascii(", ".join(ordered[:3]))[1:-1] + (", …" if len(ordered) > 3 else "")  # noqa: PLR2004
