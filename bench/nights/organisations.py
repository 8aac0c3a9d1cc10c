"""What the file of a replayed organisation says beyond where things are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.nights.dreamer import MODELS

STATEMENTS = 250
"""How many statements of one reply a night with a scripted dreamer looks at: more than it ever gives."""

TAKEN_BACK_AT_RANDOM: Mapping[str, Any] = {"breaker": {"reverts": 7, "nights": 7, "share": 1}}
"""People take tasks back by chance here, which is no reason to pause any."""

DREAMT: Mapping[str, Any] = {
    "models": MODELS,
    "limits": {
        **TAKEN_BACK_AT_RANDOM,
        "summaries": {"lasting": STATEMENTS},
        "spend": {"tokens": 10**9, "dollars": 10**6, "calls": 10**6, "minutes": 10**6},
    },
}
"""What an organisation with a scripted dreamer has more: room for everything that it offers."""
