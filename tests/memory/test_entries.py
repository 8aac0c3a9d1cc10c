from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.entries import Entry, EntryStyle, collapse, leading_date, read_entry, write_entry
from dream.memory.notes import Note, parse_note, render_entry
from dream.memory.sources import Citation, Origin, origin, render_citation, split_citation, weakest

DAY = date(2026, 10, 14)


def entries(text: str) -> tuple[Entry, ...]:
    note = parse_note(text.encode())
    assert isinstance(note, Note)
    return note.entries


def test_a_dated_bullet_gives_its_date_sources_and_text() -> None:
    line = (
        "- 2026-10-14: checkout-api times out after 30 s. (tentative) [person:ann@thread_7c2e, acme/web#41, 2026-10-15]"
    )
    assert entries(line) == (
        Entry(
            start=0,
            end=1,
            style=EntryStyle.DATED,
            raw=line,
            key="checkout-api times out after 30 s.",
            date=DAY,
            sources=("person:ann@thread_7c2e", "acme/web#41"),
            tentative=True,
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        "- 2026-10-14: It holds.",
        "* 2026-10-14:   It  holds.",
        "+ **2026-10-14:** It holds.",
        "- **2026-10-14**: It\n  holds.",
        "- 2026-10-14: (tentative) It holds.",
        "- 2026-10-14: It holds. (tentative) [thread_7c2e, 2026-10-14]",
        "- 2026-10-14: It holds. [thread_7c2e, 2026-10-14] (tentative)",
        "- 2026-10-14: It\r\n  holds. [thread_7c2e; web:status.example]\r",
        "\ufeff- 2026-10-14: It holds. [thread_7c2e] [probe:orders-db, 2026-11-01]  ",
        "- 2026-10-14: It [thread_7c2e, 2026-10-14]\n  holds.",
    ],
)
def test_the_key_is_the_text_without_marker_date_sources_and_flag(text: str) -> None:
    (entry,) = entries(text)
    assert (entry.key, entry.date, entry.style) == ("It holds.", DAY, EntryStyle.DATED)


def test_a_key_is_the_same_in_either_unicode_form() -> None:
    composed, decomposed = entries("Caf\u00e9\u00a0opens.")[0], entries("Cafe\u0301  opens.")[0]
    assert composed.key == decomposed.key == "Caf\u00e9 opens."


@pytest.mark.parametrize(
    "line",
    [
        "- 2026-02-30: no such day",
        "- 2026-10-14 no colon",
        "- 2026-02-13.md did not exist",
        "- `2026-10-14`: code",
        "1. 2026-10-14: numbered",
        "2026-10-14: no bullet",
        "- \u0662026-10-14: other digits",
        "- 2026-10-14:no blank",
        "    - 2026-10-14: code",
    ],
)
def test_what_only_resembles_a_dated_bullet_is_none(line: str) -> None:
    assert leading_date(line) is None


@pytest.mark.parametrize(
    "ending",
    [
        "[see above]",
        "[2026-10-14]",
        "[x](y)",
        "[thread_7c2e, see above]",
        "[ ]",
        "[]",
        "thread_7c2e]",
        "[#41]",
        "[todo: x]",
    ],
)
def test_a_bracket_that_holds_anything_but_sources_and_dates_is_text(ending: str) -> None:
    assert entries(f"It holds. {ending}")[0].key == f"It holds. {ending}"


def test_an_undated_item_may_say_where_it_comes_from() -> None:
    (entry,) = entries("- It holds. [thread_7c2e, 2026-10-14]")
    assert (entry.style, entry.key, entry.date, entry.sources) == (EntryStyle.ITEM, "It holds.", DAY, ("thread_7c2e",))


def test_code_does_not_cite() -> None:
    (entry,) = entries("```\necho [thread_7c2e]\n```")
    assert (entry.key, entry.sources) == ("``` echo [thread_7c2e] ```", ())


def test_every_kind_of_source_is_read_and_split_at_commas_and_semicolons() -> None:
    sources = (
        "thread_7c2e",
        "person:Ann Lee@thread_7c2e",
        "acme/web#41",
        "acme/infra/web!7",
        "probe:orders-db",
        "web:a.example",
    )
    assert split_citation(f"It holds. [{'; '.join(sources)}, 2026-10-14]") == ("It holds.", Citation(sources, (DAY,)))


def test_a_rendered_citation_names_each_source_once_in_order() -> None:
    assert render_citation(["thread_b", "thread_a", "thread_b"], DAY) == "[thread_b, thread_a, 2026-10-14]"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("person:ann@thread_7c2e", Origin.PERSON),
        ("person:ann@acme/web#41", Origin.PERSON),
        ("probe:orders-db", Origin.PRODUCTION),
        ("thread_7c2e", Origin.AGENT),
        ("acme/web#41", Origin.AGENT),
        ("web:status.example", Origin.EXTERNAL),
        ("hearsay", Origin.EXTERNAL),
    ],
)
def test_a_source_is_of_one_origin(source: str, expected: Origin) -> None:
    assert origin(source) is expected


def test_the_weakest_origin_wins_and_no_source_has_none() -> None:
    assert weakest(["person:ann@thread_7c2e", "probe:orders-db"]) is Origin.PRODUCTION
    assert weakest(["person:ann@thread_7c2e", "thread_7c2e", "probe:orders-db"]) is Origin.AGENT
    assert weakest(["web:a.example", "thread_7c2e"]) is Origin.EXTERNAL
    assert weakest([]) is None


def test_an_entry_is_written_as_it_is_read() -> None:
    made = render_entry("", "It holds.", dated=DAY, sources=["thread_7c2e"], style=EntryStyle.DATED)
    assert made == "- 2026-10-14: It holds. [thread_7c2e, 2026-10-14]"
    made = render_entry("", "It\nholds.\n", dated=DAY, sources=["a/b#1"], tentative=True, style=EntryStyle.DATED)
    assert made == "- 2026-10-14: It\n  holds. (tentative) [a/b#1, 2026-10-14]"
    made = render_entry("", "It holds.", dated=DAY, sources=[], style=EntryStyle.ITEM)
    assert made == "- It holds."
    made = render_entry("", "It holds.", dated=DAY, sources=["thread_7c2e"], style=EntryStyle.BODY)
    assert made == "It holds. [thread_7c2e, 2026-10-14]"
    made = render_entry("", "## Deploys\nIt holds.", dated=DAY, sources=[], style=EntryStyle.SECTION)
    assert made == "## Deploys\n**Updated:** 2026-10-14\n\nIt holds."
    made = render_entry("", "Run:\n```\nmake\n```", dated=DAY, sources=["thread_a"], style=EntryStyle.PARAGRAPH)
    assert made == "Run:\n```\nmake\n```\n[thread_a, 2026-10-14]"


def test_a_new_bullet_has_the_marker_of_the_last_one() -> None:
    note = parse_note(b"# T\n\n- 2026-10-01: a\n* 2026-10-02: b\n")
    assert isinstance(note, Note)
    assert render_entry(note, "c", dated=DAY, sources=[], style=EntryStyle.DATED) == "* 2026-10-14: c"


STATEMENTS = (
    st.text(alphabet="abcXYZ019 .,'`*/-_:é世", min_size=1)
    .map(collapse)
    .filter(lambda text: text and text[-1] not in "])" and not text.startswith(("#", "-", "*", "_", "`", ">", ":")))
)
SOURCES = st.sampled_from(["thread_7c2e", "person:ann@thread_1", "acme/web#41", "probe:orders-db", "web:a.example"])


@given(STATEMENTS, st.dates(), st.lists(SOURCES, unique=True, max_size=3), st.booleans())
def test_what_is_written_is_read_back(statement: str, day: date, sources: list[str], tentative: bool) -> None:  # noqa: FBT001
    text = write_entry(statement, style=EntryStyle.DATED, dated=day, sources=sources, tentative=tentative, marker="-")
    assert entries(text) == (
        Entry(
            start=0,
            end=1,
            style=EntryStyle.DATED,
            raw=text,
            key=statement,
            date=day,
            sources=tuple(sources),
            tentative=tentative,
        ),
    )


@given(st.text())
def test_a_collapsed_text_stays_as_it_is(text: str) -> None:
    assert collapse(collapse(text)) == collapse(text)


@given(st.text(alphabet="ab \t\r\u00a0\u2028é\u0301-[]"))
def test_any_line_is_an_entry_whose_lines_are_kept(line: str) -> None:
    assert read_entry([line], 0, 1, EntryStyle.ITEM).raw == line
