"""What a command answers: a text for people, a document for programs, and an exit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`text` goes to standard output, or with `--json` the `document` alone; `exit_code` is the command's."""

    text: str
    document: Mapping[str, Any]
    exit_code: int = 0
