# ruff: noqa: RUF001 - look-alikes are what these tests are about
from __future__ import annotations

import unicodedata
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.statements.quotes import Located, Quote, locate
from dream.memory.operations import Refusal
from tests.guards.statements.spoken import thread

TRUE_QUOTES = (
    "The checkout API listens on port 8443 since café number 12 moved.",
    "Run `make deploy` from `ops/`, never by hand.",
    "See [the runbook](https://wiki.acme.example/run?a=1&b=2#top) and <https://acme.example>.",
    "> quoted by somebody else\n> in two lines",
    "Ship it 🚀 with 👩‍👩‍👧 and 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f, ok ☑️",
    "| a | b |\n|---|---|\n| **1** | ~~2~~ |",
    "naïve résumé, 中文, العربية, русский, 한국어 ∑∆√π∞",
    "Zalgo i̐s combining, and \u200bzero width is what somebody typed",
    "tabs\tand  double  blanks and a line\r\nthat ends in CRLF",
    "smart “quotes” and ‘these’ and – dashes — too…",
    r"a regex \d+(?:x|y)* and a path C:\temp\new",
)
LOOKALIKES = dict(zip("aceopxyijsABCEHKMOPTXс", "асеорхуіјѕАВСЕНКМОРТХc", strict=True))
INSERTED = ("\u200b", "\u200d", "\u00ad", "\ufeff", "\u2060", "\ufe0f", "x", " ", "\n", "\u0301", "\u202e")


def mutations(text: str) -> list[str]:
    """Every way of changing one place: replaced, deleted, inserted, decomposed, a look-alike, something invisible."""
    found: list[str] = []
    for place, character in enumerate(text):
        before, after = text[:place], text[place + 1 :]
        others = {
            "",
            chr(ord(character) ^ 1),
            character.swapcase(),
            unicodedata.normalize("NFD", character),
            unicodedata.normalize("NFC", character),
            unicodedata.normalize("NFKC", character),
            LOOKALIKES.get(character, character),
            "\u00a0" if character == " " else character,
            "\u2019" if character == "'" else character,
        }
        found.extend(before + other + after for other in others if other != character)
        found.extend(before + extra + character + after for extra in INSERTED)
    found.extend(unicodedata.normalize(form, text) for form in ("NFD", "NFKD", "NFKC"))
    found.extend((text.replace("\r\n", "\n"), text.replace("`", ""), text.replace("> ", ""), text.lower()))
    return [one for one in found if one not in text]


def spoken_in(text: str) -> str:
    return f"Some words before it.\n{text}\nAnd some after, as in real talk."


@pytest.mark.parametrize("text", TRUE_QUOTES)
def test_t12_b44_a_true_quote_is_located_with_its_offsets_whatever_marks_it_holds(text: str) -> None:
    utterances = thread(("person", spoken_in(text)), ("agent", "Done."))
    found = locate(Quote("m1", text), utterances)
    assert found == Located(utterances[0], 22, 22 + len(text))
    assert isinstance(found, Located)
    assert found.text == text
    assert text in found.lines


@pytest.mark.parametrize("text", TRUE_QUOTES)
def test_t12_b42_no_quote_that_differs_in_one_place_is_accepted(text: str) -> None:
    utterances = thread(("person", spoken_in(text)))
    changed = [one for one in mutations(text) if one not in utterances[0].text]
    assert len(changed) > 10 * len(text)
    accepted = [one for one in changed if isinstance(locate(Quote("m1", one), utterances), Located)]
    assert accepted == []


@given(st.text(min_size=12, max_size=60), st.data())
def test_t12_any_text_is_quoted_exactly_or_not_at_all(text: str, data: st.DataObject) -> None:
    utterances = thread(("person", f"before {text} after"))
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    part = text[start:end]
    found = locate(Quote("m1", part), utterances, least=1)
    if not part.strip():
        assert found == Refusal("empty-quote")
    else:
        assert isinstance(found, Located)
        assert found.text == part
    other = part[:-1] + chr(data.draw(st.integers(0x21, 0x10FFFF)))
    if other not in utterances[0].text:
        assert isinstance(locate(Quote("m1", other), utterances, least=1), Refusal)


def test_t12_every_stretch_of_real_talk_is_accepted(real_talk: list[str]) -> None:
    for text in real_talk:
        utterances = thread(("person", text))
        for start in range(0, max(1, len(text) - 40), 37):
            quote = text[start : start + 40]
            found = locate(Quote("m1", quote), utterances, least=1)
            assert isinstance(found, Located) == bool(quote.strip())


@pytest.fixture
def real_talk(shared_data: Path) -> list[str]:
    folder = shared_data / "transcripts"
    return [path.read_bytes().decode(errors="replace")[:4_000] for path in sorted(folder.rglob("*.md"))[:120]]


def test_the_first_of_several_places_counts() -> None:
    utterances = thread(("person", "retry three times, yes retry three times"))
    assert locate(Quote("m1", "retry three times"), utterances) == Located(utterances[0], 0, 17)


def test_a_quote_is_looked_for_in_the_message_that_it_names_and_in_no_other() -> None:
    utterances = thread(("person", "Port 8443 is ours."), ("tool", "listening on 9000"))
    assert locate(Quote("m2", "Port 8443 is ours."), utterances) == Refusal("quote-not-found", "m2")
    assert locate(Quote("m9", "Port 8443 is ours."), utterances) == Refusal("no-such-message", "m9")


def test_an_id_of_two_threads_is_resolved_by_the_words_and_never_across_speakers() -> None:
    ours = thread(("person", "Port 8443 is ours."))
    theirs = thread(("tool", "Port 8443 is ours."), source="thread_9999")
    silent = thread(("tool", "nothing of the kind"), source="thread_9999")
    assert locate(Quote("m1", "Port 8443 is ours."), [*silent, *ours]) == Located(ours[0], 0, 18)
    assert locate(Quote("m1", "Port 8443 is ours."), [*ours, *theirs]) == Refusal(
        "ambiguous-quote", "in 2 messages of one id"
    )


def test_a_short_quote_proves_nothing_unless_it_is_all_that_was_said() -> None:
    utterances = thread(("person", "ok, but not the port"), ("person", " ok\n"))
    assert locate(Quote("m1", "ok"), utterances) == Refusal("quote-too-short", "2 characters, at least 10")
    assert locate(Quote("m2", "ok"), utterances) == Located(utterances[1], 1, 3)
    assert locate(Quote("m1", "ok"), utterances, least=2) == Located(utterances[0], 0, 2)


@pytest.mark.parametrize("blank", ["", " ", "\n\t "])
def test_nothing_is_no_quote(blank: str) -> None:
    assert locate(Quote("m1", blank), thread(("person", "a  b \n\t c"))) == Refusal("empty-quote")


def test_a_quote_of_a_whole_page_is_too_long() -> None:
    assert locate(Quote("m1", "x" * 2001), thread(("person", "x" * 3000))) == Refusal(
        "quote-too-long", "2001 characters, at most 2000"
    )


def test_a32_withheld_empty_cut_off_and_missing_are_four_different_things() -> None:
    (said,) = thread(("person", "Port 8443 is ours."))
    quote = Quote("m1", "Port 9000 is theirs.")
    assert locate(quote, [replace(said, withheld="secret")]) == Refusal("message-withheld", "m1")
    assert locate(Quote("m1", "Port 8443"), [replace(said, withheld="secret")]) == Refusal("message-withheld", "m1")
    assert locate(quote, [replace(said, text=" \n")]) == Refusal("message-empty", "m1")
    assert locate(quote, [replace(said, cut=40)]) == Refusal("message-cut-off", "m1")
    assert locate(quote, [said]) == Refusal("quote-not-found", "m1")
    assert locate(quote, []) == Refusal("no-such-message", "m1")


def test_a_made_up_id_is_reported_escaped() -> None:
    refusal = locate(Quote("m1\x1b[2J\n" + "x" * 200, "Port 8443 is ours."), ())
    assert refusal == Refusal("no-such-message", "m1\\x1b[2J\\n" + "x" * 73)


def test_the_lines_and_the_sentence_around_a_quote_come_from_the_source() -> None:
    text = "Hello.\nI fixed it. Should we use Redis for the queue? Later maybe.\n- done"
    found = locate(Quote("m1", "use Redis for the queue"), thread(("person", text)))
    assert isinstance(found, Located)
    assert found.lines == "I fixed it. Should we use Redis for the queue? Later maybe."
    assert found.sentences == "Should we use Redis for the queue?"


def test_a_sentence_goes_on_over_a_wrapped_line() -> None:
    found = locate(
        Quote("m1", "switch the queue"), thread(("person", "Right.\nShould we switch the queue\nto Redis? No."))
    )
    assert isinstance(found, Located)
    assert found.sentences == "Should we switch the queue\nto Redis?"


def test_of_a_very_long_line_whole_words_around_the_quote_are_shown() -> None:
    text = "word " * 2_000 + "port 8443 is ours " + "more " * 2_000
    found = locate(Quote("m1", "port 8443 is ours"), thread(("tool", text)))
    assert isinstance(found, Located)
    assert len(found.lines) < 600
    assert found.lines.startswith("word ")
    assert found.lines.endswith("more")
    assert "port 8443 is ours" in found.lines


def test_a_quote_is_remembered_by_a_hash_that_tells_nothing_of_it() -> None:
    found = locate(Quote("m1", "Port 8443 is ours"), thread(("person", "Port 8443 is ours")))
    assert isinstance(found, Located)
    assert found.digest == sha256(b"Port 8443 is ours").hexdigest()
