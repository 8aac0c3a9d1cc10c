from __future__ import annotations

from dream.report.html.diffs import OPEN_ROWS, FileDiff, read_diff
from dream.report.html.room import Room

PLENTY = 1_000_000
DIFF = (
    "--- a/services/checkout.md",
    "+++ b/services/checkout.md",
    "@@ -3,3 +3,3 @@ # Checkout",
    " above",
    "-It listens on port 80.",
    "+It listens on port 81.",
    " below",
    "--- /dev/null",
    "+++ b/daily/2026-10-21.md",
    "@@ -0,0 +1,2 @@",
    "+# 2026-10-21",
    "+",
    "--- a/old name.md\t",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-gone",
    "\\ No newline at end of file",
)


def _rows(one: FileDiff) -> list[tuple[str, str]]:
    return [(row.sort, "".join(segment.text for segment in row.line)) for row in one.rows]


def test_a_diff_is_read_file_by_file() -> None:
    files = read_diff(DIFF, Room(PLENTY))
    assert [(one.path, one.how, one.added, one.removed, one.left) for one in files] == [
        ("services/checkout.md", "changed", 1, 1, 0),
        ("daily/2026-10-21.md", "new", 2, 0, 0),
        ("old name.md", "taken away", 0, 1, 0),
    ]
    assert _rows(files[0]) == [
        ("place", "line 3"),
        ("same", "above"),
        ("removed", "It listens on port 80."),
        ("added", "It listens on port 81."),
        ("same", "below"),
    ]


def test_a_line_that_stands_for_another_has_its_words_marked() -> None:
    changed = [row for row in read_diff(DIFF, Room(PLENTY))[0].rows if len(row.line) > 1]
    assert [[one.text for one in row.line if one.is_changed] for row in changed] == [["80."], ["81."]]


def test_a_line_of_a_note_that_looks_like_a_header_stays_a_line() -> None:
    lines = ("--- a/a.md", "+++ b/a.md", "@@ -1,2 +1,2 @@", "--- a/b.md", "-- x", "+++ b/c.md", "+@@ -1 +1 @@")
    (one,) = read_diff(lines, Room(PLENTY))
    assert (one.path, one.added, one.removed) == ("a.md", 2, 2)
    assert ("added", "++ b/c.md") in _rows(one)


def test_a_long_file_is_folded_and_what_there_is_no_room_for_is_counted() -> None:
    lines = ("--- /dev/null", "+++ b/a.md", "@@ -0,0 +1,1000 @@", *["+a line of a note"] * 1000)
    (all_of_it,) = read_diff(lines, Room(PLENTY))
    (part,) = read_diff(lines, Room(1000))
    assert (len(all_of_it.rows) > OPEN_ROWS, all_of_it.is_long, all_of_it.left) == (True, True, 0)
    assert part.is_long
    assert 0 < len(part.rows) < 50
    assert part.left == 1000 - len(part.rows)
    assert part.added == 1000
