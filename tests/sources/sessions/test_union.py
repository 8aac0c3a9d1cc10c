from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dream.sources.sessions.identity import short_id, short_ids
from dream.sources.sessions.parts import Part
from dream.sources.sessions.union import digest_of, union_of
from dream.sources.sessions.values import Message, Role, SessionSource
from tests.sources.sessions.transcripts import SESSION, at, uuid

CLAUDE = SessionSource(kind="claude-code", path="/srv/sessions")
CODEX = SessionSource(kind="codex", path="/srv/codex")
SPECSTORY = SessionSource(kind="specstory", path="/srv/web")


def message(number: int, text: str = "", *, role: Role = Role.PERSON) -> Message:
    return Message(id=uuid(number), at=at(number), role=role, text=text or f"text {number}")


def part(*numbers: int, path: str = "a.jsonl", session: str = SESSION, cwd: str = "/home/ana/web") -> Part:
    return Part(id=session, tool="Claude Code", path=path, cwd=cwd, messages=[message(number) for number in numbers])


def replace_tool(one: Part, tool: str) -> Part:
    one.tool = tool
    return one


def test_one_session_in_three_files_is_one_session() -> None:
    parts = [(CLAUDE, part(1, 2, path="a")), (CLAUDE, part(1, 2, path="b")), (CLAUDE, part(1, 2, 3, path="c"))]
    (session,) = union_of(parts)
    assert [message.id for message in session.messages] == [uuid(1), uuid(2), uuid(3)]
    assert session.origin_files == ("a", "b", "c")
    assert (session.started, session.ended) == (at(1), at(3))


def test_files_that_hold_different_stretches_are_united() -> None:
    (session,) = union_of([(CLAUDE, part(3, 4, path="late")), (CLAUDE, part(1, 2, 3, path="early"))])
    assert [message.id for message in session.messages] == [uuid(number) for number in (1, 2, 3, 4)]


def test_the_digest_knows_what_was_said_and_not_where_it_was_found() -> None:
    (one,) = union_of([(CLAUDE, part(1, 2, path="a"))])
    (twice,) = union_of([(CLAUDE, part(2, path="x")), (SPECSTORY, part(9, path="y")), (CLAUDE, part(1, path="z"))])
    (grown,) = union_of([(CLAUDE, part(1, 2, 3, path="a"))])
    assert one.digest == twice.digest == digest_of(one.messages)
    assert grown.digest != one.digest
    assert grown.ended == one.ended + timedelta(minutes=1)


def test_what_is_only_told_of_a_call_makes_no_session_a_new_one() -> None:
    (one,) = union_of([(CLAUDE, part(1, 2))])
    told = part(1, 2)
    told.messages.append(replace(message(2), id=uuid(9), role=Role.TOOL, text="", command="true", exit_code=0))
    (more,) = union_of([(CLAUDE, told)])
    assert (len(more.messages), more.digest) == (3, one.digest)


def test_of_two_formats_the_tools_own_counts() -> None:
    (session,) = union_of([(SPECSTORY, part(7, 8, 9, path="history.md")), (CLAUDE, part(1, path="a.jsonl"))])
    assert [message.id for message in session.messages] == [uuid(1)]
    assert session.origin_files == ("a.jsonl", "history.md")


def test_tools_that_each_wrote_a_session_of_one_id_mean_two_and_a_rendering_goes_with_its_tool() -> None:
    codex, rendered = replace_tool(part(5, path="b.jsonl"), "Codex"), replace_tool(part(7, path="c.md"), "Codex")
    found = [(SPECSTORY, rendered), (CODEX, codex), (CLAUDE, part(1, path="a.jsonl"))]
    for parts in (found, found[::-1]):
        assert [(session.id, session.origin_files) for session in union_of(parts)] == [
            (SESSION, ("a.jsonl",)),
            (f"{SESSION}:codex", ("b.jsonl", "c.md")),
        ]
        assert len({session.source for session in union_of(parts)}) == 2


def test_of_two_formats_of_one_tool_the_one_of_higher_rank_counts() -> None:
    store = SessionSource(kind="cursor-store", path="/srv/cursor")
    lines = SessionSource(kind="cursor", path="/srv/cursor")
    found = [(lines, replace_tool(part(1, 2, path="a.jsonl"), "Cursor")), (store, replace_tool(part(3), "Cursor"))]
    for parts in (found, found[::-1]):
        (session,) = union_of(parts)
        assert [message.id for message in session.messages] == [uuid(3)]


def test_of_two_versions_of_a_message_the_longer_counts_in_any_order() -> None:
    short, long = part(1, path="a"), part(1, path="b")
    long.messages = [message(1, "text 1 and the rest")]
    for parts in ([short, long], [long, short]):
        (session,) = union_of([(CLAUDE, held) for held in parts])
        assert [message.text for message in session.messages] == ["text 1 and the rest"]


def test_what_a_fork_carries_along_belongs_to_the_session_that_ended_first() -> None:
    original, fork = part(1, 2, session="origin", path="a"), part(1, 2, 3, 4, session="fork", path="b")
    sessions = {session.id: session for session in union_of([(CLAUDE, fork), (CLAUDE, original)])}
    assert [message.id for message in sessions["origin"].messages] == [uuid(1), uuid(2)]
    assert [message.id for message in sessions["fork"].messages] == [uuid(3), uuid(4)]


def test_a_mere_copy_under_another_id_is_no_session() -> None:
    copied = union_of([(CLAUDE, part(1, 2, session="a")), (CLAUDE, part(1, 2, session="b"))])
    assert [session.id for session in copied] == ["a"]


def test_messages_with_ids_that_are_not_unique_in_the_world_are_not_taken_for_copies() -> None:
    one, two = part(session="one"), part(session="two")
    one.messages = [replace(message(1), id="u1")]
    two.messages = [replace(message(1), id="u1")]
    assert [len(session.messages) for session in union_of([(CLAUDE, one), (CLAUDE, two)])] == [1, 1]


def test_the_configured_person_is_the_author_of_what_people_said_and_of_nothing_else() -> None:
    said = Part(id=SESSION, tool="x", messages=[message(1), message(2, role=Role.AGENT)])
    named = replace(CLAUDE, person="ana")
    (session,) = union_of([(named, said)])
    (unnamed,) = union_of([(CLAUDE, said)])
    assert [message.author for message in session.messages] == ["ana", ""]
    assert session.digest == unnamed.digest


def test_the_repository_is_stated_or_follows_from_pull_requests_or_is_configured_or_is_the_folder() -> None:
    def repository(*pull_requests: str, stated: str = "", default: str = "", cwd: str = "/home/ana/web") -> str:
        held = part(1, cwd=cwd)
        held.pull_requests, held.repositories = set(pull_requests), [stated] if stated else []
        (session,) = union_of([(replace(CLAUDE, repository=default), held)])
        return session.repository

    assert repository("other/api#1", stated="acme/web", default="x/y") == "acme/web"
    assert repository("acme/web#41", "other/api#1", default="x/y") == "acme/web"
    assert repository("acme/web#41", "fork/web#1") == "web"
    assert repository("#41", default="acme/web") == "acme/web"
    assert repository() == "web"
    assert repository(cwd="/home/ana") == ""
    assert repository(cwd="/home/ana/web/.claude/worktrees/blue") == "web"
    assert repository(cwd="C:\\code\\web") == "web"


def test_bare_numbers_of_pull_requests_get_the_repository_where_it_is_known() -> None:
    held = part(1)
    held.pull_requests = {"#41", "acme/web#41", "other/api#2"}
    (session,) = union_of([(CLAUDE, held)])
    assert session.pull_requests == ("acme/web#41", "other/api#2")


def test_short_names_are_parts_of_ids_and_never_collide() -> None:
    four = "7c2e91aa-1111-4222-8333-444455556666"
    assert short_id(four) == "7c2e91aa"
    assert short_id("019ef4d8-1111-7222-8333-444455556666") == "55556666"
    assert short_id("ses_small") == "ses_small"
    assert short_id("a b/c\n") == short_id("a b/c\n") != short_id("a b/c")
    assert short_ids([four, "7c2e91aa-2222-4222-8333-444455556666"]) == {
        four: "7c2e91aa1111",
        "7c2e91aa-2222-4222-8333-444455556666": "7c2e91aa2222",
    }


@given(
    st.sets(
        st.sampled_from("Aa").map(lambda letter: f"{letter}c2e91aa-1111-4222-8333-444455556666") | st.text(max_size=12)
    )
)
def test_short_names_are_plain_and_unique(ids: set[str]) -> None:
    names = short_ids(ids)
    assert len(set(names.values())) == len(ids) == len(names)
    assert all(name and name.replace("_", "").replace("-", "").isalnum() and name.isascii() for name in names.values())


_MESSAGES = st.lists(
    st.builds(
        lambda number, minute, text: Message(id=uuid(number), at=at(minute), role=Role.PERSON, text=text),
        st.integers(0, 6),
        st.integers(0, 3),
        st.sampled_from(["x", "yy", "yz"]),
    ),
    min_size=1,
    max_size=6,
)


@given(
    st.lists(st.tuples(st.sampled_from(["one", "two"]), _MESSAGES), min_size=1, max_size=5),
    st.randoms(use_true_random=False),
)
def test_the_union_is_the_same_for_any_order_and_any_names_of_files(
    held: list[tuple[str, list[Message]]], random: Random
) -> None:
    def parts(names: list[int]) -> list[tuple[SessionSource, Part]]:
        return [
            (CLAUDE, Part(id=session, tool="x", path=f"{name}.jsonl", messages=list(told)))
            for name, (session, told) in zip(names, held, strict=True)
        ]

    places = list(range(len(held)))
    one = union_of(parts(places))
    random.shuffle(places)
    shuffled = parts(places)
    random.shuffle(shuffled)
    two = union_of(shuffled)
    assert [(session.id, session.digest) for session in one] == [(session.id, session.digest) for session in two]
    assert union_of(parts(places) * 2) == union_of(parts(places))
