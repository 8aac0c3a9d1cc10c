"""A note about one service, what verifiers ask of it and say of every line that they are shown, and a night of that."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from dream.sources.production.port import Found, Line
from tasks.verification.model_verdicts import EntryVerdict
from tasks.verification.plans import PlannedCheck
from tests.support.probes import TableProbe, serving
from tests.support.stage import Stage
from tests.support.verifiers import Shown, Verifier, about, says

_FIELD = re.compile(r"(\w+)=(\S+)")
TASK = "production_verification"
ORDERS = "services/orders-api.md"
FIVE = "- 2026-10-01: orders-api runs with 5 replicas. [thread_0001, 2026-10-01]\n"
SEVEN = "- 2026-10-22: orders-api runs with 7 replicas. [thread_0001, probe:metrics, 2026-10-22]"
ONE_NOTE = {
    "MEMORY.md": "# Memory\n\n- [orders-api](services/orders-api.md)\n",
    ORDERS: f"# orders-api\n\n{FIVE}",
}


def plan(title: str, entries: dict[int, str]) -> Sequence[PlannedCheck]:
    """Ask about orders-api, for every entry of its note."""
    return [about(number, "orders-api") for number in entries] if "orders-api" in title else ()


def lines_of(shown: Shown) -> list[tuple[str, str]]:
    """Return every line that is shown, under the id of its output."""
    found_, identity = [], ""
    for line in shown.outputs.split("\n"):
        if line.startswith("  "):
            found_.append((identity, line[2:]))
        else:
            identity = line.partition(" ")[0]
    return found_


def believing(shown: Shown) -> Sequence[EntryVerdict]:
    """Call every entry false by whatever lines may be cited, with no word of what is so instead."""
    texts = [text for _, text in lines_of(shown)]
    lines = [one for one in lines_of(shown) if one[1][0] != "(" and sum(one[1] in text for text in texts) == 1]
    return [says(number, "false", *lines) for number in shown.entries]


def rewriting(old: str, new: str) -> Callable[[Shown], Sequence[EntryVerdict]]:
    """Correct every entry by each line that is shown."""

    def judge(shown: Shown) -> Sequence[EntryVerdict]:
        return [
            says(n, "false", *lines_of(shown), statement=text.replace(old, new)) for n, text in shown.entries.items()
        ]

    return judge


def dream_of(stage: Stage, verifier: Verifier, *probes: TableProbe) -> None:
    """Dream with these probes; the verifier was asked for verdicts."""
    result = stage.dream(models=verifier.models, probes=serving(*probes))
    assert (result.status, result.exit_code) == ("landed", 0)
    assert verifier.judged


def orders(stage: Stage) -> str:
    """Return the note."""
    return stage.files()[ORDERS].decode()


def table(*lines: str, fields: tuple[tuple[str, str], ...] = (), **told: Any) -> TableProbe:
    """Return a probe that answers these lines about orders-api, with `fields` or what they have of `key=value`."""
    rows = tuple(Line(text=text, fields=fields or tuple(_FIELD.findall(text))) for text in lines)
    return TableProbe(answers={("get", "orders-api"): Found(lines=rows, names=("orders-api",))}, **told)
