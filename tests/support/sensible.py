"""A vendor's model that is well: it proposes what a test has it find in a conversation, and judges as it should.

It passes tonight's examination of the judge, because it knows the packaged cases. Everything it says goes over the wire
that it was asked over, as text that it wrote itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from tests.sources.sessions.transcripts import jsonl, line
from tests.support.stage import Stage
from tests.support.vendors import Request, Response, VendorServer, said

KEY = "sk-proj-invented-0123456789"
"""The key of every organisation that asks such a vendor."""

_FENCED = re.compile(r"<<<([0-9a-f]{16}) ([^\n]*)\n(.*?)\n\1>>>", re.DOTALL)
_SHOWN = re.compile(r"\[?(m[0-9]+)\b")
_NEW: Mapping[str, Any] = {"is_known": False, "replaces": "", "note": "", "folder": "services"}


class Question(StrEnum):
    """What a model is asked."""

    READY = "ready"
    PAIRS = "pairs"
    SUMMARY = "summary"
    PLACE = "place"
    JUDGE = "judge"
    EXAMINATION = "examination"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a conversation that holds `quote` gives: a statement about `resource`."""

    quote: str
    statement: str
    resource: str
    told: Mapping[str, Any] = field(default_factory=dict)


@dataclass(kw_only=True)
class Sensible:
    """Answers every question of a night; `findings` are what it finds, `rules` is its verdict on a claim.

    `also` makes whole items of a reply out of a conversation, whatever is in it.
    """

    findings: Sequence[Finding] = ()
    rules: Callable[[str], str] = lambda _: "supported"
    also: Callable[[str], Sequence[Mapping[str, Any]]] = lambda _: ()
    examined: Callable[[bool], str] = lambda supported: "supported" if supported else "unsure"
    _places: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)

    def __call__(self, request: Request) -> Response:
        """Answer over the wire of the request."""
        return said(request, self.reply(request))

    def reply(self, request: Request) -> str:
        """Return what it writes."""
        match self.question(request):
            case Question.READY:
                return json.dumps({"word": "ready"})
            case Question.PAIRS:
                return json.dumps({"reasoning": "nothing is sure", "rulings": []})
            case Question.SUMMARY:
                return summary(*self._items(request))
            case Question.PLACE:
                return self._placing(fenced(request)["new statements"])
            case Question.EXAMINATION:
                return verdict(self.examined(self._canary[fenced(request)["the claim"]]))
            case Question.JUDGE:
                return verdict(self.rules(fenced(request)["the claim"]))

    def question(self, request: Request) -> Question:
        """Return what is asked, told by the reply that is wanted."""
        schema = json.dumps(request.schema)
        if '"rulings"' in schema:
            return Question.PAIRS
        if '"verdict"' in schema:
            return Question.EXAMINATION if fenced(request)["the claim"] in self._canary else Question.JUDGE
        if '"lasting"' in schema:
            return Question.SUMMARY
        if '"places"' in schema:
            return Question.PLACE
        return Question.READY

    @cached_property
    def _canary(self) -> Mapping[str, bool]:
        cases = json.loads(resources.files("prompts").joinpath("judge/canary.json").read_bytes())["cases"]
        return {case["statement"]: case["supported"] for case in cases}

    def _items(self, request: Request) -> list[Mapping[str, Any]]:
        shown = fenced(request)["one conversation"]
        found = [self._proposed(one, request) for one in self.findings if one.quote in shown]
        items = [*found, *self.also(shown)]
        for item in items:
            place = {key: item[key] for key in _NEW if key in item}
            self._places.setdefault(item["statement"], []).append({**_NEW, **place})
        return [{key: value for key, value in item.items() if key not in _NEW} for item in items]

    def _proposed(self, one: Finding, request: Request) -> dict[str, Any]:
        message = message_of(one.quote, request)
        return statement(one.statement, one.resource, [(message, one.quote)], **one.told)

    def _placing(self, shown: str) -> str:
        """Where it would have each statement that is shown: where its item said, or in a new note."""
        left = {text: list(places) for text, places in self._places.items()}
        found = []
        for row in shown.split("\n"):
            number, _, text = row.partition(". ")
            meant = max((one for one in left if text.endswith(one)), key=len, default="")
            place = left[meant].pop(0) if left.get(meant) else _NEW
            found.append({"statement": int(number), **place})
        return json.dumps({"reasoning": "looked", "places": found})


def statement(text: str, resource: str, quotes: Sequence[tuple[str, str]], **told: Any) -> dict[str, Any]:
    """Return one item of a dreamer's reply, with whatever else is `told`."""
    return {
        "reasoning": "somebody said so",
        "kind": "said",
        "resource": resource,
        "statement": text,
        "quotes": [{"message": message, "quote": quote} for message, quote in quotes],
        "tentative": False,
        **told,
    }


def summary(*lasting: Mapping[str, Any]) -> str:
    """Return a dreamer's summary: what lasts, and the same as what is probably stale soon."""
    keys = ("reasoning", "resource", "statement", "quotes", "tentative")
    stale = [{key: one[key] for key in keys if key in one} for one in lasting]
    told = {"reasoning": "read it all", "description": "Somebody asked.", "lasting": list(lasting), "stale": stale}
    return json.dumps(told)


def verdict(word: str) -> str:
    """Return a judge's reply."""
    return json.dumps({"reasoning": "read the lines", "verdict": word})


def fenced(request: Request) -> dict[str, str]:
    """Return what stands between the fences of a question, by what it is called there."""
    return {label: text for _, label, text in _FENCED.findall(request.text)}


def message_of(quote: str, request: Request) -> str:
    """Return the id of the message that `quote` is shown in."""
    before = fenced(request)["one conversation"].partition(quote)[0]
    return [found[1] for row in before.split("\n") if (found := _SHOWN.match(row))][-1]


def asks(stage: Stage, server: VendorServer, wire: str = "responses", *, key: str = KEY) -> None:
    """Have the stage's organisation dream with the vendor at `server`, over `wire`; its key is in a file."""
    stage.extra = {**stage.extra, "models": {"dreamer": configured(stage.root, server, wire, key=key)}}


def configured(root: Path, server: VendorServer, wire: str, *, key: str = KEY) -> dict[str, Any]:
    """Return the configuration of a model at `server` that is asked over `wire`."""
    (root / "key").write_text(key)
    if wire == "messages":
        there = {"provider": "anthropic", "base_url": server.anthropic}
    else:
        there = {"provider": "openai", "base_url": server.openai, "wire": wire}
    return {**there, "model": "m", "credential": f"file:{root / 'key'}"}


WIRES = ("responses", "chat", "messages")
"""The three protocols, the first two of one vendor."""


def converse(stage: Stage, number: int, *turns: str, day: int = 21) -> str:
    """Leave a transcript with `turns`, of a person and the agent in turn; return how entries cite it."""
    session = f"{number:08x}-0000-4000-8000-000000000001"
    folder = stage.sessions / "claude"
    folder.mkdir(exist_ok=True)
    records = []
    for place, text in enumerate(turns):
        kind, content = ("assistant", [{"type": "text", "text": text}]) if place % 2 else ("user", text)
        stamp = f"2026-10-{day:02}T09:{place:02}:00.000Z"
        told = {"sessionId": session, "uuid": f"{number:08x}-0000-4000-8000-{place:012x}", "timestamp": stamp}
        records.append(line(kind, place, content, **told))
    (folder / f"{session}.jsonl").write_bytes(jsonl(records))
    return f"thread_{session[:8]}"
