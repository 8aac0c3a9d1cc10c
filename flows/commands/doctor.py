"""`dream doctor`: whether nights can go on, looked at without writing anything to a memory."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from config.environment import has_prefect_api, process_environment
from config.loading import Organisations
from config.settings import Settings, unread_variables
from dream.errors import DreamError, UsageError
from dream.report.checks import Check, fail, ok, warn
from dream.repository.git import Git
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.examination import examine_organisation
from flows.installation import all_organisations, open_installation
from flows.workplace import Workplace

OLDEST_GIT = (2, 31)
"""The first git that takes a credential through its environment."""

LOW_BYTES = 1_000_000_000
TOO_LOW_BYTES = 50_000_000
"""Free disk space that is little, and that is too little to work with."""


def examine(name: str, *, clock: Clock) -> Answer:
    """Return a line for each thing that nights need: of this installation, and of one organisation or (no name) of all.

    Exit 1 if anything fails; raises UsageError where there is no organisation called `name`.
    """
    checks: list[Check] = []
    try:
        settings = open_installation()
    except UsageError as error:
        return _answer([fail("settings", str(error), error.way_out)])
    checks.extend(_examine_installation(settings))
    try:
        found = all_organisations(settings)
    except UsageError as error:
        return _answer([*checks, fail("organisations", str(error), error.way_out)])
    if name and name not in {one.name for one in found.broken}:
        found.get(name)
    checks.extend(_examine_organisations(settings, found, name))
    for organisation in found.organisations:
        if name in ("", organisation.organisation):
            checks.extend(examine_organisation(Workplace(organisation=organisation, settings=settings), clock))
    return _answer(checks)


def doctor_command(name: str) -> Answer:
    """Return the answer of `dream doctor`."""
    return examine(name, clock=system_clock())


def _answer(checks: list[Check]) -> Answer:
    failed = sum(check.level == "fail" for check in checks)
    warned = sum(check.level == "warn" for check in checks)
    last = f"{len(checks)} checks: {failed} failed, {warned} to look at"
    return Answer(
        text="\n".join([*map(str, checks), last]),
        document={"checks": [str(check) for check in checks]},
        exit_code=1 if failed else 0,
    )


def _examine_organisations(settings: Settings, found: Organisations, name: str) -> Iterator[Check]:
    broken = [one for one in found.broken if name in ("", one.name)]
    yield from (fail(f"{one.name} configuration", str(one.error), one.error.way_out) for one in broken)
    if not found.organisations and not found.broken:
        way_out = "write one YAML file for each; `dream init PATH` shows how"
        yield fail("organisations", f"there is none in {settings.organisations}", way_out)
    elif not name:
        yield ok("organisations", f"{len(found.organisations)} in {settings.organisations}")


def _examine_installation(settings: Settings) -> Iterator[Check]:
    environment = process_environment()
    yield ok("settings", f"home {settings.home}, commits as {settings.identity.name} <{settings.identity.mail}>")
    yield from (warn("settings", told, "correct the name or unset it") for told in unread_variables(environment))
    yield _examine_git(Git(environment=environment))
    yield _examine_disk(settings.home)
    yield _examine_prefect() if has_prefect_api(environment) else ok("Prefect", "no API is configured; runs stay here")


def _examine_git(git: Git) -> Check:
    try:
        told = git.run(["--version"])
    except DreamError as error:
        return fail("git", str(error), error.way_out)
    version = re.search(rb"([0-9]{1,4})\.([0-9]{1,4})", told.output)
    if version is None:
        return fail("git", f"it does not tell its version: {told.last_words}", "install git")
    shown = version[0].decode("ascii")
    if (int(version[1]), int(version[2])) < OLDEST_GIT:
        return fail("git", f"version {shown} is too old", f"install {'.'.join(map(str, OLDEST_GIT))} or newer")
    return ok("git", f"version {shown}")


def _examine_disk(home: Path) -> Check:
    """Look at the disk that holds `home`, or will hold it."""
    there = next(folder for folder in (home, *home.parents) if folder.is_dir())
    try:
        free = shutil.disk_usage(there).free
    except OSError as failure:
        return fail("disk", f"{there} cannot be looked at: {failure.strerror}", "set DREAM_HOME to another folder")
    shown = f"{free / 1_000_000_000:.1f} GB are free for {home}"
    if free < TOO_LOW_BYTES:
        return fail("disk", shown, "make room")
    return warn("disk", shown, "make room") if free < LOW_BYTES else ok("disk", shown)


def _examine_prefect() -> Check:
    """Ask the configured API for its health."""
    from prefect.client.orchestration import get_client  # noqa: PLC0415  # two seconds, and only where one is configured

    async def ask() -> tuple[str, Exception | None]:
        async with get_client() as client:
            return str(client.api_url), await client.api_healthcheck()

    try:
        url, trouble = asyncio.run(ask())
    except Exception as error:  # noqa: BLE001  # whatever a client raises, the API is out of reach
        return fail("Prefect", f"the API cannot be asked: {type(error).__name__}: {error}", _PREFECT_WAY_OUT)
    if trouble is not None:
        return fail("Prefect", f"the API at {url} does not answer: {trouble}", _PREFECT_WAY_OUT)
    return ok("Prefect", f"the API at {url} answers")


_PREFECT_WAY_OUT = "start the server, or run without one: PREFECT_API_URL= dream run ORG"
