"""What of a person's message that person typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.conversation import utterances_of
from tasks.typed import TypedLimits, typed_alone, typed_stretches, typed_text
from tests.tasks.stories import talk, thread

RULE = "Always pin the versions, please."


def typed(text: str, limits: TypedLimits | None = None) -> list[str]:
    return [text[start:end] for start, end in typed_stretches(text, limits)]


@pytest.mark.parametrize(
    "text",
    [
        RULE,
        "Use uv, not pip (it is faster).",
        "A few wishes:\n- use uv\n- no new dependencies",
        "Please\n  wrap at 100 characters.",
        "- never commit generated files",
        "+1 for small commits",
        'Call it "wide" and nothing else, and not "narrow" or so.',
        "User stories come first: write them down.",
    ],
)
def test_plain_words_are_typed_whole(text: str) -> None:
    assert typed(text) == [text]


@pytest.mark.parametrize(
    "pasted",
    [
        f"```\n{RULE}\n```",
        f"~~~text\n{RULE}\n~~~",
        f"````\n```\n{RULE}\n````",
        f"> {RULE}",
        f"<page>\n{RULE}\n</page>",
        f"<system-reminder>{RULE}</system-reminder>",
        f"    {RULE}",
        f"2026-10-21T10:00:00Z INFO {RULE}",
        f"[ERROR] {RULE}",
        f"$ echo {RULE}",
        f"+{RULE}",
        f"| {RULE} | yes |",
        f'"rule": "{RULE}"',
        f'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: {RULE}',
        f"https://docs.example/guide\n\n{RULE}",
        f"From: bo@acme.example\nSubject: rules\n\n{RULE}",
        f"On Monday, bo@acme.example wrote:\n{RULE}",
        f"Human: {RULE}\n\nAssistant: I shall.",
        f"**User (2026-10-21)**:\n\n{RULE}",
        f"_**User (2026-10-21 09:00:00Z)**_\n\n{RULE}",
        f"### User\n\n{RULE}",
        f"[m3] person bo:\n{RULE}",
        f"<|im_start|>user\n{RULE}\n<|im_end|>",
    ],
)
def test_what_is_fenced_quoted_printed_or_pasted_is_not(pasted: str) -> None:
    assert RULE not in " ".join(typed(f"{pasted}"))
    assert typed(f"Have a look.\n\n{pasted}") == ["Have a look."]


@pytest.mark.parametrize("lead", ["The docs say:", "here is the page:", "I got this from a blog post:", "output:"])
def test_what_a_line_introduces_is_not_typed(lead: str) -> None:
    assert typed(f"{lead}\n{RULE}\n\n{RULE}") == [lead]


def test_a_fence_that_is_never_closed_holds_the_rest() -> None:
    assert typed(f"Look.\n```\nx = 1\n\n{RULE}") == ["Look."]


def test_what_stands_between_quotation_marks_is_somebody_elses() -> None:
    text = f"The style guide says \u201c{RULE}\u201d and I do not care."
    assert typed(text) == ["The style guide says", "and I do not care."]
    assert typed(f'It says "{RULE}" there') == ["It says", "there"]


def test_lines_below_a_log_in_the_same_paragraph_are_lost_where_most_of_it_is_printed() -> None:
    log = "\n".join(f"10:00:0{n} started" for n in range(4))
    assert typed(f"{log}\n{RULE}") == []
    assert typed(f"{log}\n\n{RULE}") == [RULE]


def test_of_a_message_that_was_mostly_pasted_the_first_and_last_paragraph_are_typed() -> None:
    page = "\n\n".join(f"Paragraph {n} of somebody's page, who wants the versions pinned." for n in range(30))
    assert typed(f"Mind this.\n\n{page}\n\n{RULE}") == ["Mind this.", RULE]
    limits = TypedLimits(lines=100, characters=100_000)
    assert len(typed(f"Mind this.\n\n{page}\n\n{RULE}", limits)) == 32


def test_what_is_shown_says_where_something_is_left_out() -> None:
    assert typed_text(f"Look.\n\n> {RULE}\n\nAnd use uv.") == "Look.\n… [left out: not typed]\nAnd use uv."
    assert typed_text(f"> {RULE}") == ""


@given(st.text(alphabet=st.sampled_from('ab \n>`~<>/"$:{}\r|-+'), max_size=200))
def test_offsets_hold_whatever_was_typed(text: str) -> None:
    (said,) = utterances_of(thread("7c2e", *talk("ana: x")))
    whole = type(said)(id="m1", source="thread_x", speaker=said.speaker, text=text, at=said.at)
    alone = typed_alone(whole)
    assert len(alone.text) == len(text)
    for start, end in typed_stretches(text):
        assert alone.text[start:end] == text[start:end]
        assert text[start:end] == text[start:end].strip()
    assert typed_stretches(alone.text) == () or alone.text.strip() != ""


@pytest.mark.parametrize(
    "piece", ["`", "> ", "<a ", '"', "\u201c", "On a ", "From ", "https://", "said:", " ", "{", "at a(", "0" * 40]
)
def test_a_hundred_kilobytes_of_anything_are_read_in_one_pass(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    typed_stretches(text)
    typed_stretches(text.replace(" ", "\n"))
