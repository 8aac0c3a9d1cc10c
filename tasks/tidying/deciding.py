"""What follows tonight from each nomination: asked about, ruled on, and decided on the memory as it stands by then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dream.memory.outcomes import Item, Plan
from dream.models.port import Model
from tasks.tidying.asking import Answers, Ruling, Screen, ask_rulings
from tasks.tidying.limits import TidyLimits
from tasks.tidying.merging import WRITTEN_TODAY, Rules, is_waiting_for_fresh, merge_statements
from tasks.tidying.nominations import Matter, Nomination
from tasks.tidying.settling import settle_contradiction
from tasks.tidying.shortening import shorten
from tasks.tidying.splitting import split_note
from tasks.tidying.topics import merge_notes

PAIRS = frozenset({Matter.DUPLICATE, Matter.CONTRADICTION, Matter.SAME_TOPIC})
MOST_FINDINGS = 25
NOTED = "noted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Who is asked about nominations, what they are shown, and how much at once; a new `salt` asks afresh."""

    model: Model
    screen: Screen
    salt: str = ""
    limits: TidyLimits = field(default_factory=TidyLimits)


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
    answers = ask_rulings(
        asked, judging.model, screen=judging.screen, together=judging.limits.together, salt=judging.salt
    )
    for one in asked:
        _settle(account, _decided(one, answers, rules, account.findings), rules)
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
    return Plan(items=tuple(account.items), findings=(*_told(answers), *_bounded(account.findings)))


def not_declined(nominations: Sequence[Nomination], declined: Mapping[str, str]) -> list[Nomination]:
    """Return `nominations` without those that were declined as they stand, and not so long ago."""
    return [one for one in nominations if declined.get(one.id) != one.digest]


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


def _bounded(findings: Sequence[str]) -> Iterator[str]:
    yield from findings[:MOST_FINDINGS]
    if len(findings) > MOST_FINDINGS:
        yield f"tidy: {len(findings) - MOST_FINDINGS} more of this kind"
