from __future__ import annotations

from dream.sources.sessions.findings import findings_of
from dream.sources.sessions.values import Reading, Remark, SkippedFile


def skipped(number: int, reason: str, *, expected: bool = False) -> SkippedFile:
    return SkippedFile(path=f"{number:03}.jsonl", reason=reason, expected=expected)


def test_a_folder_of_stray_files_gives_few_lines() -> None:
    reading = Reading(
        skipped=(
            *(skipped(number, "not a .jsonl file", expected=True) for number in range(500)),
            *(skipped(number, "not JSON") for number in range(500, 600)),
            skipped(700, "empty"),
            skipped(701, "before the window", expected=True),
        ),
        remarks=(
            *(Remark(path=f"{number}.jsonl", what="a line is too long", count=2) for number in range(800, 900)),
            Remark(path="900.jsonl", what="the last line is cut off"),
        ),
        files=800,
    )
    assert findings_of(reading) == (
        "session file 700.jsonl left out: empty",
        "100 session files left out: not JSON (500.jsonl, 501.jsonl, 502.jsonl, 97 more)",
        "1 session file left out: before the window",
        "500 session files left out: not a .jsonl file",
        "100 session files: a line is too long (200; 800.jsonl, 801.jsonl, 802.jsonl, 97 more)",
        "session file 900.jsonl: the last line is cut off (1)",
    )


def test_nothing_left_out_is_nothing_to_tell() -> None:
    assert findings_of(Reading(files=3)) == ()
