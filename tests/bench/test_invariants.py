"""The checker of the nights sees each invariant broken: a sound history, and one that was doctored for each."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bench.nights.accounts import Fed
from bench.nights.history import History
from bench.nights.invariants import Invariants, NightFacts
from tests.support.repositories import git

FLOW = "flow@test.invalid"
NIGHT = date(2026, 10, 22)
DAILY = "daily/2026-10-21.md"
LINE = '- 2026-10-21: a person asked "Refunds"; 1 message by people. [thread_7c2e0001, 2026-10-21]'
NOTES = {
    f"services/{name}.md": "".join(f"- Fact {number} of the {name} service.\n" for number in range(6))
    for name in ("orders", "refunds", "search", "login", "export", "sync", "mail", "maps")
}
FED = Fed(
    id="7c2e0001-0000-4000-8000-000000000000",
    files=("/sessions/7c2e.jsonl",),
    first_day=date(2026, 10, 21),
    days=frozenset({date(2026, 10, 21)}),
    visible=NIGHT,
)


@dataclass
class Doctored:
    """A hosted memory, somebody's commit in it, and a night on top that each test spoils in its own way."""

    path: Path
    acknowledged: list[str] = field(default_factory=list)
    old: str = ""
    before: str = ""

    def __post_init__(self) -> None:
        git(self.path.parent, "init", "--quiet", "--bare", "--initial-branch=main", str(self.path))
        self.before = self.commit("ada@test.invalid", NOTES)
        self.old = self.commit("ada@test.invalid", {"services/orders.md": NOTES["services/orders.md"] + "- More.\n"})
        self.acknowledged = [self.before, self.old]

    def commit(self, mail: str, files: Mapping[str, str | None], *, task: str = "", parent: str = "main") -> str:
        """Put a commit onto the branch and return it."""
        message = f"a commit\n\nDream-Night: {NIGHT}\nDream-Task: {task}\n" if task else "a commit\n"
        stream = [
            "commit refs/heads/main",
            f"author A <{mail}> 1792600000 +0000",
            f"committer A <{mail}> 1792600000 +0000",
            f"data {len(message.encode())}\n{message}",
        ]
        if self.before:
            stream.append(f"from {git(self.path, 'rev-parse', parent)}")
        for path, text in files.items():
            stream.append(f"D {path}" if text is None else f"M 100644 inline {path}\ndata {len(text)}\n{text}")
        git(self.path, "fast-import", "--quiet", "--force", stdin="\n".join(stream).encode() + b"\n")
        return git(self.path, "rev-parse", "main")

    def night(self, files: Mapping[str, str | None] | None = None, **changes: Any) -> str:
        """Let a night land that writes its note and `files`; `changes` are made to its record."""
        told = self.commit(FLOW, {DAILY: f"# 2026-10-21\n\n{LINE}\n", **(files or {})}, task="daily_note")
        effect = {
            "id": "1",
            "task": "daily_note",
            "kind": "add",
            "changes": [{"path": DAILY, "added": ["# 2026-10-21", "", LINE]}],
            "created": [DAILY],
        }
        record: dict[str, Any] = {
            "night": str(NIGHT),
            "windows": {"daily_note": ["2026-10-21T00:00:00Z", "2026-10-22T00:00:00Z"]},
            "effects": [effect],
            "tasks": {
                "daily_note": {
                    "outcome": "changed",
                    "commit": told,
                    "inputs": 1,
                    "written": 1,
                    "done": [{"id": "thread_7c2e0001/2026-10-21", "digest": "1"}],
                },
                "state_update": {"outcome": "changed"},
            },
        }
        record = {**record, **changes}
        files_of_the_flow = {
            ".dream/state.json": json.dumps({"lastCommit": told}),
            f".dream/nights/{NIGHT}.json": json.dumps(record),
        }
        return self.commit(FLOW, files_of_the_flow, task="state_update")

    def check(self, *, said: str = "", status: str = "landed", fed: tuple[Fed, ...] = (FED,)) -> list[str]:
        """Return the invariants that are reported as broken after the night."""
        history = History(self.path)
        invariants = Invariants(history=history, mail=FLOW)
        for commit in self.acknowledged:
            invariants.acknowledge(commit)
        tip = history.tip()
        facts = NightFacts(night=NIGHT, old=self.old, new=tip, status=status, said_tip=said or tip, fed=fed)
        return sorted({violation.invariant for violation in invariants.after(facts)})


@pytest.fixture
def memory(tmp_path: Path) -> Doctored:
    return Doctored(tmp_path / "memory.git")


def test_a_sound_night_violates_nothing(memory: Doctored) -> None:
    memory.night()
    assert memory.check() == []


def test_a_night_that_did_not_land_and_left_nothing_violates_nothing(memory: Doctored) -> None:
    assert memory.check(status="not-landed", fed=()) == []


def test_a_lost_commit_is_seen(memory: Doctored) -> None:
    git(memory.path, "update-ref", "refs/heads/main", memory.before)
    lost, memory.old = memory.old, memory.before
    memory.night()
    assert lost in memory.acknowledged
    assert memory.check() == ["I1"]


def test_a_tip_that_does_not_descend_from_the_old_is_seen(memory: Doctored) -> None:
    memory.night()
    memory.acknowledged.clear()
    memory.old = memory.commit("ada@test.invalid", {"aside.md": "- Aside.\n"}, parent=memory.before)
    git(memory.path, "update-ref", "refs/heads/main", memory.before)
    assert memory.check() == ["I2"]


def test_half_a_night_is_seen(memory: Doctored) -> None:
    tip = memory.night()
    git(memory.path, "update-ref", "refs/heads/main", f"{tip}^")
    assert "I3" in memory.check()


def test_a_night_that_landed_and_says_it_did_not_is_seen(memory: Doctored) -> None:
    memory.night()
    assert memory.check(status="not-landed") == ["I3"]


def test_a_commit_that_the_record_does_not_know_is_seen(memory: Doctored) -> None:
    memory.commit(FLOW, {DAILY: f"# 2026-10-21\n\n{LINE}\n"}, task="tidy")
    memory.night()
    assert memory.check() == ["I3"]


def test_a_task_that_landed_twice_is_seen(memory: Doctored) -> None:
    memory.commit(FLOW, {DAILY: f"# 2026-10-21\n\n{LINE}\n"}, task="daily_note")
    memory.night()
    assert "I4" in memory.check()


def test_a_loss_past_the_budget_is_seen(memory: Doctored) -> None:
    gone = list(NOTES)[:5]
    effects = [
        {"changes": [{"path": DAILY, "added": ["# 2026-10-21", "", LINE]}], "created": [DAILY]},
        {"deleted": dict.fromkeys(gone, "blob")},
    ]
    memory.night(dict.fromkeys(gone), effects=effects)
    assert memory.check() == ["I5"]


@pytest.mark.parametrize(
    "line",
    [
        "[gone](../services/gone.md)",
        "[orders](../services/orders.md#limits)",
        "[[gone]]",
        "[here](#there)",
        "[[orders#^x]]",
    ],
)
def test_a_link_that_leads_nowhere_in_what_a_night_wrote_is_seen(memory: Doctored, line: str) -> None:
    told = f"# 2026-10-21\n\n{LINE}\n{line}\n"
    effect = {"changes": [{"path": DAILY, "added": told.split("\n")}], "created": [DAILY]}
    memory.night({DAILY: told}, effects=[effect])
    assert memory.check() == ["I9"]


def test_a_note_that_is_taken_away_while_another_links_to_it_is_seen(memory: Doctored) -> None:
    linking = NOTES["services/mail.md"] + "- See [small](small.md).\n"
    files = {"services/mail.md": linking, "services/small.md": "- It is a small one.\n"}
    memory.old = memory.commit("ada@test.invalid", files)
    effects = [
        {"changes": [{"path": DAILY, "added": ["# 2026-10-21", "", LINE]}], "created": [DAILY]},
        {"deleted": {"services/small.md": "blob"}},
    ]
    memory.night({"services/small.md": None}, effects=effects)
    assert memory.check() == ["I9"]


def test_links_that_lead_somewhere_and_one_that_led_nowhere_before_are_none(memory: Doctored) -> None:
    text = "---\nname: Order desk\n---\n# Orders\n\n[x](gone.md), [[Order desk#Orders]], [y](mail.md), [z](#orders).\n"
    memory.old = memory.commit("ada@test.invalid", {"services/orders.md": text})
    memory.night()
    assert memory.check() == []


def test_a_loss_within_the_budget_is_none(memory: Doctored) -> None:
    name = "services/mail.md"
    lines = NOTES[name].split("\n")
    effects = [
        {"changes": [{"path": DAILY, "added": ["# 2026-10-21", "", LINE]}], "created": [DAILY]},
        {"changes": [{"path": name, "removed": lines[:1]}]},
    ]
    memory.night({name: "\n".join(lines[1:])}, effects=effects)
    assert memory.check() == []


def test_a_persons_change_of_the_state_is_seen(memory: Doctored) -> None:
    memory.night()
    memory.commit("ada@test.invalid", {".dream/state.json": "{}"})
    assert memory.check(said=git(memory.path, "rev-parse", "main^")) == ["I6"]


def test_a_state_that_is_no_json_is_seen(memory: Doctored) -> None:
    tip = memory.night()
    record = git(memory.path, "show", f"{tip}:.dream/nights/{NIGHT}.json")
    git(memory.path, "update-ref", "refs/heads/main", f"{tip}^")
    files = {".dream/state.json": "{", f".dream/nights/{NIGHT}.json": record}
    memory.commit(FLOW, files, task="state_update")
    assert memory.check() == ["I6"]


def test_a_path_that_nothing_planned_is_seen(memory: Doctored) -> None:
    memory.night({"services/login.md": NOTES["services/login.md"] + "- Slipped in.\n"})
    assert memory.check() == ["I7"]


def test_a_line_that_nothing_planned_is_seen(memory: Doctored) -> None:
    name = "services/login.md"
    effects = [
        {"changes": [{"path": DAILY, "added": ["# 2026-10-21", "", LINE]}], "created": [DAILY]},
        {"changes": [{"path": name, "added": ["- Planned."]}]},
    ]
    memory.night({name: NOTES[name] + "- Planned.\n- Slipped in.\n"}, effects=effects)
    assert memory.check() == ["I7"]


@pytest.mark.parametrize(
    "daily",
    [
        {"inputs": 2, "written": 1, "done": [{"id": "thread_7c2e0001/2026-10-21"}]},
        {"inputs": 2, "written": 2, "done": [{"id": "thread_7c2e0001/2026-10-21"}] * 2},
        {"inputs": 1, "written": 1, "done": [{"id": "thread_7c2e0001/2026-10-21", "reason": "no-person"}]},
        {"inputs": 1, "written": 1, "done": [{"id": "thread_7c2e0001/2026-10-20"}]},
        {"inputs": 1, "written": 1, "done": [{"id": "thread_0bad0bad/2026-10-21"}]},
    ],
)
def test_an_account_that_does_not_add_up_is_seen(memory: Doctored, daily: dict[str, Any]) -> None:
    memory.night()
    told = git(memory.path, "rev-parse", "main^")
    git(memory.path, "update-ref", "refs/heads/main", memory.old)
    memory.night(tasks={"daily_note": {**daily, "outcome": "changed", "commit": told}, "state_update": {}})
    assert "I8" in memory.check()


def test_a_session_that_vanished_is_seen(memory: Doctored) -> None:
    memory.night()
    other = replace(FED, id="0ddba11f-0000-4000-8000-000000000000", files=("/sessions/0ddb.jsonl",))
    assert memory.check(fed=(FED, other)) == ["I8"]


@pytest.mark.parametrize("module", ["accounts", "history", "invariants", "leads", "losses"])
def test_the_checker_imports_nothing_of_the_product(module: str) -> None:
    source = Path(__file__).resolve().parents[2] / "bench" / "nights" / f"{module}.py"
    nodes = list(ast.walk(ast.parse(source.read_text())))
    imported = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    imported += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    own = {f"bench.nights.{name}" for name in ("accounts", "history", "leads", "losses")} | {
        "markdown_it",
        "markdown_it.token",
    }
    assert {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names} <= own
