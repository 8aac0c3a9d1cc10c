"""The memories that nights are replayed over: one that is invented, and real ones as they stood day by day."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

SUBJECTS = ("checkout", "billing", "search", "login", "export", "sync", "parser", "release", "upload", "reports")
FOLDERS = ("services", "queues", "alerts", "runbooks")
CODE: Mapping[str, str] = {
    f"src/{subject}/{part}.py": f'"""The {part} of {subject}."""\n'
    for subject in SUBJECTS
    for part in ("client", "server")
}
"""The code that an invented memory speaks of."""

_FACTS = (
    "The {subject} client in `src/{subject}/client.py` retries {number} times",
    "The {subject} server in `src/{subject}/server.py` listens on port {port}",
    "Jobs of {subject} are parked after {number} hours",
    "The limit of {subject} is {port} requests a minute",
    "Ask before the {subject} schema is changed; {number} teams read it",
)


def invented(seed: str, *, notes: int = 40, subjects: Sequence[str] = SUBJECTS) -> dict[str, str]:
    """Return an index, topic notes of several styles with statements that stand twice, and a preference."""
    rng = random.Random(f"{seed}/memory")  # noqa: S311 - a replay, not a secret
    files = {"preferences/slack/general.md": "# How we want to be answered\n\n- In short sentences.\n"}
    told: list[str] = []
    for number in range(notes):
        subject, folder = subjects[number % len(subjects)], FOLDERS[number // len(subjects) % len(FOLDERS)]
        lines = [statement(rng, subject) for _ in range(rng.randint(2, 6))]
        if told and rng.random() < 0.3:
            lines.append(rng.choice(told))
        told += lines
        path = f"{folder}/{subject}{'' if number < len(subjects) * len(FOLDERS) else f'-{number}'}.md"
        files[path] = _note(rng, subject, folder, lines)
    links = "".join(f"- [{path}]({path})\n" for path in sorted(files) if rng.random() < 0.5)
    return {"MEMORY.md": f"# Memory\n\nRead this first.\n\n{links}- [gone](services/gone.md)\n", **files}


def statement(rng: random.Random, subject: str) -> str:
    """Return an invented fact without a full stop."""
    return rng.choice(_FACTS).format(subject=subject, number=rng.randint(2, 9), port=rng.randint(1000, 9999))


def real(folder: Path) -> dict[str, bytes]:
    """Return the files of a memory as they lie in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDay:
    """What became different in a memory on one day: contents, and paths that went."""

    day: date
    files: Mapping[str, bytes]
    deleted: tuple[str, ...]


def day_by_day(folder: Path) -> list[MemoryDay]:
    """Return what changed on each day of a memory kept in folders named after days, oldest first."""
    found = []
    for place in sorted(folder.iterdir()):
        files = real(place)
        deleted = files.pop("_deleted.txt", b"").decode().splitlines()
        gone = tuple(path.strip() for path in deleted if path.strip())
        found.append(MemoryDay(day=date.fromisoformat(place.name), files=files, deleted=gone))
    return found


def _note(rng: random.Random, subject: str, folder: str, lines: list[str]) -> str:
    style = rng.randrange(3)
    if style == 0:
        entries = (
            f"- 2025-06-{rng.randint(1, 28):02d}: {line}. [thread_{rng.randrange(16**8):08x}, 2025-06-28]\n"
            for line in lines
        )
        return f"# {subject.title()} in {folder}\n\n{''.join(entries)}"
    if style == 1:
        return f"# {subject.title()} in {folder}\n\n" + "".join(f"{line}.\n\n" for line in lines).rstrip("\n") + "\n"
    return f"# {subject.title()} in {folder}\n\n## Facts\n\n" + "".join(f"* {line}.\n" for line in lines)
