from __future__ import annotations

from pathlib import Path

import pytest

from config.loading import load_organisations
from config.models import Model
from examples.model import UnreadableModelError, demo_model
from examples.workspace import build_workspace


def test_the_variable_names_an_address_a_model_and_the_reference_of_a_key(tmp_path: Path) -> None:
    model = demo_model("http://127.0.0.1:8080/v1 tiny env:TINY_KEY")
    workspace = build_workspace(tmp_path / "demo", model=model)
    acme = load_organisations(workspace.folder / "organisations").get("acme")
    assert acme.models.dreamer == Model(
        provider="openai", model="tiny", base_url="http://127.0.0.1:8080/v1", credential="env:TINY_KEY"
    )


def test_a_server_of_ones_own_needs_no_key() -> None:
    assert demo_model("http://127.0.0.1:8080/v1 tiny") == {
        "provider": "openai",
        "model": "tiny",
        "base_url": "http://127.0.0.1:8080/v1",
    }


def test_without_it_nobody_is_asked() -> None:
    assert demo_model(" ") is None


@pytest.mark.parametrize("text", ["tiny", "http://127.0.0.1:8080/v1", "tiny http://127.0.0.1:8080/v1", "a://b c d e"])
def test_anything_else_is_told_what_it_should_be(text: str) -> None:
    with pytest.raises(UnreadableModelError, match="DREAM_DEMO_MODEL should read"):
        demo_model(text)
