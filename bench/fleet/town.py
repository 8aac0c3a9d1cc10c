"""A town of organisations: a small memory and a day of sessions each, one git server, one model that takes its time."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.sources.sessions.transcripts import jsonl, line
from tests.support.repositories import Files, Hosted, host
from tests.support.sensible import Finding, Sensible
from tests.support.served import Served, serve
from tests.support.stage import MEMORY
from tests.support.vendors import Request, Response, VendorServer, vendor_server

_KEY = "sk-proj-invented-0123456789"
_TOPICS = ("ledger", "invoices", "search", "signup", "exports", "mailer", "stock", "returns")
_ORDERING = threading.Lock()


@dataclass(kw_only=True)
class Town:
    """Organisations that can dream the night of `night`, and moments of their nights at which something can happen."""

    root: Path
    night: date
    served: Served
    seed: int
    answer_seconds: float
    hosted: dict[str, Hosted] = field(default_factory=dict)
    asked: list[datetime] = field(default_factory=list)
    """When each question came."""
    rules: str = "supported"
    """What the judge says of a claim."""
    before_answer: Callable[[], None] | None = None
    """Called once, in the model's thread, when the next question has come."""
    _model: VendorServer | None = None
    _sensible: Sensible = field(default_factory=Sensible)

    @property
    def told(self) -> dict[str, str]:
        """The variables that a process which dreams for them needs."""
        return {
            "DREAM_ORGANISATIONS": str(self.root / "organisations"),
            "DREAM_HOME": str(self.root / "homes"),
            "DREAM_LOG_FORMAT": "json",
            "DREAM_LOG_LEVEL": "WARNING",
        }

    def __post_init__(self) -> None:
        """Let the judge say what is told at the time."""
        self._sensible.rules = lambda _: self.rules

    @property
    def questions(self) -> int:
        """How often the model was asked."""
        return len(self._model.questions) if self._model else 0

    def move_in(self, name: str, files: Files | None = None, *, days: int = 1, **extra: Any) -> Hosted:
        """Host an organisation with a memory of `files`, and a session on each of the `days` before its night.

        What its YAML file says besides is `extra`.
        """
        chance = random.Random(f"{self.seed}/{name}")  # noqa: S311 - repeatable on purpose
        about = {"services/about.md": f"# About\n\nThis is what {name} knows of itself.\n"}
        midnight = datetime(self.night.year, self.night.month, self.night.day, tzinfo=UTC)
        first = midnight - timedelta(days=days)
        hosted = host(self.served, name, {**MEMORY, **about} if files is None else files, at=first)
        with (hosted.path / "config").open("a") as settings:
            settings.write("[core]\n\tlogAllRefUpdates = true\n")
        sessions = self.root / "days" / name
        sessions.mkdir()
        for number in range(days):
            thing = f"the {_TOPICS[number % len(_TOPICS)]} of {name}"
            said = f"{thing} listens on port {chance.randint(2000, 60000)}"
            self._sensible.findings = [
                *self._sensible.findings,
                Finding(quote=said, statement=f"{said[0].upper()}{said[1:]}.", resource=thing),
            ]
            begun = first + timedelta(days=number, hours=9)
            (sessions / f"{number}.jsonl").write_bytes(_transcript(begun, number, said))
        self.hosted[name] = hosted
        document = {
            "organisation": name,
            "memory": {"url": hosted.url},
            "sessions": [{"kind": "claude-code", "path": str(sessions), "person": "ana"}],
            "models": {"dreamer": self._dreamer()},
            **extra,
        }
        (self.root / "organisations" / f"{name}.yaml").write_text(json.dumps(document))  # JSON is YAML too
        return hosted

    def move_out(self) -> None:
        """Let nobody live here any more; what was hosted stays where it is."""
        self.hosted.clear()
        for file in (self.root / "organisations").iterdir():
            file.unlink()

    def answer(self, request: Request) -> Response:
        """Answer a question of the model, after what was ordered for it."""
        self.asked.append(datetime.now(UTC))
        with _ORDERING:
            action, self.before_answer = self.before_answer, None
        if action is not None:
            action()
        return replace(self._sensible(request), first_pause_seconds=self.answer_seconds)

    def _dreamer(self) -> dict[str, str]:
        there = {"provider": "openai", "model": "m", "wire": "responses"}
        credential = f"file:{self.root / 'key'}"
        return {**there, "base_url": self._model.openai if self._model else "", "credential": credential}


@contextmanager
def found_town(root: Path, *, night: date, answer_seconds: float, seed: int, organisations: int = 0) -> Iterator[Town]:
    """Host so many organisations for as long as the context lasts; the model answers after `answer_seconds`."""
    for folder in ("hosted", "organisations", "homes", "days"):
        (root / folder).mkdir(parents=True)
    (root / "key").write_text(_KEY)
    with serve(root / "hosted") as served:
        town = Town(root=root, night=night, served=served, seed=seed, answer_seconds=answer_seconds)
        with vendor_server(town.answer) as model:
            town._model = model  # noqa: SLF001 - each knows the other
            for number in range(organisations):
                town.move_in(f"org-{number + 1:04d}")
            yield town


def _transcript(begun: datetime, number: int, said: str) -> bytes:
    turns = (
        f"Remember for good that {said}, and that we never change it.",
        "Understood.",
        "Now rename the helper in the billing script and run its tests, please.",
        "I renamed it and all 14 tests pass.",
    )
    session = f"7c2e{number:04x}-0000-4000-8000-000000000001"
    records = []
    for place, text in enumerate(turns):
        kind, content = ("assistant", [{"type": "text", "text": text}]) if place % 2 else ("user", text)
        stamp = (begun + timedelta(minutes=place)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        told = {"sessionId": session, "uuid": f"{number:08x}-0000-4000-8000-{place:012x}", "timestamp": stamp}
        records.append(line(kind, place, content, **told))
    return jsonl(records)
