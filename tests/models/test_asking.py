from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from dream.models.answers import AnswerStore
from dream.models.asking import AskingModel, schema_digest
from dream.models.budget import Budget, Spent
from dream.models.ledger import Ledger, Row
from dream.models.metering import MeteredModel
from dream.models.port import Model, Reason, Role, Unanswered, Usage
from dream.models.prices import PriceTable
from dream.models.stopping import Switch
from tests.models.answering import Answering, Said, question, said
from tests.models.test_answers import NIGHT

INVALID = Unanswered(reason=Reason.INVALID, detail="line: is missing", usage=Usage(input=10, output=3, calls=1))


class Bench:
    """What the questions of one night share."""

    def __init__(self, folder: Path, *, budget: Budget | None = None, organisation: str = "acme") -> None:
        self.ledger = Ledger(budget or Budget(), PriceTable())
        self.switch = Switch()
        self.answers = AnswerStore(str(folder), organisation=organisation, night=NIGHT)

    def ask_of(
        self, model: Model, *, task: str = "distil", role: Role = Role.DREAMER, identity: str = ""
    ) -> AskingModel:
        metered = MeteredModel(model, ledger=self.ledger, most_output=100, now=lambda: 0.0)
        return AskingModel(
            metered,
            task=task,
            role=role,
            ledger=self.ledger,
            answers=self.answers,
            switch=self.switch,
            identity=identity,
        )


def test_a_question_that_was_answered_before_is_not_paid_for_again_and_tells_what_it_took(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    assert first.ask_of(Answering(said())).ask(question(), Said) == said()
    again = Bench(tmp_path)
    assert again.ask_of(Answering()).ask(question(), Said) == said()
    assert again.ledger.spent(now=0) == Spent()
    row = Row(task="distil", role=Role.DREAMER, model="openai/test", questions=1, usage=said().usage)
    assert first.ledger.rows() == (row,)
    assert again.ledger.rows() == (
        Row(task="distil", role=Role.DREAMER, model="openai/test", questions=1, kept=1, usage=said().usage),
    )


@pytest.mark.parametrize("other", ["salt", "model", "form", "organisation", "text"])
def test_a_question_that_differs_in_anything_that_decides_its_answer_is_asked(tmp_path: Path, other: str) -> None:
    class Wider(Said):
        why: str = ""

    Bench(tmp_path).ask_of(Answering(said())).ask(question(), Said)
    bench = Bench(tmp_path, organisation="other" if other == "organisation" else "acme")
    model = Answering(said("new"))
    asking = bench.ask_of(model, identity="openai/test at another address" if other == "model" else "")
    form: type[BaseModel] = Wider if other == "form" else Said
    prompt = question("was it so?") if other == "text" else question()
    if other == "salt":
        prompt = type(prompt)(name=prompt.name, version=prompt.version, system="Answer.", parts=prompt.parts, salt="s")
    asking.ask(prompt, form)
    assert len(model.asked) == 1


def test_the_text_of_a_question_is_nowhere_in_the_store(tmp_path: Path) -> None:
    Bench(tmp_path).ask_of(Answering(said())).ask(question("the secret of Ana"), Said)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert kept
    assert b"Ana" not in kept


def test_a_reply_that_does_not_fit_is_asked_for_once_more_with_what_was_wrong(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    model = Answering(INVALID, said())
    whole = INVALID.usage + said().usage
    assert bench.ask_of(model).ask(question(), Said) == said(usage=whole)
    assert [prompt.complaint for prompt in model.asked] == [
        "",
        "Your last reply could not be used: line: is missing. Answer again, with nothing but the required JSON.",
    ]
    assert Bench(tmp_path).ask_of(Answering()).ask(question(), Said) == said(usage=whole)


def test_a_reply_that_does_not_fit_twice_is_none_and_is_not_kept(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    answer = bench.ask_of(Answering(INVALID, INVALID)).ask(question(), Said)
    assert answer == Unanswered(reason=Reason.INVALID, detail=INVALID.detail, usage=Usage(input=20, output=6, calls=2))
    assert bench.switch.closed_by is None
    model = Answering(said())
    Bench(tmp_path).ask_of(model).ask(question(), Said)
    assert len(model.asked) == 1


def test_a_kept_reply_that_no_longer_fits_its_type_is_asked_for_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.ask_of(Answering(said())).ask(question(), Said)
    (path,) = (path for path in tmp_path.rglob("*.json"))
    path.write_bytes(path.read_bytes().replace(b"line", b"lime"))
    model = Answering(said())
    Bench(tmp_path).ask_of(model).ask(question(), Said)
    assert len(model.asked) == 1


def test_after_an_answer_that_stops_the_night_no_role_and_no_task_asks_any_more(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    dreamer = Answering(said("kept"), Unanswered(reason=Reason.UNAUTHORISED))
    asking = bench.ask_of(dreamer)
    asking.ask(question("kept"), Said)
    asking.ask(question("second"), Said)
    judge = bench.ask_of(Answering(), task="daily_note", role=Role.JUDGE)
    stopped = Unanswered(reason=Reason.STOPPED, detail="this night asks no more: unauthorised")
    assert judge.ask(question(), Said) == stopped
    assert asking.ask(question("third"), Said) == stopped
    assert asking.ask(question("kept"), Said) == said("kept")
    assert [(row.task, row.unanswered) for row in bench.ledger.rows()] == [
        ("daily_note", {Reason.STOPPED: 1}),
        ("distil", {Reason.UNAUTHORISED: 1, Reason.STOPPED: 1}),
    ]


def test_a_question_beyond_the_budget_stops_the_night_and_costs_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path, budget=Budget(calls=1))
    asking = bench.ask_of(Answering(said()))
    asking.ask(question("first"), Said)
    reasons = [asking.ask(question(text), Said) for text in ("second", "third")]
    assert [answer.reason for answer in reasons if isinstance(answer, Unanswered)] == [
        Reason.OVER_BUDGET,
        Reason.STOPPED,
    ]
    assert bench.ledger.spent(now=0).calls == 1


def test_the_digest_of_a_form_is_the_same_every_time_and_another_for_another_form() -> None:
    class Other(BaseModel):
        line: str

    assert schema_digest(Said) == schema_digest(Said)
    assert schema_digest(Said) != schema_digest(Other)
