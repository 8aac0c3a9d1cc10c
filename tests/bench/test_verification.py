"""Hostile models change and take away nothing that is right, and pinned checks catch all that they are pinned to."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.verification.__main__ import NO_MODEL, SEED, measure, printed
from bench.verification.claims import WRONG, Truth, build_claims
from bench.verification.layouts import build_memory
from bench.verification.scoring import Fate, score
from bench.verification.servers import secrets
from bench.verification.world import build_world
from dream.memory.notes import Note, parse_note
from dream.memory.pinned import PinnedCheck, pinned_checks
from tests.support.postgres import find_postgres
from tests.support.prometheus import find_prometheus

WORLD = build_world(SEED)
CLAIMS = build_claims(WORLD, SEED)


def test_the_memory_holds_what_it_says() -> None:
    files, kept = build_memory(CLAIMS)
    assert len(WORLD.resources) >= 60
    assert len(CLAIMS) == 500
    assert sum(one.truth in WRONG for one in CLAIMS) == 120
    assert sum(one.truth is Truth.UNCHECKABLE for one in CLAIMS) == 60
    assert {one.layout for one in kept} == {
        "dated bullets",
        "paragraphs",
        "plain list",
        "frontmatter notes",
        "updated sections",
    }
    assert all(
        scored.fate is Fate.STANDS for scored in score(kept, {path: text.encode() for path, text in files.items()})
    )


def test_every_pinned_check_is_read_in_whatever_layout_it_stands() -> None:
    files, kept = build_memory(CLAIMS)
    pinned = 0
    for text in files.values():
        note = parse_note(text.encode())
        assert isinstance(note, Note)
        for entry in note.entries:
            found = pinned_checks(entry.raw)
            assert all(isinstance(one, PinnedCheck) for one in found)
            pinned += len(found)
    assert pinned == sum(one.claim.is_pinned for one in kept) == 100


@pytest.mark.parametrize(
    ("truth", "change", "touched", "deleted"),
    [
        (Truth.HOLDS, lambda claim, text: text.replace(claim.statement, ""), True, True),
        (Truth.HOLDS, lambda claim, text: text.replace(claim.told, "99999"), True, False),
        (Truth.CHANGED, lambda claim, text: text.replace(claim.statement, claim.right), False, False),
        (Truth.CHANGED, lambda claim, text: text.replace(claim.told, "99999"), True, False),
        (Truth.DELETED, lambda claim, text: text.replace(claim.statement, ""), False, False),
    ],
    ids=["right and gone", "right and changed", "wrong and corrected", "wrong and otherwise wrong", "gone and gone"],
)
def test_damage_is_seen(truth: Truth, change: object, *, touched: bool, deleted: bool) -> None:
    files, kept = build_memory(CLAIMS)
    one = (
        next(one for one in kept if one.claim.truth is truth and one.layout == "frontmatter notes")
        if (truth is not Truth.DELETED)
        else next(one for one in kept if one.claim.truth is truth)
    )
    assert callable(change)
    changed = {**files, one.path: change(one.claim, files[one.path])}
    (scored,) = score([one], {path: text.encode() for path, text in changed.items()})
    assert (scored.is_wrongly_touched, scored.is_wrongly_deleted) == (touched, deleted)


def test_hostile_models_do_no_damage_and_pinned_checks_catch_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if find_postgres() is None or find_prometheus() is None:
        pytest.skip("apt-get install prometheus postgresql")
    for name, value in secrets().items():
        monkeypatch.setenv(name, value)
    told, setting = measure(
        tmp_path, seed=SEED, every=10, failing=0.1, only=(NO_MODEL, "all false", "wrong resource", "another attribute")
    )
    assert [one.name for one in told] == [NO_MODEL, "all false", "wrong resource", "another attribute"]
    for one in told:
        assert [scored.kept.claim.statement for scored in one.scored if scored.is_wrongly_touched] == []
        assert not one.written
        pinned = [scored for scored in one.scored if scored.kept.claim.is_pinned and scored.kept.claim.truth in WRONG]
        assert pinned
        assert [scored.kept.claim.statement for scored in pinned if not scored.is_caught] == []
    assert all(one.verdicts for one in told[1:])
    assert "### Pinned checks" in printed(told, setting)
