"""A new statement beside what it cites: what code checks and what a judge is shown."""

from __future__ import annotations

from dataclasses import dataclass

from dream.guards.statements.quotes import Located
from dream.guards.statements.utterances import Record, Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement, the quotes that are to bear it out, and what the session's own record says.

    `later` is what was said in the same thread after the cited words, which may take them back. A rule (`is_rule`) says
    how people want work done, so that to ask for it is to say it.
    """

    statement: str
    quotes: tuple[Located, ...]
    record: Record
    resource: str = ""
    tentative: bool = False
    is_rule: bool = False
    later: tuple[Utterance, ...] = ()

    @property
    def lines(self) -> str:
        """The cited lines, each once, as one text."""
        return "\n".join(dict.fromkeys(quote.lines for quote in self.quotes))

    @property
    def record_names(self) -> str:
        """What the record names, and who spoke, as one text."""
        speakers = (quote.utterance.author for quote in self.quotes)
        return "\n".join((*self.record.names, *(name for name in speakers if name)))
