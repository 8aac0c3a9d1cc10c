"""The roles that were given by hand, and what the readers make of the same messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Message, SessionSource

LABELS = Path(__file__).parent / "labels"
NONE = "none"

_EVER = datetime(2000, 1, 1, tzinfo=UTC)
_NOW = datetime(2027, 1, 1, tzinfo=UTC)
_LONGEST = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One line of a real transcript and whose words it is; `roles` are those that it may have."""

    kind: str
    source: str
    at: str
    sha256: str
    roles: frozenset[str]
    why: str

    @property
    def is_a_persons(self) -> bool:
        """Whether a person wrote it."""
        return self.roles == {"person"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A label beside the roles of the messages that hold its line; no role where no message does."""

    label: Label
    found: frozenset[str]

    @property
    def is_right(self) -> bool:
        """Whether the reader says what the hand said; harness text may be left out of a session altogether."""
        found = self.found or frozenset({NONE})
        return found <= (self.label.roles | {NONE} if "harness" in self.label.roles else self.label.roles)

    @property
    def invents_a_person(self) -> bool:
        """Whether the reader takes for a person's what is nobody's."""
        return "person" in self.found and "person" not in self.label.roles


def labels() -> tuple[Label, ...]:
    """Every label that was given, format by format."""
    return tuple(label for path in sorted(LABELS.glob("*.tsv")) for label in _labels_of(path))


def judge(data: Path, given: Sequence[Label]) -> tuple[Judged, ...]:
    """Read each labelled source once and put what was found beside what was given."""
    sources = {(label.kind, label.source) for label in given}
    found = {source: _roles_by_line(data, *source) for source in sorted(sources)}
    return tuple(
        Judged(label=label, found=found[label.kind, label.source].get(label.sha256, frozenset())) for label in given
    )


def hash_of(line: str) -> str:
    """What a label keeps of a line."""
    return sha256(line.strip()[:_LONGEST].encode()).hexdigest()[:12]


def _labels_of(path: Path) -> list[Label]:
    _, *rows = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    cells = [row.split("\t") for row in rows]
    return [
        Label(kind=path.stem, source=source, at=at, sha256=digest, roles=frozenset(role.split("/")), why=why)
        for source, at, digest, role, why in cells
    ]


def _roles_by_line(data: Path, kind: str, source: str) -> Mapping[str, frozenset[str]]:
    reading = read_sessions([SessionSource(kind=kind, path=str(data / source))], since=_EVER, now=_NOW)
    leading: dict[str, set[str]] = {}
    within: dict[str, set[str]] = {}
    for message in (message for session in reading.sessions for message in session.messages):
        first, *others = _hashes(message)
        leading.setdefault(first, set()).add(message.role.value)
        for line in others:
            within.setdefault(line, set()).add(message.role.value)
    # A line that begins a message is that message's: elsewhere the same line is a quotation of it.
    return {line: frozenset(roles) for line, roles in {**within, **leading}.items()}


def _hashes(message: Message) -> list[str]:
    return [hash_of(line) for line in message.text.strip().split("\n")]
