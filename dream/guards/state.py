"""The seal of `.dream/state.json`: who holds an organisation's key wrote it, or nobody says so."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

SEAL_KEY = "seal"


def seal_state(payload: Mapping[str, Any], key: bytes) -> str:
    """Return the HMAC-SHA256 (64 hex) of `payload` without its own seal, in canonical JSON, under `key`.

    Raises:
        ValueError: the payload holds what JSON cannot (NaN, an infinity) or the key is empty.
    """
    if not key:
        message = "an empty key seals nothing"
        raise ValueError(message)
    unsealed = {name: value for name, value in payload.items() if name != SEAL_KEY}
    canonical = json.dumps(unsealed, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hmac.new(key, canonical.encode("ascii"), hashlib.sha256).hexdigest()


def seal_holds(payload: Mapping[str, Any], key: bytes) -> bool:
    """Whether the seal in `payload` was made over exactly this payload with this key; compared in constant time."""
    seal = payload.get(SEAL_KEY)
    if not isinstance(seal, str) or not seal.isascii():
        return False
    try:
        expected = seal_state(payload, key)
    except (ValueError, TypeError, RecursionError):
        return False
    return hmac.compare_digest(seal, expected)
