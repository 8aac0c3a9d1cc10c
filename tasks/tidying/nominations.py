"""What of a memory is nominated to be put in order: pairs, and single notes and statements, each with its reason."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dream.memory.notes import Entry, Note


class Matter(StrEnum):
    """What may be wrong: it decides what is asked, and what may follow from the answer."""

    DUPLICATE = "duplicate"
    CONTRADICTION = "contradiction"
    SAME_TOPIC = "same-topic"
    INCIDENTS = "incidents"
    NEARLY_EMPTY = "nearly-empty"
    SEVERAL_TOPICS = "several-topics"
    IN_CODE = "in-code"
    WORDY = "wordy"


_AND = " + "
_ID = re.compile(rf"(?:{'|'.join(Matter)}) (?P<paths>.+): [0-9a-f]{{8}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An entry where it stands under the nearest heading line (`section`) above it, or a whole note (`entry` None)."""

    path: str
    note: Note
    entry: Entry | None = None
    section: str = ""

    @property
    def shown(self) -> str:
        """How people find it: `services/search.md:12`."""
        return self.path if self.entry is None else f"{self.path}:{self.entry.start + 1}"

    @property
    def text(self) -> str:
        """What it says: the entry without date and sources, or the text of the note."""
        return self.note.text if self.entry is None else self.entry.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Nomination:
    """One `matter` about one or more places, the likelier the higher its `score` (0 to 1), and `why` in a few words.

    A pair has two places, in the order of their paths. `why` is made by code of code's own words.
    """

    matter: Matter
    places: tuple[Place, ...]
    score: float
    why: str = ""

    @property
    def id(self) -> str:
        """What it is called in the record, equal as long as the places say the same: `duplicate a.md + b.md: 1f3c`."""
        paths = _AND.join(dict.fromkeys(place.path for place in self.places))
        return f"{self.matter} {paths}: {self.digest[:8]}"

    @property
    def digest(self) -> str:
        """A hash of what it is about: another one when a side changed."""
        said = "\0".join(f"{place.path}\0{place.text}" for place in self.places)
        return hashlib.sha256(f"{self.matter}\0{said}".encode(errors="surrogatepass")).hexdigest()[:16]


def paths_named(name: str) -> tuple[str, ...]:
    """Return the notes that the `id` of a nomination names; nothing where `name` is the name of something else."""
    match = _ID.fullmatch(name)
    return tuple(match["paths"].split(_AND)) if match else ()
