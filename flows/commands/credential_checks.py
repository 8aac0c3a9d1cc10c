"""What `dream doctor` says of the credentials of an organisation: which are there, and what goes on without one."""

from __future__ import annotations

from collections.abc import Iterator

from config.credentials import resolve_credential
from config.models import Models
from config.organisation import Organisation
from config.pull_requests import GitHubPullRequests
from dream.errors import UsageError
from dream.report.checks import Check, fail, ok, warn
from flows.workplace import Workplace

_WITHOUT_A_SYSTEM = "; nights go on, and what this system could bear out stays unverified"
_WITHOUT_PULL_REQUESTS = "; nights go on without these"


def check_credentials(workplace: Workplace) -> Iterator[Check]:
    """Yield whether each credential is there; one that is missing fails, also where nights go on without it."""
    organisation = workplace.organisation
    named = [
        ("memory.credential", organisation.memory.credential, ""),
        *_of_sources(organisation),
        *_of_models(organisation.models),
        ("state_key", organisation.state_key, ""),
    ]
    for what, reference, without in named:
        thing = f"{workplace.name} {what}"
        try:
            if resolve_credential(reference, organisation=workplace.name) is not None:
                yield ok(thing, f"{reference} holds one")
        except UsageError as error:
            yield fail(thing, f"{error}{without}", error.way_out)
    if not organisation.state_key:
        cause = "there is none: state that is edited by accident is noticed, state that is forged is not"
        yield warn(f"{workplace.name} state_key", cause, "set state_key to env:NAME or file:PATH")


def missing_credentials(organisation: Organisation) -> tuple[str, ...]:
    """Return what is wrong with each credential of a source that is missing, as its findings of a night end."""
    told = []
    for _, reference, _ in _of_sources(organisation):
        try:
            resolve_credential(reference, organisation=organisation.organisation)
        except UsageError as error:
            told.append(str(error))
    return tuple(told)


def _of_sources(organisation: Organisation) -> Iterator[tuple[str, str, str]]:
    """Yield what nights ask with, without which they go on."""
    for system in organisation.production:
        yield f"production {system.name} credential", system.credential, _WITHOUT_A_SYSTEM
    for one in organisation.pull_requests:
        if isinstance(one, GitHubPullRequests):
            reference = one.app.private_key if one.app is not None else one.credential
            yield f"pull requests of {one.url} credential", reference, _WITHOUT_PULL_REQUESTS


def _of_models(models: Models) -> Iterator[tuple[str, str, str]]:
    named = [("dreamer", models.dreamer), ("judge", models.judge), ("reviewer", models.reviewer)]
    return ((f"models.{role}.credential", model.credential, "") for role, model in named if model is not None)
