from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import BaseModel

from dream.guards.statements.claims import Claim
from dream.guards.statements.quotes import Quote, locate
from dream.guards.statements.utterances import Utterance
from dream.memory.operations import Refusal
from dream.models.port import Reason, Unanswered
from dream.models.prompt import Prompt, Untrusted
from dream.models.scripted import ScriptedModel
from tasks.conversation import Excerpt, Piece
from tasks.proposals import TwoPartSummary
from tasks.questions import ask_in_parts, judge_question, place_question, summary_question
from tasks.subjects import subject_of
from tests.tasks.stories import ZONE, talk, thread

EXCERPT = Excerpt(
    pieces=tuple(Piece(header=f"[m{number}] person:", text=f"message {number}") for number in range(1, 5))
)


def asked(
    says: Callable[[str], BaseModel | str | Unanswered],
) -> tuple[list[TwoPartSummary] | Unanswered, Sequence[str]]:
    model = ScriptedModel(lambda prompt, _: says(conversation(prompt)))
    answer = ask_in_parts(model, EXCERPT, lambda one: summary_question(one, lasting=12, stale=2), TwoPartSummary)
    return answer, [conversation(prompt) for prompt in model.asked]


def conversation(prompt: Prompt) -> str:
    return next(one.text for one in prompt.parts if isinstance(one, Untrusted) and one.label == "one conversation")


def nothing(text: str) -> TwoPartSummary:
    return TwoPartSummary(reasoning=text, description="", lasting=[], stale=[])


def test_what_is_answered_is_asked_once() -> None:
    answer, texts = asked(nothing)
    assert answer == [nothing(EXCERPT.text)]
    assert texts == [EXCERPT.text]


def test_what_is_too_long_is_halved_until_it_is_answered() -> None:
    def says(text: str) -> TwoPartSummary | Unanswered:
        return nothing(text) if len(text) < 40 else Unanswered(reason=Reason.TOO_LONG)

    answer, texts = asked(says)
    assert isinstance(answer, list)
    assert [one.reasoning for one in answer] == [piece.shown for piece in EXCERPT.pieces]
    assert len(texts) == 7


def test_a_part_without_an_answer_is_no_answer() -> None:
    def says(text: str) -> TwoPartSummary | Unanswered:
        if "message 4" in text and "message 1" not in text:
            return Unanswered(reason=Reason.OUTAGE)
        return nothing(text) if len(text) < 70 else Unanswered(reason=Reason.TRUNCATED)

    answer, _ = asked(says)
    assert answer == Unanswered(reason=Reason.OUTAGE)


def test_what_cannot_be_halved_has_no_answer() -> None:
    answer, texts = asked(lambda _: Unanswered(reason=Reason.TRUNCATED))
    assert answer == Unanswered(reason=Reason.TRUNCATED)
    assert texts == [EXCERPT.text, "\n\n".join(piece.shown for piece in EXCERPT.pieces[:2]), EXCERPT.pieces[0].shown]


def test_no_reply_but_a_valid_one_counts() -> None:
    answer, texts = asked(lambda _: '{"reasoning": "", "description": "", "lasting": [], "stale": [], "more": 1}')
    assert isinstance(answer, Unanswered)
    assert (answer.reason, len(texts)) == (Reason.INVALID, 1)


def test_who_finds_places_is_shown_the_memory_before_the_statements_with_their_numbers() -> None:
    prompt = place_question(["checkout: it moved", "ledger: it closes"], memory="services/checkout.md: Checkout")
    assert [(part.label, part.text) for part in prompt.parts if isinstance(part, Untrusted)] == [
        ("what the memory says already", "services/checkout.md: Checkout"),
        ("new statements", "1. checkout: it moved\n2. ledger: it closes"),
    ]


def claim_of(*turns: str, quote: str, message: str = "m1") -> Claim:
    subject = subject_of(thread("7c2e", *talk(*turns)), timezone=ZONE)
    located = locate(Quote(message, quote), subject.utterances)
    assert not isinstance(located, Refusal)
    later: tuple[Utterance, ...] = tuple(one for one in subject.utterances if one.at > located.utterance.at)
    return Claim(statement="The API listens on 9443.", quotes=(located,), record=subject.record, later=later)


def test_a_judge_is_shown_the_claim_the_cited_lines_and_what_people_said_later() -> None:
    claim = claim_of(
        "ana: first\nThe API listens on 9443 now.\nlast", "agent: Noted.", "ana: no, 9444", quote="listens on 9443"
    )
    parts = [part for part in judge_question(claim).parts if isinstance(part, Untrusted)]
    assert [(part.label, part.text) for part in parts] == [
        ("the claim", "The API listens on 9443."),
        ("the cited lines", "[m1, 2026-10-21, acme/web] person ana:\n    The API listens on 9443 now."),
        (
            "what people said in the same conversation after that",
            "[m3, 2026-10-21, acme/web] person ana:\n    no, 9444",
        ),
    ]


def test_of_a_flood_of_later_messages_only_the_first_are_shown() -> None:
    later = [f"ana: message {number} {'x' * 900}" for number in range(30)]
    prompt = judge_question(claim_of("ana: The API listens on 9443 now.", *later, quote="listens on 9443"))
    assert prompt.characters < 12_000
