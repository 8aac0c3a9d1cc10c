from __future__ import annotations

import os
from pathlib import Path

import pytest

from config.environment import has_prefect_api, process_environment


def test_the_environment_is_a_copy() -> None:
    process_environment()["DREAM_TEST_COPY"] = "x"
    assert "DREAM_TEST_COPY" not in os.environ


def test_a_prefect_api_is_configured_by_variable(tmp_path: Path) -> None:
    assert has_prefect_api({"PREFECT_API_URL": "http://127.0.0.1:4200/api"})
    assert not has_prefect_api({"HOME": str(tmp_path), "PREFECT_API_URL": ""})


@pytest.mark.parametrize(
    ("profiles", "chosen", "configured"),
    [
        ('active = "prod"\n[profiles.prod]\nPREFECT_API_URL = "http://127.0.0.1:4200/api"\n', "", True),
        ('active = "here"\n[profiles.prod]\nPREFECT_API_URL = "http://x/api"\n[profiles.here]\n', "", False),
        ('active = "here"\n[profiles.prod]\nPREFECT_API_URL = "http://x/api"\n[profiles.here]\n', "prod", True),
        ("[profiles]\n", "", False),
        ("profiles = 3\n", "", False),
        ("not toml", "", False),
    ],
)
def test_a_prefect_api_is_configured_by_the_active_profile(
    tmp_path: Path, profiles: str, chosen: str, *, configured: bool
) -> None:
    (tmp_path / "profiles.toml").write_text(profiles)
    assert has_prefect_api({"PREFECT_HOME": str(tmp_path), "PREFECT_PROFILE": chosen}) is configured
