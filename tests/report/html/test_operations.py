from __future__ import annotations

from dataclasses import replace

from dream.memory.records import Change, Effect
from dream.report.html.operations import Told, read_body, read_operations
from dream.report.html.room import Room
from dream.report.story import NightCommit, Story
from tests.report.records import NIGHT, record, task

PLENTY = 1_000_000
BODY = """\
- revise in services/checkout.md: src/pay.py moved
  evidence: o3 at 2b5599f: src/pay.py became lib/pay.py
  evidence: on 2026-10-21
  sources: probe:web
- add to services/checkout.md: cause

Taken away, whole:
- old.md"""
REVISED = Effect(
    id="1111",
    task="distil",
    kind="revise",
    changes=(Change(path="services/checkout.md", line=3, removed=("port 80",), added=("port 81",)),),
    sources=("probe:web",),
)
ADDED = Effect(
    id="2222",
    task="distil",
    kind="add",
    changes=(Change(path="services/checkout.md", line=9, added=("It fails at night.",)),),
    created=("services/checkout.md",),
    sources=("thread_7c2e",),
    quotes=("thread_7c2e/m12:140-203 0f" + "a" * 62,),
    reverted=True,
)
COMMIT = NightCommit(id="2" * 40, task="distil", subject="distil", body=BODY)
STORY = Story(
    organisation="acme",
    night=NIGHT,
    record=record({"distil": task()}, effects=(REVISED, ADDED)),
    commits=(COMMIT,),
)


def test_a_message_says_of_each_edit_what_it_is_and_what_it_rests_on() -> None:
    assert read_body(BODY) == [
        Told(
            head="revise in services/checkout.md: src/pay.py moved",
            evidence=["o3 at 2b5599f: src/pay.py became lib/pay.py", "on 2026-10-21"],
        ),
        Told(head="add to services/checkout.md: cause"),
    ]


def test_an_edit_is_told_with_its_reason_evidence_and_the_commands_that_show_its_sources() -> None:
    (revised, added), left = read_operations(STORY, "distil", STORY.commits, Room(PLENTY))
    assert left == 0
    assert (revised.head, revised.added, revised.removed) == ("revise in services/checkout.md: src/pay.py moved", 1, 1)
    assert revised.evidence == ("o3 at 2b5599f: src/pay.py became lib/pay.py", "on 2026-10-21")
    assert revised.asked == ("dream source acme o3@2026-10-22", "dream source acme probe:web")
    assert revised.take_back == "dream revert acme --night 2026-10-22 --operation 1111"
    assert (added.created, added.is_taken_back) == (("services/checkout.md",), True)
    assert added.asked == ("dream source acme thread_7c2e/m12:140-203",)


def test_an_edit_of_which_its_commit_says_nothing_is_shown_without_evidence() -> None:
    shown, _ = read_operations(STORY, "distil", [replace(COMMIT, body="")], Room(PLENTY))
    assert [(one.head, one.evidence) for one in shown] == [
        ("revise in services/checkout.md", ()),
        ("add in services/checkout.md", ()),
    ]


def test_edits_that_there_is_no_room_for_are_counted() -> None:
    assert read_operations(STORY, "distil", STORY.commits, Room(100)) == ([], 2)
