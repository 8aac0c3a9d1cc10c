"""Entailment: labelled claims before the gates: code alone, and judges that always say yes, no, nothing, or think."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from bench.gates.claims import LabelledClaim, Resolved, load_claims, resolve_all
from dream.guards.statements.gates import Admitted, Candidate, Gates
from dream.guards.statements.judging import Judge, Ruling, Verdict
from dream.guards.statements.quotes import Quote
from dream.memory.operations import Refusal
from dream.models.port import Model
from dream.models.scripted import ScriptedModel
from tasks.questions import judge_question
from tasks.subjects import subject_of

_WORDS = re.compile(r"\w+")
_ENOUGH = 0.6


@dataclass(frozen=True, kw_only=True)
class Ruled:
    """One claim: why code alone refuses it (empty where it does not), and what each judge and baseline makes of it."""

    claim: LabelledClaim
    code: str
    judges: Mapping[str, str]
    by_substring: bool
    by_overlap: bool


@dataclass(kw_only=True)
class Kind:
    """What became of the claims of one kind and half."""

    count: int = 0
    passed: int = 0
    by_substring: int = 0
    by_overlap: int = 0
    by_judge: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)


def claims_of(data: Path) -> tuple[Resolved, ...]:
    """Return every labelled claim with what it cites."""
    return resolve_all(load_claims(), data / "transcripts")


def rule(resolved: Sequence[Resolved], *, judge: Model | None = None) -> list[Ruled]:
    """Return what the gates say of each claim: code alone, judges that say yes, no or nothing, and `judge` if there."""
    judges: dict[str, Ruling] = {
        "yes": Judge(ScriptedModel(lambda _, __: Verdict(reasoning="", verdict="supported")), judge_question),
        "no": Judge(ScriptedModel(lambda _, __: Verdict(reasoning="", verdict="contradicted")), judge_question),
        "garbage": Judge(ScriptedModel(lambda _, __: "Certainly! It is supported."), judge_question),
    }
    if judge is not None:
        judges[judge.name] = Judge(judge, judge_question)
    return [_rule(one, judges) for one in resolved]


def by_kind(ruled: Sequence[Ruled], half: str) -> Mapping[tuple[bool, str], Kind]:
    """Return the sums of one half, by label and kind."""
    kinds: dict[tuple[bool, str], Kind] = {}
    for one in ruled:
        if one.claim.split != half:
            continue
        kind = kinds.setdefault((one.claim.label, one.claim.kind), Kind())
        kind.count += 1
        kind.passed += not one.code
        kind.by_substring += one.by_substring
        kind.by_overlap += one.by_overlap
        kind.reasons[one.code] += bool(one.code)
        for name, reason in one.judges.items():
            kind.by_judge[name] += not reason
    return kinds


def _rule(one: Resolved, judges: Mapping[str, Ruling]) -> Ruled:
    subject = subject_of(one.session, timezone=ZoneInfo("UTC"))
    ids = [utterance.id for utterance in subject.utterances]
    candidate = Candidate(
        statement=one.claim.statement,
        resource=one.claim.resource,
        quotes=tuple(
            Quote(ids[cited.message_index], text) for cited, text in zip(one.claim.evidence, one.spans, strict=True)
        ),
    )
    gates = Gates(subject.utterances, record=subject.record)
    evidence = " ".join(one.spans)
    return Ruled(
        claim=one.claim,
        code=_reason(gates.check(candidate)),
        judges={
            name: _reason(Gates(subject.utterances, record=subject.record, judge=judge).admit(candidate))
            for name, judge in judges.items()
        },
        by_substring=_plain(one.claim.statement) in _plain(evidence),
        by_overlap=_overlap(one.claim.statement, evidence) >= _ENOUGH,
    )


def _reason(answer: object) -> str:
    assert isinstance(answer, Refusal | Admitted | tuple)
    return answer.reason if isinstance(answer, Refusal) else ""


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))


def _overlap(statement: str, evidence: str) -> float:
    words = frozenset(_WORDS.findall(statement.casefold()))
    return len(words & frozenset(_WORDS.findall(evidence.casefold()))) / max(len(words), 1)
