"""Memories and sessions of any size, invented, the same for the same seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

DAY = datetime(2026, 10, 21, 8, tzinfo=UTC)
_SYLLABLES = (
    "ba",
    "co",
    "di",
    "fe",
    "gu",
    "ha",
    "jo",
    "ki",
    "lu",
    "me",
    "no",
    "pi",
    "ra",
    "so",
    "tu",
    "ve",
    "wi",
    "xa",
    "yo",
    "ze",
)


class Words:
    """Invented words, some frequent and most rare, as in texts."""

    def __init__(self, chance: random.Random, *, count: int = 20_000) -> None:
        """Make up a vocabulary."""
        self._chance = chance
        self._words = ["".join(chance.choices(_SYLLABLES, k=2 + number % 3)) for number in range(count)]
        self._weights = [1 / (rank + 10) for rank in range(count)]
        self._pool: list[str] = []

    def take(self, count: int) -> list[str]:
        """Return so many words."""
        while len(self._pool) < count:
            self._pool = self._chance.choices(self._words, weights=self._weights, k=50_000)
        taken, self._pool = self._pool[:count], self._pool[count:]
        return taken

    def statement(self) -> str:
        """Return a sentence of 8 to 20 words with a number in it."""
        words = self.take(self._chance.randint(8, 20))
        words.insert(len(words) // 2, str(self._chance.randrange(10_000)))
        return " ".join(words).capitalize() + "."


def memory(notes: int, *, entries: int = 10, seed: int = 1) -> dict[str, str]:
    """Return so many notes of dated entries in folders of a hundred, with an index of some of them."""
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose
    words = Words(chance)
    files = {}
    for number in range(notes):
        lines = [f"# {' '.join(words.take(3)).title()}", ""]
        for entry in range(entries):
            day = (DAY - timedelta(days=chance.randrange(1, 300))).date().isoformat()
            lines.append(f"- {day}: {words.statement()} [thread_{number:05x}{entry:x}, {day}]")
        if number % 5 == 0 and number:
            lines += ["", f"See [another](../folder-{(number - 1) // 100:03}/note-{number - 1:05}.md)."]
        files[f"folder-{number // 100:03}/note-{number:05}.md"] = "\n".join(lines) + "\n"
    listed = [f"- [{path.rpartition('/')[2]}]({path})" for path in list(files)[:100]]
    files["MEMORY.md"] = "\n".join(["# Memory", "", *listed]) + "\n"
    return files


def sessions(folder: Path, *, count: int = 100, turns: int = 40, seed: int = 2) -> int:
    """Write so many transcripts of one day as Claude Code keeps them; returns their size in bytes."""
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose
    words = Words(chance)
    folder.mkdir(parents=True, exist_ok=True)
    size = 0
    for number in range(count):
        text = "".join(json.dumps(line) + "\n" for line in _transcript(number, turns, words))
        size += (folder / f"{number:08x}-0000-4000-8000-000000000000.jsonl").write_text(text)
    return size


def _transcript(number: int, turns: int, words: Words) -> Iterator[dict[str, object]]:
    session = f"{number:08x}-0000-4000-8000-000000000000"
    for turn in range(turns):
        at = DAY + timedelta(minutes=number, seconds=turn)
        head = {
            "uuid": f"{number:08x}-{turn:04x}-4000-8000-000000000000",
            "sessionId": session,
            "timestamp": at.isoformat().replace("+00:00", "Z"),
            "cwd": "/srv/web",
            "version": "2.0.0",
        }
        said = " ".join(words.statement() for _ in range(4))
        call = f"toolu_{number:06x}{turn:04x}"
        match turn % 4:
            case 0:
                yield {**head, "type": "user", "message": {"role": "user", "content": said}}
            case 1:
                use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "make test"}}
                content = [{"type": "text", "text": said}, use]
                yield {**head, "type": "assistant", "message": {"role": "assistant", "content": content}}
            case 2:
                before = f"toolu_{number:06x}{turn - 1:04x}"
                result = {"type": "tool_result", "tool_use_id": before, "content": said * 10}
                yield {**head, "type": "user", "message": {"role": "user", "content": [result]}}
            case _:
                content = [{"type": "text", "text": said}]
                yield {**head, "type": "assistant", "message": {"role": "assistant", "content": content}}
