"""New statements say where they come from, and only code says so."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from dream.guards.wording import replaced_text, written_text
from dream.memory.operations import Add, Proposal, Refusal
from dream.memory.sources import Origin, origin

_VOUCHER = re.compile(
    r"person:[^\s\[\],;][^\[\],;\n]{0,80}@[0-9A-Za-z][0-9A-Za-z_./-]{0,200}(?:[#!][0-9]{1,9})?"
    r"|thread_[0-9A-Za-z][0-9A-Za-z_.-]{0,199}"
)
_BRACKETS = re.compile(r"\[([^\[\]\n]{1,400})\]")
_PARTS = re.compile(r"[,;]")


class SourceGuard:
    """Refuses statements without a source and a date, with a source nobody read tonight, or with a forged one."""

    def __init__(self, tonight: Collection[str]) -> None:
        """Take every source that was really read tonight, the `person:` forms too: a name cannot be inferred."""
        self._tonight = frozenset(tonight)

    def __call__(self, proposal: Proposal) -> Refusal | None:
        """Refuse with `no-source`, `no-date`, `source-not-read` or `forged-source`."""
        operation = proposal.operation
        sources = operation.basis.sources
        if isinstance(operation, Add):
            if not sources:
                return Refusal("no-source")
            if operation.basis.dated is None:
                return Refusal("no-date")
        standing = frozenset(vouchers(replaced_text(operation, proposal.before)))
        for source in sources:
            if source not in self._tonight and source not in standing:
                return Refusal("source-not-read", ascii(source)[1:-1])
        for voucher in vouchers(written_text(operation)):
            if voucher not in sources and voucher not in standing:
                return Refusal("forged-source", ascii(voucher)[1:-1])
        return None


def vouchers(text: str) -> Iterator[str]:
    """Yield what in `text` reads as its source: threads and people anywhere, whatever else is one in brackets.

    A pull request or a `web:8080` in a sentence is a thing spoken about, not a voucher.
    """
    for match in _VOUCHER.finditer(text):
        yield match[0].rstrip(".")
    for bracket in _BRACKETS.finditer(text):
        for part in _PARTS.split(bracket[1]):
            if origin(part.strip()) is not Origin.EXTERNAL or part.strip().startswith("web:"):
                yield part.strip()


def take_vouchers_apart(text: str) -> str:
    """Return `text` with what reads as a thread or a person broken by a backslash, so that it vouches for nothing."""
    return _VOUCHER.sub(lambda match: re.sub(r"(?<=thread)_|(?<=person):", r"\\\g<0>", match[0]), text)
