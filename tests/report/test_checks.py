from __future__ import annotations

from dream.report.checks import fail, ok, warn


def test_a_check_is_one_line_with_its_way_out() -> None:
    assert [
        str(check) for check in (ok("git", "version 2.39"), warn("disk", "little", "make room"), fail("x", "a\nb"))
    ] == [
        "ok   git: version 2.39",
        "warn disk: little; make room",
        "fail x: a b",
    ]
