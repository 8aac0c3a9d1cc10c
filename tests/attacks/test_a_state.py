"""A14, A15, A17, A29: what others write in the flow's name, into its state, over its index, and away."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from dream.errors import FatalError
from dream.memory.operations import Basis, Merge, Move, Operation, Remove, Revise, Shorten, Span
from dream.memory.tree import Tree
from dream.repository.commits import Identity
from dream.repository.hook import install_hook
from tests.support.observer import linked, loaded, reached, topic_notes
from tests.support.repositories import GitFailedError, Person
from tests.support.scripted import proposing, whole
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of

STATE = ".dream/state.json"
TRAILERS = (
    "tidy: 3 edits (night 2026-10-23)\n\nDream-Organisation: acme\nDream-Night: 2026-10-23\nDream-Task: state_update\n"
    "Dream-Run: 0123456789abcdef\nDream-Model: offline\n"
)


def in_the_flows_name(stage: Stage, person: Person) -> None:
    person.git("config", "user.name", stage.workplace().identity.name)
    person.git("config", "user.email", stage.workplace().identity.mail)


def changed(person: Person, **values: Any) -> str:
    person.pull()
    return json.dumps(json.loads(person.read(STATE)) | values, indent=1, sort_keys=True) + "\n"


@pytest.mark.parametrize("forged", ["trailers", "name", "both"])
def test_a14_a_commit_in_the_flows_name_is_somebodys_and_changes_no_decision(stage: Stage, forged: str) -> None:
    stage.dream()
    landed = stage.state()
    eve = stage.person("Eve Person")
    if forged != "trailers":
        in_the_flows_name(stage, eve)
    eve.edit(
        {"services/eve.md": "# Eve\n\n- The bell rings at nine.\n", "services/orders.md": None},
        TRAILERS if forged != "name" else "notes",
    )
    result = stage.next_night()
    assert result.status == "landed"  # the night of the 23rd is not taken for done
    assert stage.state().checked["services/eve.md"] == NIGHT + timedelta(days=1)  # and what she wrote is looked at
    assert "services/orders.md" not in stage.files()
    assert stage.record(NIGHT + timedelta(days=1)).loss.notes == 0  # it is her deletion, no loss of the night's
    assert set(landed.checked) - {"services/orders.md"} <= set(stage.state().checked)


@pytest.mark.parametrize("also", [{}, {"services/eve.md": "# Eve\n"}], ids=["alone", "with-a-note"])
def test_a14_a_state_in_the_flows_name_without_its_key_is_passed_over(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, also: dict[str, str]
) -> None:
    monkeypatch.setenv("ACME_STATE_KEY", "a key of one organisation that is long enough")
    stage = stage_of(served, tmp_path, extra={"state_key": "env:ACME_STATE_KEY"})
    stage.dream()
    eve = stage.person("Eve Person")
    in_the_flows_name(stage, eve)
    everything = dict.fromkeys(sorted(topic_notes(stage.files())), "2099-01-01")
    eve.pull()
    head = eve.git("rev-parse", "HEAD")
    eve.edit({STATE: changed(eve, checked=everything, lastCommit=head), **also}, TRAILERS)
    result = stage.next_night()
    assert any("was passed over" in finding for finding in result.findings)
    assert b"2099" not in stage.files()[STATE]


@pytest.mark.parametrize("by", ["eve-alone", "the-flows-name-with-a-note"])
def test_a14_a_state_that_names_its_own_parent_is_no_more_believed(stage: Stage, by: str) -> None:
    """Without a key only the name, or what else the commit changes, gives it away."""
    stage.dream()
    eve = stage.person("Eve Person")
    also = {}
    if by != "eve-alone":
        in_the_flows_name(stage, eve)
        also = {"services/eve.md": "# Eve\n"}
    checked = dict.fromkeys(sorted(topic_notes(stage.files())), "2099-01-01")
    eve.edit({STATE: changed(eve, checked=checked, lastCommit=stage.hosted.tip()), **also}, TRAILERS)
    result = stage.next_night()
    assert any("was passed over" in finding for finding in result.findings)
    assert b"2099" not in stage.files()[STATE]


EDITS: Mapping[str, dict[str, Any]] = {
    "all-checked": {"checked": {"services/checkout.md": "2099-01-01", "services/orders.md": "2099-01-01"}},
    "a-commit-to-come": {"lastCommit": "f" * 40},
    "a-run-to-come": {"lastRun": "2099-01-01T04:00:00Z"},
    "all-covered": {"covered": {"daily_note": "2099-01-01T00:00:00Z", "pr_outcomes": "2099-01-01T00:00:00Z"}},
    "everything-undone": {
        "undone": [
            {"effect": "0" * 16, "kind": "add", "task": "tidy", "paths": [], "keys": ["x"], "undone": "2026-10-22"},
        ],
    },
    "set-aside": {
        "pending": [{"task": "daily_note", "input": "thread_late0001", "nights": 3, "set_aside": True}],
    },
}


@pytest.mark.parametrize("values", EDITS.values(), ids=EDITS)
def test_a15_a_state_that_somebody_edited_is_not_believed_and_put_right(stage: Stage, values: dict[str, Any]) -> None:
    stage.dream()
    undisturbed = json.loads(stage.files()[STATE])
    eve = stage.person("Eve Person")
    eve.edit({STATE: changed(eve, **values)})
    at = "2026-10-22T10:00:00Z"
    stage.summarise({"id": "late0001", "started": at, "ended": at, "lasting": "The refund queue is drained by hand."})
    result = stage.next_night()
    assert any(STATE in finding for finding in result.findings)
    assert b"drained by hand" in stage.files()["daily/2026-10-22.md"]
    now = json.loads(stage.files()[STATE])
    for key, value in values.items():
        assert now[key] != value
    assert set(undisturbed["checked"]) <= set(now["checked"])
    assert all(date.fromisoformat(day) <= NIGHT + timedelta(days=1) for day in now["checked"].values())


@pytest.mark.parametrize(
    "text", [None, "", "{", "[]", "null", '{"version": "x"}', '{"checked": 1}', "\U0001f600 no json"]
)
def test_a15_a_state_that_somebody_broke_is_rebuilt_from_history(stage: Stage, text: str | None) -> None:
    stage.dream()
    began = stage.state().began
    stage.person("Eve Person").edit({STATE: text})
    assert stage.next_night().status == "landed"
    assert stage.state().began == began
    assert stage.state().covered["daily_note"].date() == NIGHT + timedelta(days=1)


@pytest.mark.parametrize("name", [".dream/nights/2026-10-22.json", ".dream/nights/2026-10-30.json"])
def test_a15_a_record_that_somebody_forged_stands_for_no_night(stage: Stage, name: str) -> None:
    stage.dream()
    eve = stage.person("Eve Person")
    eve.pull()
    forged = json.loads(eve.read(".dream/nights/2026-10-22.json"))
    eve.edit({name: json.dumps(forged | {"night": name[14:24], "effects": [], "landings": 9})})
    assert stage.dream().status == "nothing-to-do"
    result = stage.next_night()
    assert result.status == "landed"
    assert any(name in finding for finding in result.findings)
    assert stage.record().landings == 1


def test_a15_where_the_hook_is_installed_nobody_else_gets_such_a_push_in(stage: Stage) -> None:
    identity = stage.workplace().identity
    install_hook(stage.hosted.path, Identity(identity.name, identity.mail))
    assert stage.dream().status == "landed"
    eve = stage.person("Eve Person")
    for change in ({STATE: changed(eve, checked={})}, {STATE: None}, {".dream/nights/2026-10-30.json": "{}"}):
        eve.git("reset", "--quiet", "--hard", "origin/main")
        eve.commit(change)
        with pytest.raises(GitFailedError, match="Only the nightly flow"):
            eve.push()
    assert stage.next_night().status == "landed"


def test_a15_a_state_that_the_flow_never_wrote_stops_the_first_night(served: Served, tmp_path: Path) -> None:
    forged = '{"checked": {"services/checkout.md": "2099-01-01"}, "version": 1}\n'
    stage = stage_of(served, tmp_path, {**MEMORY, STATE: forged})
    tip = stage.hosted.tip()
    with pytest.raises(FatalError):
        stage.dream()
    assert stage.hosted.tip() == tip


FLOODS: Mapping[str, Callable[[int], tuple[str, str]]] = {
    "one-folder": lambda n: (f"aaa/flood-{n:04}.md", f"# Flood {n}\n"),
    "many-folders": lambda n: (f"aaa-{n:04}/flood.md", f"# Flood {n}\n"),
    "long-titles": lambda n: (f"aaa/flood-{n:04}.md", f"# Flood {n} {'very long ' * 300}\n"),
    "long-names": lambda n: (f"aaa/{'flood-' * 30}{n:04}.md", f"# Flood {n}\n"),
    "titles-that-are-markup": lambda n: (f"aaa/flood-{n:04}.md", f"# [x](services/checkout.md)](y) <b> {n}\n"),
}


@pytest.mark.parametrize("name", FLOODS)
def test_a17_a_flood_of_notes_pushes_no_note_of_others_out_of_reach(served: Served, tmp_path: Path, name: str) -> None:
    """From a folder of its own it takes no line of theirs; over as many folders as notes, none that people worded."""
    flood = FLOODS[name]
    theirs = {f"area-{n}/topic.md": f"# Topic {n}\n\n- The area {n} is heated.\n" for n in range(20)}
    index = MEMORY["MEMORY.md"].replace("- [Checkout]", "- [How we take money]")
    stage = stage_of(served, tmp_path, {**MEMORY, **theirs, "MEMORY.md": index})
    stage.dream()
    stage.person("Eve Person").edit(dict(flood(number) for number in range(1_500)))
    stage.next_night()
    files = stage.files()
    assert files["MEMORY.md"].count(b"\n") <= 200
    assert len(files["MEMORY.md"]) <= 25_000
    kept = {"services/checkout.md", *(theirs if name != "many-folders" else ())}
    assert kept <= linked(loaded(files), at="MEMORY.md")
    assert b"We are polite to customers.\n" in files["MEMORY.md"]
    assert topic_notes(files) - reached(files) == set()
    for page in (path for path in files if path.startswith("CATALOG") or path == "MEMORY.md"):
        assert all(len(line.decode()) <= 600 for line in files[page].split(b"\n"))


COUNT = 40
KINDS = ("listens on port", "keeps backups for days:", "was sized for users:", "retries jobs this often:")


def forty() -> dict[str, str]:
    return {
        f"services/svc-{number:02}.md": f"# Service {number}\n\n"
        + "".join(
            f"- 2026-10-01: svc-{number:02} {kind} {7000 + 97 * number + at}. [thread_{number:04}, 2026-10-01]\n"
            for at, kind in enumerate(KINDS)
        )
        for number in range(COUNT)
    }


GONE = Basis(evidence=("probe:web gone moved svc listens port word",), why="gone")


def lines_of(tree: Tree, path: str) -> list[str]:
    return [line for line in (tree.read(path) or b"").decode().split("\n") if line.startswith("- ")]


def emptied(tree: Tree, path: str) -> list[Operation]:
    return [Revise(span=whole(tree, path), new="", basis=GONE)]


def one_word(tree: Tree, path: str) -> list[Operation]:
    return [Revise(span=whole(tree, path), new="gone", basis=GONE)]


def renamed_away(tree: Tree, path: str) -> list[Operation]:
    return [Move(span=whole(tree, path), to=f"archive/{path}", basis=GONE)]


def merged_into_one(tree: Tree, path: str) -> list[Operation]:
    into = "services/svc-00.md"
    return [] if path == into else [Merge(into=whole(tree, into), new=None, absorbed=(whole(tree, path),), basis=GONE)]


def shortened(tree: Tree, path: str) -> list[Operation]:
    return [Shorten(span=whole(tree, path), new="# Service\n", basis=GONE)]


def line_by_line(tree: Tree, path: str) -> list[Operation]:
    return [Remove(span=Span(path=path, text=line), basis=GONE) for line in lines_of(tree, path)]


def line_a_word(tree: Tree, path: str) -> list[Operation]:
    return [Revise(span=Span(path=path, text=line), new="- gone", basis=GONE) for line in lines_of(tree, path)]


def one_line_a_night(tree: Tree, path: str) -> list[Operation]:
    return line_by_line(tree, path)[:1]


MEANS = [emptied, one_word, renamed_away, merged_into_one, shortened, line_by_line, line_a_word, one_line_a_night]


def said(files: Mapping[str, bytes]) -> set[str]:
    """Every statement of the forty notes that still stands somewhere in the memory proper, by its text."""
    text = b"\n".join(data for path, data in files.items() if not path.startswith((".dream/", "archive/"))).decode()
    return {line for body in forty().values() for line in body.split("\n") if line.startswith("- ") and line in text}


def standing(files: Mapping[str, bytes]) -> int:
    """How many of the forty notes still say half of what they said."""
    alive = said(files)
    return sum(2 * sum(line in alive for line in body.split("\n")) >= len(KINDS) for body in forty().values())


@pytest.mark.parametrize("task", ["production_verification", "tidy"])
@pytest.mark.parametrize("means", MEANS)
def test_a29_whatever_deletion_is_called_a_night_and_a_month_take_no_more_than_their_budget(
    served: Served, tmp_path: Path, means: Callable[[Tree, str], list[Operation]], task: str
) -> None:
    stage = stage_of(served, tmp_path, {"MEMORY.md": "# Memory\n", **forty()})

    def propose(tree: Tree) -> Sequence[Operation]:
        paths = [path for path in tree.paths() if path.startswith("services/")]
        return [operation for path in paths for operation in means(tree, path)]

    stage.dream(steps=proposing(task, propose))
    first = stage.files()
    assert COUNT - standing(first) <= 6
    assert COUNT * len(KINDS) - len(said(first)) <= 24
    for _ in range(4):
        stage.next_night(steps=proposing(task, propose))
    assert COUNT - standing(stage.files()) <= 10
    assert COUNT * len(KINDS) - len(said(stage.files())) <= 40
