"""What Prefect is shown of our events, and how its own lines are written where logs are JSON."""

from __future__ import annotations

from flows.telling.run_logs import shown_event


def test_numbers_and_the_names_of_code_are_shown_and_no_text() -> None:
    event = {
        "event": "task.planned",
        "task": "tidy",
        "organisation": "acme",
        "outcome": "changed",
        "inputs": 3,
        "cause": "canary",
        "path": "services/canary.md",
        "error": "a text of the canary",
        "reason": "canary",
    }
    assert shown_event(event) == "task.planned task=tidy organisation=acme outcome=changed inputs=3"
