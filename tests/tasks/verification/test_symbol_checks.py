"""Names of code that a note has and that a commit took away, found in a real repository and without a model."""

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
from tests.support.repositories import git
from tests.tasks.code import commit
from tests.tasks.stories import memory

KEPT = "export function retryOrder(order) {\n  return order;\n}\nexport const MAX_TRIES = 3;\n"
GONE = "export function chargeTwice(order) {\n  return order;\n}\nexport const charge_limit = 3;\n"


class Shop:
    """The repository `shop`, a commit of which took `chargeTwice` and `charge_limit` away."""

    def __init__(self, folder: Path) -> None:
        code = folder / "shop"
        code.mkdir()
        git(code, "init", "--quiet", "--initial-branch", "main")
        commit(code, {"src/order.ts": KEPT + GONE}, "Start", "2026-08-03")
        self.taken = commit(code, {"src/order.ts": KEPT}, "Charge once", "2026-10-16")
        source = CodeSource(name="shop", url=str(code))
        tree = read_code(source, home=folder / "home")
        assert tree.unknown == ""
        self.tree = tree
        self.probe = CodeProbe(tree=tree, source=source, home=folder / "home")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop(tmp_path_factory.mktemp("code"))


def look(shop: Shop, note: str, *, path: str = "services/orders.md") -> Plan:
    tree = memory(**{path.removesuffix(".md").replace("/", "__"): f"# orders\n\n- It is `src/order.ts`.\n{note}"})
    recorder = Recorder(
        [shop.probe], now=lambda: datetime(2026, 10, 22, 4, tzinfo=UTC), monotonic=time.monotonic, sleep=time.sleep
    )
    probing = Probing(recorder=recorder, probes=[shop.probe], limits=VerificationLimits(), undone=lambda _: False)
    return propose(
        tree=tree,
        notes=NoteCache(),
        chosen=[one for one in tree.paths() if one.startswith(path.partition("/")[0])],
        code=[shop.tree],
        today=date(2026, 10, 22),
        probing=probing,
    )


def test_a_name_that_a_commit_took_away_is_told_with_the_commit_and_the_entry_stays(shop: Shop) -> None:
    plan = look(shop, "- `chargeTwice()` charges a customer.\n- Its bound is `charge_limit`.\n")
    assert plan.findings == (
        f"services/orders.md:4 names chargeTwice, which shop does not have since {shop.taken[:12]}",
        f"services/orders.md:5 names charge_limit, which shop does not have since {shop.taken[:12]}",
    )
    assert not plan.items[0].operations
    assert plan.items[0].reason == "dead-reference"
    assert plan.unverified == {"services/orders.md"}


@pytest.mark.parametrize(
    "line",
    [
        "- `retryOrder()` tries again, up to `MAX_TRIES` times.\n",
        "- `neverThere()` and `some_setting` are of another system.\n",
        "- `charge` and `order` are words, `chargeTwice is` none, nor is chargeTwice without a code span.\n",
        "- `chargeTwice()` was taken out, it charged twice.\n",
        "```ts\nchargeTwice();\n`chargeTwice()`\n```\n",
        "- It charges once.\n  check: shop symbol `chargeTwice` is `absent`\n",
    ],
)
def test_what_is_there_what_never_was_and_what_is_told_of_the_past_is_no_finding(shop: Shop, line: str) -> None:
    assert [one for one in look(shop, line).findings if "does not have" in one] == []


def test_a_note_that_keeps_a_record_may_name_what_is_gone(shop: Shop) -> None:
    assert look(shop, "- `chargeTwice()` charges a customer.\n", path="decisions/orders.md").findings == ()
