"""What variables of this process an organisation's programs are given, and which of them are another's credentials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from config.organisation import Organisation
from config.production import McpProbe

_BY_NAME = "env:"


def foreign_variables(organisations: Iterable[Organisation]) -> Mapping[str, str]:
    """Return, by organisation, the variable that its programs would be given and only another is reached with.

    Of those that more than one is wrong with, one is named. A variable that an organisation names as a credential of
    its own may be handed on, whoever else uses it.
    """
    listed = list(organisations)
    handing = [one for one in listed if _handed_on(one)]
    if not handing:
        return {}  # to look through every organisation takes a while, and few start programs
    credentials = {one.organisation: set(_named(one.model_dump(mode="json", exclude={"limits"}))) for one in listed}
    found = {}
    for one in handing:
        own = credentials[one.organisation]
        others = {name for whose, names in credentials.items() if whose != one.organisation for name in names}
        foreign = sorted((_handed_on(one) & others) - own)
        if foreign:
            found[one.organisation] = foreign[0]
    return found


def _handed_on(organisation: Organisation) -> frozenset[str]:
    probes = (probe for probe in organisation.production if isinstance(probe, McpProbe))
    return frozenset(name for probe in probes for name in probe.environment)


def _named(value: Any) -> Iterator[str]:
    """Yield the variables that the credentials in some JSON values are read from."""
    match value:
        case str() if value.startswith(_BY_NAME):
            yield value.removeprefix(_BY_NAME)
        case dict():
            for one in value.values():
                yield from _named(one)
        case list():
            for one in value:
                yield from _named(one)
        case _:
            return
