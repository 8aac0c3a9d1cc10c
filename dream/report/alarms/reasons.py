"""Reasons for which nothing is written although nothing is wrong."""

from __future__ import annotations

DEFERRED = "deferred-"
"""How the reasons begin for which the loss budget leaves an operation to another night."""

NOTHING_TO_SAY = "nothing-to-say"
"""Conversations in which the model found nothing worth keeping."""

SILENT = frozenset(
    {
        "no-person",
        "nobody-spoke",
        "nothing-typed",
        NOTHING_TO_SAY,
        "nothing-to-teach",
        "observed",
        "tentative",
        "too-few-sessions",
    }
)
"""Inputs that held nothing, or that wait for somebody to say the same again."""

KNOWN = frozenset(
    {"already-counted", "already-learned", "already-there", "already-written", "known-already", "near-duplicate"}
)
"""Inputs that say what the memory says."""

DECIDED = frozenset({"a-persons-own", "declined", "displaced", "rejected-before", "taken-over", "undone"})
"""Inputs that people, or a judge in an earlier night, have decided about."""

HONEST = SILENT | KNOWN | DECIDED
