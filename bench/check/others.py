"""Other tools on the same files: markdownlint's rules, and a link checker that follows links on disk alone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from bench.check.trees import Memory

LINTER = "markdownlint-cli2"
LINKS = "markdown-link-check"
_RULE = re.compile(r"^(?P<file>.+?):(?P<line>[0-9]+)(?::[0-9]+)? (?:error|warning) (?P<rule>MD[0-9]+)/", re.MULTILINE)
_CONFIG = {"ignorePatterns": [{"pattern": "^[a-zA-Z][a-zA-Z0-9+.-]*:"}]}
_SECONDS = 600


@dataclass(frozen=True, slots=True, order=True)
class Dead:
    """A link that leads nowhere by somebody's account: the file it stands in, and its target as it is written."""

    file: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The other tools, as far as they are here; None is absent."""

    linter: str | None
    links: str | None


def find_tools(folder: Path | None) -> Tools:
    """Return the tools in `folder`, else those on PATH."""
    places = os.pathsep.join(filter(None, (str(folder) if folder else "", os.environ.get("PATH", ""))))
    return Tools(linter=shutil.which(LINTER, path=places), links=shutil.which(LINKS, path=places))


def lint(linter: str, folder: Path) -> Mapping[str, int]:
    """Return how often each of markdownlint's rules is broken below `folder`, with its defaults."""
    ended = _run([linter, "**/*.md"], folder)
    return Counter(match["rule"] for match in _RULE.finditer(ended))


def dead_links(links: str, memory: Memory, folder: Path) -> frozenset[Dead]:
    """Return the links of `memory`, which stands in `folder`, that lead to nothing on disk; no address is opened."""
    config, told = (folder.parent / f"{folder.name}{ending}" for ending in (".json", ".xml"))
    config.write_text(json.dumps(_CONFIG))
    told.unlink(missing_ok=True)
    files = [f"./{path}" for path in memory.notes]
    _run([links, "-q", "-c", str(config), "--reporters", "junit", "--junit-output", str(told), *files], folder)
    root = ET.parse(told).getroot()  # noqa: S314  # the tool has just written it
    return frozenset(
        Dead(_property(suite, "file").removeprefix("./"), _property(case, "url"))
        for suite in root.iter("testsuite")
        for case in suite.iter("testcase")
        if case.find("failure") is not None
    )


def _property(element: Element, name: str) -> str:
    return next(one.get("value", "") for one in element.iterfind("properties/property") if one.get("name") == name)


def _run(command: list[str], folder: Path) -> str:
    ended = subprocess.run(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=_SECONDS,
    )
    return ended.stdout
