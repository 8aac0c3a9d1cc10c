"""Which notes of a memory were read, told by transcripts: a call that shows a file, and output that holds its lines.

No model is asked, and nobody's words say so. A path alone is not enough, since other repositories have files of the
same name: a line of the note must stand in what the call printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date
from functools import cache

from dream.memory.paths import is_topic
from dream.memory.tree import Tree
from dream.sources.sessions.shown_files import shown_files
from dream.sources.sessions.values import Message, Session

_NOTE = ".md"
_SHORTEST_LINE = 12
_FOLDER_AND_NAME = 2


class ReadNotes:
    """The topic notes of a memory by the ends of their paths, and the lines by which a read of one is known."""

    def __init__(self, trees: Sequence[Tree], *, folder: str = "", checkout: str = "") -> None:
        """Take the memory as it was on the day and as it is now (`trees`), in the folder `folder` of its repository.

        `checkout` is what a working copy of that repository is called where nobody calls it otherwise.
        """
        self._trees = trees
        self._by_name: dict[str, list[tuple[str, str]]] = {}
        for path in sorted({path for tree in trees for path in tree.paths() if is_topic(path)}):
            within = f"{folder.strip('/')}/{path}" if folder else path
            ends = {path, within, f"{checkout}/{within}" if checkout else within}
            name = path.rpartition("/")[2]
            told = [(end, path) for end in sorted(ends) if end.count("/") + 1 >= _FOLDER_AND_NAME]
            self._by_name.setdefault(name, []).extend(told)
        self._lines = cache(self._lines_of)

    def read_in(self, message: Message) -> Iterator[str]:
        """Yield the notes that the call shows whose output `message` is."""
        if _NOTE not in message.tool and _NOTE not in message.command:
            return
        for shown in shown_files(message):
            path = self._note_at(shown)
            if path and any(line in message.text for line in self._lines(path)):
                yield path

    def _note_at(self, shown: str) -> str:
        """Return the note whose path is the longest that `shown` ends in, "" where there is none."""
        ending = [one for one in self._by_name.get(shown.rpartition("/")[2], ()) if f"/{shown}".endswith(f"/{one[0]}")]
        return max(ending, key=lambda one: len(one[0]), default=("", ""))[1]

    def _lines_of(self, path: str) -> frozenset[str]:
        told = (tree.read(path) or b"" for tree in self._trees)
        lines = (line.strip() for data in told for line in data.decode(errors="replace").split("\n"))
        return frozenset(line for line in lines if len(line) >= _SHORTEST_LINE and " " in line)


def reads_in(sessions: Iterable[Session], notes: ReadNotes) -> dict[str, date]:
    """Return the notes that agents read in `sessions`, each with the last day (UTC) on which they did."""
    days: dict[str, date] = {}
    for session in sessions:
        for message in session.messages:
            for path in notes.read_in(message):
                day = message.at.astimezone(UTC).date()
                days[path] = max(day, days.get(path, day))
    return days
