from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, Tree
from dream.sources.pull_requests.values import Fate, PullRequest
from tasks import pr_outcomes
from tasks.pr_outcomes import PullRequestTally, parse_tally
from tests.tasks.stories import NOON, done, fate_in_branch, planted, pull_request, reasons, text_of

EMPTY = MappingTree({})
PATH = "conventions/acme-web.md"
START, END = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 10, 22, tzinfo=UTC)
NIGHT = [
    pull_request(41),
    pull_request(38, fate=Fate.MERGED_EDITED, ended=NOON + timedelta(hours=1)),
    pull_request(39, fate=Fate.CLOSED_BY_PERSON),
    pull_request(36, fate=Fate.CLOSED_BY_SYSTEM),
    pull_request(35, fate=Fate.UNKNOWN),
    pull_request(44, fate=Fate.OPEN, ended=None),
]
TALLY = (
    "- 2026-10-21: Of 5 agent pull requests in acme/web since 2026-10-01: 1 merged untouched, "
    "1 merged after people's edits, 1 closed by a person, 1 closed by a system, 1 with an unknown end. "
    "[acme/web#35, acme/web#36, acme/web#38, acme/web#39, acme/web#41, 2026-10-21]"
)


def propose(tree: Tree, pull_requests: Sequence[PullRequest], *, known: Mapping[str, str] | None = None) -> Plan:
    return pr_outcomes.propose(
        tree=tree,
        notes=NoteCache(),
        pull_requests=pull_requests,
        classify=fate_in_branch,
        window_start=START,
        window_end=END,
        timezone=ZoneInfo("Europe/Berlin"),
        done=known or {},
    )


def test_each_class_is_counted_in_one_entry_with_the_nights_sources() -> None:
    plan = propose(EMPTY, NIGHT)
    assert text_of(planted(EMPTY, plan), PATH) == f"# Conventions of acme/web\n\n{TALLY}\n"
    assert [item.id for item in plan.items] == [f"acme/web#{number}" for number in (35, 36, 38, 39, 41)]


def test_the_next_night_adds_to_what_the_entry_says() -> None:
    first = propose(EMPTY, NIGHT)
    tree = planted(EMPTY, first)
    more = [*NIGHT, pull_request(50, ended=NOON + timedelta(hours=11)), pull_request(51)]
    text = text_of(planted(tree, propose(tree, more, known=done(first))), PATH)
    assert text == (
        "# Conventions of acme/web\n\n"
        "- 2026-10-22: Of 7 agent pull requests in acme/web since 2026-10-01: 3 merged untouched, "
        "1 merged after people's edits, 1 closed by a person, 1 closed by a system, 1 with an unknown end. "
        "[acme/web#50, acme/web#51, 2026-10-22]\n"
    )


def test_nothing_new_changes_nothing_and_what_came_back_counts_once() -> None:
    first = propose(EMPTY, NIGHT)
    tree = planted(EMPTY, first)
    assert propose(tree, NIGHT, known=done(first)) == Plan()
    renamed = pull_request(41, title="Move the banner, once more")
    assert reasons(propose(tree, [renamed], known=done(first))) == {"acme/web#41": "already-counted"}


def test_only_what_ended_in_the_window_is_an_input() -> None:
    edges = [
        pull_request(1, ended=START),
        pull_request(2, ended=END),
        pull_request(3, ended=START - timedelta(seconds=1)),
    ]
    assert [item.id for item in propose(EMPTY, edges).items] == ["acme/web#1"]


@pytest.mark.parametrize(
    "reworded",
    [
        TALLY.replace("Of 5 agent", "Of five agent"),
        TALLY.replace("1 merged untouched", "2 merged untouched"),
        "- 2026-10-21: Two of our agent's pull requests were merged untouched, one closed by a person.",
        TALLY.replace(" [acme/web#35", " We are getting better. [acme/web#35"),
    ],
)
def test_a_tally_that_a_person_reworded_is_theirs(reworded: str) -> None:
    tree = MappingTree({PATH: f"# acme/web\n\n{reworded}\n".encode()})
    plan = propose(tree, NIGHT[:2])
    assert reasons(plan) == {"acme/web#38": "taken-over", "acme/web#41": "taken-over"}


def test_lessons_in_the_same_note_are_no_tally_and_stay_as_they_are() -> None:
    lesson = "- 2026-09-12: Agent pull requests need a test. [acme/web#12, acme/web#19, 2026-09-12]"
    tree = MappingTree({PATH: f"# acme/web\n\n{lesson}\n\nA rule of people.\n".encode()})
    text = text_of(planted(tree, propose(tree, NIGHT)), PATH)
    assert text == f"# acme/web\n\n{lesson}\n\nA rule of people.\n\n{TALLY}\n"


def test_two_repositories_whose_notes_have_one_name_keep_a_tally_each() -> None:
    first = propose(EMPTY, [pull_request(1, repository="acme/web-api"), pull_request(1, repository="acme-web/api")])
    tree = planted(EMPTY, first)
    assert tree.paths() == ["conventions/acme-web-api.md"]
    more = [pull_request(2, repository="acme/web-api"), pull_request(2, repository="acme-web/api")]
    text = text_of(planted(tree, propose(tree, more, known=done(first))), "conventions/acme-web-api.md")
    assert text.count("Of 2 agent pull requests in acme/web-api ") == 1
    assert text.count("Of 2 agent pull requests in acme-web/api ") == 1


def test_a_note_in_another_case_is_the_same_note() -> None:
    tree = MappingTree({"conventions/Acme-Web.md": b"# acme/web\n"})
    assert planted(tree, propose(tree, NIGHT)).paths() == ["conventions/Acme-Web.md"]


def test_a_note_that_cannot_be_read_is_left_alone() -> None:
    tree = MappingTree({PATH: b"\xff\xfe"})
    assert reasons(propose(tree, NIGHT[:1])) == {"acme/web#41": "note-unreadable"}


COUNTS = st.dictionaries(
    st.sampled_from([fate for fate in Fate if fate is not Fate.OPEN]), st.integers(1, 9999), min_size=1
)


@given(COUNTS, st.dates(date(1000, 1, 1)), st.lists(st.sampled_from([fate for fate in Fate if fate is not Fate.OPEN])))
def test_a_tally_reads_back_as_it_was_written(counts: dict[Fate, int], since: date, more: list[Fate]) -> None:
    tally = PullRequestTally(repository="acme/web", since=since, counts=counts)
    assert parse_tally(tally.statement() + ".") == tally
    assert sum(tally.plus(more).counts.values()) == sum(counts.values()) + len(more)
