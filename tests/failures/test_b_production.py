"""B38, B40, B42, B44, B52, B54, B56: whole nights that hold a memory against systems and models that are not well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.verdicts.outputs import Citation, CitedLine, Output, OutputLine, locate
from dream.memory.operations import Refusal
from dream.models.port import Reason, Unanswered
from dream.sources.production.port import Found, Line
from tasks.lessons.asking import ProposedLessons
from tasks.verification.model_verdicts import EntryVerdict, Verdicts
from tasks.verification.plans import CheckPlan
from tests.support.answering import MODELS
from tests.support.persuasion import FIVE, ONE_NOTE, ORDERS, SEVEN, TASK, dream_of, lines_of, orders, plan, rewriting
from tests.support.probes import TableProbe, found, serving
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, stage_of
from tests.support.verifiers import Shown, Verifier, says

MARKED = "orders-api: owner=`zoë` 🎉 > [a](b.md) — “x” replicas=7"


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path, ONE_NOTE)
    made.extra = {"models": MODELS, "sessions": []}
    return made


def says_of(replicas: str) -> TableProbe:
    return TableProbe(answers={("get", "orders-api"): found("orders-api", replicas=replicas)})


def told(stage: Stage, nights: int = 0) -> tuple[str, ...]:
    return stage.record(NIGHT + timedelta(days=nights)).tasks[TASK].findings


def current(stage: Stage) -> set[str]:
    """Every number of replicas that the memory gives for orders-api."""
    notes = [data.decode() for path, data in stage.files().items() if path.endswith(".md")]
    return {
        number for text in notes for number in re.findall(r"orders-api (?:runs with|has|needs) ([0-9]+) replic", text)
    }


@pytest.mark.parametrize("is_pinned", ["pinned", "judged"])
def test_b38_after_a_correction_the_memory_gives_one_value(stage: Stage, is_pinned: str) -> None:
    check = "  check: metrics get `orders-api` is `5`\n" if is_pinned == "pinned" else ""
    others = {
        "teams/shop.md": "# Shop\n\n- 2026-10-03: orders-api has 5 replicas. [thread_0002, 2026-10-03]\n",
        "teams/ops.md": "# Ops\n\n- 2026-10-04: For orders-api we run 5 replicas. [thread_0003, 2026-10-04]\n",
    }
    stage.person().edit({ORDERS: f"# orders-api\n\n{FIVE}{check}", **others})
    assert current(stage) == {"5"}
    for night, (old, new) in enumerate((("5", "7"), ("7", "9"))):
        verifier = Verifier(plans=plan, judges=rewriting(old, new))
        stage.now += timedelta(days=night)
        result = stage.dream(NIGHT + timedelta(days=night), models=verifier.models, probes=serving(says_of(new)))
        assert result.exit_code == 0
        assert current(stage) == {new}, told(stage, night)
        assert orders(stage).count("\n- ") == 1


def test_b40_a_verdict_a_plan_and_a_lesson_are_reasoned_before_they_are_given() -> None:
    for reply in (Verdicts, CheckPlan, ProposedLessons):
        assert next(iter(reply.model_json_schema()["properties"])) == "reasoning"


def heard(text: str) -> Output:
    lines = (OutputLine(text=text), OutputLine(text="mail: pods 3"))
    return Output(id="o1", probe="p", question="q", asked="q", at=Stage.now, lines=lines)


@given(st.integers(0, len(MARKED) - 1), st.sampled_from(["", "q", "\u200b", "\u0430", "\u00a0", "\n", "\ufe0f"]))
def test_b42_a_quote_with_one_code_point_other_than_recorded_is_none(place: int, instead: str) -> None:
    changed = MARKED[:place] + instead + MARKED[place + 1 :]
    quoted = locate(Citation(output="o1", quote=changed), [heard(MARKED)])
    assert isinstance(quoted, Refusal) == (changed not in MARKED)


@given(st.integers(0, len(MARKED) - 4), st.integers(4, len(MARKED)))
def test_b44_a_quote_verifies_whatever_marks_it_holds(start: int, length: int) -> None:
    quote = MARKED[start : start + length]
    quoted = locate(Citation(output="o1", quote=quote), [heard(MARKED)])
    assert isinstance(quoted, CitedLine) == (len(quote.strip()) >= 4)


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (str, SEVEN),
        (lambda quote: quote.replace("ë", "e\u0308"), FIVE.rstrip()),
        (lambda quote: quote.replace("🎉", ":tada:"), FIVE.rstrip()),
        (lambda quote: quote.replace("`", ""), FIVE.rstrip()),
        (lambda quote: quote.replace(" > ", " &gt; "), FIVE.rstrip()),
        (lambda quote: quote.replace("“x”", '"x"'), FIVE.rstrip()),
        (lambda quote: f" {quote} ", FIVE.rstrip()),
    ],
)
def test_b42_b44_a_night_corrects_by_the_very_words_and_by_no_others(stage: Stage, change: Any, after: str) -> None:
    def judge(shown: Shown) -> Sequence[EntryVerdict]:
        ((identity, quote),) = lines_of(shown)
        return [
            says(n, "false", (identity, change(quote)), statement=one.replace("5", "7"))
            for n, one in shown.entries.items()
        ]

    line = Line(text=MARKED, fields=(("owner", "zoë"), ("replicas", "7")))
    probe = TableProbe(answers={("get", "orders-api"): Found(lines=(line,), names=("orders-api",))})
    dream_of(stage, Verifier(plans=plan, judges=judge), probe)
    assert orders(stage).split("\n")[2] == after


def test_b52_what_could_not_be_asked_is_asked_after_the_outage(stage: Stage) -> None:
    probe = says_of("7")
    probe.down = "no answer in 10 s"
    verifier = Verifier(plans=plan, judges=rewriting("5", "7"))
    assert stage.dream(models=verifier.models, probes=serving(probe)).exit_code == 0
    assert (ORDERS in stage.state().checked, orders(stage)) == (False, ONE_NOTE[ORDERS])
    assert "probe metrics is down: no answer in 10 s; 1 note keeps the date of the last check" in told(stage)
    probe.down = ""
    stage.next_night(models=verifier.models, probes=serving(probe))
    assert SEVEN.replace("10-22", "10-23") in orders(stage)
    assert stage.state().checked[ORDERS] == NIGHT + timedelta(days=1)


def test_b56_a_note_that_was_taken_away_and_written_again_is_looked_at_again(stage: Stage) -> None:
    verifier = Verifier(plans=plan, judges=rewriting("5", "7"))
    stage.dream(models=verifier.models, probes=serving(says_of("5")))
    assert stage.state().checked[ORDERS] == NIGHT
    person = stage.person()
    person.delete(ORDERS)
    stage.next_night(models=verifier.models, probes=serving(says_of("7")))
    assert ORDERS not in stage.files()
    person.edit({ORDERS: ONE_NOTE[ORDERS]})
    stage.next_night(models=verifier.models, probes=serving(says_of("7")))
    assert SEVEN.replace("10-22", "10-24") in orders(stage)


def test_b54_one_note_that_no_model_answers_for_holds_up_no_other_and_is_never_called_verified(stage: Stage) -> None:
    poison = "- 2026-10-01: mail-api runs with 5 replicas. [thread_0001, 2026-10-01]\n"
    stage.person().edit({"services/mail-api.md": f"# mail-api\n\n{poison}"})
    verifier = Verifier(plans=plan, judges=rewriting("5", "7"))
    answering = verifier.answer

    def refusing(prompt: Any, reply: Any) -> Any:
        if "mail-api" in str(prompt.parts) and reply is CheckPlan:
            return Unanswered(reason=Reason.REFUSED, detail="no")
        return answering(prompt, reply)

    verifier.answer = refusing  # type: ignore[method-assign]
    for night in range(4):
        result = stage.dream(NIGHT + timedelta(days=night), models=verifier.models, probes=serving(says_of("7")))
        stage.now += timedelta(days=1)
        assert result.exit_code in {0, 1}
        assert "services/mail-api.md" in stage.state().unverified
        assert "7 replicas" in orders(stage)
    assert any("1 model-refused" in one for one in told(stage))
    assert poison in stage.files()["services/mail-api.md"].decode()
