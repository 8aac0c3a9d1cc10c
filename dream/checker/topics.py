"""Notes about several things, and two notes about one, told by the words they are made of.

No model is asked, so what is said here is meant to be true and not to be complete: a note is about several things where
its author gave it several titles whose texts have next to no words in common, and two notes are about one thing where
their titles say the same and their texts have much in common, or where their texts hardly differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from dream.checker.finding import Finding, find, shown
from dream.memory.logbooks import is_logbook
from dream.memory.notes import Note
from dream.memory.scan import Shape, scan
from dream.memory.titles import plain_text
from dream.memory.topics import TopicLimits, are_apart, likeness, telling_words, told_by

_RAREST = 12
_MOST_HOLDERS = 40
_SHARED = 3
_LONGEST_SHOWN = 60
_MOST_NAMED = 3


def check_topics(notes: Mapping[str, Note], limits: TopicLimits) -> Iterator[Finding]:
    """Yield which of the topic notes in `notes` are about several things, and which are about the same."""
    told = {path: note for path, note in notes.items() if not is_logbook(path)}
    for path, note in told.items():
        yield from _several(path, note, limits)
    yield from _same(told, limits)


def _several(path: str, note: Note, limits: TopicLimits) -> Iterator[Finding]:
    """Yield that a note has several titles, none of whose texts is about what another is."""
    body = note.frontmatter.end if note.frontmatter else 0
    tops = [block for block in scan(note.lines, body).blocks if block.shape is Shape.HEADING and block.level == 1]
    bounds = [*(block.start for block in tops), len(note.lines)]
    parts = [
        (tops[n], telling_words("\n".join(note.lines[start:end]))) for n, (start, end) in enumerate(pairwise(bounds))
    ]
    parts = [(block, words) for block, words in parts if len(words) >= limits.telling]
    if are_apart([words for _, words in parts], limits):
        titles = [shown(plain_text(note.lines[block.start])[:_LONGEST_SHOWN]) for block, _ in parts]
        yield find("several-topics", path, "; ".join(titles[:3]), line=parts[1][0].start + 1)


def _same(notes: Mapping[str, Note], limits: TopicLimits) -> Iterator[Finding]:
    """Yield one finding for each group of notes about one thing, at the first of them."""
    told = {path: told_by(note) for path, note in notes.items()}
    groups: dict[str, set[str]] = {}
    for path, other in _near({path: one.text for path, one in told.items()}):
        if likeness(told[path], told[other], limits):
            group = groups.get(path, {path}) | groups.get(other, {other})
            groups |= dict.fromkeys(group, group)
    for first, *others in sorted({tuple(sorted(group)) for group in groups.values()}):
        named = ", ".join(shown(other) for other in others[:_MOST_NAMED])
        more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
        yield find("same-topic", first, f"as {named}{more}")


def _near(texts: Mapping[str, frozenset[str]]) -> Sequence[tuple[str, str]]:
    """Return the pairs that have some of their rarest words in common, in order; the rest need not be compared."""
    often = Counter(word for words in texts.values() for word in words)
    holders: dict[str, list[str]] = {}
    for path, words in texts.items():
        rare = sorted(
            (word for word in words if 1 < often[word] <= _MOST_HOLDERS), key=lambda word: (often[word], word)
        )
        for word in rare[:_RAREST]:
            holders.setdefault(word, []).append(path)
    shared = Counter(pair for paths in holders.values() for pair in combinations(paths, 2))
    return sorted(pair for pair, count in shared.items() if count >= _SHARED)
