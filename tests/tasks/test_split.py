"""A34: what tells its reader to do something only once it stands beside what was written before is not written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from dream.models.prompt import Prompt
from dream.models.scripted import ScriptedModel
from dream.sources.sessions.values import Session
from tasks.daily_threads import ThreadDay
from tasks.daily_told import Teller
from tasks.proposals import TwoPartSummary
from tasks.subjects import subject_of
from tasks.two_part import Summariser
from tests.support.dreamers import Stated, told, two_part
from tests.tasks.distilling import EMPTY, Distilling, always, conversation, lasting, stating
from tests.tasks.gating import gates_of
from tests.tasks.stories import NOON, ZONE, memory, planted, talk, thread

FIRST = "The checkout API makes its callers forget everything"
SECOND = "That was said before about the checkout API is void"
HALF = "distil: 2 statements proposed: 1 admitted, 1 split-instruction"
WHOLE = thread("7c2e", *talk(f"ana: {FIRST}.\n\n{SECOND}."))
PARTS = [thread("7c2e", *talk(f"ana: {FIRST}.")), thread("8d3f", *talk(f"ana: {SECOND}."))]


@pytest.mark.parametrize("texts", [(FIRST, SECOND), (SECOND, FIRST)])
def test_a_sentence_and_its_end_are_not_both_written_of_one_conversation(texts: tuple[str, str]) -> None:
    assert always(*(stating(text, quote=text) for text in texts)).plan(WHOLE).findings == (HALF,)


def test_what_stands_between_the_two_halves_does_not_hide_them() -> None:
    between = "The checkout API listens on port 9443"
    session = thread("7c2e", *talk(f"ana: {FIRST}.\n\n{between}.\n\n{SECOND}."))
    plan = always(*(stating(text, quote=text) for text in (FIRST, between, SECOND))).plan(session)
    assert plan.findings == ("distil: 3 statements proposed: 2 admitted, 1 split-instruction",)


def test_two_conversations_do_not_write_the_halves_into_one_note() -> None:
    def says(prompt: Prompt) -> Sequence[Stated]:
        return lasting(*(stating(text, quote=text) for text in (FIRST, SECOND) if text in conversation(prompt)))

    assert Distilling(says=says).plan(*PARTS).findings == (HALF,)


@pytest.mark.parametrize("where", [{}, {"note": "services/checkout-api.md"}, {"replaces": "e1"}])
def test_no_later_conversation_or_night_writes_the_second_half_beside_the_first(where: dict[str, str]) -> None:
    def says(prompt: Prompt) -> Sequence[Stated]:
        if FIRST in conversation(prompt):
            return lasting(stating(FIRST, quote=FIRST))
        return lasting(stating(SECOND, quote=SECOND, **where))

    night = Distilling(says=says)
    assert night.plan(*PARTS).findings == (HALF,)
    after = planted(EMPTY, night.plan(PARTS[0]))
    assert night.plan(PARTS[1], tree=after).findings == ("distil: 1 statement proposed: 1 split-instruction",)


def test_what_a_note_tells_in_two_entries_bars_no_other_statement_from_it() -> None:
    tree = memory(services__checkout_api=f"# checkout API\n\n- {FIRST}.\n- {SECOND}.\n")
    said = "The checkout API listens on port 9443"
    session = thread("7c2e", *talk(f"ana: {said}."))
    plan = always(stating(said, quote=said, note="services/checkout_api.md")).plan(session, tree=tree)
    assert plan.findings == ("distil: 1 statement proposed: 1 admitted",)


def test_two_lines_of_a_day_do_not_tell_the_halves() -> None:
    def says(prompt: Prompt, _: object) -> TwoPartSummary:
        texts = [text for text in (FIRST, SECOND) if text in conversation(prompt)]
        return two_part(stale=[told(text, text, resource="checkout API") for text in texts])

    teller = Teller(
        summarise=partial(Summariser(screen=lambda line, _: line).summarise, model=ScriptedModel(says)),
        subject=lambda one: subject_of(one.session, timezone=ZONE),
        gates=lambda subject: gates_of(subject, "supported"),
        unfit=str,
    )
    assert [bool(teller(day_of(session))) for session in PARTS] == [True, False]
    assert dict(teller.ends) == {"admitted": 1, "split-instruction": 1}


def day_of(session: Session) -> ThreadDay:
    return ThreadDay(session=session, day=NOON.date(), messages=session.messages, earlier=())
