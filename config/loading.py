"""The folder of organisations, read so that one broken file never stops the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from config.complaints import complaints, dotted, nearest
from config.documents import read_mapping
from config.handed_on import foreign_variables
from config.limits import Limits, overridden
from config.organisation import Organisation, is_slug
from dream.errors import UsageError

_SUFFIXES = {".yaml", ".yml"}
_WAY_OUT = "correct the file; the example configuration shows every key"


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenOrganisation:
    """A file that is no organisation, under the name that it gives itself or else that of the file, and in its ring."""

    name: str
    path: Path
    error: UsageError
    ring: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Organisations:
    """What a folder holds, sorted by name."""

    folder: Path
    organisations: tuple[Organisation, ...] = ()
    broken: tuple[BrokenOrganisation, ...] = ()

    def get(self, name: str) -> Organisation:
        """Return the organisation called `name`.

        Raises:
            UsageError: there is none, or its file is broken.
        """
        for organisation in self.organisations:
            if organisation.organisation == name:
                return organisation
        for broken in self.broken:
            if broken.name == name:
                raise broken.error
        known = [organisation.organisation for organisation in self.organisations]
        message = f"no organisation {name!r} in {self.folder}"
        way_out = nearest(name, known) if known else "write one; the example configuration shows how"
        raise UsageError(message, way_out=way_out, organisation=name)


def load_organisations(
    folder: Path, *, limits: Limits | None = None, session_kinds: Collection[str] = ()
) -> Organisations:
    """Return what the YAML files right in `folder` hold; an organisation's own limits go before `limits`.

    `session_kinds` are the formats of sessions that can be read; without them any name passes.

    Raises:
        UsageError: the folder itself cannot be read.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix in _SUFFIXES and not path.name.startswith("."))
    except OSError as error:
        message = f"the folder of organisations {folder} cannot be read: {error.strerror}"
        raise UsageError(message, way_out="set DREAM_ORGANISATIONS to a folder of YAML files") from error
    loaded: dict[Path, Organisation] = {}
    broken: list[BrokenOrganisation] = []
    for path in paths:
        outcome = load_organisation(path, limits=limits, session_kinds=session_kinds)
        if isinstance(outcome, Organisation):
            loaded[path] = outcome
        else:
            broken.append(outcome)
    broken += _clashes(loaded, "organisation", _name)
    broken += _clashes(loaded, "memory", _memory)
    broken += _handing_on(loaded)
    clashing = {one.path for one in broken}
    good = [organisation for path, organisation in loaded.items() if path not in clashing]
    return Organisations(
        folder=folder,
        organisations=tuple(sorted(good, key=lambda organisation: organisation.organisation)),
        broken=tuple(sorted(broken, key=lambda one: (one.name, one.path))),
    )


def load_organisation(
    path: Path, *, limits: Limits | None = None, session_kinds: Collection[str] = ()
) -> Organisation | BrokenOrganisation:
    """Return the organisation that the YAML file at `path` describes, or what is wrong with it."""
    name, ring = path.stem, _claimed_ring({})
    try:
        document = read_mapping(path)
        name, ring = _claimed_name(document) or name, _claimed_ring(document)
        return _validated(document, path, limits or Limits(), session_kinds)
    except UsageError as error:
        return BrokenOrganisation(name=name, path=path, error=error, ring=ring)


def _validated(document: Mapping[str, Any], path: Path, limits: Limits, session_kinds: Collection[str]) -> Organisation:
    own = document.get("limits", {})
    if isinstance(own, Mapping):
        document = {**document, "limits": overridden(limits.model_dump(), own)}
    try:
        context = {"folder": path.absolute().parent, "session_kinds": tuple(session_kinds)}
        return Organisation.model_validate(document, context=context)
    except ValidationError as error:
        causes = "; ".join(f"{dotted(where)}: {cause}" for where, cause in complaints(error, Organisation))
        message = f"{path}: {causes}"
        raise UsageError(message, way_out=_WAY_OUT, path=str(path)) from None


def _claimed_name(document: Mapping[str, Any]) -> str:
    name = document.get("organisation")
    return name if isinstance(name, str) and is_slug(name) else ""


def _claimed_ring(document: Mapping[str, Any]) -> int:
    ring = document.get("ring")
    return ring if type(ring) is int and ring >= 0 else Organisation.model_fields["ring"].default


def _name(organisation: Organisation) -> Hashable:
    return organisation.organisation


def _memory(organisation: Organisation) -> Hashable:
    memory = organisation.memory
    return memory.url.rstrip("/").removesuffix(".git"), memory.branch, memory.path


def _handing_on(loaded: Mapping[Path, Organisation]) -> list[BrokenOrganisation]:
    """Return every file that has a program be given what another organisation is reached with."""
    foreign = foreign_variables(loaded.values())
    broken = []
    for path, organisation in loaded.items():
        variable = foreign.get(organisation.organisation)
        if variable:
            message = f"{path}: a program would be given {variable}, which another organisation is reached with"
            error = UsageError(message, way_out="name a variable of its own under environment", path=str(path))
            broken.append(_broken(organisation, path, error))
    return broken


def _clashes(
    loaded: Mapping[Path, Organisation], what: str, identity: Callable[[Organisation], Hashable]
) -> list[BrokenOrganisation]:
    """Return every file that claims the same `what` as another; none of them can be the one that is meant."""
    claims: dict[Hashable, list[Path]] = defaultdict(list)
    for path, organisation in loaded.items():
        claims[identity(organisation)].append(path)
    clashes = []
    for paths in claims.values():
        for path in paths if len(paths) > 1 else ():
            others = ", ".join(str(other) for other in paths if other != path)
            error = UsageError(
                f"{path}: names the same {what} as {others}", way_out="keep one of the files", path=str(path)
            )
            clashes.append(_broken(loaded[path], path, error))
    return clashes


def _broken(organisation: Organisation, path: Path, error: UsageError) -> BrokenOrganisation:
    return BrokenOrganisation(name=organisation.organisation, path=path, error=error, ring=organisation.ring)
