"""Prompt templates: fixed words with declared variables, and the text of others always behind a fence.

A template is a front part in YAML, the system's words, and the question, each ended by a line `---`. The front part
names the `trusted` variables, which stand in the question's own words, and the `untrusted` ones, each with the label of
the part that it becomes; those follow the question in the order in which they are declared.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

from dream.errors import FatalError
from dream.models.prompt import Prompt, Untrusted

MOST_CHARACTERS = 60_000
_VERSION_CHARACTERS = 12
_NAME = re.compile(r"[a-z_]{1,40}/[a-z_]{1,40}")
_LABEL = re.compile(r"[a-z][A-Za-z0-9 ,'-]{0,80}")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,79}")
_PARTS = 3

Trusted = int | date | str


class TemplateError(FatalError):
    """A template is not what it says, or is not given what it asks for."""

    usual_way_out = "install the package again; where the prompts were changed, run their tests"


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A template as it is packaged; `version` is the digest of its text, which belongs to the key of every answer."""

    name: str
    version: str
    system: str
    body: str
    trusted: tuple[str, ...]
    untrusted: Mapping[str, str]

    def render(
        self,
        values: Mapping[str, Trusted],
        untrusted: Mapping[str, str],
        *,
        most: int = MOST_CHARACTERS,
        salt: str = "",
    ) -> Prompt:
        """Return the question; of each untrusted text at most `most` characters, and its label says what was cut.

        Raises:
            TemplateError: a variable is missing or not declared, or a trusted value is no plain word, number or date.
        """
        _same(self.name, {*values}, {*self.trusted})
        _same(self.name, {*untrusted}, {*self.untrusted})
        plain = {name: _plain(self.name, name, value) for name, value in values.items()}
        question = _environment().from_string(self.body).render(plain).strip()
        pieces = [_bounded(label, untrusted[name], most) for name, label in self.untrusted.items()]
        return Prompt(name=self.name, version=self.version, system=self.system, parts=(question, *pieces), salt=salt)


@cache
def load_template(name: str) -> Template:
    """Return the packaged template `name`, such as `distil/propose`.

    Raises:
        TemplateError: there is none, or it breaks a rule.
    """
    if not _NAME.fullmatch(name):
        message = f"{name!r} is no name of a template"
        raise TemplateError(message)
    file = resources.files("prompts").joinpath(f"{name}.md")
    if not file.is_file():
        message = f"there is no template {name}"
        raise TemplateError(message)
    return parse_template(name, file.read_text(encoding="utf-8"))


def parse_template(name: str, text: str) -> Template:
    """Return the template in `text`.

    Raises:
        TemplateError: it has not three parts, its front part declares nothing that it uses or the other way round, or
            it would put text of others into its own words.
    """
    parts = text.removeprefix("---\n").split("\n---\n")
    if not text.startswith("---\n") or len(parts) != _PARTS:
        message = f"template {name}: a front part, the system's words and the question are expected"
        raise TemplateError(message)
    trusted, untrusted = _declared(name, parts[0])
    used = _used(name, parts[2])
    if used & {*untrusted}:
        message = f"template {name}: {min(used & {*untrusted})} is text of others and may not stand in its words"
        raise TemplateError(message)
    _same(name, used, {*trusted})
    if _used(name, parts[1]) or "{%" in parts[1]:
        message = f"template {name}: the system's words are the same for all questions"
        raise TemplateError(message)
    return Template(
        name=name,
        version=hashlib.sha256(text.encode()).hexdigest()[:_VERSION_CHARACTERS],
        system=parts[1].strip(),
        body=parts[2],
        trusted=trusted,
        untrusted=untrusted,
    )


def _declared(name: str, front: str) -> tuple[tuple[str, ...], dict[str, str]]:
    from ruamel.yaml import YAML  # noqa: PLC0415  # nothing at start-up needs it
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    try:
        declared = YAML(typ="safe", pure=True).load(front)
    except YAMLError as error:
        message = f"template {name}: its front part is no YAML"
        raise TemplateError(message) from error
    trusted: list[str] = []
    untrusted: dict[str, str] = {}
    match declared:
        case {"trusted": list(some), "untrusted": dict(others), **rest} if not rest:
            trusted, untrusted = some, others
    names: list[object] = [*trusted, *untrusted]
    are_names = all(isinstance(one, str) and one.isidentifier() for one in names)
    if not names or not are_names or len({*names}) != len(names):
        message = f"template {name}: its front part declares no list `trusted` beside a mapping `untrusted`"
        raise TemplateError(message)
    if not all(isinstance(label, str) and _LABEL.fullmatch(label) for label in untrusted.values()):
        message = f"template {name}: the label of every untrusted variable is a few plain words"
        raise TemplateError(message)
    return tuple(trusted), untrusted


def _environment() -> Any:
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415  # the command line starts without it

    return Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701  # a prompt is no HTML


def _used(name: str, text: str) -> frozenset[str]:
    from jinja2 import TemplateSyntaxError, meta  # noqa: PLC0415

    try:
        return frozenset(meta.find_undeclared_variables(_environment().parse(text)))
    except TemplateSyntaxError as error:
        message = f"template {name}: {error}"
        raise TemplateError(message) from error


def _same(name: str, given: set[str] | frozenset[str], declared: set[str]) -> None:
    if missing := sorted(declared - given):
        message = f"template {name}: {', '.join(missing)} is declared and nowhere used or given"
        raise TemplateError(message)
    if unknown := sorted(given - declared):
        message = f"template {name}: {', '.join(unknown)} is not declared"
        raise TemplateError(message)


def _plain(template: str, name: str, value: Trusted) -> str:
    text = value.isoformat() if isinstance(value, date) else str(value)
    if not _PLAIN.fullmatch(text):
        message = f"template {template}: {name} is no plain word, number or date"
        raise TemplateError(message)
    return text


def _bounded(label: str, text: str, most: int) -> Untrusted:
    if len(text) <= most:
        return Untrusted(label=label, text=text)
    return Untrusted(label=f"{label}, the first {most} of {len(text)} characters", text=text[:most])
