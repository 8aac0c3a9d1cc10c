"""The code repositories of an organisation: where they are, where their mirrors lie, and what git needs for them."""

from __future__ import annotations

from pathlib import Path

from config.credentials import resolve_credential
from config.environment import process_environment
from config.organisation import Organisation
from config.production import CodeProbe
from dream.errors import UsageError
from dream.git_program import passed_on
from dream.repository.address import Credential, parse_address
from dream.repository.git import login_environment
from dream.sources.production.code.reading import read_code
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.code.values import CodeSource


def read_code_trees(organisation: Organisation, home: Path, *, only: str = "") -> tuple[CodeTree, ...]:
    """Return the code of an organisation as it is now, or of the one repository called `only`.

    `home` is the organisation's own folder. Of what cannot be read, for whatever reason, everything is unknown.
    """
    systems = [system for system in organisation.production if isinstance(system, CodeProbe)]
    return tuple(_read(system, organisation.organisation, home) for system in systems if only in {"", system.name})


def code_source(system: CodeProbe) -> CodeSource:
    """Return a repository as its mechanism knows it."""
    return CodeSource(name=system.name, url=system.url, branch=system.branch, internal=system.internal)


def code_home(system: CodeProbe, home: Path) -> Path:
    """Return the folder with the mirror of a repository, in the organisation's own folder."""
    return home / "production" / system.name


def code_environment(system: CodeProbe, organisation: str) -> dict[str, str]:
    """Return what git is given for a repository; raises UsageError where its credential is missing."""
    secret = resolve_credential(system.credential, organisation=organisation)
    credential = Credential(secret=secret.get_secret_value()) if secret else None
    return {**passed_on(process_environment()), **login_environment(credential, parse_address(system.url).origin)}


def _read(system: CodeProbe, organisation: str, home: Path) -> CodeTree:
    try:
        environment = code_environment(system, organisation)
    except UsageError as error:
        return CodeTree(name=system.name, unknown=str(error))
    return read_code(code_source(system), home=code_home(system, home), environment=environment)
