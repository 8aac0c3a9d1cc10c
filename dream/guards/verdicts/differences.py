"""Where a proposed statement differs from an entry: value for value, with no word more or less."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from dream.guards.verdicts.quantities import is_unit, quantity_of
from dream.guards.verdicts.tokens import Token, tokens_of, unit_after
from dream.memory.notes import Entry, entries_in
from dream.memory.operations import Refusal

_MORE = "says-more"
_WIDTHS = (1, 2)
_NUMBERS = (("is", "are"), ("has", "have"), ("runs", "run"), ("ist", "sind"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A value at tokens `place` to `place + width` of the entry, and the one that is to stand there.

    `unit` and `new_unit` are the units that stand beside them as words of their own; where none does, both may be in
    one that a word before them says, `implied`, which is not written.
    """

    place: int
    width: int
    old: str
    new: str
    unit: str = ""
    new_unit: str = ""
    implied: str = ""

    @property
    def measure(self) -> str:
        """What the old value is in."""
        return self.unit or self.implied

    @property
    def new_measure(self) -> str:
        """What the new value is in."""
        return self.new_unit or self.implied

    @property
    def new_text(self) -> str:
        """The new value as it is written: with its unit."""
        return f"{self.new} {self.new_unit}" if self.new_unit else self.new


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """The values that differ, and the words that only follow a number (`replica`, `replicas`) with what they become."""

    values: tuple[Difference, ...]
    endings: tuple[tuple[int, str], ...] = ()


def differences(old: str, new: str) -> Differences | Refusal:
    """Return what `new` has otherwise than `old`; marks of style and breaks do not count, since code writes them.

    Reasons: `says-more` where a word that is no value is added, dropped or another, `no-change`.
    """
    before, after = tokens_of(old), tokens_of(new)
    matcher = SequenceMatcher(None, [one.text for one in before], [one.text for one in after], autojunk=False)
    values: list[Difference] = []
    pairs: list[tuple[int, int]] = []
    for kind, start, end, other, until in matcher.get_opcodes():
        if kind == "equal":
            continue
        amount = _amount(before, after, (start, end), (other, until))
        if amount is not None:
            values.append(amount)
            continue
        if end - start != until - other:
            return Refusal(_MORE, _shown(token.text for token in (*before[start:end], *after[other:until])))
        pairs += zip(range(start, end), range(other, until), strict=True)
    return _sorted_out(before, after, values, pairs)


def place_values(text: str, key: str, changes: Differences) -> str | None:
    """Return `text`, which holds the tokens of `key` in order, with the changed ones replaced; None if it does not."""
    tokens, wanted = tokens_of(text), tokens_of(key)
    places = _aligned(tokens, wanted) or _aligned_below(tokens, wanted, heading_size(text))
    if places is None:
        return None
    edits = [(places[one.place], places[one.place + one.width - 1], one.new_text) for one in changes.values]
    edits += [(places[at], places[at], ending) for at, ending in changes.endings]
    for first, last, new in sorted(edits, reverse=True):
        text = text[: tokens[first].start] + new + text[tokens[last].end :]
    return text


def read_proposal(statement: str, entry: Entry) -> str:
    """Return what a proposed statement says without the marker, date and sources that it may have been given with.

    Of a section it may leave out the heading, which is then taken to stay.
    """
    if statement.strip() == entry.key:
        return entry.key
    read = entries_in(statement.strip())
    said = read[0].key if len(read) == 1 else " ".join(statement.split())
    size, own = heading_size(entry.raw), tokens_of(entry.key)
    heading = [token.text for token in own[:size]]
    if not 0 < size < len(own) or [token.text for token in tokens_of(said)[:size]] == heading:
        return said
    return entry.key[: own[size].start] + said


def tokens_in(entry: Entry) -> tuple[Token, ...]:
    """Return the words and values of what an entry says; a section's heading is a sentence of its own."""
    tokens, size = tokens_of(entry.key), heading_size(entry.raw)
    if not 0 < size < len(tokens):
        return tokens
    first = tokens[size].segment
    below = (
        replace(
            one,
            sentence=one.sentence + 1,
            segment=one.segment + 1,
            opened="\n" if one.segment == first else one.opened,
        )
        for one in tokens[size:]
    )
    return (*tokens[:size], *below)


def heading_size(raw: str) -> int:
    """Return how many words and values the heading has with which a section begins, 0 where there is none."""
    first = raw.split("\n", 1)[0]
    return len(tokens_of(first)) if first.startswith("#") else 0


def _aligned_below(tokens: Sequence[Token], wanted: Sequence[Token], size: int) -> list[int] | None:
    """Return where a section's heading, and what it says below whatever is no statement, stand in `tokens`."""
    if not 0 < size < len(wanted) or [one.text for one in tokens[:size]] != [one.text for one in wanted[:size]]:
        return None
    below = _aligned(tokens[size:], wanted[size:])
    return None if below is None else [*range(size), *(size + at for at in below)]


def _aligned(tokens: Sequence[Token], wanted: Sequence[Token]) -> list[int] | None:
    """Return where the last run of `wanted` stands in `tokens`, reading from the end, where sources may follow."""
    texts, searched = [token.text for token in tokens], [token.text for token in wanted]
    whole = [at for at in range(len(texts) - len(searched) + 1) if texts[at : at + len(searched)] == searched]
    if len(whole) == 1:
        return list(range(whole[0], whole[0] + len(searched)))
    return None


def _amount(
    before: tuple[Token, ...], after: tuple[Token, ...], old: tuple[int, int], new: tuple[int, int]
) -> Difference | None:
    """Return a change of one amount with its unit, in however many words each is written."""
    (start, end), (other, until) = old, new
    if end == start + 1 and is_unit(before[start].text) and start and quantity_of(before[start - 1].text):
        start, other = start - 1, other - 1
    if not (end - start in _WIDTHS and until - other in _WIDTHS) or other < 0:
        return None
    if quantity_of(before[start].text) is None or quantity_of(after[other].text) is None:
        return None
    unit, new_unit = unit_after(before, start), unit_after(after, other)
    if end - start > (2 if unit else 1) or until - other > (2 if new_unit else 1):
        return None
    return Difference(
        place=start,
        width=2 if unit else 1,
        old=before[start].text,
        new=after[other].text,
        unit=unit,
        new_unit=new_unit,
    )


def _sorted_out(
    before: tuple[Token, ...], after: tuple[Token, ...], values: list[Difference], pairs: list[tuple[int, int]]
) -> Differences | Refusal:
    endings: list[tuple[int, str]] = []
    found = list(values)
    for start, other in pairs:
        old, new = before[start].text, after[other].text
        if _is_ending(old, new) and not before[start].is_number:
            endings.append((start, new))
        else:
            found.append(
                Difference(
                    place=start,
                    width=1,
                    old=old,
                    new=new,
                    unit=unit_after(before, start),
                    new_unit=unit_after(after, other),
                )
            )
    whole = [_with_unit(one) for one in found]
    changed = [one for one in whole if (one.old, one.unit) != (one.new, one.new_unit)]
    if not changed:
        return Refusal("no-change")
    if endings and not any(quantity_of(one.old) for one in changed):
        return Refusal(_MORE, _shown(new for _, new in endings))
    return Differences(values=tuple(changed), endings=tuple(endings))


def _with_unit(one: Difference) -> Difference:
    if one.width == 1 and one.unit:
        return Difference(place=one.place, width=2, old=one.old, new=one.new, unit=one.unit, new_unit=one.new_unit)
    return one


def _is_ending(old: str, new: str) -> bool:
    short, long = sorted((old, new), key=len)
    plain = short.isalpha() and long.isalpha() and not is_unit(short)
    is_plural = long in {short + "s", short + "es"} or (short[:-1] + "ies" == long and short.endswith("y"))
    return plain and (is_plural or (old.lower(), new.lower()) in {*_NUMBERS, *((b, a) for a, b in _NUMBERS)})


def _shown(words: Iterable[str]) -> str:
    return ascii(" ".join(words)[:80])[1:-1]
