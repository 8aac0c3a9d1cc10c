"""What operations changed is shown within bounds, and nothing in it acts on a terminal."""

from __future__ import annotations

from dream.memory.records import Change, Effect
from dream.report.operations import MOST_LINES, WIDTH, Told, change_lines, render_operations
from tests.support.stage import NIGHT


def test_lines_are_shown_under_their_paths_with_what_goes_and_comes_back() -> None:
    changes = (
        Change(path="a.md", removed=("- old", ""), added=("- new",)),
        Change(path="b.md", added=("- more",)),
    )
    assert change_lines(changes, gone=("c.md",), back=("d.md",)) == [
        "the note c.md goes",
        "the note d.md comes back",
        "a.md",
        "  - - old",
        "  + - new",
        "b.md",
        "  + - more",
    ]


def test_what_is_too_much_is_counted() -> None:
    changes = (Change(path="a.md", added=tuple(f"- {number}" for number in range(MOST_LINES + 3))),)
    shown = change_lines(changes)
    assert (len(shown), shown[-1]) == (MOST_LINES + 2, "… and 3 more lines")
    (long,) = change_lines((Change(path="a.md", added=("x" * 10_000,)),))[1:]
    assert len(long) == WIDTH + len("  + ")


def test_nothing_that_others_wrote_acts_on_a_terminal() -> None:
    hostile = "\x1b[2J\u202e\r\x07"
    effect = Effect(
        id="0" * 16,
        task="tidy",
        kind="revise",
        changes=(Change(path=f"a{hostile}.md", added=(f"- {hostile}",)),),
        sources=(f"thread_{hostile}",),
        deleted={f"b{hostile}.md": "0" * 40},
    )
    shown = render_operations("acme", NIGHT, [Told(effect=effect, short="0000000", fate="stands")], remarks=[hostile])
    assert not set(hostile) - {"[", "2", "J"} & set(shown)
    assert shown.count("\\x1b[2J\\u202e") == 7
