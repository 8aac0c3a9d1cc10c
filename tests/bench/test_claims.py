"""The labelled claims are as many, as different and as well founded as the published tables need."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bench.gates.claims import (
    ALTERED_KINDS,
    FOLDER,
    SAME_WORDS_KINDS,
    TRUE_KINDS,
    LabelledClaim,
    Resolved,
    StaleClaimError,
    load_claims,
    resolve,
    resolve_all,
)
from dream.sources.sessions.values import Role

CLAIMS = load_claims()
BY_ID: Mapping[str, LabelledClaim] = {claim.id: claim for claim in CLAIMS}
LONGEST_SHARED = 100
SHORTEST_COPY = 24


@pytest.fixture(scope="module")
def resolved(shared_data: Path) -> tuple[Resolved, ...]:
    return resolve_all(CLAIMS, shared_data / "transcripts")


def test_there_are_two_hundred_true_claims_of_twenty_five_sessions() -> None:
    true = [claim for claim in CLAIMS if claim.label]

    assert len(true) >= 200
    assert len({claim.session for claim in true}) >= 25
    assert {claim.kind for claim in true} == TRUE_KINDS


def test_the_false_claims_are_false_in_every_way_as_often_as_promised() -> None:
    kinds = Counter(claim.kind for claim in CLAIMS if not claim.label)

    assert set(kinds) == ALTERED_KINDS | SAME_WORDS_KINDS
    assert all(kinds[kind] >= 20 for kind in ALTERED_KINDS)
    assert kinds["proposed-as-done"] >= 25
    assert kinds["question-as-fact"] >= 25
    assert kinds["withdrawn"] >= 15
    assert kinds["wrong-subject"] >= 20
    assert kinds["guess-as-confirmed"] >= 15
    assert sum(kinds[kind] for kind in ALTERED_KINDS) >= 100
    assert sum(kinds[kind] for kind in SAME_WORDS_KINDS) >= 100


def test_no_claim_is_made_twice() -> None:
    assert len(BY_ID) == len(CLAIMS)
    assert [one for one, times in Counter(claim.statement.casefold() for claim in CLAIMS).items() if times > 1] == []


def test_the_splits_share_no_session_and_have_half_of_everything() -> None:
    splits: dict[str, set[str]] = {"tune": set(), "test": set()}
    kinds: dict[str, Counter[str]] = {"tune": Counter(), "test": Counter()}
    for claim in CLAIMS:
        splits[claim.split].add(claim.session)
        kinds[claim.split][claim.kind] += 1

    assert splits["tune"].isdisjoint(splits["test"])
    for kind in TRUE_KINDS | ALTERED_KINDS | SAME_WORDS_KINDS:
        assert abs(kinds["tune"][kind] - kinds["test"][kind]) <= 4


def test_every_claim_names_its_resource_and_says_why_it_is_labelled_so() -> None:
    assert [claim.id for claim in CLAIMS if claim.resource.casefold() not in claim.statement.casefold()] == []
    assert [claim.id for claim in CLAIMS if not claim.why or not claim.evidence] == []


def test_an_altered_claim_is_a_true_one_with_the_same_evidence() -> None:
    for claim in CLAIMS:
        if claim.kind in ALTERED_KINDS:
            base = BY_ID[claim.of]
            assert base.label
            assert (base.session, base.evidence) == (claim.session, claim.evidence)
            assert base.statement != claim.statement
            assert (base.resource != claim.resource) or claim.kind != "resource"
        else:
            assert claim.of == ""


def test_only_what_was_withdrawn_has_lines_against_it() -> None:
    assert [claim.id for claim in CLAIMS if bool(claim.against) != (claim.kind == "withdrawn")] == []
    for claim in CLAIMS:
        last = max(cited.message_index for cited in claim.evidence)
        assert all(cited.message_index >= last for cited in claim.against)


def test_everything_that_is_cited_stands_in_the_data_as_it_was(resolved: tuple[Resolved, ...]) -> None:
    assert [one.claim for one in resolved] == list(CLAIMS)
    assert [one.claim.id for one in resolved if not all(span.strip() for span in one.spans)] == []


def test_evidence_is_what_people_said_and_tools_printed(resolved: tuple[Resolved, ...]) -> None:
    said = {cited: one.session.messages[cited.message_index].role for one in resolved for cited in one.claim.evidence}

    assert set(said.values()) == {Role.PERSON, Role.TOOL}
    true = [one for one in resolved if one.claim.label]
    rest_on_tools = [
        one
        for one in true
        if any(one.session.messages[cited.message_index].role is Role.TOOL for cited in one.claim.evidence)
    ]
    assert len(rest_on_tools) >= 40


def test_no_words_of_a_transcript_are_kept_but_what_a_claim_has_to_name(resolved: tuple[Resolved, ...]) -> None:
    kept = "\n".join(f"{claim.statement}\n{claim.why}" for claim in CLAIMS)
    spans = {span for one in resolved for span in (*one.spans, *one.against)}

    assert [span for span in spans if len(span) >= SHORTEST_COPY and span in kept] == []
    assert [
        one.claim.id
        for one in resolved
        if shares_a_run(one.claim.statement, "\n".join(one.spans), length=LONGEST_SHARED)
    ] == []


def test_a_claim_of_the_same_words_uses_no_others(resolved: tuple[Resolved, ...]) -> None:
    others = {
        one.claim.id: words
        for one in resolved
        if one.claim.kind in SAME_WORDS_KINDS and (words := words_not_in(one.claim.statement, "\n".join(one.spans)))
    }

    assert others == {}


def test_a_changed_transcript_is_told(resolved: tuple[Resolved, ...]) -> None:
    one = resolved[0]
    index = one.claim.evidence[0].message_index
    messages = list(one.session.messages)
    messages[index] = replace(messages[index], text="x" + messages[index].text)

    with pytest.raises(StaleClaimError, match="other words"):
        resolve(one.claim, [replace(one.session, messages=tuple(messages))])
    with pytest.raises(StaleClaimError, match="no message"):
        resolve(one.claim, [replace(one.session, messages=one.session.messages[:index])])
    with pytest.raises(StaleClaimError, match="no session"):
        resolve(one.claim, [replace(one.session, id="another")])


def test_each_claim_stands_on_a_line_of_its_own() -> None:
    lines = [line for path in FOLDER.glob("*.json") for line in path.read_text(encoding="utf-8").split("\n")]

    assert sum(line.startswith('{"id": ') for line in lines) == len(CLAIMS)


_SMALL = """a about after all also an and any are as at be because been before being both but by can could did do does
    down each every for from had has have how if in instead into is it its just may might more most must no not now of
    on one only onto or our out over own per same should since so still than that the their then there these they this
    those though to too under until up was we were what when where which while who will with within without would yet
    you your i even isn't don't that"""
SMALL = frozenset(_SMALL.split())


def words_not_in(statement: str, evidence: str) -> list[str]:
    """Return the words of a statement that have no form in the evidence, small ones apart."""
    known = {form for word in words_of(evidence) for form in (word, stem(word))}
    return [word for word in words_of(statement) if not {word, stem(word)} & (known | SMALL)]


def words_of(text: str) -> list[str]:
    return [word.removesuffix("'s") for word in re.findall(r"[^\W_]+(?:'[a-z]+)?", text.casefold())]


def stem(word: str) -> str:
    """Return a word without its ending, so that `adds`, `added` and `adding` are one."""
    cut = re.sub(r"(?:ing|ied|ies|ed|es|s|e|d|y)\Z", "", word) if len(word) > 3 else word
    return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] else cut


def shares_a_run(statement: str, evidence: str, *, length: int) -> bool:
    return any(statement[at : at + length] in evidence for at in range(len(statement) - length + 1))
