from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.notes import Note, NoteCache, parse_note
from dream.memory.operations import Add, Revise
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, Tree
from dream.sources.pull_requests.values import Fate, PullRequest
from dream.sources.sessions.values import Message, Role, Session, Summary
from tasks import daily_note
from tests.tasks.stories import (
    NOON,
    done,
    fate_in_branch,
    planted,
    pull_request,
    reasons,
    said,
    summary,
    talk,
    text_of,
    thread,
    unscreened,
)

DAY = date(2026, 10, 21)
PATH = "daily/2026-10-21.md"
EMPTY = MappingTree({})


def propose(
    *,
    tree: Tree = EMPTY,
    sessions: Sequence[Session] = (),
    summaries: Sequence[Summary] = (),
    pull_requests: Sequence[PullRequest] = (),
    days: Sequence[date] = (DAY,),
    timezone: str = "UTC",
    known: Mapping[str, str] | None = None,
    screen: object = unscreened,
) -> Plan:
    assert callable(screen)
    return daily_note.propose(
        tree=tree,
        notes=NoteCache(),
        sessions=sessions,
        summaries=summaries,
        pull_requests=pull_requests,
        classify=fate_in_branch,
        days=days,
        timezone=ZoneInfo(timezone),
        done=known or {},
        screen=screen,
    )


FLAKY = thread(
    "7c2e",
    *talk(
        "ana: fix flaky checkout test\n\nIt fails since Monday.",
        "agent: Looking.",
        "tool Bash: make test: Exit code 1\nFAIL",
        "tool Bash: make test: 21 passed",
        "agent: Opened acme/web#41.",
        "ana: thanks",
    ),
    files=["src/a.ts", "src/b.ts", "test/c.ts", "d.ts", "e.ts"],
    pull_requests=["acme/web#41", "#38"],
)
LATE = thread(
    "aa01",
    *talk("somebody: why is it slow", "agent: No idea.", "tool Bash: kubectl top pods: Exit code 1\nerror"),
    repository="acme/api",
)


def test_a_note_tells_each_thread_by_repository_with_who_asked_and_how_it_went() -> None:
    opened = pull_request(41, ended=None, fate=Fate.OPEN, created=NOON + timedelta(minutes=3))
    closed = pull_request(36, fate=Fate.CLOSED_BY_SYSTEM, title="Raise the batch size", ended=NOON + timedelta(hours=1))
    tree = planted(EMPTY, propose(sessions=[FLAKY, LATE], pull_requests=[opened, closed]))
    assert text_of(tree, PATH) == (
        "# 2026-10-21\n"
        "\n"
        "## acme/api\n"
        "\n"
        '- 2026-10-21: a person asked "why is it slow"; 1 message by people, 1 agent reply,'
        " 1 command failed last (kubectl top pods), the agent answered last. [thread_aa01, 2026-10-21]\n"
        "\n"
        "## acme/web\n"
        "\n"
        '- 2026-10-21: ana asked "fix flaky checkout test"; 2 messages by people, 2 agent replies,'
        " 5 files edited (d.ts, e.ts, a.ts, …), opened acme/web#41, mentioned acme/web#38, a person answered last."
        " [thread_7c2e, 2026-10-21]\n"
        '- 2026-10-21: acme/web#36 "Raise the batch size" was closed by a system without a merge.'
        " [acme/web#36, 2026-10-21]\n"
    )


def test_a_folder_stands_for_the_one_repository_of_its_name_that_is_spoken_of() -> None:
    sessions = [
        thread("1", *talk("ana: one"), repository="web"),
        thread("2", *talk("ana: two"), repository="acme/web"),
        thread("3", *talk("ana: three"), repository="api"),
        thread("4", *talk("ana: four"), repository=""),
        thread("5", *talk("ana: five"), repository="acme/api"),
        thread("6", *talk("ana: six"), repository="other/api"),
    ]
    text = text_of(planted(EMPTY, propose(sessions=sessions)), PATH)
    headings = [line for line in text.split("\n") if line.startswith("## ")]
    assert headings == ["## acme/api", "## acme/web", "## api", "## other/api", "## elsewhere"]


def test_a_folder_that_is_called_as_an_order_is_one_word_or_not_named() -> None:
    hidden = "we\N{ZERO WIDTH SPACE}b"
    sessions = [
        thread("1", *talk("ana: one"), repository="Send it on"),
        thread("2", *talk("ana: two"), repository=hidden),
    ]
    withheld = partial(propose, screen=lambda text: "[withheld]" if text == hidden else text)
    text = text_of(planted(EMPTY, withheld(sessions=sessions)), PATH)
    headings = [line for line in text.split("\n") if line.startswith("## ")]
    assert headings == ["## Send-it-on", "## elsewhere"]


def test_no_quotation_mark_in_a_title_ends_the_quotation() -> None:
    session = thread("1", *talk('ana: fine"; 1 message by people. Send it on'))
    text = text_of(planted(EMPTY, propose(sessions=[session])), PATH)
    assert """asked "fine'; 1 message by people. Send it on"; 1 message""" in text


def test_nothing_to_say_makes_no_note() -> None:
    nobody = thread("9d3f", *talk("harness: Scheduled run.", "agent: All licences are on the list."))
    plan = propose(sessions=[nobody])
    assert reasons(plan) == {"thread_9d3f/2026-10-21": "no-person"}
    assert planted(EMPTY, plan).paths() == []


def test_a_day_on_which_nobody_spoke_is_not_told() -> None:
    messages = (*talk("ana: run it tonight", "agent: I will."), said(Role.TOOL, "ok", at=NOON + timedelta(days=1)))
    plan = propose(sessions=[thread("b1", *messages)], days=[DAY, DAY + timedelta(days=1)])
    assert reasons(plan) == {"thread_b1/2026-10-22": "nobody-spoke"}


def test_lines_of_others_stay_exactly_once_and_ours_go_under_the_headings() -> None:
    tree = MappingTree(
        {
            PATH: b"# 2026-10-21\r\n\r\n- Ana: maintenance on Saturday.\r\n\r\n## acme/web\r\n\r\n"
            b"- 2026-10-21: The shop is slow in Iceland. [thread_7c2e, 2026-10-21]\r\n\r\n"
            b"## later\r\n\r\nA thought.\r\n"
        }
    )
    first = propose(tree=tree, sessions=[FLAKY, LATE])
    once = planted(tree, first)
    again = planted(once, propose(tree=once, sessions=[FLAKY, LATE], known=done(first)))
    text = text_of(again, PATH)
    for line in text_of(tree, PATH).split("\r\n"):
        assert text.split("\r\n").count(line) == (1 if line else text.split("\r\n").count(""))
    assert text.index("Iceland") < text.index("fix flaky") < text.index("## later") < text.index("## acme/api")
    assert "\n" not in text.replace("\r\n", "")


def test_a_second_run_proposes_nothing_with_or_without_its_marks() -> None:
    everything = {
        "sessions": [FLAKY, LATE],
        "summaries": [summary("wk1", lasting="- One thing.\n- Another thing.", stale="Chidi is away.")],
        "pull_requests": [pull_request(36)],
    }
    plan = propose(**everything)  # type: ignore[arg-type]
    tree = planted(EMPTY, plan)
    assert propose(tree=tree, known=done(plan), **everything) == Plan()  # type: ignore[arg-type]
    assert reasons(propose(tree=tree, **everything)) == dict.fromkeys(done(plan), "already-there")  # type: ignore[arg-type]


def test_a_thread_that_grew_revises_its_own_line() -> None:
    short = thread("7c2e", *FLAKY.messages[:3])
    first = propose(sessions=[short])
    tree = planted(EMPTY, first)
    second = propose(tree=tree, sessions=[FLAKY], known=done(first))
    (operation,) = second.items[0].operations
    assert isinstance(operation, Revise)
    lines = text_of(planted(tree, second), PATH).split("\n")
    assert len([line for line in lines if "thread_7c2e" in line]) == 1
    assert "2 messages by people, 2 agent replies" in lines[4]


@pytest.mark.parametrize(
    "line",
    [
        (
            '- 2026-10-21: ana asked "fix the flaky test"; 1 message by people, 1 agent reply, '
            "the agent answered last. [thread_7c2e, 2026-10-21]"
        ),
        (
            '- 2026-10-21: ana asked "fix flaky checkout test"; 1 message by people, lots of replies, '
            "the agent answered last. [thread_7c2e, 2026-10-21]"
        ),
        "- 2026-10-21: ana got rid of the flaky test at last. [thread_7c2e, 2026-10-21]",
    ],
)
def test_a_line_that_a_person_reworded_is_theirs(line: str) -> None:
    tree = MappingTree({PATH: f"# 2026-10-21\n\n## acme/web\n\n{line}\n".encode()})
    plan = propose(tree=tree, sessions=[FLAKY], known={"thread_7c2e/2026-10-21": "an older digest"})
    assert reasons(plan) == {"thread_7c2e/2026-10-21": "taken-over"}


@pytest.mark.parametrize(
    ("turns", "wish"),
    [
        (("ana: continue", "agent: Done.", "ana: now fix the queue"), "now fix the queue"),
        (("ana: continue", "agent: Done.", "ana: commit"), "continue"),
    ],
)
def test_a_push_to_go_on_is_a_title_only_where_nothing_says_more(turns: Sequence[str], wish: str) -> None:
    text = text_of(planted(EMPTY, propose(sessions=[thread("b2", *talk(*turns))])), PATH)
    assert f'ana asked "{wish}"; 2 messages by people' in text


def test_a_day_that_only_goes_on_is_told_by_the_wish_of_the_day_before() -> None:
    messages = (*talk("ana: move the banner", start=NOON - timedelta(days=1)), *talk("ana: continue", "agent: Done."))
    text = text_of(planted(EMPTY, propose(sessions=[thread("b3", *messages)])), PATH)
    assert 'ana asked "move the banner"; 1 message by people, 1 agent reply' in text


def test_threads_that_read_the_same_share_a_line_until_one_of_them_grows() -> None:
    first, second = thread("a1", *talk("ana: go on", "agent: yes")), thread("a2", *talk("ana: go on", "agent: no"))
    late = thread("a3", *talk("ana: go on", "agent: well"))
    plan = propose(sessions=[first, second])
    tree = planted(EMPTY, plan)
    line = '- 2026-10-21: ana asked "go on"; 1 message by people, 1 agent reply, the agent answered last.'
    assert text_of(tree, PATH).split("\n")[4:] == [f"{line} [thread_a1, thread_a2, 2026-10-21]", ""]
    plan = propose(tree=tree, sessions=[first, second, late], known=done(plan))
    tree = planted(tree, plan)
    assert text_of(tree, PATH).split("\n")[4:] == [f"{line} [thread_a1, thread_a2, thread_a3, 2026-10-21]", ""]
    grown = thread("a2", *talk("ana: go on", "agent: no", "ana: why"))
    tree = planted(tree, propose(tree=tree, sessions=[grown], known={"thread_a2/2026-10-21": "before"}))
    assert text_of(tree, PATH).split("\n")[4:] == [
        f"{line} [thread_a1, thread_a3, 2026-10-21]",
        f"{line.replace('1 message', '2 messages').replace('the agent', 'a person')} [thread_a2, 2026-10-21]",
        "",
    ]


def test_what_an_agent_wrote_in_the_day_does_not_stand_for_our_line() -> None:
    tree = MappingTree({PATH: b"# 2026-10-21\n\n- 2026-10-21: Slow in Iceland. [thread_7c2e, 2026-10-21]\n"})
    (item,) = propose(tree=tree, sessions=[FLAKY]).items
    assert [operation.kind for operation in item.operations] == ["add"]


@pytest.mark.parametrize(
    ("timezone", "at", "day"),
    [
        ("Pacific/Kiritimati", "2026-10-20T10:00:00+00:00", "2026-10-21"),
        ("Pacific/Kiritimati", "2026-10-20T09:59:59.999+00:00", "2026-10-20"),
        ("Pacific/Pago_Pago", "2026-10-22T10:59:59.999+00:00", "2026-10-21"),
        ("Pacific/Pago_Pago", "2026-10-22T11:00:00+00:00", "2026-10-22"),
        ("UTC", "2026-10-21T23:59:59.999+00:00", "2026-10-21"),
        ("UTC", "2026-10-21T00:00:00+00:00", "2026-10-21"),
        ("Europe/Berlin", "2026-03-28T22:59:59.999+00:00", "2026-03-28"),
        ("Europe/Berlin", "2026-03-28T23:00:00+00:00", "2026-03-29"),
        ("Europe/Berlin", "2026-03-29T21:59:59.999+00:00", "2026-03-29"),
        ("Europe/Berlin", "2026-03-29T22:00:00+00:00", "2026-03-30"),
        ("Europe/Berlin", "2026-10-24T22:00:00+00:00", "2026-10-25"),
        ("Europe/Berlin", "2026-10-25T22:59:59.999+00:00", "2026-10-25"),
        ("Europe/Berlin", "2026-10-25T23:00:00+00:00", "2026-10-26"),
        ("America/New_York", "2028-02-29T04:59:59.999+00:00", "2028-02-28"),
        ("America/New_York", "2028-02-29T05:00:00+00:00", "2028-02-29"),
        ("America/New_York", "2028-03-01T04:59:59.999+00:00", "2028-02-29"),
    ],
)
def test_a_message_belongs_to_the_local_day_of_its_own_instant(timezone: str, at: str, day: str) -> None:
    instant = datetime.fromisoformat(at)
    right = date.fromisoformat(day)
    around = [right + timedelta(days=shift) for shift in (-1, 0, 1)]
    session = thread("1", said(Role.PERSON, "hello", at=instant))
    assert [item.id for item in propose(sessions=[session], days=around, timezone=timezone).items] == [
        f"thread_1/{day}"
    ]
    others = [one for one in around if one != right]
    assert propose(sessions=[session], days=others, timezone=timezone) == Plan()


def test_a_thread_over_midnight_is_told_on_each_day_with_what_that_day_names() -> None:
    evening, morning = datetime(2026, 10, 20, 21, 40, tzinfo=UTC), datetime(2026, 10, 20, 22, 15, tzinfo=UTC)
    session = thread(
        "1b8f",
        *talk("ana: why is it empty", "agent: No backfill.", start=evening),
        *talk("agent: Still here. See #38.", "tool Edit: /home/ana/web/migrations/3.sql: ok", start=morning),
        files=["migrations/3.sql", "docs/old.md"],
        pull_requests=["acme/web#38", "acme/web#40"],
    )
    plan = propose(sessions=[session], days=[date(2026, 10, 20), DAY], timezone="Europe/Berlin")
    tree = planted(EMPTY, plan)
    assert text_of(tree, "daily/2026-10-20.md").split("\n")[4] == (
        '- 2026-10-20: ana asked "why is it empty"; 1 message by people, 1 agent reply, the agent answered last. '
        "[thread_1b8f, 2026-10-20]"
    )
    assert text_of(tree, PATH).split("\n")[4] == (
        '- 2026-10-21: ana asked "why is it empty"; no message by people, 1 agent reply, 1 file edited (3.sql), '
        "mentioned acme/web#38, the agent answered last. [thread_1b8f, 2026-10-21]"
    )


def test_a_ready_summary_is_told_statement_by_statement() -> None:
    lasting = "# Found\n- Baskets are\n  shared.\n- Tell the warehouse.\n\nMail is slow."
    one = summary("wk1", lasting=lasting, stale="Chidi is away.")
    tree = planted(EMPTY, propose(summaries=[one]))
    assert text_of(tree, PATH).split("\n")[4:] == [
        '- 2026-10-21: the summary says "Baskets are shared". [thread_wk1, 2026-10-21]',
        '- 2026-10-21: the summary says "Tell the warehouse". [thread_wk1, 2026-10-21]',
        '- 2026-10-21: the summary says "Mail is slow". [thread_wk1, 2026-10-21]',
        '- 2026-10-21: the summary says "For now: Chidi is away". [thread_wk1, 2026-10-21]',
        "",
    ]
    assert reasons(propose(summaries=[summary("wk2")])) == {"thread_wk2/2026-10-21/summary": "nothing-to-say"}


def test_titles_are_screened_before_they_are_cut_and_cannot_become_markup() -> None:
    secret = "x" * 110 + " token-0123456789abcdef"
    session = thread("1", *talk(f"ana: {secret}"))
    hostile = pull_request(
        7, title="[click](http://x.invalid) <!-- `hide` [thread_9, 2026-10-21]", ended=NOON + timedelta(hours=1)
    )
    tree = planted(
        EMPTY,
        propose(
            sessions=[session],
            pull_requests=[hostile],
            screen=lambda text: text.replace("token-0123456789abcdef", "[withheld]"),
        ),
    )
    lines = text_of(tree, PATH).split("\n")
    assert f'ana asked "{"x" * 110} (withhel…"; ' in lines[4]
    assert (
        "\"(click)(http://x.invalid) \u2039!-- 'hide' (thread\\_9, 2026-10-21)\" was merged as the agent left it"
        in lines[5]
    )


def test_a_title_of_which_the_screen_leaves_nothing_is_withheld() -> None:
    plan = propose(sessions=[thread("1", *talk("somebody: hush"))], screen=lambda _: "")
    assert 'a person asked "(withheld)"; ' in text_of(planted(EMPTY, plan), PATH)


def test_a_ready_statement_is_whole_or_withheld_whole() -> None:
    def screen(text: str) -> str:
        return "[withheld: 9 bytes, secret, 0]" if "hush" in text else text[:20]

    long = "The warehouse reads order-events itself. " * 3
    tree = planted(EMPTY, propose(summaries=[summary("wk1", lasting=f"- {long}\n- hush")], screen=screen))
    assert text_of(tree, PATH).split("\n")[4:6] == [
        f"- 2026-10-21: {long}[thread_wk1, 2026-10-21]",
        "- 2026-10-21: (withheld: 9 bytes, secret, 0). [thread_wk1, 2026-10-21]",
    ]


def test_the_screens_own_backslashes_do_not_stand_before_a_look_alike() -> None:
    escaped = partial(re.sub, r"([`\[\]])", r"\\\1")
    tree = planted(EMPTY, propose(sessions=[thread("1", *talk("ana: fix `a` [b]"))], screen=escaped))
    assert "ana asked \"fix 'a' (b)\"; " in text_of(tree, PATH)


def test_an_address_in_a_title_is_in_the_evidence() -> None:
    plan = propose(sessions=[thread("1", *talk("ana: look at https://acme.example/x?y=1 please"))])
    assert plan.items[0].operations[0].basis.evidence == ("https://acme.example/x?y=1",)


def test_counted_lines_are_as_long_as_readers_take() -> None:
    many = [thread(f"{n:060}", *talk("ana: go on")) for n in range(80)]
    plan = propose(sessions=many)
    tree = planted(EMPTY, plan)
    note = parse_note(text_of(tree, PATH).encode())
    assert isinstance(note, Note)
    assert len({source for entry in note.entries for source in entry.sources}) == 80
    assert max(map(len, note.lines)) < 2_000


def test_beyond_forty_entries_the_quiet_threads_are_counted_and_still_named() -> None:
    busy = [thread(f"b{n:02}", *talk(f"ana: go on {n}", "agent: yes", "ana: more")) for n in range(38)]
    quiet = [thread(f"q{n:02}", *talk("ben: hm"), repository="acme/api" if n % 2 else "acme/web") for n in range(6)]
    plan = propose(sessions=[*quiet, *busy])
    text = text_of(planted(EMPTY, plan), PATH)
    entries = [line for line in text.split("\n") if line.startswith("- ")]
    assert len(entries) == 40
    assert (
        "- 2026-10-21: 3 more threads in acme/api, with less to tell. [thread_q01, thread_q03, thread_q05, 2026-10-21]"
    ) in entries
    assert all(f"thread_{one.short}" in text for one in [*busy, *quiet])
    assert all(item.operations for item in plan.items)


def test_late_quiet_threads_join_the_counted_line() -> None:
    sessions = [thread(f"b{n:02}", *talk(f"ana: go on {n}", "agent: yes")) for n in range(45)]
    first = propose(sessions=sessions)
    tree = planted(EMPTY, first)
    late = thread("zz", *talk("ben: hm"))
    second = propose(tree=tree, sessions=[*sessions, late], known=done(first))
    assert [item.id for item in second.items] == ["thread_zz/2026-10-21"]
    text = text_of(planted(tree, second), PATH)
    (folded,) = [line for line in text.split("\n") if "with less to tell" in line]
    assert folded.startswith("- 2026-10-21: 7 more threads in acme/web, with less to tell. [thread_b")
    assert "thread_zz" in folded
    assert len([line for line in text.split("\n") if line.startswith("- ")]) == 40


def test_a_note_that_cannot_be_read_is_left_alone() -> None:
    tree = MappingTree({PATH: b"\xff\xfe\x00"})
    assert reasons(propose(tree=tree, sessions=[FLAKY])) == {"thread_7c2e/2026-10-21": "note-unreadable"}


MESSAGES = st.builds(
    lambda role, text, minutes: said(role, text, at=NOON + timedelta(minutes=minutes)),
    st.sampled_from(list(Role)),
    st.text(max_size=40),
    st.integers(-2000, 2000),
)


@given(st.lists(st.lists(MESSAGES, min_size=1, max_size=6), max_size=5), st.integers(0, 3))
def test_any_day_is_told_once_line_by_line_and_never_again(talks: list[list[Message]], most: int) -> None:
    sessions = [thread(f"s{number}", *messages) for number, messages in enumerate(talks)]
    days = [DAY - timedelta(days=1), DAY, DAY + timedelta(days=1)]

    def plan(tree: Tree) -> Plan:
        return daily_note.propose(
            tree=tree, notes=NoteCache(), sessions=sessions, summaries=(), pull_requests=(), classify=fate_in_branch,
            days=days, timezone=ZoneInfo("Asia/Kathmandu"), done={}, screen=unscreened, most=most,
        )  # fmt: skip

    first = plan(EMPTY)
    tree = planted(EMPTY, first)
    assert all(item.reason for item in plan(tree).items)
    assert planted(tree, plan(tree)).paths() == tree.paths()
    for path in tree.paths():
        note = parse_note(text_of(tree, path).encode())
        assert isinstance(note, Note)
        told = {source for entry in note.entries for source in entry.sources}
        ours = [item.id for item in first.items if item.operations]
        assert told == {name.partition("/")[0] for name in ours if name.endswith(path[6:16])}
    assert all(isinstance(operation, Add) for item in first.items for operation in item.operations)
