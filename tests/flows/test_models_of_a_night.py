"""A whole night with a model: what it pays, tells, signs, and does when nobody may be asked."""

from __future__ import annotations

from pathlib import Path

from dream.memory.records import RoleSpend
from dream.models.port import Reason, Unanswered
from dream.night.result import result_payload
from flows.attempts import read_attempts
from flows.publishing import report_path
from flows.spending import read_spent
from tests.support.answering import MODELS, Vendor, asking
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, stage_of

QUESTIONS = ("refunds stop at five hundred euros", "carts are emptied after a week")
REVOKED = Unanswered(reason=Reason.UNAUTHORISED, detail="status 401 (invalid_api_key)")


def stage(served: Served, root: Path, **limits: object) -> Stage:
    made = stage_of(served, root)
    made.extra = {"models": MODELS, "limits": {"spend": limits, "landing": {"seconds": 20}}}
    made.summarise({})
    return made


def test_a_night_tells_what_its_models_took_and_lands_the_same_when_it_is_paid_for_already(
    served: Served, tmp_path: Path
) -> None:
    acme = stage(served, tmp_path)
    vendor = Vendor()
    rehearsed = acme.dream(dry_run=True, models=vendor.models, steps=asking("daily_note", QUESTIONS))
    assert vendor.asked == list(QUESTIONS)
    landed = acme.dream(models=vendor.models, steps=asking("daily_note", QUESTIONS))
    assert vendor.asked == list(QUESTIONS)
    assert vendor.checked == ["openai/large"]
    assert (landed.status, landed.exit_code, landed.tip) == ("landed", 0, rehearsed.tip)
    assert acme.record().tasks["daily_note"].spend == {
        "dreamer": RoleSpend(model="openai/large", questions=2, calls=2, input=200, cached=80, output=20)
    }
    assert read_spent(acme.workplace().home, NIGHT).calls == 3
    assert result_payload(landed)["spend"]["tokens"] == 220
    trailers = acme.person().git(
        "log", "--format=%(trailers:key=Dream-Task,valueonly) %(trailers:key=Dream-Model,valueonly)"
    )
    assert set(trailers.split()) >= {"daily_note", "openai/large", "tidy", "offline"}
    report = report_path(acme.workplace().home, NIGHT).read_text(encoding="utf-8")
    assert "- Spend: 220 tokens in 2 calls, US dollars not known (no price is known for openai/large)" in report
    assert acme.dream(models=vendor.models, steps=asking("daily_note", QUESTIONS)).status == "nothing-to-do"
    assert vendor.asked == list(QUESTIONS)


def test_a_key_that_is_refused_costs_nothing_and_the_rest_of_the_night_lands(served: Served, tmp_path: Path) -> None:
    acme = stage(served, tmp_path)
    vendor = Vendor(refuses=REVOKED)
    result = acme.dream(models=vendor.models, steps=asking("daily_note", QUESTIONS))
    assert vendor.asked == []
    assert (result.status, result.exit_code, result.failed) == ("landed", 1, ("daily_note",))
    note = acme.record().tasks["daily_note"]
    assert (note.reason, note.inputs, note.pending) == ("its model could not be asked: unauthorised", 2, 2)
    assert note.findings == ("2 questions were not asked: unauthorised",)
    told = "models were asked no more: unauthorised: dreamer openai/large: status 401 (invalid_api_key)"
    assert told in result.findings
    (attempt,) = read_attempts(acme.workplace().home, NIGHT)
    assert (attempt.exit, attempt.needs) == (1, "a retry")
    again = acme.dream(models=Vendor().models, steps=asking("daily_note", QUESTIONS))
    assert (again.status, again.exit_code, again.ran) == ("landed", 0, ("daily_note", "index_rewrite", "state_update"))


def test_a_ceiling_is_held_over_all_runs_of_a_night_and_what_it_left_out_is_told(
    served: Served, tmp_path: Path
) -> None:
    acme = stage(served, tmp_path, calls=2)
    vendor = Vendor()
    result = acme.dream(models=vendor.models, steps=asking("daily_note", QUESTIONS))
    assert (vendor.asked, result.exit_code) == ([QUESTIONS[0]], 0)
    note = acme.record().tasks["daily_note"]
    assert (note.outcome, note.written, note.pending) == ("changed", 1, 1)
    ceiling = "the ceiling of 2 calls a night leaves no room for another question"
    assert note.findings == (f"1 question was not asked: {ceiling}",)
    acme.dream(models=vendor.models, steps=asking("daily_note", QUESTIONS), redo=("daily_note",))
    assert vendor.asked == [QUESTIONS[0]]
    assert read_spent(acme.workplace().home, NIGHT).calls == 2
    assert acme.next_night(models=vendor.models, steps=asking("daily_note", QUESTIONS)).exit_code == 0
    assert vendor.asked == list(QUESTIONS)
