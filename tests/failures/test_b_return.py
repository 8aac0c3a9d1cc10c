"""B47, B75: what people took out does not come back, and what one organisation knows reaches no other."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tests.support.repositories import Person, git_bytes
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of

DAY = "daily/2026-10-21.md"
FACT = b"refuses refunds"


def by_git_revert(stage: Stage, ada: Person) -> None:
    ada.revert(stage.commit_of("daily_note"))


def by_hand(stage: Stage, ada: Person) -> None:
    del stage
    ada.pull()
    kept = [line for line in ada.read(DAY).split(b"\n") if FACT not in line]
    ada.edit({DAY: b"\n".join(kept)})


def by_deletion(stage: Stage, ada: Person) -> None:
    del stage
    ada.pull()
    ada.delete(DAY)


def by_dream_revert(stage: Stage, ada: Person) -> None:
    del ada
    stage.revert("daily_note")


def by_rewording(stage: Stage, ada: Person) -> None:
    del stage
    ada.pull()
    ada.edit({DAY: b"# 2026-10-21\n\n- Somebody was wrong about refunds.\n"})


@pytest.mark.parametrize("undo", [by_git_revert, by_hand, by_deletion, by_dream_revert, by_rewording])
def test_b47_thirty_replayed_nights_bring_back_nothing_that_people_took_out(
    stage: Stage, undo: Callable[[Stage, Person], None]
) -> None:
    stage.dream()
    assert FACT in stage.files()[DAY]
    undo(stage, stage.person())
    for number in range(30):
        # the same old session, each time longer by a moment, so that no digest says that it is done
        (stage.sessions / "summaries.jsonl").unlink()
        stage.summarise({"ended": f"2026-10-21T10:{31 + number // 2:02}:{number:02}Z"})
        assert stage.next_night().status == "landed"
        assert FACT not in b"".join(data for path, data in stage.files().items() if not path.startswith(".dream/"))


@pytest.mark.parametrize("undo", ["git-revert", "dream-revert", "by-hand"])
def test_b47_a_merge_that_people_took_back_is_not_made_again_in_thirty_nights(stage: Stage, undo: str) -> None:
    stage.dream()
    assert stage.files()["queues/invoices.md"] != MEMORY["queues/invoices.md"].encode()
    ada = stage.person()
    if undo == "git-revert":
        ada.revert(stage.commit_of("tidy"))
    elif undo == "dream-revert":
        stage.revert("tidy")
    else:
        ada.edit({path: MEMORY[path] for path in ("queues/invoices.md", "services/orders.md")})
    for _ in range(30):
        stage.next_night()
    after = stage.files()
    for path in ("queues/invoices.md", "services/orders.md"):
        assert after[path] == MEMORY[path].encode()


def test_b47_newer_evidence_is_told(stage: Stage) -> None:
    stage.dream()
    by_hand(stage, stage.person())
    stage.next_night()
    stage.summarise(
        {
            "id": "newer001",
            "started": "2026-10-23T10:00:00Z",
            "ended": "2026-10-23T10:00:00Z",
            "lasting": "The checkout API refuses refunds above 900 euros since the release of Friday.",
        }
    )
    stage.next_night()
    assert b"900 euros" in stage.files()["daily/2026-10-23.md"]


NAMES = "abcdefgh"


def canary(name: str) -> str:
    return f"canary{name * 8}"


def organisation(served: Served, tmp_path: Path, name: str) -> Stage:
    """An organisation with a canary wherever it says something; ids are the same as everybody's."""
    root = tmp_path / f"of-{name}"
    root.mkdir()
    word = canary(name)
    pulls = root / "pulls.json"
    pulls.write_text(
        json.dumps(
            [
                {
                    "repo": "acme/web",
                    "number": 41,
                    "title": f"Mend {word}pull",
                    "state": "merged",
                    "author": "devin-ai-integration[bot]",
                    "merged_at": "2026-10-21T10:00:00Z",
                    "commits": [{"sha": "1" * 40, "author": "devin-ai-integration[bot]", "message": word}],
                }
            ]
        )
    )
    memory = {**MEMORY, f"services/{word}note.md": f"# {word}\n\n- The {word}fact is known here.\n"}
    stage = stage_of(served, root, memory, hosted_as=f"memory-{name}", name=f"org-{name}")
    stage.extra = {"pull_requests": [{"kind": "recorded", "path": str(pulls)}]}
    stage.summarise({"lasting": f"The {word}thread was long.", "title": f"{word}title", "person": f"{word}person"})
    return stage


def everything(stage: Stage, home: Path) -> bytes:
    """Every object of the hosted repository and every file of the organisation's home."""
    objects = git_bytes(stage.hosted.path, "cat-file", "--batch-all-objects", "--batch")
    files = [file for file in (home / stage.name).rglob("*") if file.is_file() and "objects" not in file.parts]
    mirror = git_bytes(home / stage.name / "memory.git", "cat-file", "--batch-all-objects", "--batch")
    return b"".join([objects, mirror, *(file.read_bytes() for file in files), *(str(file).encode() for file in files)])


def test_b75_the_canary_of_each_of_eight_organisations_is_found_with_that_one_alone(
    served: Served, tmp_path: Path
) -> None:
    home = tmp_path / "home-of-all"
    stages = {name: organisation(served, tmp_path, name) for name in NAMES}
    told: dict[str, bytes] = {}
    for night in range(2):
        for name, stage in stages.items():
            with capture_logs() as logs:
                assert stage.dream(NIGHT + timedelta(days=night), home=str(home)).status == "landed"
            told[name] = told.get(name, b"") + json.dumps(logs, default=str).encode()
            stage.now += timedelta(days=1)
    for name, stage in stages.items():
        held = everything(stage, home) + told[name]
        for other in NAMES:
            assert (canary(other).encode() in held) is (other == name)
        assert f"{canary(name)}thread".encode() in stage.files()[DAY]
        assert f"{canary(name)}pull".encode() in stage.files()[DAY]
