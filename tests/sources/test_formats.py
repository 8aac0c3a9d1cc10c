from __future__ import annotations

import json
import re
from io import BytesIO

from dream.memory.records import TaskRecord
from dream.memory.state import State
from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.records import read_record
from dream.sources.pull_requests.values import Fate, PullRequest
from dream.sources.sessions.formats.registry import SessionFile, formats
from dream.sources.sessions.formats.summaries import read_summaries
from tasks.declined import turned_down
from tasks.observations import observation_item, read_observations
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
SUMMARY, TURNED_DOWN, PULL_REQUEST, SPEND, OBSERVED = re.findall(r"```json\n(.*?)\n```", PAGE, re.DOTALL)


def test_the_documented_summary_is_read() -> None:
    reading = read_summaries(SessionFile(path="ready.jsonl", handle=BytesIO(SUMMARY.encode())))
    assert [summary.source for summary in reading.summaries] == ["thread_7c2e91aa"]


def test_the_documented_pull_request_is_read() -> None:
    read = read_record("the page", json.loads(PULL_REQUEST))
    assert isinstance(read, PullRequest)
    assert classify(read, KNOWN_AGENTS).fate is Fate.MERGED_EDITED


def test_the_documented_spend_is_what_a_record_holds() -> None:
    documented = json.loads(SPEND)
    read = TaskRecord.model_validate({"outcome": "changed", "spend": documented})
    assert {role: one.model_dump(mode="json") for role, one in read.spend.items()} == documented


def test_what_the_page_says_of_a_statement_turned_down_is_what_keeps_it_from_a_judge() -> None:
    item = json.loads(TURNED_DOWN)
    assert turned_down(State(declined=(item,))) == {item["digest"]}


def test_the_documented_observation_is_what_the_state_keeps() -> None:
    item = json.loads(OBSERVED)
    (one,) = read_observations([item])
    assert observation_item(one) == item


def test_the_page_names_every_format_with_the_files_that_it_opens() -> None:
    table = PAGE.partition("## Sessions")[2].partition("###")[0]
    rows = re.findall(r"^\| (`[^|]+) \| (`[^|]+) \|", table, re.MULTILINE)
    told = {kind: set(_names(opened)) for kinds, opened in rows for kind in _names(kinds)}
    assert set(told) == set(formats())
    assert {kind for kind, form in formats().items() if not set(form.suffixes) <= told[kind]} == set()


def test_every_reason_that_the_page_explains_is_one_that_is_given() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "dream" / "sources").rglob("*.py"))
    table = PAGE.partition("### What is left out")[2].partition("\n#")[0]
    given = {reason.partition("…")[0].strip() for reason in re.findall(r"`([^`]+)`", table)}
    by_the_system = {"permission denied", "no such file or directory", "kind", "NaN is not JSON"}
    assert {reason for reason in given - by_the_system if reason not in sources} == set()


def _names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)
