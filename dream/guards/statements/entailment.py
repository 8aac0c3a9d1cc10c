"""What code can tell of whether evidence bears a statement out; the rest is the judge's.

Two kinds of checks, of different worth. Values and names: every number, date, path, identifier, version, link, code
span and negation of the statement is in the cited lines; names and the day may come from the session's own record.
Moods: what is cited as a question, a plan, a proposal or a guess is not told as a fact. The moods are English and see
open marks only. A statement that passes all of them is not entailed, only not refuted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from dream.guards.statements.amounts import (
    amount_of,
    dates_in,
    other_number,
    ranges_apart,
    says_number,
    unknown_value_words,
    without_month_days,
)
from dream.guards.statements.claims import Claim
from dream.guards.statements.limits import GateLimits
from dream.guards.statements.moods import Mood, is_wanted, mood_of, tells_as, tells_firmly
from dream.guards.statements.named import (
    disguised_word,
    unknown_literal,
    unknown_name,
    unknown_resource,
    unknown_speaker,
)
from dream.guards.statements.polarity import negation_added, negation_dropped, negation_moved
from dream.guards.statements.quotes import Located, split_sentences
from dream.guards.statements.utterances import Speaker
from dream.guards.statements.verbatim import changed_abbreviation, changed_item, changed_name, changed_pair
from dream.guards.statements.withdrawals import withdrawal
from dream.guards.vocabulary import content_words, is_negation
from dream.memory.operations import Refusal
from dream.memory.similarity import lost_specifics, specifics
from dream.memory.sources import parse_date

_LIMITS = frozenset("≥≤")
_LIMIT_WORDS = content_words(
    "max maximum min minimum limit limited cap capped most least over under exceed above below"
)
_UNIT_AFTER_HYPHEN = re.compile(
    r"(?i:(?<=[0-9])|(?<=two)|(?<=three)|(?<=four)|(?<=five)|(?<=six)|(?<=seven)|(?<=eight)|(?<=nine)|(?<=ten))-"
    r"(?=(?:second|minute|hour|day|week|month|year|byte|percent)s?\b)"
)
_MOST_SHOWN = 3
_ASKED_FOR = frozenset({Mood.PROPOSAL, Mood.PLAN, Mood.ORDER})


def check_claim(claim: Claim, limits: GateLimits | None = None) -> Refusal | None:
    """Return why the cited lines cannot bear out the statement, None where code finds nothing against it.

    Reasons: `no-specific`, `other-number`, `little-in-common`, `no-name`, `no-resource`, `no-speaker`,
    `disguised-name`, `negation-added`, `negation-dropped`, `question-as-fact`, `supposition-as-fact`,
    `proposal-as-fact`, `plan-as-fact`, `guess-as-fact`, `order-as-fact`, `withdrawn`.
    """
    known = limits or GateLimits()
    return next((refusal for check in CHECKS if (refusal := check(claim, known))), None)


def coverage(claim: Claim) -> float:
    """Return the share of the statement's content words that stand in the cited lines or the record, 0 to 1."""
    words = content_words(claim.statement)
    known = content_words(f"{claim.lines}\n{claim.record_names}")
    return len(words & known) / len(words) if words else 0.0


def _check_coverage(claim: Claim, limits: GateLimits) -> Refusal | None:
    """Refuse a statement whose words are not there: no honest one of 247 is below the share, 95 % of strays are."""
    share = coverage(claim)
    return Refusal("little-in-common", f"{share:.0%} of its words") if share < limits.least_in_common else None


def _check_specifics(claim: Claim, _: GateLimits) -> Refusal | None:
    statement, lines, day = _hyphens_apart(claim.statement), _hyphens_apart(claim.lines), claim.record.day
    known = f"{lines}\n{claim.record_names}"
    lines = f"{lines}\n{ranges_apart(lines)}"
    said_dates = _dates_said(claim)
    if dates_in(_without_relative(statement), day) - said_dates:
        return Refusal("no-specific", "a date")
    wanted = without_month_days(statement)
    missing = {one for one in lost_specifics([wanted], lines) if not is_negation(one)}
    missing -= {one for one in missing if parse_date(one) in said_dates}
    missing -= specifics("\n".join(claim.record.names)) | frozenset(claim.record.names)
    missing -= {one for one in missing if not _is_value(one) and _stands_in(one, known)}
    amounts = {amount_of(one) for one in specifics(lines)}
    missing -= {one for one in missing if (amount := amount_of(one)) and amount in amounts}
    missing -= {one for one in missing if _is_said_otherwise(one, lines)}
    missing |= unknown_value_words(wanted, lines)
    return Refusal("no-specific", _shown(missing)) if missing else None


def _dates_said(claim: Claim) -> frozenset[date]:
    """Return the days on which the cited lines were said, and those that they name from there (`yesterday`)."""
    found: set[date] = set()
    for quote in claim.quotes:
        day = quote.utterance.at.astimezone(claim.record.zone).date()
        found |= {day, *dates_in(_hyphens_apart(quote.lines), day)}
    return frozenset(found)


def _hyphens_apart(text: str) -> str:
    """Return `text` with `seven-day` and `30-second` read as two words."""
    return _UNIT_AFTER_HYPHEN.sub(" ", text)


def _without_relative(statement: str) -> str:
    """Return `statement` without `today` and the like, which in a memory name no day."""
    for word in ("yesterday", "tomorrow", "today", "tonight", "last night", "this morning"):
        statement = statement.replace(word, " ")
    return statement


def _stands_in(name: str, text: str) -> bool:
    return not lost_specifics([f"`{name}`"], text)


def _is_value(specific: str) -> bool:
    return amount_of(specific) is not None or parse_date(specific) is not None


def _is_said_otherwise(specific: str, lines: str) -> bool:
    stems = content_words(lines)
    if specific in _LIMITS:
        return bool(stems & _LIMIT_WORDS)
    if specific in {"enabled", "disabled"}:
        return bool(content_words(specific) & stems)
    if specific.isdigit() and says_number(specific, lines):
        return True
    bare = specific.removeprefix("v")
    if specific.startswith("v") and bare.isdigit():
        return not lost_specifics([f"version {bare}"], lines) and "version" in lines.lower()
    return specific.isdigit() and f"v{specific}" in specifics(lines)


def _check_numbers(claim: Claim, _: GateLimits) -> Refusal | None:
    thing = other_number(claim.statement, claim.lines)
    return Refusal("other-number", _shown({thing})) if thing else None


def _check_names(claim: Claim, _: GateLimits) -> Refusal | None:
    known = f"{claim.lines}\n{claim.record_names}"
    for reason, word in (
        ("disguised-name", disguised_word(claim.statement, known)),
        ("no-speaker", unknown_speaker(claim.statement, known)),
        ("no-name", unknown_name(claim.statement, known)),
        ("no-specific", unknown_literal(claim.statement, known)),
        ("no-specific", changed_name(claim.statement, known) or changed_pair(claim.statement, known)),
        ("no-name", changed_item(claim.statement, known) or changed_abbreviation(claim.statement, known)),
        ("no-resource", unknown_resource(claim.resource, known) or changed_name(claim.resource, known)),
    ):
        if word:
            return Refusal(reason, _shown({word}))
    return None


def _check_polarity(claim: Claim, _: GateLimits) -> Refusal | None:
    sentences = [one for quote in claim.quotes for one in split_sentences(quote.sentences)]
    added = negation_added(claim.statement, sentences)
    if added:
        return Refusal("negation-added", _shown({added}))
    dropped = negation_dropped(claim.statement, sentences) or negation_moved(claim.statement, sentences)
    return Refusal("negation-dropped", _shown({dropped})) if dropped else None


def _check_mood(claim: Claim, _: GateLimits) -> Refusal | None:
    """Refuse a statement whose best support among what people and agents said is not said as a fact."""
    words, named = content_words(claim.statement), specifics(claim.statement)
    support = [
        (len(words & content_words(sentence)) + len(named & specifics(sentence)), _mood(quote, sentence, claim), quote)
        for quote in claim.quotes
        for sentence in split_sentences(quote.sentences)
    ]
    most = max((shared for shared, _, _ in support), default=0)
    best = [(mood, quote) for shared, mood, quote in support if shared == most]
    if not best or any(tells_as(claim.statement, mood) for mood, _ in best):
        return None
    mood, quote = best[0]
    if mood is Mood.GUESS and claim.tentative and not tells_firmly(claim.statement):
        return None
    if mood in {Mood.QUESTION, Mood.ORDER} and any(
        other is Mood.FACT and _follows(one, quote) for _, other, one in support
    ):
        return None
    return Refusal(f"{mood.value}-as-fact", quote.utterance.id)


def _follows(answer: Located, question: Located) -> bool:
    speakers = (answer.utterance.speaker, question.utterance.speaker)
    return answer.utterance.at > question.utterance.at and speakers[0] is not Speaker.AGENT


def _check_withdrawn(claim: Claim, _: GateLimits) -> Refusal | None:
    turn = withdrawal(claim.statement, claim.quotes, claim.later)
    return Refusal("withdrawn", turn.id) if turn else None


def _mood(quote: Located, sentence: str, claim: Claim) -> Mood:
    if quote.utterance.speaker is Speaker.TOOL:
        return Mood.FACT
    mood = mood_of(sentence)
    return Mood.FACT if claim.is_rule and mood in _ASKED_FOR and is_wanted(sentence) else mood


def _shown(names: set[str] | frozenset[str]) -> str:
    ordered = sorted(names)
    return ascii(", ".join(ordered[:_MOST_SHOWN]))[1:-1] + (", …" if len(ordered) > _MOST_SHOWN else "")


CHECKS: tuple[Callable[[Claim, GateLimits], Refusal | None], ...] = (
    _check_specifics,
    _check_numbers,
    _check_coverage,
    _check_names,
    _check_polarity,
    _check_mood,
    _check_withdrawn,
)
