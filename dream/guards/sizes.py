"""How large a note and a line may become."""

from __future__ import annotations

from collections.abc import Iterable

from dream.guards.ownership import is_flow_file
from dream.guards.wording import fresh_lines, replaced_text
from dream.memory.notes import MAX_NOTE_BYTES
from dream.memory.operations import Proposal, Refusal

MAX_LINE_BYTES = 4_000


class SizeGuard:
    """Refuses notes and lines that would be too large for whoever reads them next."""

    def __init__(self, *, max_note_bytes: int = MAX_NOTE_BYTES, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        """Take both limits in bytes."""
        self._max_note_bytes = max_note_bytes
        self._max_line_bytes = max_line_bytes

    def __call__(self, proposal: Proposal) -> Refusal | None:
        """Refuse with `note-too-large` or `line-too-long`; the flow's own files may grow.

        A line that was too long already may change as long as it does not grow: else no link in it could be mended.
        """
        if all(is_flow_file(path) for path in proposal.touched):
            return None
        for path in sorted(proposal.touched):
            size = proposal.after.size(path)
            if size > self._max_note_bytes and size > proposal.before.size(path):
                return Refusal("note-too-large", f"{path}: {size} bytes, at most {self._max_note_bytes}")
        longest = max(_sizes(replaced_text(proposal.operation, proposal.before).split("\n")))
        written = max(_sizes(fresh_lines(proposal.operation, proposal.before)), default=0)
        if written > max(self._max_line_bytes, longest):
            return Refusal("line-too-long", f"{written} bytes, at most {self._max_line_bytes}")
        return None


def _sizes(lines: Iterable[str]) -> list[int]:
    return [len(line.encode(errors="surrogatepass")) for line in lines]
