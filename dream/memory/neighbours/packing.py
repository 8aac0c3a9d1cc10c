"""Names and arrays of numbers as bytes, so that what was damaged is noticed and never read as something else."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Sequence
from zlib import crc32

_KIND = "I"


def pack(name: str, texts: Sequence[Sequence[str]], numbers: Sequence[array[int]]) -> bytes:
    """Return lists of `texts` (none with a line feed) and of `numbers` as bytes, under a name with a version."""
    parts = [*("\n".join(text).encode() for text in texts), *(part.tobytes() for part in numbers)]
    body = b"".join(parts)
    head = {"name": _named(name), "lengths": [len(part) for part in parts], "texts": len(texts), "crc": crc32(body)}
    return json.dumps(head).encode() + b"\n" + body


def unpack(name: str, data: bytes) -> tuple[list[list[str]], list[array[int]]] | None:
    """Return what `pack` was given under the same name; None for anything else, and for what was damaged."""
    line, _, body = data.partition(b"\n")
    try:
        head = json.loads(line)
        lengths, texts = head["lengths"], head["texts"]
        if head["name"] != _named(name) or head["crc"] != crc32(body) or sum(lengths) != len(body):
            return None
        found: tuple[list[list[str]], list[array[int]]] = ([], [])
        at = 0
        for place, length in enumerate(lengths):
            part = body[at : at + length]
            at += length
            if place < texts:
                found[0].append(part.decode().split("\n") if part else [])
            else:
                found[1].append(array(_KIND, part))
    except (ValueError, KeyError, TypeError):
        return None
    return found


def _named(name: str) -> str:
    return f"{name} {sys.byteorder} {array(_KIND).itemsize}"
