"""What this process was started with; everything else is told by whoever calls it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

_API = "PREFECT_API_URL"


def process_environment() -> dict[str, str]:
    """Return a copy of this process's environment variables."""
    return dict(os.environ)


def has_prefect_api(environment: Mapping[str, str]) -> bool:
    """Tell whether a Prefect API is configured, by variable or by the active profile, without importing Prefect."""
    if environment.get(_API):
        return True
    home = Path(environment.get("PREFECT_HOME") or Path(environment.get("HOME") or "/") / ".prefect")
    path = Path(environment.get("PREFECT_PROFILES_PATH") or home / "profiles.toml")
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    profiles = document.get("profiles")
    active = environment.get("PREFECT_PROFILE") or document.get("active")
    profile = profiles.get(active) if isinstance(profiles, dict) else None
    return isinstance(profile, dict) and bool(profile.get(_API))
