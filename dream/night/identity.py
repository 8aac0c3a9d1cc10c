"""The hash that says two runs of a night are the same run."""

from __future__ import annotations

import hashlib
import json
from datetime import date


def run_id(*, organisation: str, night: date, base: str, configuration: str, prompts: str, version: str) -> str:
    """Return 16 hex digits of the hash of everything that decides what a night does; credentials are no part of it.

    `prompts` is the digest of the templates that models are asked with.
    """
    payload = [organisation, night.isoformat(), base, configuration, prompts, version]
    return hashlib.sha256(json.dumps(payload, sort_keys=True, default=str).encode()).hexdigest()[:16]
