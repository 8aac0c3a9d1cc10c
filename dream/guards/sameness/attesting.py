"""What a judge has attested: that two statements in other words say the same, as a line of evidence that code makes.

The line holds for just these two statements, and only as long as they differ in nothing that is closed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from dream.guards.sameness.closed import closed_difference
from dream.memory.entries import collapse

ATTESTED = "attested "
MAY_ATTEST = frozenset({"tidy"})
"""The tasks that ask a judge whether two statements are one; of any other such a line counts for nothing."""

_DIGEST = 16
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9._/:-]+")
_LONGEST_NAME = 80


def attestation(kept: str, other: str, *, judge: str) -> str:
    """Return the evidence that `judge` has found each of two statements (comparison keys) in the other."""
    name = _NOT_PLAIN.sub("-", judge)[:_LONGEST_NAME]
    return f"{ATTESTED}{_digest(kept)} says {_digest(other)}, {name}"


def is_attested(evidence: Iterable[str], kept: str, other: str) -> bool:
    """Whether a line of `evidence` is about these two statements, and nothing that is closed stands against it."""
    begins = f"{ATTESTED}{_digest(kept)} says {_digest(other)}, "
    return any(line.startswith(begins) for line in evidence) and not closed_difference(kept, other)


def without_attestations(evidence: Iterable[str]) -> tuple[str, ...]:
    """Return the lines of `evidence` that may lend their words to a statement: digests and names of judges do not."""
    return tuple(line for line in evidence if not line.startswith(ATTESTED))


def _digest(key: str) -> str:
    return hashlib.sha256(collapse(key).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
