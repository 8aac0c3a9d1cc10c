from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from config.organisation import Organisation

PAGE = (Path(__file__).parents[2] / "docs" / "pull-requests.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_documented_source_agent_and_machine_is_a_configuration(example: str) -> None:
    told = {"organisation": "acme", "memory": {"url": "/memory.git"}, **YAML(typ="safe").load(example)}
    made = Organisation.model_validate(told)
    assert made.pull_requests or made.agents or made.machines


def test_the_documented_defaults_are_those() -> None:
    source = Organisation.model_validate(
        {"organisation": "acme", "memory": {"url": "/memory.git"}, **YAML(typ="safe").load(EXAMPLES[0])}
    ).pull_requests[0]
    documented = re.findall(r"^\| `(\w+)` \| (\d+) \|", PAGE, re.MULTILINE)
    assert [(name, str(round(getattr(source, name)))) for name, _ in documented] == documented
    assert len(documented) == 4
