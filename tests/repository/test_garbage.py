"""Clean-up of a mirror."""

from __future__ import annotations

import os
import time
from datetime import date, timedelta
from pathlib import Path

import pygit2

from dream.repository.garbage import Collected, collect_garbage
from dream.repository.history import has_commit
from dream.repository.mirror import Head, Mirror
from tests.repository.conftest import MirrorMaker
from tests.repository.stores import commit
from tests.support.repositories import git, host
from tests.support.served import Served

FILES = {"MEMORY.md": "# Memory\n"}
DAY = 24 * 3600


def _mirror(served: Served, mirror_of: MirrorMaker, **limits: int) -> tuple[Mirror, str]:
    mirror = mirror_of(host(served, "memory", FILES), **limits)
    found = mirror.fetch()
    assert isinstance(found, Head)
    return mirror, found.commit


def _age(mirror: Mirror, commit_id: str, days: float) -> None:
    """Make every loose object of a commit that nothing else has look `days` old."""
    then = time.time() - days * DAY
    for line in git(mirror.path, "rev-list", "--objects", commit_id, "--not", "--all").split("\n"):
        oid = line.split(" ")[0]
        os.utime(mirror.path / "objects" / oid[:2] / oid[2:], (then, then))


def test_little_is_left_as_it_is(served: Served, mirror_of: MirrorMaker) -> None:
    mirror, _ = _mirror(served, mirror_of)
    loose = len(list((mirror.path / "objects").glob("??/*")))
    expected = Collected(nights_dropped=0, repacked=False, loose_before=loose, loose_after=loose)
    assert collect_garbage(mirror) == expected


def test_what_is_younger_than_two_days_is_never_removed(served: Served, mirror_of: MirrorMaker) -> None:
    mirror, base = _mirror(served, mirror_of, loose_objects=1, prune_days=0)
    old = commit(mirror.repository, {"old.md": b"old"}, base)
    young = commit(mirror.repository, {"young.md": b"young"}, base)
    _age(mirror, old, 2.1)
    _age(mirror, young, 1.9)
    assert collect_garbage(mirror).repacked
    again = pygit2.Repository(str(mirror.path))
    assert not has_commit(again, old)
    assert has_commit(again, young)
    assert has_commit(again, base)
    assert mirror.fetch() == Head(commit=base, seen=base, rewritten=False)


def test_two_weeks_are_kept_unless_told_otherwise(served: Served, mirror_of: MirrorMaker) -> None:
    mirror, base = _mirror(served, mirror_of, loose_objects=1)
    old = commit(mirror.repository, {"old.md": b"old"}, base)
    recent = commit(mirror.repository, {"recent.md": b"recent"}, base)
    _age(mirror, old, 14.1)
    _age(mirror, recent, 13.9)
    collect_garbage(mirror)
    again = pygit2.Repository(str(mirror.path))
    assert (has_commit(again, old), has_commit(again, recent)) == (False, True)


def test_the_newest_nights_are_kept_however_old(served: Served, mirror_of: MirrorMaker) -> None:
    mirror, base = _mirror(served, mirror_of, loose_objects=1, nights_kept=3, prune_days=2)
    nights = [date(2026, 1, 30) + timedelta(days=number) for number in range(5)]
    tips = [commit(mirror.repository, {"n.md": night.isoformat().encode()}, base) for night in nights]
    for night, tip in zip(nights, tips, strict=True):
        _age(mirror, tip, 100)
        mirror.keep_night_tip(night, tip)
    assert collect_garbage(mirror).nights_dropped == 2
    assert [mirror.night_tip(night) for night in nights] == [None, None, *tips[2:]]
    again = pygit2.Repository(str(mirror.path))
    assert [has_commit(again, tip) for tip in tips] == [False, False, True, True, True]


def test_the_left_overs_of_a_killed_clean_up_do_not_stop_the_next(served: Served, mirror_of: MirrorMaker) -> None:
    mirror, base = _mirror(served, mirror_of, loose_objects=1)
    (mirror.path / "gc.pid").write_text("1 some-other-host")
    (mirror.path / "objects/pack").mkdir(exist_ok=True)
    for name in ("objects/pack/tmp_pack_x1", "objects/pack/.tmp-1-pack-2.pack", "objects/pack/pack-1.pack"):
        (mirror.path / name).write_bytes(b"half")
    assert collect_garbage(mirror).repacked
    found = mirror.fetch()
    assert isinstance(found, Head)
    assert found.commit == base


def test_objects_do_not_grow_for_ever(served: Served, mirror_of: MirrorMaker) -> None:
    mirror, base = _mirror(served, mirror_of, loose_objects=50, nights_kept=2, prune_days=2)
    most = 0
    for number in range(60):
        night = date(2026, 1, 1) + timedelta(days=number)
        tip = commit(mirror.repository, {f"{n}.md": b"%d %d" % (number, n) for n in range(5)}, base)
        mirror.keep_night_tip(night, tip)
        for path in (mirror.path / "objects").glob("??/*"):
            os.utime(path, (time.time() - 3 * DAY,) * 2)
        collect_garbage(mirror)
        most = max(most, len([*(mirror.path / "objects").glob("??/*")]))
    assert most < 80
    assert len(mirror.nights()) == 2
    assert len([*Path(mirror.path, "objects/pack").glob("*.pack")]) <= 2


def test_half_written_packs_of_killed_fetches_go_in_time(served: Served, mirror_of: MirrorMaker) -> None:
    mirror, _ = _mirror(served, mirror_of)
    old, recent = (mirror.path / "objects/pack" / name for name in ("tmp_pack_old", "tmp_pack_recent"))
    for half in (old, recent):
        half.write_bytes(b"half")
    then = time.time() - 15 * DAY
    os.utime(old, (then, then))
    collect_garbage(mirror)
    assert not old.exists()
    assert recent.exists()
