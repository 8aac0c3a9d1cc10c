"""Which tasks a night has, in which order; imports none of them, so that the command line knows their names at once."""

from __future__ import annotations

TASKS = (
    "daily_note",
    "distil",
    "pr_outcomes",
    "learnings",
    "production_verification",
    "tidy",
    "index_rewrite",
    "state_update",
)
"""The tasks of a night, in order."""

AFRESH = ("index_rewrite", "state_update")
"""Those that every landing makes afresh."""
