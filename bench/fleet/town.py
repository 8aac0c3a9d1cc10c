"""A town of organisations: a small memory and a day of sessions each, one git server, one model that takes its time."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from tests.sources.sessions.transcripts import jsonl, line
from tests.support.repositories import Hosted, host
from tests.support.sensible import Finding, Sensible
from tests.support.served import Served, serve
from tests.support.stage import MEMORY
from tests.support.vendors import Request, Response, VendorServer, vendor_server

_KEY = "sk-proj-invented-0123456789"
_TOPICS = ("ledger", "invoices", "search", "signup", "exports", "mailer", "stock", "returns")


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """Organisations that can dream the night of `night`."""

    root: Path
    night: date
    hosted: Mapping[str, Hosted]
    served: Served
    model: VendorServer

    @property
    def told(self) -> dict[str, str]:
        """The variables that a process which dreams for them needs."""
        return {
            "DREAM_ORGANISATIONS": str(self.root / "organisations"),
            "DREAM_HOME": str(self.root / "homes"),
            "DREAM_LOG_FORMAT": "json",
            "DREAM_LOG_LEVEL": "WARNING",
        }


@contextmanager
def found_town(root: Path, *, organisations: int, night: date, answer_seconds: float, seed: int) -> Iterator[Town]:
    """Host so many organisations for as long as the context lasts; the model answers after `answer_seconds`."""
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose
    names = [f"org-{number:04d}" for number in range(1, organisations + 1)]
    said = {
        name: f"the {chance.choice(_TOPICS)} of {name} listens on port {chance.randint(2000, 60000)}" for name in names
    }
    findings = [
        Finding(quote=words, statement=f"{words[0].upper()}{words[1:]}.", resource=words.split(" listens")[0])
        for words in said.values()
    ]
    sensible = Sensible(findings=findings)

    def answer(request: Request) -> Response:
        return replace(sensible(request), first_pause_seconds=answer_seconds)

    for folder in ("hosted", "organisations", "homes", "days"):
        (root / folder).mkdir(parents=True)
    (root / "key").write_text(_KEY)
    with serve(root / "hosted") as served, vendor_server(answer) as model:
        hosted = {name: _move_in(root, served, model, name, night=night, said=said[name]) for name in names}
        yield Town(root=root, night=night, hosted=hosted, served=served, model=model)


def _move_in(root: Path, served: Served, model: VendorServer, name: str, *, night: date, said: str) -> Hosted:
    day = datetime(night.year, night.month, night.day, tzinfo=UTC) - timedelta(days=1)
    about = {"services/about.md": f"# About\n\nThis is what {name} knows of itself.\n"}
    hosted = host(served, name, {**MEMORY, **about}, at=day)
    sessions = root / "days" / name
    sessions.mkdir()
    turns = (
        f"Remember for good that {said}, and that we never change it.",
        "Understood.",
        "Now rename the helper in the billing script and run its tests, please.",
        "I renamed it and all 14 tests pass.",
    )
    (sessions / "one.jsonl").write_bytes(_transcript(day.replace(hour=9), turns))
    document = {
        "organisation": name,
        "memory": {"url": hosted.url},
        "sessions": [{"kind": "claude-code", "path": str(sessions), "person": "ana"}],
        "models": {
            "dreamer": {
                "provider": "openai",
                "model": "m",
                "wire": "responses",
                "base_url": model.openai,
                "credential": f"file:{root / 'key'}",
            }
        },
    }
    (root / "organisations" / f"{name}.yaml").write_text(json.dumps(document))  # JSON is YAML too
    return hosted


def _transcript(begun: datetime, turns: Sequence[str]) -> bytes:
    session = "7c2e0001-0000-4000-8000-000000000001"
    records = []
    for place, text in enumerate(turns):
        kind, content = ("assistant", [{"type": "text", "text": text}]) if place % 2 else ("user", text)
        stamp = (begun + timedelta(minutes=place)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        told = {"sessionId": session, "uuid": f"00000001-0000-4000-8000-{place:012x}", "timestamp": stamp}
        records.append(line(kind, place, content, **told))
    return jsonl(records)
