"""Real transcripts as they would have come to be seen: when each ended, which came late, which came twice.

Reads no more of a transcript than its id and its instants, and does so without the product.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Literal

from bench.nights.accounts import Fed

Kind = Literal["specstory", "claude-code"]

_HEADER = re.compile(
    r"<!-- [A-Za-z][^<>]{0,60}? Session (\S+) \((\d{4}-\d{2}-\d{2})[ T_](\d{2})[:-](\d{2})[:-](\d{2})[^)]*\) -->"
)
_TURN = re.compile(
    r"_\*\*(?:User|Agent)[^\n]*? ?\(?(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?\)\*\*_\s*$"
)
_LATE_SHARE, _TWICE_SHARE = 0.12, 0.12
_LATEST_DAYS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One file: the session in it, and the instants that stand in it, in order."""

    source: Path
    name: str
    session: str
    instants: tuple[datetime, ...]

    @property
    def first_day(self) -> date:
        """The day of its first message."""
        return self.instants[0].date()

    @property
    def ended(self) -> datetime:
        """The instant of its last message."""
        return self.instants[-1]


@dataclass(kw_only=True)
class Shelf:
    """Where sessions are laid for the nights, and when: `lay` brings it to what is there before a night."""

    kind: Kind
    folder: Path
    transcripts: tuple[Transcript, ...]
    seed: str
    is_punctual: bool = False
    late: Mapping[str, int] = field(init=False)
    twice: Mapping[str, int] = field(init=False)
    fed: dict[str, Fed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Draw which files come late, by how many nights, and which come again under another name, unless punctual."""
        rng = random.Random(f"{self.seed}/shelf")  # noqa: S311 - a replay, not a secret
        names = [transcript.name for transcript in self.transcripts]
        names = [] if self.is_punctual else names
        self.late = {name: rng.randint(1, _LATEST_DAYS) for name in names if rng.random() < _LATE_SHARE}
        self.twice = {name: rng.randint(1, _LATEST_DAYS) for name in names if rng.random() < _TWICE_SHARE}

    @property
    def days(self) -> list[date]:
        """Every day on which anything was said."""
        return sorted({at.date() for transcript in self.transcripts for at in transcript.instants})

    def lay(self, night: date) -> int:
        """Bring the folder to what can be seen before `night`; returns how many files are new."""
        due = datetime(night.year, night.month, night.day, tzinfo=UTC)
        new = 0
        for transcript in self.transcripts:
            late = timedelta(days=self.late.get(transcript.name, 0))
            name = Path(transcript.name)
            if transcript.ended + late < due:
                new += self._put(transcript, name, night)
            elif self.kind == "claude-code" and transcript.instants[0] < due:
                new += self._put_beginning(transcript, name, night, until=due)
            again = timedelta(days=self.twice.get(transcript.name, 0))
            if again and transcript.ended + late + again < due:
                new += self._put(transcript, name.with_stem(f"{name.stem}-again"), night)
        return new

    def _put(self, transcript: Transcript, name: Path, night: date) -> int:
        place = self.folder / name
        if place.exists() and place.stat().st_size == transcript.source.stat().st_size:
            return 0
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(transcript.source, place)
        self._note(transcript, place, night, transcript.instants)
        return 1

    def _put_beginning(self, transcript: Transcript, name: Path, night: date, *, until: datetime) -> int:
        """Lay the lines that had been written by then, as a session that is still going on looks."""
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        lines = transcript.source.read_bytes().splitlines(keepends=True)
        end = next((n for n, line in enumerate(lines) if (at := _at_of(line)) is not None and at >= until), len(lines))
        is_new = not place.exists()
        place.write_bytes(b"".join(lines[:end]))
        self._note(transcript, place, night, [at for at in transcript.instants if at < until])
        return int(is_new)

    def _note(self, transcript: Transcript, place: Path, night: date, instants: Iterable[datetime]) -> None:
        days = frozenset(at.date() for at in instants)
        before = self.fed.get(transcript.session)
        self.fed[transcript.session] = Fed(
            id=transcript.session,
            files=(*(before.files if before else ()), str(place)),
            first_day=min(days | ({before.first_day} if before else days)),
            days=days | (before.days if before else days),
            visible=before.visible if before else night,
        )


def specstory(folder: Path) -> Iterator[Transcript]:
    """Yield the documents of SpecStory in a folder, named as they lie in it."""
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        header = _HEADER.search(text[:4000])
        if header is None:
            continue
        began = datetime.fromisoformat(f"{header[2]} {':'.join(header.groups()[2:])}").replace(tzinfo=UTC)
        turns = (_TURN.match(line) for line in text.split("\n") if line.startswith("_**"))
        instants = [datetime.fromisoformat(f"{turn[1]} {turn[2]}").replace(tzinfo=UTC) for turn in turns if turn]
        name = str(path.relative_to(folder))
        yield Transcript(source=path, name=name, session=header[1], instants=_in_order(began, instants))


def claude_code(folder: Path) -> Iterator[Transcript]:
    """Yield the sessions of Claude Code in a folder, named after the folders they lie in."""
    for path in sorted(folder.rglob("full.jsonl")):
        lines = path.read_bytes().splitlines()
        instants = sorted(at for line in lines if (at := _at_of(line)) is not None)
        sessions = [found[1] for line in lines if (found := re.search(rb'"sessionId":\s*"([^"]+)"', line))]
        name = "-".join(path.relative_to(folder).parts[:-1]) + ".jsonl"
        yield Transcript(source=path, name=name, session=sessions[-1].decode(), instants=tuple(instants))


def _in_order(began: datetime, instants: Sequence[datetime]) -> tuple[datetime, ...]:
    """Keep what never goes back in time: what a tool printed may hold the turns of other sessions.

    A turn without an instant is of the instant before it; `began` counts only where the first turn has none.
    """
    first, *rest = instants or (began,)
    kept = [first]
    for at in rest:
        if kept[-1] <= at < kept[-1] + timedelta(days=30):
            kept.append(at)
    return tuple(kept)


def _at_of(line: bytes) -> datetime | None:
    try:
        stamp = json.loads(line).get("timestamp")
    except (ValueError, AttributeError):
        return None
    return datetime.fromisoformat(stamp) if isinstance(stamp, str) else None
