"""What follows tonight from each nomination: asked about, ruled on, and decided on the memory as it stands by then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dream.memory.outcomes import Item, Plan
from dream.models.port import Model
from tasks.tidying.asking import Answers, Ruling, Screen, ask_rulings
from tasks.tidying.attesting import Attested, Attester, Said, attest
from tasks.tidying.limits import TidyLimits
from tasks.tidying.merging import (
    DIFFERING_WORD,
    WRITTEN_TODAY,
    Rules,
    is_waiting_for_fresh,
    merge_statements,
    to_be_attested,
)
from tasks.tidying.nominations import Matter, Nomination
from tasks.tidying.settling import settle_contradiction
from tasks.tidying.shortening import shorten
from tasks.tidying.splitting import split_note
from tasks.tidying.staging import only_statement
from tasks.tidying.topics import merge_notes

PAIRS = frozenset({Matter.DUPLICATE, Matter.CONTRADICTION, Matter.SAME_TOPIC})
NOTED = "noted"
NOT_ATTESTED = "not-attested"
UNJUDGED = "judge-silent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Who is asked about nominations, what they are shown, and how much at once; a new `salt` asks afresh.

    Statements in other words come to one only where there is an `attester`.
    """

    model: Model
    screen: Screen
    salt: str = ""
    limits: TidyLimits = field(default_factory=TidyLimits)
    attester: Attester | None = None


@dataclass(slots=True)
class _Account:
    """What became of the nominations, for the record and for the report."""

    items: list[Item] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)


def decide(nominations: Sequence[Nomination], judging: Judging, rules: Rules) -> Plan:
    """Return what `nominations` come to, each decided on what those before it have left (`rules.stage` takes it)."""
    account = _Account()
    pairs = [one for one in nominations if one.matter in PAIRS]
    waiting = [one for one in pairs if is_waiting_for_fresh(one, rules.fresh)]
    account.items += [_item(one, WRITTEN_TODAY, pending=True) for one in waiting]
    asked = [one for one in pairs if one not in waiting]
    answers = ask_rulings(asked, judging.model, screen=judging.screen, limits=judging.limits, salt=judging.salt)
    attested, by_pair = _attested(asked, answers, judging.attester, rules)
    rules = replace(rules, attested=attested.lines)
    for one in sorted(asked, key=_takes_a_note):
        item = _decided(one, answers, rules, account.findings)
        _settle(account, _without_a_judge(item, by_pair.get(one.id), attested), rules)
    wordy = [one for one in nominations if one.matter is Matter.WORDY]
    for start in range(0, len(wordy), judging.limits.together):
        group = wordy[start : start + judging.limits.together]
        for item in shorten(group, judging.model, rules, screen=judging.screen, salt=judging.salt):
            _settle(account, item, rules)
    for one in nominations:
        if one.matter is Matter.SEVERAL_TOPICS:
            item = split_note(one, judging.model, rules, screen=judging.screen, salt=judging.salt)
            _settle(account, item, rules)
        elif one.matter not in PAIRS and one.matter is not Matter.WORDY:
            account.findings.append(f"{one.places[0].shown}: {one.matter}, {one.why}")
            account.items.append(_item(one, NOTED))
    findings = (*_told(answers), *_told_of_judge(attested), *_bounded(account.findings, most=judging.limits.findings))
    return Plan(items=tuple(account.items), findings=findings)


def _takes_a_note(one: Nomination) -> tuple[bool, int]:
    """Order what may take a whole note behind all else, the newest first: a new note costs no budget, an old one may.

    What a budget puts off takes with it whatever is merged into the same statement behind it.
    """
    alone = [place.entry for place in one.places if place.entry is not None and only_statement(place.note, place.entry)]
    days = [entry.date.toordinal() for entry in alone if entry.date is not None]
    return bool(alone), -max(days, default=0)


def not_declined(nominations: Sequence[Nomination], declined: Mapping[str, str]) -> list[Nomination]:
    """Return `nominations` without those that were declined as they stand, and not so long ago."""
    return [one for one in nominations if declined.get(one.id) != one.digest]


def _attested(
    asked: Sequence[Nomination], answers: Answers, attester: Attester | None, rules: Rules
) -> tuple[Attested, Mapping[str, Said]]:
    """Return what the judge attests of the pairs ruled to be one, and which two statements each of them is about."""
    if attester is None:
        return Attested(), {}
    ruled = [one for one in asked if one.matter is not Matter.SAME_TOPIC]
    same = [one for one in ruled if (said := answers.rulings.get(one.id)) is not None and said.ruling == "same"]
    by_pair = {one.id: pair for one in same if (pair := to_be_attested(one, rules)) is not None}
    return attest(list(dict.fromkeys(by_pair.values())), attester), by_pair


def _without_a_judge(item: Item, pair: Said | None, attested: Attested) -> Item:
    """Return an item that its words kept apart with what the judge has to do with it."""
    if pair is None or item.reason != DIFFERING_WORD:
        return item
    if pair in attested.silent:
        return replace(item, reason=UNJUDGED, pending=True)
    return replace(item, reason=NOT_ATTESTED)


def _decided(one: Nomination, answers: Answers, rules: Rules, findings: list[str]) -> Item:
    if one.id in answers.waiting:
        return _item(one, answers.waiting[one.id], pending=True)
    ruling = answers.rulings.get(one.id)
    if ruling is None:
        return _item(one, answers.not_shown.get(one.id, "not-shown"))
    match ruling.ruling:
        case "same" | "narrower":
            return _joined(one, ruling, rules)
        case "contradicts" if one.matter is not Matter.SAME_TOPIC:
            item, told = settle_contradiction(one, rules)
            findings += [told] if told else []
            return item
        case said:
            return _item(one, said)


def _joined(one: Nomination, ruling: Ruling, rules: Rules) -> Item:
    if one.matter is not Matter.SAME_TOPIC:
        return merge_statements(one, ruling, rules)
    return merge_notes(one, rules) if ruling.ruling == "same" else _item(one, ruling.ruling)


def _settle(account: _Account, item: Item, rules: Rules) -> None:
    if item.operations and not rules.stage.take(item.operations):
        item = replace(item, operations=(), reason="changed-tonight", pending=True)
    account.items.append(item)


def _item(one: Nomination, reason: str, *, pending: bool = False) -> Item:
    return Item(id=one.id, digest=one.digest, reason=reason, pending=pending)


def _told(answers: Answers) -> Iterator[str]:
    counts = Counter(ruling.ruling for ruling in answers.rulings.values())
    if counts:
        told = ", ".join(f"{count} {name}" for name, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])))
        yield f"tidy: {counts.total()} pairs ruled on: {told}"
    if answers.odd:
        told = ", ".join(f"{count} {name}" for name, count in sorted(answers.odd.items()))
        yield f"tidy: rulings that name no pair of their question, or none that one has: {told}"


def _told_of_judge(attested: Attested) -> Iterator[str]:
    if attested.unfit:
        yield f"tidy: {len(attested.silent)} pairs in other words stay apart: {attested.unfit}"
    if attested.distrusted:
        yield f"tidy: a judge took two statements for one in {attested.distrusted} questions, which count for nothing"


def _bounded(findings: Sequence[str], *, most: int) -> Iterator[str]:
    yield from findings[:most]
    if len(findings) > most:
        yield f"tidy: {len(findings) - most} more of this kind"
