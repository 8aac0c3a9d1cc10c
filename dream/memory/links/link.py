"""A link as it stands in a note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link whose target stands on line `line` of a text; columns `start` up to `end` are what of it is on that line.

    `target` is as written, without `<…>` and without the `#anchor`, from column `target_start` up to `target_end`. A
    target that is used by reference is one link, at its definition. `<https://…>` points out of the memory and is none.
    """

    line: int
    start: int
    end: int
    target: str
    anchor: str
    kind: Literal["markdown", "wiki"]
    text: str
    target_start: int
    target_end: int
    image: bool = False
