"""Real transcripts of each format, damaged: nothing raises, everything is accounted for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from dream.sources.sessions.formats.registry import HEAD_BYTES, SessionFile, format_of, formats
from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.parts import FileReading

_LARGEST = 200_000
_FILES = 4
_ROUNDS = 12
_SMALL = ReadingLimits(line_bytes=20_000, spoken=500, printed=300, captured=200, path=50)

Samples = dict[str, list[tuple[str, bytes]]]
Damage = Callable[[bytes, Random], bytes]


def cut(data: bytes, chance: Random) -> bytes:
    return data[: chance.randrange(len(data))]


def beheaded(data: bytes, chance: Random) -> bytes:
    return data[chance.randrange(len(data)) :]


def flipped(data: bytes, chance: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(1 + len(changed) // 2_000):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def shuffled(data: bytes, chance: Random) -> bytes:
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def thinned(data: bytes, chance: Random) -> bytes:
    return b"\n".join(line for line in data.split(b"\n") if chance.random() < 0.7)  # most of them


def glued(data: bytes, chance: Random) -> bytes:
    return b"".join(line + (b"\n" if chance.random() < 0.8 else b"") for line in data.split(b"\n"))


def retyped(data: bytes, chance: Random) -> bytes:
    """Values of other types where texts, numbers and lists stood."""
    marks = [b'":"', b'":{', b'":[', b'":true', b'":false', b'":null']
    return data.replace(chance.choice(marks), b'":7,"', 3).replace(chance.choice(marks), chance.choice(marks), 5)


DAMAGE: tuple[Damage, ...] = (cut, beheaded, flipped, shuffled, thinned, glued, retyped)


def read(kind: str, data: bytes, path: Path, limits: ReadingLimits) -> FileReading:
    path.write_bytes(data)
    return formats()[kind].reads(SessionFile(path=str(path), handle=BytesIO(data), limits=limits))


def assert_honest(reading: FileReading, limits: ReadingLimits) -> None:
    assert bool(reading.parts or reading.summaries) != bool(reading.refused)
    assert len(reading.refused) <= 100
    assert all(0 < len(what) <= 100 and count > 0 for what, count in reading.left_out.items())
    for part in reading.parts:
        assert part.id
        assert part.messages
        assert len({message.id for message in part.messages}) == len(part.messages)
        for message in part.messages:
            assert message.at.utcoffset() == timedelta(0)
            assert len(message.text) <= max(limits.spoken, limits.printed)
            assert max(len(message.command), len(message.diff)) <= limits.captured
            assert len(message.edits) <= limits.path


@pytest.fixture(scope="module")
def samples(shared_data: Path) -> Samples:
    """The smallest transcripts of each format, the beginning of longer ones where there are no others."""
    found: Samples = {}
    paths = [path for path in (shared_data / "transcripts").rglob("*") if path.is_file()]
    for path in sorted(paths, key=lambda path: (path.stat().st_size, str(path))):
        data = path.read_bytes()
        form = format_of(data[:HEAD_BYTES], str(path))
        held = found.setdefault(form.kind, []) if form else []
        if form is not None and (not held or (len(held) < _FILES and len(data) <= _LARGEST)):
            held.append((path.name, data[:_LARGEST]))
    return found


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("kind", sorted(formats()))
def test_no_damage_breaks_the_reading_of_a_real_transcript(
    samples: Samples, tmp_path: Path, kind: str, damage: Damage
) -> None:
    chance = Random(f"{kind} {damage.__name__}")  # noqa: S311  # the same damage each time
    for name, data in samples.get(kind, []):
        for number in range(_ROUNDS):
            limits = _SMALL if number % 2 else ReadingLimits()
            broken = damage(data, chance)
            assert_honest(read(kind, broken, tmp_path / name, limits), limits)
            formats()[kind].names(broken[:HEAD_BYTES], name)
            for form in formats().values():
                form.recognises(broken[:HEAD_BYTES], name)


@pytest.mark.parametrize("kind", sorted(formats()))
def test_what_was_read_of_a_file_that_was_still_being_written_is_read_again_when_it_has_grown(
    samples: Samples, tmp_path: Path, kind: str
) -> None:
    """All but the last message, which may have been half written, has the id that it keeps."""
    for name, data in samples.get(kind, []):
        if not name.endswith((".jsonl", ".md")):
            continue
        lines = data.split(b"\n")
        whole = read(kind, data, tmp_path / name, ReadingLimits())
        kept = {(part.id, message.id) for part in whole.parts for message in part.messages}
        for tenths in (3, 6, 9):
            begun = b"\n".join([*lines[: len(lines) * tenths // 10], b""])
            for part in read(kind, begun, tmp_path / name, ReadingLimits()).parts:
                assert {(part.id, message.id) for message in part.messages[:-1]} <= kept, name


def test_every_format_has_real_transcripts_to_damage(samples: Samples) -> None:
    texts = {kind for kind, form in formats().items() if {".jsonl", ".json", ".md"} & set(form.suffixes)}
    assert texts - set(samples) == {"summaries"}
