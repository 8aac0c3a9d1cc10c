"""What failed elsewhere, done here under a real Prefect server: busy writers, loops, silence, conflicts."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from bench.faults.invariants import Checker
from bench.faults.office import ORGANISATION, Office
from bench.faults.pushers import Writer, own_notes
from bench.faults.scene import FLOW
from bench.faults.tally import Tally
from dream.repository.hook import install_hook
from tests.support.repositories import Hosted, Person, host
from tests.support.stage import MEMORY

_WRITERS = 4
_NIGHTS = 4
_CALLS = 4
_LANDING = {"limits": {"landing": {"seconds": 600}}}


def busy_writers(tally: Tally, office: Office) -> None:
    """B19: four writers push without a pause while four nights land; nothing is lost, and no retry asks a model."""
    name, hosted, checker = office.newcomer(days=_NIGHTS + 1, **_LANDING)
    install_hook(hosted.path, FLOW)
    stop = threading.Event()
    crew = [
        Writer(
            person=Person(hosted, office.root / f"{name}-{number}", f"W{number} Writer", at=datetime.now(UTC)),
            chance=tally.chance(str(number)),
            mine=f"w{number}",
            may_meddle=number == 0,
            pause=0.0,
        )
        for number in range(_WRITERS)
    ]
    threads = [threading.Thread(target=one.work, args=(stop,), daemon=True) for one in crew]
    begun = datetime.now(UTC)
    for thread in threads:
        thread.start()
    tries = 0
    try:
        for before in range(_NIGHTS - 1, -1, -1):
            tries += _busy_night(tally, office, name, checker, office.town.night - timedelta(days=before))
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
    seconds = (datetime.now(UTC) - begun).total_seconds()
    checker.acknowledged += [commit for one in crew for commit in one.acknowledged]
    problems = [*checker.check(), *checker.sound(), *own_notes(crew)]
    problems += [f"{one.mine}: {one.trouble}" for one in crew if one.trouble]
    tally.note(f"all of the {len(checker.acknowledged)} commits of {_WRITERS} writers", problems)
    tally.remark(
        f"B19: {_WRITERS} writers for {seconds:.0f} s, {len(checker.acknowledged)} acknowledged pushes; "
        f"{_NIGHTS} nights in {tries} tries"
    )


def _busy_night(tally: Tally, office: Office, name: str, checker: Checker, night: date) -> int:
    """Dream one night and return in how many tries it landed."""
    run = office.dream(deployment=ORGANISATION, organisation=name, night=night.isoformat())
    ended = office.api.wait(run, seconds=700)
    problems = checker.check()
    if ended["state_type"] != "COMPLETED" or checker.landings(night.isoformat()) != 1:
        problems.append(f"it is {ended['state_type']}: {(ended['state'] or {}).get('message')}")
    landings = [one for one in office.api.task_runs([run]) if one["name"] == "land"]
    if landings:
        begun = datetime.fromisoformat(landings[0]["start_time"])
        late = [one for one in office.town.asked if one > begun]
        problems += [f"{len(late)} questions while it landed"] if late else []
    tally.note(f"night {night}", problems)
    attempts = office.town.root / "homes" / name / "attempts" / f"{night.isoformat()}.jsonl"
    return sum(int(json.loads(line).get("tries", 0)) for line in attempts.read_text().splitlines())


def runaway(tally: Tally, office: Office) -> None:
    """B22: a night that is started again and again asks no model again, and a ceiling holds for all of its runs."""
    _, _, checker = office.newcomer()
    problems = [] if office.api.wait(office.dream())["state_type"] == "COMPLETED" else ["it did not complete"]
    asked = office.town.questions
    for _ in range(5):
        problems += office.dream_again(checker)
    if not asked or office.town.questions != asked:
        problems.append(f"{asked} questions, and {office.town.questions - asked} more")
    tally.note("five more runs of a night", problems)
    _, _, checker = office.newcomer(limits={"spend": {"calls": _CALLS}})
    before = office.town.questions
    problems = []
    for _ in range(2):
        problems += office.dream_again(checker)
    spent = office.town.questions - before
    if not 0 < spent <= _CALLS:
        problems.append(f"{spent} calls where {_CALLS} were allowed")
    tally.note(f"a ceiling of {_CALLS} calls", problems)


def silence(tally: Tally, office: Office) -> None:
    """B28: eight nights whose conversations come to nothing are told of; eight days without any are not."""
    for days, is_degraded in ((9, True), (0, False)):
        name, _, checker = office.newcomer(days=max(days, 9))
        if not days:
            for file in (office.town.root / "days" / name).iterdir():
                file.unlink()
        office.town.rules = "unsure"
        problems = []
        for before in range(7, -1, -1):
            night = (office.town.night - timedelta(days=before)).isoformat()
            run = office.dream(deployment=ORGANISATION, organisation=name, night=night)
            ended = office.api.wait(run)
            if ended["state_type"] != "COMPLETED":
                problems.append(f"{night} is {ended['state_type']}: {(ended['state'] or {}).get('message')}")
        office.town.rules = "supported"
        told = _degraded(office, name)
        if bool(told) != is_degraded:
            problems.append(f"it is told {told}")
        tally.note(f"eight nights of {'unsupported statements' if days else 'nothing'}: {told}", problems)
        tally.remark(f"B28: after eight nights of {'unsupported statements' if days else 'nothing'}: {told or 'sound'}")
        del checker


def _degraded(office: Office, name: str) -> list[str]:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "dream"), "status", name, "--json"],
        env={**office.stack.environment, **office.town.told},
        cwd=office.root,
        capture_output=True,
        check=False,
    )
    document = json.loads(done.stdout)
    return [f"{one['kind']} {one.get('task', '')}".strip() for one in document["organisations"][0]["degraded"]]


def conflict(tally: Tally, office: Office) -> None:
    """B73: somebody edits 1 of the 20 notes that a night mends, as it pushes: 19 land, the last the next night."""
    if not (office.town.root / "hosted" / "code.git").exists():
        _move_code(office)
    code = {"name": "web", "kind": "code", "url": office.town.served.url("code"), "internal": True}
    files = {**MEMORY, **{f"services/part-{number:02d}.md": _part(number) for number in range(20)}}
    name, hosted, checker = office.newcomer(files=files, days=3, production=[code])
    person = Person(hosted, office.root / f"{name}-late", "L Writer", at=datetime.now(UTC))
    path = "services/part-07.md"

    def edit() -> None:
        text = _part(7).replace("limit", "upper limit")
        checker.acknowledged.append(person.edit({path: text}, "notes: say it better"))

    office.town.served.before_push = edit
    problems = []
    yesterday = office.town.night - timedelta(days=1)
    for night, mended in ((yesterday, 19), (office.town.night, 20)):
        run = office.dream(deployment=ORGANISATION, organisation=name, night=night.isoformat())
        ended = office.api.wait(run)
        if ended["state_type"] != "COMPLETED":
            problems.append(f"{night} is {ended['state_type']}: {(ended['state'] or {}).get('message')}")
        problems += checker.check()
        found = _mended(hosted)
        if found != mended:
            problems.append(f"{found} notes are mended after {night}")
    if b"upper limit" not in hosted.files()[path]:
        problems.append("what the person wrote is gone")
    tally.note("a conflict in 1 of 20 notes", [*problems, *checker.sound()])


def _mended(hosted: Hosted) -> int:
    return sum(b"src/new/" in data for path, data in hosted.files().items() if path.startswith("services/part-"))


def _part(number: int) -> str:
    return (
        f"# Part {number}\n\n- 2026-09-{number + 1:02d}: The limit of part {number} is set in "
        f"`src/old/part_{number:02d}.py`. [thread_{number:04d}, 2026-09-{number + 1:02d}]\n"
    )


def _move_code(office: Office) -> None:
    """Host code whose twenty files were then moved."""
    names = [f"part_{number:02d}.py" for number in range(20)]
    files = {
        f"src/old/{name}": f"LIMIT_{name[:-3].upper()} = {place * 37 + 11}\n" * 20 for place, name in enumerate(names)
    }
    code = host(office.town.served, "code", files)
    engineer = Person(code, office.root / "engineer", "Eve Engineer")
    for name in names:
        engineer.rename(f"src/old/{name}", f"src/new/{name}")
