"""The command line in this process: what it printed, and how it ended."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from config.settings import Settings
from flows.cli import main
from tests.support.stage import Stage


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, and what it wrote to its two streams."""

    exit: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The one document that standard output holds."""
        document: dict[str, Any] = json.loads(self.out)
        return document


class Commands:
    """Runs commands with the settings of one installation, in a folder of its own."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        """Set the environment as an operator would."""
        self.root = root
        self._capture = capture
        (root / "organisations").mkdir(exist_ok=True)
        monkeypatch.setenv("DREAM_ORGANISATIONS", str(root / "organisations"))
        monkeypatch.setenv("DREAM_HOME", str(root / "home"))
        monkeypatch.chdir(root)

    def write(self, name: str, document: Mapping[str, Any]) -> Path:
        """Configure an organisation; JSON is YAML too."""
        path = self.root / "organisations" / f"{name}.yaml"
        path.write_text(json.dumps({"organisation": name, **document}), encoding="utf-8")
        return path

    def __call__(self, *arguments: str) -> Ended:
        """Run `dream` with these arguments."""
        self._capture.readouterr()
        code = main(arguments)
        out, err = self._capture.readouterr()
        return Ended(code, out, err)


def program(*arguments: str) -> list[str]:
    """Return the words that start `dream` as a program of its own, from the root of the checkout."""
    return [sys.executable, "-c", "import sys; from flows.cli import main; sys.exit(main())", *arguments]


def configure(stage: Stage) -> Settings:
    """Write the stage's organisation as a file and return the settings of the installation that it belongs to."""
    document = stage.organisation.model_dump(mode="json")
    (stage.root / f"{stage.name}.yaml").write_text(json.dumps(document), encoding="utf-8")
    return stage.workplace().settings
