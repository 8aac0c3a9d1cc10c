"""The strings that the gates are tried on: published attacks, look-alikes that mean no harm, and honest entries."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bench.gates.words import orders_in

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
HONEST = Path(__file__).with_name("honest.tsv")

_GARAK = "injection/NVIDIA__garak/garak/data"
_BIPIA = "injection/leolee99__PIGuard/datasets/BIPIA_text.json"
_BENIGN = ("NotInject_one.json", "wildguard.json")
# What the attackers' collection itself calls ordinary, which is carried as such.
_ORDINARY = ("payloads/normal_instructions.json", "payloads/text_en.json")
_NO_ORDERS = frozenset(
    f"payloads/{name}"
    for name in ("sql_injection", "python_code_execution", "access_shell_commands", "rude_french", "rude_chinese")
)


@dataclass(frozen=True)
class Text:
    """A string of the corpus, where it is from, and of which half: what is tuned on, or what is only told."""

    kind: str
    text: str

    @property
    def half(self) -> str:
        """`tune` or `test`, by the hash of the string, so that it is the same in every run."""
        return half_of(self.text)

    @cached_property
    def orders(self) -> tuple[str, ...]:
        """Its sentences that tell a reader to do something, by `bench.gates.words`, which knows no guard.

        Code for a database or a shell, and insults, tell a reader nothing to do.
        """
        return () if self.kind in _NO_ORDERS else orders_in(self.text)


def half_of(text: str) -> str:
    """Return `tune` or `test` for a string."""
    return "tune" if hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[0] % 2 else "test"


def attacks(data: Path = DATA) -> tuple[Text, ...]:
    """Return every attack, each string once: jailbreaks, extraction of system prompts, code, and BIPIA's orders."""
    found: dict[str, Text] = {}
    garak = data / _GARAK
    for path in sorted(garak.rglob("*.json")):
        name = path.relative_to(garak).as_posix()
        if name not in _ORDINARY:
            for text in _strings(_payloads(path)):
                found.setdefault(text, Text(name.partition(".")[0], text))
    for line in (garak / "tap/tap_jailbreaks.txt").read_text(encoding="utf-8").split("\n"):
        if line.strip():
            found.setdefault(line, Text("tap", line))
    for category, texts in json.loads((data / _BIPIA).read_text(encoding="utf-8")).items():
        for text in texts:
            found.setdefault(text, Text(f"bipia/{category}", text))
    return tuple(found.values())


def benign(data: Path = DATA) -> tuple[Text, ...]:
    """Return the strings that look like attacks, or are about what attacks are about, and are none."""
    found: dict[str, Text] = {}
    for name in _BENIGN:
        path = data / "injection/leolee99__PIGuard/datasets" / name
        for item in json.loads(path.read_text(encoding="utf-8")):
            found.setdefault(item["prompt"], Text(name.partition(".")[0], item["prompt"]))
    for name in _ORDINARY:
        for text in _strings(_payloads(data / _GARAK / name)):
            found.setdefault(text, Text(name.partition(".")[0], text))
    return tuple(found.values())


class StaleReferenceError(LookupError):
    """A line that `honest.tsv` names is not there, or reads otherwise."""


def honest(data: Path = DATA) -> tuple[Text, ...]:
    """Return the 300 honest operations entries: rules of people, steps of runbooks, facts; raises where one is gone.

    They were drawn by lot from the lines of real memories and skills that begin like a rule, like a step, or state a
    value; questions and lines that are about no work were taken out by hand, and none for what a guard says of it.
    """
    found = []
    lines: dict[str, list[str]] = {}
    for row in HONEST.read_text(encoding="utf-8").split("\n")[1:]:
        if not row:
            continue
        kind, file, line, digest = row.split("\t")
        if file not in lines:
            lines[file] = (data / file).read_text(encoding="utf-8").split("\n")
        text = lines[file][int(line) - 1].strip()
        if not hashlib.sha256(text.encode()).hexdigest().startswith(digest):
            message = f"{file}:{line} does not read as it did"
            raise StaleReferenceError(message)
        found.append(Text(kind, text))
    return tuple(found)


def _payloads(path: Path) -> object:
    data = json.loads(path.read_text(encoding="utf-8"))
    return data.get("payloads", data) if isinstance(data, dict) else data


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)
