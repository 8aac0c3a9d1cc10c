"""The runs of one night as they ended, one JSON document a line: what no record tells when nothing landed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

Wanted = Literal["nothing", "a retry", "a person"]


class Attempt(BaseModel):
    """How one run of a night ended; `at` is the instant (UTC), `needs` what can help if nothing landed.

    `paid` says what this night's runs on this machine, up to this one, have paid for models.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    at: AwareDatetime
    status: str
    exit: int = 0
    reason: str = ""
    way_out: str = ""
    needs: Wanted = "nothing"
    tip: str = ""
    tries: int = 0
    failed: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    paid: str = ""


def parse_attempts(data: bytes) -> tuple[Attempt, ...]:
    """Return the attempts in `data`, oldest first; a line that a killed run left unfinished is passed over."""
    attempts = []
    for line in data.split(b"\n"):
        try:
            attempts.append(Attempt.model_validate_json(line))
        except ValidationError:
            continue
    return tuple(sorted(attempts, key=lambda attempt: attempt.at))


def render_attempt(attempt: Attempt) -> bytes:
    """Return the line that keeps `attempt`, in ASCII, with a line feed on either side of it."""
    return f"\n{json.dumps(attempt.model_dump(mode='json'), sort_keys=True)}\n".encode("ascii")


def findings_of(attempts: Iterable[Attempt]) -> tuple[str, ...]:
    """Return everything that runs found, each once, in order."""
    return tuple(dict.fromkeys(finding for attempt in attempts for finding in attempt.findings))
