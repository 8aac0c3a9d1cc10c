"""One organisation: its memory, where its days come from, and how its nights go."""

from __future__ import annotations

import re
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, StringConstraints, ValidationInfo, field_validator

from config.addresses import Address, Branch, FolderInRepository, PlacedPath
from config.credentials import Reference
from config.fleet import Artifacts
from config.limits import Limits
from config.models import Models
from config.production import Production
from config.pull_requests import Agent, GitHubPullRequests, Mark, PullRequests, RecordedPullRequests
from config.quantities import Count, Frozen

_LONGEST_NAME = 63
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def is_slug(name: str) -> bool:
    """Tell whether `name` can be the name of an organisation: a-z, 0-9, single hyphens inside, at most 63."""
    return len(name) <= _LONGEST_NAME and bool(_SLUG.fullmatch(name))


def _slug(name: str) -> str:
    if not is_slug(name):
        message = f"must be at most {_LONGEST_NAME} of a-z, 0-9 and single hyphens, such as acme-web"
        raise ValueError(message)
    return name


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        message = "is no time zone; write one such as Europe/Berlin or UTC"
        raise ValueError(message) from error
    return name


def _kind(kind: str, info: ValidationInfo) -> str:
    """Check against `session_kinds` of the context: who loads the configuration knows which formats can be read."""
    known = sorted((info.context or {}).get("session_kinds", ()))
    if not known or kind in known:
        return kind
    message = f"must be one of {', '.join(known)}"
    raise ValueError(message)


Slug = Annotated[str, AfterValidator(_slug)]


class Memory(Frozen):
    """Where the memory is: a branch of a repository, or the folder `path` in it."""

    url: Address
    branch: Annotated[Branch, StringConstraints(min_length=1)] = "main"
    path: FolderInRepository = ""
    credential: Reference = ""


class Sessions(Frozen):
    """A folder or file of sessions; `person` and `repository` are whose and about what, where the files do not say."""

    kind: Annotated[str, AfterValidator(_kind)]
    path: PlacedPath
    person: str = ""
    repository: str = ""


class Reads(Frozen):
    """A file, or a folder of files, in which whatever serves the memory reports which notes agents read."""

    path: PlacedPath


class Organisation(Frozen):
    """The tenant: it owns one memory, its own credentials and its own working directory.

    Of `people`, where they are named, and of nobody else are learnings made. `agents` are by whom pull requests are
    read; where none is named, the well-known ones. `machines` are accounts that the platform calls
    people's and that are not. Organisations of a lower `ring` dream first, the others when those have landed sound. In
    `shadow` nights land nowhere and leave their report. `artifacts` says how much of a report Prefect is shown.
    """

    organisation: Slug
    memory: Memory
    sessions: tuple[Sessions, ...] = ()
    reads: tuple[Reads, ...] = ()
    pull_requests: tuple[PullRequests, ...] = ()
    agents: tuple[Agent, ...] | None = None
    machines: tuple[Mark, ...] = ()
    production: tuple[Production, ...] = ()
    models: Models = Models()
    people: tuple[Annotated[str, StringConstraints(min_length=1)], ...] = ()
    timezone: Annotated[str, AfterValidator(_zone)] = "UTC"
    state_key: Reference = ""
    ring: Count = 1
    shadow: bool = False
    artifacts: Artifacts = "counts"
    limits: Limits = Limits()

    @field_validator("production")
    @classmethod
    def _names_are_unique(cls, systems: tuple[Production, ...]) -> tuple[Production, ...]:
        names = [system.name for system in systems]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            message = f"names {', '.join(repeated)} more than once"
            raise ValueError(message)
        return systems

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which this organisation's days begin and end."""
        return ZoneInfo(self.timezone)

    def without_credentials(self) -> str:
        """Return all that decides how a night goes as JSON, in which equal configurations are equal texts."""
        return self.model_copy(
            update={
                "memory": self.memory.model_copy(update={"credential": ""}),
                "models": self.models.without_credentials,
                "production": tuple(system.model_copy(update={"credential": ""}) for system in self.production),
                "pull_requests": tuple(_without_login(source) for source in self.pull_requests),
                "state_key": "",
            }
        ).model_dump_json(exclude={"ring", "shadow", "artifacts"})


def _without_login(source: PullRequests) -> PullRequests:
    match source:
        case GitHubPullRequests():
            return source.model_copy(update={"credential": "", "app": None})
        case RecordedPullRequests():
            return source
