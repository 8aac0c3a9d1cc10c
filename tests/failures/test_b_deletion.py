"""B01, B03, B36: what a night takes away, however it is asked for."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest

from dream.memory.operations import Add, Basis, Merge, Move, Operation, Refusal, Remove, Revise, Span
from dream.memory.tree import Tree
from dream.repository.draft import Applied, Draft
from tests.support.repositories import git
from tests.support.scripted import draft_over, proposing, watched, whole
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, stage_of

KINDS = ("listens on port", "keeps backups for days:", "was sized for users:", "retries jobs this often:")


def forty() -> dict[str, str]:
    """Forty notes that have nothing in common but their form."""
    notes = {
        f"services/svc-{number:02}.md": f"# Service {number}\n\n"
        + "".join(
            f"- 2026-10-01: svc-{number:02} {kind} {7000 + 97 * number + at}. [thread_{number:04}, 2026-10-01]\n"
            for at, kind in enumerate(KINDS)
        )
        for number in range(40)
    }
    return {"MEMORY.md": "# Memory\n", **notes}


def gone(path: str) -> Basis:
    return Basis(evidence=(f"probe:web says that {path} answers nothing",), why="it is gone")


def removals(tree: Tree) -> list[Operation]:
    return [Remove(span=whole(tree, path), basis=gone(path)) for path in sorted(forty())[1:24]]


def retirements(tree: Tree) -> list[Operation]:
    return [Move(span=whole(tree, path), to=f"archive/{path}", basis=gone(path)) for path in sorted(forty())[1:24]]


def removals_by_line(tree: Tree) -> list[Operation]:
    paths = sorted(forty())[1:24]
    lines = {path: (tree.read(path) or b"").decode().split("\n") for path in paths}
    return [
        Remove(span=Span(path=path, text=line), basis=gone(path))
        for path in paths
        for line in lines[path]
        if line.startswith("- ")
    ]


def test_b01_not_even_one_note_goes_without_evidence(tmp_path: Path) -> None:
    _, survey, watch = watched(tmp_path, forty())
    draft = Draft(survey.tree, task="production_verification", guards=watch.guards("production_verification"))
    for evidence in ((), ("",), (" ",)):
        answer = draft.apply(
            Remove(span=whole(survey.tree, "services/svc-07.md"), basis=Basis(evidence=evidence, why="unused"))
        )
        assert answer == Refusal("no-evidence", "services/svc-07.md")


def survivors(before: Mapping[str, str], after: Mapping[str, bytes]) -> int:
    """How many notes still say at least half of what they said."""
    kept = 0
    for path, text in before.items():
        lines = [line for line in text.split("\n") if line.startswith("- ")]
        said = after.get(path, b"").decode()
        kept += bool(lines) and 2 * sum(line in said for line in lines) >= len(lines)
    return kept


@pytest.mark.parametrize(
    ("task", "propose", "most"),
    [
        ("production_verification", removals, 6),
        ("tidy", retirements, 5),  # half of the month's ten are kept for verification
        ("production_verification", removals_by_line, 6),
    ],
    ids=["whole-notes", "into-the-archive", "line-by-line"],
)
def test_b01_of_forty_notes_that_a_model_wants_to_halve_at_most_six_go(
    served: Served,
    tmp_path: Path,
    task: str,
    propose: Callable[[Tree], Sequence[Operation]],
    most: int,
) -> None:
    stage = stage_of(served, tmp_path, forty())
    result = stage.dream(steps=proposing(task, propose))
    assert result.status == "landed"
    assert 40 - survivors(forty(), stage.files()) <= most
    told = stage.record().tasks[task]
    deferred = sum(count for reason, count in told.refusals.items() if reason.startswith("deferred-"))
    assert told.inputs == told.written + deferred + sum(told.not_written.values())
    assert told.pending == deferred


def test_b01_every_removal_is_named_with_its_evidence_and_one_revert_brings_all_back(
    served: Served, tmp_path: Path
) -> None:
    stage = stage_of(served, tmp_path, forty())
    before = stage.files()
    stage.dream(steps=proposing("production_verification", removals))
    removed = sorted(set(before) - set(stage.files()))
    assert len(removed) == 6
    commit = stage.commit_of("production_verification")
    body = git(stage.hosted.path, "log", "-1", "--format=%B", commit)
    for path in removed:
        assert f"- remove {path}" in body
        assert f"evidence: probe:web says that {path} answers nothing" in body
    ada = stage.person()
    ada.revert(commit)
    after = stage.files()
    assert {path: after[path] for path in removed} == {path: before[path] for path in removed}


def test_b01_the_other_seventeen_are_named_as_deferred(served: Served, tmp_path: Path) -> None:
    stage = stage_of(served, tmp_path, forty())
    stage.dream(steps=proposing("production_verification", removals))
    left = sorted(path for path in sorted(forty())[1:24] if path in stage.files())
    assert len(left) == 17
    report = (tmp_path / "home" / "acme" / "reports" / f"{NIGHT.isoformat()}.md").read_text()
    for path in left:
        assert f"production verification: remove {path} of candidate-" in report
    assert report.count("deferred-night-notes") == 18  # each by its name, and their count


def test_b01_nights_on_end_take_no_more_than_a_quarter_in_a_month(served: Served, tmp_path: Path) -> None:
    stage = stage_of(served, tmp_path, forty())

    def all_of_it(tree: Tree) -> list[Operation]:
        notes = [path for path in tree.paths() if path.startswith("services/")]
        return [Remove(span=whole(tree, path), basis=gone(path)) for path in notes]

    stage.dream(steps=proposing("production_verification", all_of_it))
    for _ in range(4):
        stage.next_night(steps=proposing("production_verification", all_of_it))
    assert survivors(forty(), stage.files()) >= 30


def facts(count: int) -> dict[str, str]:
    """As many notes as the victim of B03 had memories, a fact of its own in each."""
    return {
        f"facts/f-{number:03}.md": f"# Fact {number}\n\n"
        f"- 2026-10-01: host-{number:03} answers on port {20000 + number}. [thread_{number:04}, 2026-10-01]\n"
        for number in range(count)
    }


def entry(tree: Tree, path: str) -> Span:
    lines = (tree.read(path) or b"").decode().split("\n")
    return Span(path=path, text=next(line for line in lines if line.startswith("- ")))


def decayed_by_merge(tree: Tree, path: str, into: str) -> Operation:
    return Merge(into=entry(tree, into), new=None, absorbed=(entry(tree, path),), basis=Basis(why="decayed"))


def decayed_whole_by_merge(tree: Tree, path: str, into: str) -> Operation:
    return Merge(into=whole(tree, into), new=None, absorbed=(whole(tree, path),), basis=Basis(why="decayed"))


def decayed_by_removal(tree: Tree, path: str, into: str) -> Operation:
    del into
    return Remove(span=entry(tree, path), basis=Basis(why="decayed"))


def decayed_whole_by_removal(tree: Tree, path: str, into: str) -> Operation:
    del into
    return Remove(span=whole(tree, path), basis=Basis(why="decayed"))


def blanked(tree: Tree, path: str, into: str) -> Operation:
    del into
    return Revise(span=entry(tree, path), new="- gone", basis=Basis(why="decayed"))


@pytest.mark.parametrize(
    "decay",
    [decayed_by_merge, decayed_whole_by_merge, decayed_by_removal, decayed_whole_by_removal, blanked],
)
def test_b03_tidy_lets_no_unique_fact_go_of_745_in_931(
    tmp_path: Path, decay: Callable[[Tree, str, str], Operation]
) -> None:
    _, survey, watch = watched(tmp_path, facts(931))
    tree = survey.tree
    draft = Draft(tree, task="tidy", guards=watch.guards("tidy"))
    paths = sorted(facts(931))
    for path in paths[186:]:
        answer = draft.apply(decay(tree, path, paths[0]))
        assert isinstance(answer, Refusal)
        assert not answer.reason.startswith("deferred-")
    assert draft.files == {}


SAME = "host-001 answers on port 20001"


@pytest.mark.parametrize(
    ("other", "lands"),
    [
        (f"- 2026-10-02: {SAME}. [thread_0002, 2026-10-02]", True),
        ("- 2026-10-02: host-001 answers on port 20009. [thread_0002, 2026-10-02]", False),
        ("- 2026-10-02: host-002 answers on port 20001. [thread_0002, 2026-10-02]", False),
        ("- 2026-10-02: host-001 does not answer on port 20001. [thread_0002, 2026-10-02]", False),
    ],
    ids=["the-same", "another-value", "another-resource", "the-opposite"],
)
def test_b03_a_line_goes_by_a_merge_only_where_the_same_claim_stays(tmp_path: Path, other: str, *, lands: bool) -> None:
    files = {
        "facts/a.md": f"# A\n\n- 2026-10-01: {SAME}. [thread_0001, 2026-10-01]\n",
        "facts/b.md": f"# B\n\n{other}\n- 2026-10-03: The bell rings at noon. [thread_0003, 2026-10-03]\n",
    }
    draft = draft_over(tmp_path, files, task="tidy")
    merge = Merge(
        into=Span(path="facts/a.md", text=files["facts/a.md"].split("\n")[2]),
        new=f"- 2026-10-01: {SAME}. [thread_0001, thread_0002, 2026-10-01]",
        absorbed=(Span(path="facts/b.md", text=other),),
    )
    answer = draft.apply(merge)
    assert isinstance(answer, Applied) is lands
    claims = [line for path in draft.tree.paths() for line in (draft.tree.read(path) or b"").decode().split("\n")]
    assert any(SAME in line for line in claims)
    assert lands or other in claims


def test_b03_for_every_line_that_a_merge_took_the_commit_names_the_one_that_stays(stage: Stage) -> None:
    stage.dream()
    body = git(stage.hosted.path, "log", "-1", "--format=%B", stage.commit_of("tidy"))
    took = [effect for effect in stage.record().effects if effect.task == "tidy"]
    removed = [change.path for effect in took for change in effect.changes if change.removed and not change.added]
    assert removed == ["queues/invoices.md"]
    assert "kept at services/orders.md:5, taken from queues/invoices.md:3" in body


def moved_away(tree: Tree, path: str, into: str) -> Operation:
    del into
    return Move(span=whole(tree, path), to="facts/elsewhere.md")


@pytest.mark.parametrize("linking", ["preferences/slack/ops.md", "daily/2026-10-20.md", "learnings/pay/SKILL.md"])
@pytest.mark.parametrize("fold", [decayed_whole_by_merge, moved_away])
def test_b03_a_note_that_people_or_a_day_rest_on_is_not_folded_away(
    tmp_path: Path, linking: str, fold: Callable[[Tree, str, str], Operation]
) -> None:
    note = f"# A\n\n- 2026-10-01: {SAME}. [thread_0001, 2026-10-01]\n"
    depth = "../" * linking.count("/")
    files = {"facts/a.md": note, "facts/b.md": note, linking: f"# L\n\nAsk [us]({depth}facts/a.md).\n"}
    draft = draft_over(tmp_path, files, task="tidy")
    answer = draft.apply(fold(draft.tree, "facts/a.md", "facts/b.md"))
    assert isinstance(answer, Refusal)
    assert answer.reason == "linked-note"


FACT = "The café queue is drained by 7 workers."


@pytest.mark.parametrize(
    "again",
    [
        FACT,
        FACT.upper().replace("THE", "The"),
        FACT.replace(" is ", "  is   "),
        unicodedata.normalize("NFD", FACT),
        FACT.rstrip("."),
    ],
    ids=["identical", "shouted", "blanks", "decomposed", "no-full-stop"],
)
def test_b36_the_same_statement_again_is_refused_and_the_stored_one_stays(tmp_path: Path, again: str) -> None:
    files = {"queues/cafe.md": f"# Café\n\n- 2026-10-01: {FACT} [thread_0001, 2026-10-01]\n"}
    draft = draft_over(tmp_path, files)
    basis = Basis(sources=("thread_7c2e",), dated=date(2026, 10, 21))
    for _ in range(2):
        answer = draft.apply(
            Add(path="queues/cafe.md", text=f"- 2026-10-21: {again} [thread_7c2e, 2026-10-21]", basis=basis)
        )
        assert isinstance(answer, Refusal)
        assert answer.reason in {"already-written", "invisible-characters"}
    assert draft.tree.read("queues/cafe.md") == files["queues/cafe.md"].encode()


def test_b36_replaying_the_same_evidence_leaves_the_tree_as_it_is(stage: Stage) -> None:
    stage.dream()
    before = {path: data for path, data in stage.files().items() if not path.startswith(".dream/")}
    for _ in range(3):
        stage.summarise({})  # the very same summary, uploaded again
        assert stage.next_night(home=f"home-{stage.now:%d}").status == "landed"
        after = {path: data for path, data in stage.files().items() if not path.startswith(".dream/")}
        assert after == before
