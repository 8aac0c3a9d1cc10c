"""The transcripts that there are, read as the product reads them, tool by tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from dream.sources.sessions.formats.registry import HEAD_BYTES, format_of
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Reading, Session, SessionSource

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "transcripts"
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
_END = datetime(2100, 1, 1, tzinfo=UTC)
_PARSED = frozenset({".jsonl", ".json"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Sessions that one file holds, mostly one, and the bytes of that file, its copies not counted."""

    path: str
    size: int
    sessions: tuple[Session, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """All files of one format: `kind` and `tool` are its names, `units` what was read, `skipped` reasons by file."""

    kind: str
    tool: str
    files: tuple[Path, ...]
    units: tuple[Unit, ...]
    skipped: Mapping[str, str]

    def read(self) -> Reading:
        """Read the files again."""
        return _read(self.kind, self.files)

    @property
    def is_json(self) -> bool:
        """Whether a program that only parses JSON can be held beside reading these."""
        return all(path.suffix in _PARSED for path in self.files)


def collections(folder: Path) -> Iterator[Collection]:
    """Yield what is under `folder` by format; files that no format recognises are in none."""
    by_kind: dict[str, list[Path]] = {}
    tools = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            found = format_of(file.read(HEAD_BYTES), str(path))
        if found is not None:
            by_kind.setdefault(found.kind, []).append(path)
            tools[found.kind] = found.tool
    for kind, files in sorted(by_kind.items()):
        reading = _read(kind, files)
        yield Collection(
            kind=kind,
            tool=tools[kind],
            files=tuple(files),
            units=tuple(_units(reading.sessions)),
            skipped={skipped.path: skipped.reason for skipped in reading.skipped},
        )


def _read(kind: str, files: Sequence[Path]) -> Reading:
    sources = [SessionSource(kind=kind, path=str(path)) for path in files]
    return read_sessions(sources, since=_BEGINNING, now=_END)


def _units(sessions: Sequence[Session]) -> Iterator[Unit]:
    """Yield one unit for each file; a session that was found in several files counts with its largest."""
    held: dict[str, list[Session]] = {}
    for session in sessions:
        largest = max(session.origin_files, key=lambda path: (Path(path).stat().st_size, path))
        held.setdefault(largest, []).append(session)
    for path, some in sorted(held.items()):
        yield Unit(path=path, size=Path(path).stat().st_size, sessions=tuple(some))
