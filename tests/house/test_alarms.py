from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from dream.report.alarms.landing import NOT_LANDED
from dream.report.alarms.limits import AlarmLimits

ROOT = Path(__file__).resolve().parents[2]
TABLE = (ROOT / "docs" / "alarms.md").read_text(encoding="utf-8")
SOURCES = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "dream" / "report" / "alarms").glob("*.py"))


def test_every_alarm_stands_in_the_table_for_those_who_are_woken_by_it_and_no_other() -> None:
    raised = {*re.findall(r'kind="([a-z-]+)"', SOURCES), NOT_LANDED}
    assert set(re.findall(r"^\| `([a-z-]+)` \|", TABLE, re.MULTILINE)) == raised


def test_every_number_of_the_alarms_stands_in_the_table() -> None:
    assert [one.name for one in fields(AlarmLimits) if f"`{one.name}`" not in TABLE.replace("limits.alarms.", "")] == []
