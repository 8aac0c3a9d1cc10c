"""What must hold over many nights, read from the tip by plain means: caps, the index, which notes were looked at."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from tests.support.repositories import Hosted

_LINK = re.compile(r"\]\(<?([^)>#]+)")
_STATEMENT = re.compile(r"^[-*+] (?:\d{4}-\d\d-\d\d: )?(.*?)(?: \[[^\]]*\])?$")
_NO_TOPIC = ("daily/", "preferences/", "learnings/", "archive/", "CATALOG/", "MEMORY.md", "CATALOG.md", ".")
_INDEX_LINES, _INDEX_BYTES = 200, 25_000
_LATELY = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Within how many nights each note must be looked at."""

    unchecked_nights: int


@dataclass(kw_only=True)
class Standing:
    """When a note was first seen and last looked at."""

    since: date
    looked: date | None = None


@dataclass
class Seen:
    """What was seen of one memory, night after night."""

    hosted: Hosted
    limits: Limits
    most_lines: int = 0
    most_bytes: int = 0
    most_notes_lost: int = 0
    most_statements_lost: int = 0
    longest_wait: int = 0
    notes: int = 0
    statements: int = 0
    flow_bytes: int = 0
    _standing: dict[str, Standing] = field(default_factory=dict)
    _lost: dict[date, tuple[int, int]] = field(default_factory=dict)

    def look(self, night: date, lost: tuple[int, int] = (0, 0)) -> list[str]:
        """Return what does not hold at the tip after `night`, which took away so many notes and statements."""
        files = self.hosted.files()
        topics = {path: data for path, data in files.items() if _is_topic(path)}
        self.notes = len(topics)
        self.statements = sum(len(_statements(data)) for data in topics.values())
        self.flow_bytes = sum(len(data) for path, data in files.items() if path.startswith(".dream/"))
        return [*self._caps(night, lost), *self._index(files, topics), *self._looked(files, topics, night)]

    def left(self, night: date) -> list[str]:
        """Return which inputs still wait that no fault of the last nights explains."""
        state = json.loads(self.hosted.files()[".dream/state.json"])
        old = [
            one for one in state["pending"] if one["set_aside"] or date.fromisoformat(one["night"]) < night - _LATELY
        ]
        return [f"{one['input']} of {one['task']} waits since {one['night']}" for one in old]

    def _caps(self, night: date, lost: tuple[int, int]) -> list[str]:
        self._lost[night] = lost
        lately = [taken for when, taken in self._lost.items() if when > night - _LATELY]
        notes, statements = (sum(one[place] for one in lately) for place in (0, 1))
        self.most_notes_lost = max(self.most_notes_lost, notes)
        self.most_statements_lost = max(self.most_statements_lost, statements)
        problems = []
        if notes > max(3, self.notes * 25 // 100):
            problems.append(f"{notes} notes went in 30 nights, of {self.notes}")
        if statements > max(15, self.statements * 25 // 100):
            problems.append(f"{statements} statements went in 30 nights, of {self.statements}")
        return problems

    def _index(self, files: Mapping[str, bytes], topics: Mapping[str, bytes]) -> list[str]:
        index = files["MEMORY.md"]
        lines = index.count(b"\n")
        self.most_lines, self.most_bytes = max(self.most_lines, lines), max(self.most_bytes, len(index))
        problems = []
        if lines > _INDEX_LINES or len(index) > _INDEX_BYTES:
            problems.append(f"the index has {lines} lines and {len(index)} bytes")
        reached, ahead = set[str](), ["MEMORY.md"]
        while ahead:
            path = ahead.pop()
            if path in reached or path not in files:
                continue
            reached.add(path)
            if path == "MEMORY.md" or path.startswith("CATALOG"):
                ahead += [_target(path, link) for link in _LINK.findall(files[path].decode(errors="replace"))]
        lost = sorted(set(topics) - reached)
        return [*problems, *([f"no way leads from the index to {', '.join(lost[:3])}"] if lost else [])]

    def _looked(self, files: Mapping[str, bytes], topics: Mapping[str, bytes], night: date) -> list[str]:
        for path in topics:
            self._standing.setdefault(path, Standing(since=night))
        self._standing = {path: one for path, one in self._standing.items() if path in topics}
        record = json.loads(files.get(f".dream/nights/{night.isoformat()}.json", b'{"tasks": {}}'))
        for done in record["tasks"].get("production_verification", {}).get("done", ()):
            if done["id"] in self._standing:
                self._standing[done["id"]].looked = night
        waits = {path: (night - (one.looked or one.since)).days for path, one in self._standing.items()}
        self.longest_wait = max(self.longest_wait, *waits.values(), 0)
        starved = [path for path, days in waits.items() if days > self.limits.unchecked_nights]
        return [f"nobody looked at {', '.join(starved[:3])} for {max(waits.values())} nights"] if starved else []


def _is_topic(path: str) -> bool:
    return path.endswith(".md") and not path.startswith(_NO_TOPIC)


def _statements(data: bytes) -> list[str]:
    rows = data.decode(errors="replace").splitlines()
    return [match[1] for row in rows if (match := _STATEMENT.match(row.rstrip()))]


def _target(path: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link.replace("%20", " ")))
