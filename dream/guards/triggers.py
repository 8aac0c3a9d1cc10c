"""What a learning's trigger may claim: a short description of one kind of task, and nobody else's.

A trigger decides when every agent of an organisation reads a text, so that one that claims too much is the shortest way
to speak to all of them. It is judged by its words, without a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dream.guards.codepoints import hidden_code_points, name_code_points
from dream.guards.trigger_words import claim_on_everything, claims_all_alone, mixes_scripts, names_in
from dream.memory.operations import Refusal
from dream.memory.similarity import similarity

_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\W_\u3040-\ud7af]+|[^\w\s]|_")
_CHARACTERS_OF_A_TOKEN = 8
_BETWEEN = re.compile(
    r"[,;:|()]|/(?=\s)|[.!?](?=\s|\Z)|\b(?:or|and|plus|as well as|such as|e\.g|for (?:example|instance)|including"
    r"|especially|particularly|mainly|notably|oder|und|ou|et|o|y)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s*(?:use (?:this )?)?(?:when|while|if|before|after|for)\b", re.IGNORECASE)
_LEAST_STEM = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerLimits:
    """How much a trigger may claim.

    `tokens` is its longest length (`count_tokens`), `alternatives` are the kinds of task that it may list, `unnamed`
    those of them that name nothing; from the similarity `alike` to another's it is the same trigger.
    """

    tokens: int = 40
    alternatives: int = 8
    unnamed: int = 2
    alike: float = 0.85


def count_tokens(text: str) -> int:
    """Return the length of `text` in tokens, counted without a model's tables.

    A word is one for every eight characters that it begins; a mark of punctuation and a character of a script without
    blanks between words are one each. On English that is about what models count.
    """
    return sum(-(-len(token) // _CHARACTERS_OF_A_TOKEN) for token in _TOKEN.findall(text))


def check_trigger(
    trigger: str, *, evidence: Sequence[str], others: Mapping[str, str], limits: TriggerLimits | None = None
) -> Refusal | None:
    """Return why a learning may not have `trigger`, None where it may.

    `evidence` are the words of people that it rests on, `others` the triggers of the other learnings by name. Reasons:
    `trigger-disguised` (more than one line, unseen characters, words of letters that only look alike),
    `trigger-too-long`, `trigger-universal`, `trigger-names-nothing` (no task or resource that stands in the evidence),
    `trigger-swallows` (it would be used wherever another's is, or is the same again).
    """
    held = limits or TriggerLimits()
    return (
        _disguised(trigger)
        or _too_long(trigger, held.tokens)
        or _universal(trigger, held)
        or _names_nothing(trigger, evidence)
        or _swallows(trigger, others, held.alike)
    )


def _disguised(trigger: str) -> Refusal | None:
    hidden = hidden_code_points(trigger)
    if hidden:
        return Refusal("trigger-disguised", name_code_points(trigger, hidden))
    if "\n" in trigger or "\t" in trigger:
        return Refusal("trigger-disguised", "it is more than one line")
    return Refusal("trigger-disguised", "a word mixes alphabets") if mixes_scripts(trigger) else None


def _too_long(trigger: str, most: int) -> Refusal | None:
    tokens = count_tokens(trigger)
    return Refusal("trigger-too-long", f"{tokens} tokens, at most {most}") if tokens > most else None


def _universal(trigger: str, limits: TriggerLimits) -> Refusal | None:
    claim = claim_on_everything(trigger)
    if claim:
        return Refusal("trigger-universal", claim)
    kinds = [part for part in _BETWEEN.split(trigger) if part.strip()]
    unnamed = [part for part in kinds if not names_in(part)]
    if len(kinds) > limits.alternatives:
        return Refusal("trigger-universal", f"{len(kinds)} kinds of task, at most {limits.alternatives}")
    alone = next(filter(claims_all_alone, unnamed), "") if len(kinds) > len(unnamed) else ""
    if alone:
        return Refusal("trigger-universal", ascii(alone.strip())[1:-1])
    if len(unnamed) > limits.unnamed:
        return Refusal("trigger-universal", f"{len(unnamed)} kinds of task without a name, at most {limits.unnamed}")
    return None


def _names_nothing(trigger: str, evidence: Iterable[str]) -> Refusal | None:
    names = names_in(trigger)
    if not names:
        return Refusal("trigger-names-nothing", "it names no task and no resource")
    known = {name for text in evidence for name in names_in(text)}
    if any(_stands(name, known) for name in names):
        return None
    return Refusal("trigger-names-nothing", f"not in the evidence: {ascii(', '.join(names[:3]))[1:-1]}")


def _stands(name: str, known: set[str]) -> bool:
    """Whether `name` is among `known`, `deployment` beside `deploy` as well."""
    return name in known or any(
        min(len(name), len(other)) >= _LEAST_STEM and (name.startswith(other) or other.startswith(name))
        for other in known
    )


def _swallows(trigger: str, others: Mapping[str, str], alike: float) -> Refusal | None:
    own = tuple(map(frozenset, _alternatives(trigger)))
    things = {part.names[0] for part in _parts(trigger) if len(part.names) == 1}
    for name, other in sorted(others.items()):
        theirs = tuple(_alternatives(other))
        # `orders or testing invoices` may be meant of all work on orders: the first of another's names is what it does,
        # the others are what it does that with.
        covered = theirs and all(any(mine <= {*one} for mine in own) or things & {*one[1:]} for one in theirs)
        if covered or similarity(trigger, other, cutoff=alike) >= alike:
            return Refusal("trigger-swallows", name)
    return None


@dataclass(frozen=True, slots=True)
class _Part:
    """The names of what stands between commas and conjunctions; one with a `when` of its own is not cut short."""

    names: tuple[str, ...]
    is_clause: bool


def _parts(trigger: str) -> list[_Part]:
    parts = [_Part(names_in(part), _CLAUSE.match(part) is not None) for part in _BETWEEN.split(trigger)]
    return [part for part in parts if part.names]


def _alternatives(trigger: str) -> Iterator[tuple[str, ...]]:
    """Yield the names of each kind of task that `trigger` speaks of: the fewer one has, the more it covers.

    In `reviewing or writing migrations` both are of migrations, in `reviewing migrations or schemas` both are reviewed;
    in `when reviewing, or when writing migrations` everything is reviewed.
    """
    parts = _parts(trigger)
    names = [part.names for part in parts]
    for place in range(len(parts) - 2, -1, -1):
        if len(names[place]) == 1 and len(names[place + 1]) > 1 and not parts[place + 1].is_clause:
            names[place] = (*names[place], *names[place + 1][1:])
    for place in range(1, len(parts)):
        if len(names[place]) == 1 and len(names[place - 1]) > 1 and not parts[place].is_clause:
            names[place] = (names[place - 1][0], *names[place])
    yield from names
