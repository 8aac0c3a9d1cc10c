from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.notes import Note, parse_note
from dream.sources.production.port import Found, Line, Query
from tasks.verification.inquiries import Asked
from tasks.verification.pinned_verdicts import PutRight, pinned_verdicts

TODAY = date(2026, 11, 30)
STATED = "- 2026-11-14: billing has 16 replicas. [thread_x, 2026-11-14]"
RIGHT = "- 2026-11-30: billing has 3 replicas. [thread_x, probe:status, 2026-11-30]"
CHECK = "  check: status get `/billing $.replicas` is `16`"
MOVED = "  check: status get `/billing $.replicas` is `3`"


def put_right(text: str) -> str:
    note = parse_note(f"# billing\n\n{text}\n".encode())
    assert isinstance(note, Note)

    def ask(entry: int, query: Query) -> Asked:
        del entry
        answer = Found(lines=(Line(text="billing: replicas=3"),), values=("3",), names=("billing",))
        return Asked(query=query, answer=answer, id="o1", at=datetime(2026, 11, 30, 4, tzinfo=UTC))

    (one,) = pinned_verdicts("services/billing.md", note, ask=ask, today=TODAY)
    assert isinstance(one, PutRight), one
    assert one.entry.raw in text
    return text.replace(one.entry.raw, one.revision.new)


@pytest.mark.parametrize(
    "between",
    [
        "",
        "\n",
        "\r\n",
        "  It is so.\n",
        "\n  It is so. [thread_y, 2026-11-02]\n\n",
        "  - sub note\n",
        "  - sub note [thread_y]\n  - [ ] another  \n",
        "  ```\n  scale 16x\n  ```\n",
    ],
)
@pytest.mark.parametrize("below", ["", "\n\n  It is behind the gateway.", "\n  And so on.", "\n\t- last [thread_z]\n"])
def test_what_shows_it_is_cited_by_the_statement_whatever_stands_below_it(between: str, below: str) -> None:
    assert put_right(f"{STATED}\n{between}{CHECK}{below}") == f"{RIGHT}\n{between}{MOVED}{below}"


@pytest.mark.parametrize(
    ("stated", "right"),
    [
        ("- 2026-11-14: It has 16\n  replicas. [thread_x]\n", "- 2026-11-30: It has 3\n  replicas. [thread_x, SEEN]\n"),
        ("- 2026-11-14: It has 16\n  replicas. Ours.\n", "- 2026-11-30: It has 3\n  replicas. Ours. [SEEN]\n"),
        ("- 2026-11-14: It has 16.\n  It is ours.\n", "- 2026-11-30: It has 3. [SEEN]\n  It is ours.\n"),
        (
            "- 2026-11-14: Billing. [thread_x]\n\n  - 16 replicas\n  - ours\n",
            "- 2026-11-30: Billing. [thread_x]\n\n  - 3 replicas [SEEN]\n  - ours\n",
        ),
        (
            "- 2026-11-14: It has 16. [thread_x; 2026-11-14] (tentative)  \r\n",
            "- 2026-11-30: It has 3. [thread_x, SEEN] (tentative)  \r\n",
        ),
        (
            "- 2026-11-14: Billing:\n\n  ```\n  replicas: 16\n  ```\n",
            "- 2026-11-30: Billing: [SEEN]\n\n  ```\n  replicas: 3\n  ```\n",
        ),
        (
            "- 2026-11-14: Billing.\n\n  | replicas |\n  |---|\n  | 16 |\n",
            "- 2026-11-30: Billing. [SEEN]\n\n  | replicas |\n  |---|\n  | 3 |\n",
        ),
        ("* It has 16, ours [thread_x]\n", "* It has 3, ours [thread_x, SEEN]\n"),
        ("* It has 16, ours\n\n  More of it.\n", "* It has 3, ours\n\n  More of it.\n"),
    ],
)
def test_the_bracket_of_the_paragraph_takes_it_or_else_the_sentence(stated: str, right: str) -> None:
    assert put_right(stated + CHECK) == right.replace("SEEN", "probe:status, 2026-11-30") + MOVED


def test_an_entry_that_says_so_already_cites_it_where_it_says_so() -> None:
    text = f"- 2026-11-14: Ours.\n  - It has 3 replicas. [thread_x]\n  - More.\n{CHECK}"
    assert put_right(text) == (
        f"- 2026-11-30: Ours.\n  - It has 3 replicas. [thread_x, probe:status, 2026-11-30]\n  - More.\n{MOVED}"
    )


_BLANKS = st.sampled_from(["", " ", "  ", "\t"])
_BELOW = st.lists(
    st.tuples(
        st.sampled_from(
            ["", "  It is ours.", "  - sub note", "  - told [thread_y, 2026-11-02]", "  | a | b |", "  > so"]
        ),
        _BLANKS,
    ).map("".join),
    max_size=6,
)


@given(between=_BELOW, below=_BELOW, newline=st.sampled_from(["\n", "\r\n"]), cites=st.booleans(), tail=_BLANKS)
def test_nothing_changes_but_the_value_the_citation_and_what_is_expected(
    *, between: list[str], below: list[str], newline: str, cites: bool, tail: str
) -> None:
    stated = "- 2026-11-14: billing has 16 replicas." + (" [thread_x, 2026-11-14]" if cites else "")
    text = newline.join([stated + tail, *between, CHECK, *below])
    right = newline.join([stated + tail, *between, MOVED, *below]).replace("2026-11-14: ", "2026-11-30: ", 1)
    after = put_right(text)
    where = next(at for at, line in enumerate(after.split("\n")) if "probe:status" in line)
    bracket = r" \[(?:thread_[xy], )?probe:status, 2026-11-30\]"
    assert len(re.findall(bracket, after)) == 1
    plain = re.sub(bracket, "", after, count=1)
    replaced = re.search(r" \[thread_[xy], [0-9-]+\]", text.split("\n")[where])
    assert plain == right.replace("16", "3", 1).replace(replaced[0] if replaced else "\0", "", 1)
