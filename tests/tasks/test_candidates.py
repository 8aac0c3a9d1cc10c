from __future__ import annotations

from tasks.candidates import propose_question
from tasks.observations import Recurrence


def test_a_proposer_is_told_how_often_a_thing_must_be_said_as_it_is_configured() -> None:
    often = Recurrence(sessions=5, days=4, people=3)
    question = propose_question((), {}, recurrence=often, most=8, lines=6)
    told = " ".join(" ".join(map(str, question.parts)).split())
    assert "at least 5 conversations, on 4 days or by 3 people" in told
