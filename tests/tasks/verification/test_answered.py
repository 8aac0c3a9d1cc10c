"""What a pinned check says of a name of code holds, whatever the note's other names come to."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.sources.production.code.probe import CodeProbe
from dream.sources.production.code.reading import read_code
from dream.sources.production.code.values import CodeSource
from dream.sources.production.recording import Recorder
from tasks.production_verification import propose
from tasks.verification.limits import VerificationLimits
from tasks.verification.note_checks import Probing
from tests.tasks.code import make_code
from tests.tasks.stories import memory

GONE = "src/finder/aliases.ts"
MOVED = "src/desk/retry.ts"


class Web:
    """The repository `web`, as a night reads it and asks it."""

    def __init__(self, folder: Path) -> None:
        make_code(folder / "web")
        source = CodeSource(name="web", url=str(folder / "web"))
        self.tree = read_code(source, home=folder / "home")
        self.probe = CodeProbe(tree=self.tree, source=source, home=folder / "home")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Web:
    return Web(tmp_path_factory.mktemp("code"))


def look(web: Web, note: str) -> Plan:
    tree = memory(services__web=f"# web\n\n{note}")
    recorder = Recorder(
        [web.probe], now=lambda: datetime(2026, 10, 22, 4, tzinfo=UTC), monotonic=time.monotonic, sleep=time.sleep
    )
    probing = Probing(recorder=recorder, probes=[web.probe], limits=VerificationLimits(), undone=lambda _: False)
    return propose(
        tree=tree,
        notes=NoteCache(),
        chosen=["services/web.md"],
        code=[web.tree],
        today=date(2026, 10, 22),
        probing=probing,
    )


def told(plan: Plan) -> list[str]:
    return [one.partition(",")[0] for one in plan.findings if " names " in one]


@pytest.mark.parametrize("name", [GONE, f"{GONE}:12", "finder/aliases.ts", MOVED])
def test_a_path_that_a_check_shows_to_be_absent_is_no_finding_and_the_note_is_verified(web: Web, name: str) -> None:
    path = MOVED if name == MOVED else GONE
    plan = look(web, f"- `{name}` is absent in web.\n  check: web file `{path}` is `absent`\n")
    assert told(plan) == []
    assert plan.unverified == frozenset()
    (item,) = plan.items
    assert (item.operations, item.reason) == ((), "verified")


@pytest.mark.parametrize(
    ("note", "names"),
    [
        (f"- `{GONE}` is absent.\n  check: web file `scripts/seed.sh` is `absent`\n", GONE),
        (f"- `{GONE}` is there.\n  check: web file `{GONE}` is `present`\n", GONE),
        (f"- `{GONE}` is absent.\n- `src/desk/app.ts` too.\n  check: web file `src/desk/app.ts` is `present`\n", GONE),
        (
            f"- `{GONE}` is absent, see `scripts/seed.sh`.\n  check: web file `{GONE}` is `absent`\n",
            "scripts/seed.sh",
        ),
    ],
)
def test_what_no_check_that_holds_asks_about_in_its_entry_stays_a_finding(web: Web, note: str, names: str) -> None:
    plan = look(web, note)
    assert told(plan) == [f"services/web.md:3 names {names}"]
    assert plan.unverified == {"services/web.md"}
