"""The screen over published attacks and look-alikes; patterns are the alarm, so what is asserted is what people pay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dream.guards.screen import screen_text, shown_or_withheld
from dream.guards.secrets import find_secrets
from dream.memory.notes import Note, parse_note
from dream.memory.sources import Origin

INJECTION = Path("../shared/data/injection")
TREES = Path("../shared/data/memory_trees")
BENIGN = ("leolee99__PIGuard/datasets/NotInject_one.json", "leolee99__PIGuard/datasets/wildguard.json")
GARAK = "NVIDIA__garak/garak/data"

pytestmark = pytest.mark.skipif(not INJECTION.is_dir(), reason="../shared/data is not here")


def benign() -> list[str]:
    return [item["prompt"] for name in BENIGN for item in json.loads((INJECTION / name).read_text())]


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def withheld_share(texts: list[str], origin: Origin) -> float:
    return sum(screen_text(text, origin=origin) is not None for text in texts) / len(texts)


def test_at_most_one_in_a_hundred_of_peoples_benign_texts_is_withheld() -> None:
    texts = benign()
    assert len(texts) > 1_000
    assert withheld_share(texts, Origin.PERSON) <= 0.01
    shown = [shown_or_withheld(" ".join(text.split()), Origin.PERSON) for text in texts]
    assert sum(line.startswith("[withheld") for line in shown) <= 0.01 * len(texts)


def test_of_benign_texts_from_anybody_few_are_withheld() -> None:
    assert withheld_share(benign(), Origin.EXTERNAL) <= 0.03


@pytest.mark.parametrize(
    ("name", "at_least"),
    [
        (f"{GARAK}/inthewild_jailbreak_llms.json", 0.5),
        (f"{GARAK}/sysprompt_extraction/attacks.json", 0.6),
        (f"{GARAK}/payloads/markdown_js.json", 0.4),
        (f"{GARAK}/payloads/web_html_js.json", 0.8),
        ("leolee99__PIGuard/datasets/BIPIA_text.json", 0.15),
    ],
)
def test_the_alarm_still_rings_for_what_it_rang_for(name: str, at_least: float) -> None:
    data = json.loads((INJECTION / name).read_text())
    texts = list(strings(data.get("payloads", data) if isinstance(data, dict) else data))
    assert withheld_share(texts, Origin.EXTERNAL) >= at_least


@pytest.mark.skipif(not TREES.is_dir(), reason="../shared/data is not here")
def test_of_the_entries_of_real_memories_few_are_withheld_as_peoples_text() -> None:
    notes = (parse_note(path.read_bytes()) for path in sorted(TREES.rglob("*.md")) if path.is_file())
    entries = list({entry.raw: None for note in notes if isinstance(note, Note) for entry in note.entries})
    assert len(entries) > 10_000
    assert sum(bool(find_secrets(entry)) for entry in entries) <= 0.005 * len(entries)
    hidden = [entry for entry in entries if screen_text(entry, origin=Origin.PERSON, carriage_returns=True)]
    assert len(hidden) <= 0.01 * len(entries)
