"""A night on every real memory lands, touches only the lines that it says it touched, and the next one is quiet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from dream.memory.records import Effect
from flows.commands.reading import tell_report
from tests.conftest import DATA
from tests.support.commands import configure
from tests.support.repositories import assert_sound
from tests.support.served import Served
from tests.support.stage import Stage, stage_of

TREES = sorted(path.name for path in (DATA / "memory_trees").iterdir() if path.is_dir()) if DATA.is_dir() else ["none"]
MADE_AFRESH = ("MEMORY.md", "CATALOG", ".dream/", "daily/")
SECTIONS = {
    "Tasks",
    "Operations that rules refused",
    "Left out tonight, one by one",
    "What changed",
    "How to take one back",
    "Loss",
    "Undone by people, and not done again",
    "Findings",
    "Arrived from others while this night was planned",
    "Set aside after too many failed nights",
    "Runs",
}


def files_below(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def lines_of(data: bytes) -> Counter[bytes]:
    return Counter(data.split(b"\n"))


def told(effects: tuple[Effect, ...], path: str) -> tuple[Counter[bytes], Counter[bytes]]:
    changes = [change for effect in effects for change in effect.changes if change.path == path]
    removed = Counter(line.encode() for change in changes for line in change.removed)
    added = Counter(line.encode() for change in changes for line in change.added)
    return removed, added


@pytest.mark.parametrize("name", TREES)
def test_a_night_lands_and_touches_only_what_it_says_and_a_second_is_quiet(
    name: str, shared_data: Path, served: Served, tmp_path: Path
) -> None:
    before = files_below(shared_data / "memory_trees" / name)
    stage = stage_of(served, tmp_path, before)
    stage.summarise({})
    result = stage.dream()
    assert (result.status, result.exit_code) == ("landed", 0)
    assert_sound(stage.hosted)
    after = stage.files()
    assert set(before) - set(after) == {path for effect in stage.record().effects for path in effect.deleted}
    for path, data in before.items():
        if path in after and after[path] != data and not path.startswith(MADE_AFRESH):
            removed, added = told(stage.record().effects, path)
            assert lines_of(data) - removed + added == lines_of(after[path]), path
    assert_accounts_add_up(stage)
    assert_report_is_whole(stage)
    stage.next_night()
    assert not_of_the_flow(stage.files()) == not_of_the_flow(after)


def not_of_the_flow(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if not path.startswith(".dream/")}


def assert_report_is_whole(stage: Stage) -> None:
    """Whatever the notes hold, the report of their night has its own headings alone, and nothing but Markdown."""
    report = tell_report(configure(stage), "acme", night=None, clock=stage.clock())
    tokens = MarkdownIt("commonmark").enable("table").parse(report.text)
    places = [place for place, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"]
    assert {tokens[place + 1].content for place in places} <= SECTIONS
    assert not [token for token in tokens if token.type == "html_block"]


def assert_accounts_add_up(stage: Stage) -> None:
    for record in stage.record().tasks.values():
        assert record.inputs == record.written + sum(record.not_written.values()) + record.pending
