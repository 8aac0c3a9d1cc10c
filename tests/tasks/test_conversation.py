from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.screen import shown_or_withheld
from dream.guards.statements.utterances import Speaker
from dream.memory.sources import Origin
from dream.sources.sessions.values import Role
from tasks.conversation import (
    Excerpt,
    ExcerptLimits,
    Piece,
    excerpts_of,
    ids_of,
    utterances_of,
    utterances_of_summary,
)
from tests.guards.planted_secrets import planted_secrets
from tests.tasks.stories import NOON, said, summary, talk, thread

LIMITS = ExcerptLimits()


def shown(*turns: str, limits: ExcerptLimits = LIMITS) -> list[str]:
    return [excerpt.text for excerpt in excerpts_of(utterances_of(thread("7c2e", *talk(*turns))), limits=limits)]


def test_every_message_is_evidence_whoever_it_comes_from() -> None:
    session = thread("7c2e", *talk("ana: fix it", "agent: done", "tool Bash: make: ok", "harness: h", "recalled: r"))
    utterances = utterances_of(session)
    assert [(one.id, one.speaker, one.text, one.source) for one in utterances] == [
        ("m1", Speaker.PERSON, "fix it", "thread_7c2e"),
        ("m2", Speaker.AGENT, "done", "thread_7c2e"),
        ("m3", Speaker.TOOL, "ok", "thread_7c2e"),
        ("m4", Speaker.HARNESS, "h", "thread_7c2e"),
        ("m5", Speaker.RECALLED, "r", "thread_7c2e"),
    ]
    assert (utterances[0].author, utterances[2].tool, utterances[0].at) == ("ana", "Bash: make", NOON)


def test_people_agents_and_commands_are_shown_and_nothing_else() -> None:
    text = shown(
        "ana: fix it",
        "recalled: always push to main",
        "tool Read: src/a.ts: export const a = 1",
        "harness: reminder",
        "tool Bash: make test: Exit code 1\nFAIL",
        "agent: It fails.",
    )
    assert text == [
        "[m1] person ana:\nfix it\n\n[m5] tool Bash: make test:\nExit code 1\nFAIL\n\n[m6] agent:\nIt fails."
    ]


def test_of_a_long_output_the_last_lines_and_the_first_troubles_are_shown() -> None:
    output = "\n".join(["start", "Error: no disk", *(f"line {number}" for number in range(100)), "the end"])
    (text,) = shown(f"tool Bash: make: {output}", limits=ExcerptLimits(output_lines=2))
    assert text == "[m1] tool Bash: make:\nError: no disk\n… [100 lines left out]\nline 99\nthe end"


def test_repeated_lines_are_shown_three_times_and_counted() -> None:
    (text,) = shown("ana: " + "\n".join(["stop", "now"] * 50))
    assert text == "[m1] person ana:\nstop\nnow\nstop\nnow\nstop\nnow\n… [94 repeated lines left out]"


def test_a_long_message_that_comes_again_is_named_and_not_shown_again() -> None:
    long = "It is the same question once more. " * 20
    (text,) = shown(f"ana: {long}", f"ana: {long}")
    assert text.endswith("\n\n[m2] person ana:\n… [the same as m1]")


def test_a_message_over_its_cap_keeps_its_beginning_and_its_end() -> None:
    (text,) = shown("ana: " + "a" * 100 + "z" * 50, limits=ExcerptLimits(person=60))
    assert text == "[m1] person ana:\n" + "a" * 40 + "\n… [90 characters left out]\n" + "z" * 20


def test_excerpts_stay_under_their_limit_and_lose_no_message() -> None:
    texts = shown(*(f"ana: message number {number}" for number in range(40)), limits=ExcerptLimits(excerpt=200))
    assert max(map(len, texts)) <= 200
    joined = "\n\n".join(texts)
    assert [f"[m{number}]" in joined for number in range(1, 41)] == [True] * 40


def test_only_the_messages_that_are_asked_for_are_shown_under_their_own_ids() -> None:
    session = thread("7c2e", *talk("ana: one", "ana: two", "ana: three"))
    (excerpt,) = excerpts_of(utterances_of(session), limits=LIMITS, only=ids_of(session, session.messages[1:2]))
    assert excerpt.text == "[m2] person ana:\ntwo"


def test_equal_messages_are_told_apart_by_place() -> None:
    session = thread("7c2e", said(Role.PERSON, "yes"), said(Role.PERSON, "yes", at=NOON + timedelta(minutes=1)))
    assert ids_of(session, session.messages[1:]) == {"m2"}


def test_each_line_is_screened_as_its_speakers() -> None:
    session = thread("7c2e", *talk("ana: keep\nhide", "agent: hide"))

    def screen(line: str, speaker: Speaker) -> str:
        return f"<{speaker}>" if line == "hide" else line

    (excerpt,) = excerpts_of(utterances_of(session), limits=LIMITS, screen=screen)
    assert excerpt.text == "[m1] person ana:\nkeep\n<person>\n\n[m2] agent:\n<agent>"


KEY = "\n".join(
    (f"-----BEGIN RSA {'PRIVATE'} KEY-----", *(f"{number:02}{'MIIEowIBAAKCAQEA' * 3}" for number in range(20)))
)


@pytest.mark.parametrize("turn", [f"ana: use this\n{KEY}\nplease, and soon", f"tool Bash: cat id_rsa: {KEY}"])
def test_no_line_of_a_private_key_is_shown_though_lines_are_screened_one_by_one(turn: str) -> None:
    session = thread("7c2e", *talk(turn))
    (excerpt,) = excerpts_of(
        utterances_of(session), limits=LIMITS, screen=lambda line, _: shown_or_withheld(line, Origin.PERSON)
    )
    assert "MIIE" not in excerpt.text
    assert excerpt.text.count("[withheld: ") == 1


def test_what_names_a_message_is_screened_before_it_is_cut() -> None:
    session = thread("7c2e", *talk(f"tool Bash: {'x' * 180} {planted_secrets()['github personal']}: ok"))
    (excerpt,) = excerpts_of(
        utterances_of(session), limits=LIMITS, screen=lambda line, _: shown_or_withheld(line, Origin.PERSON)
    )
    assert excerpt.text.startswith("[m1] tool [withheld: ")


def test_a_session_of_which_nothing_is_shown_has_no_excerpt() -> None:
    assert shown("harness: only this", "tool Read: a.ts: text") == []


def test_a_ready_summary_is_a_record_of_its_lasting_statements() -> None:
    utterances = utterances_of_summary(summary("5f0a", lasting="- orders-v2 replaces orders.\n- It has one consumer."))
    assert [(one.id, one.speaker, one.text) for one in utterances] == [
        ("m1", Speaker.TOOL, "orders-v2 replaces orders."),
        ("m2", Speaker.TOOL, "It has one consumer."),
    ]


def test_an_excerpt_is_halved_between_messages() -> None:
    (excerpt,) = excerpts_of(
        utterances_of(thread("7c2e", *talk("ana: one", "ana: two", "ana: six", "ana: ten"))), limits=LIMITS
    )
    halves = excerpt.halves()
    assert halves is not None
    assert [half.text for half in halves] == [
        "[m1] person ana:\none\n\n[m2] person ana:\ntwo",
        "[m3] person ana:\nsix\n\n[m4] person ana:\nten",
    ]


def test_a_short_message_is_not_halved() -> None:
    assert Excerpt(pieces=(Piece(header="[m1] person:", text="short"),)).halves() is None


@given(st.text(alphabet="ab\n", min_size=800, max_size=2_000))
def test_the_halves_of_one_message_are_the_message(text: str) -> None:
    halves = Excerpt(pieces=(Piece(header="[m1] person:", text=text),)).halves()
    assert halves is not None
    assert halves[0].pieces[0].text + halves[1].pieces[0].text == text
    assert all(half.pieces[0].text for half in halves)
