"""The pull requests of an organisation's agents, from every source that it has configured."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from config.credentials import resolve_credential
from config.environment import process_environment
from config.organisation import Organisation
from config.pull_requests import GitHubPullRequests, RecordedPullRequests
from dream.errors import UsageError
from dream.git_program import passed_on
from dream.repository.address import Credential, parse_address
from dream.repository.git import login_environment
from dream.sources.pull_requests.agents import KNOWN_AGENTS, AgentMarks
from dream.sources.pull_requests.recorded import read_pull_requests
from dream.sources.pull_requests.values import PullRequest, PullRequestReading, PullRequestSource

if TYPE_CHECKING:
    from dream.sources.pull_requests.github.limits import GitHubLimits
    from dream.sources.pull_requests.github.logins import Login
    from dream.sources.pull_requests.github.patches import Patches
    from dream.sources.pull_requests.github.port import Unanswered
    from dream.sources.pull_requests.github.web import GitHub

log = structlog.get_logger()


def agents_of(organisation: Organisation) -> tuple[AgentMarks, ...]:
    """Return by which marks the organisation's agents are known: those it names, else the well-known ones."""
    if organisation.agents is None:
        return KNOWN_AGENTS
    return tuple(AgentMarks(**agent.model_dump()) for agent in organisation.agents)


def read_agents_pull_requests(
    organisation: Organisation,
    *,
    since: datetime,
    home: Path,
    counted: Collection[str] = (),
    is_glance: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> PullRequestReading:
    """Return the pull requests of agents: every recorded one, and those on a platform that ended at or after `since`.

    Of what is on a platform, what is not `counted` comes first. A glance looks at a page of it and waits for no limit.
    A source that cannot be read is a finding or a skipped record, never an error.
    """
    agents = agents_of(organisation)
    recorded = [
        PullRequestSource(path=str(one.path))
        for one in organisation.pull_requests
        if isinstance(one, RecordedPullRequests)
    ]
    readings = [read_pull_requests(recorded, agents=agents, machines=organisation.machines)]
    for source in organisation.pull_requests:
        if isinstance(source, GitHubPullRequests):
            try:
                readings.append(
                    _from_github(
                        source,
                        organisation,
                        agents,
                        since=since,
                        home=home,
                        counted=counted,
                        is_glance=is_glance,
                        sleep=sleep,
                    )
                )
            except UsageError as error:
                readings.append(_unread(source, str(error)))
            except Exception as error:  # noqa: BLE001  # no defect in reading one source takes a night with it
                log.error("pull_requests.not_read", error=type(error).__name__)  # noqa: TRY400  # its text may quote
                readings.append(_unread(source, f"a defect: {type(error).__name__}"))
    return _joined(readings)


def _unread(source: GitHubPullRequests, why: str) -> PullRequestReading:
    return PullRequestReading(findings=(f"pull requests of {source.url} are not read: {why}",))


def _from_github(
    source: GitHubPullRequests,
    organisation: Organisation,
    agents: tuple[AgentMarks, ...],
    *,
    since: datetime,
    home: Path,
    counted: Collection[str],
    is_glance: bool,
    sleep: Callable[[float], None],
) -> PullRequestReading:
    """Read one source of GitHub's; raises UsageError for a credential that is missing."""
    # only organisations that are on GitHub load what speaks to it
    from dream.sources.pull_requests.github.limits import GitHubLimits  # noqa: PLC0415
    from dream.sources.pull_requests.github.reading import read_github  # noqa: PLC0415
    from dream.sources.pull_requests.github.web import GitHub  # noqa: PLC0415

    limits = GitHubLimits(
        pull_requests=source.page if is_glance else source.pull_requests,
        page=source.page,
        seconds=source.seconds,
        wait_seconds=0 if is_glance else source.wait_seconds,
    )
    login = _login(source, organisation.organisation)
    platform = GitHub(source.url, login, limits, now=lambda: datetime.now(UTC), sleep=sleep)
    return read_github(
        platform,
        source.repositories,
        agents,
        since=since,
        counted=counted,
        machines=organisation.machines,
        patches=None if is_glance else _patches(source, platform, home, limits),
        limits=limits,
        is_glance=is_glance,
    )


def _login(source: GitHubPullRequests, organisation: str) -> Login:
    from dream.sources.pull_requests.github.logins import AppLogin, TokenLogin  # noqa: PLC0415

    reference = source.app.private_key if source.app is not None else source.credential
    secret = resolve_credential(reference, organisation=organisation)
    revealed = secret.get_secret_value() if secret is not None else ""
    if source.app is not None:
        return AppLogin(id=source.app.id, installation=source.app.installation, private_key=revealed)
    return TokenLogin(secret=revealed)


def _patches(source: GitHubPullRequests, platform: GitHub, home: Path, limits: GitHubLimits) -> Patches | None:
    from dream.sources.pull_requests.github.fetching import Fetched  # noqa: PLC0415
    from dream.sources.pull_requests.github.patches import Compared  # noqa: PLC0415

    match source.patches:
        case "compare":
            return Compared(platform)
        case "git":
            place = home / "pull_requests"
            return Fetched(place, url=platform.places.git, environment=lambda: _environment(platform), limits=limits)
        case "none":
            return None


def _environment(platform: GitHub) -> Mapping[str, str] | Unanswered:
    """Return what git is given to log in as the platform does at this moment, or why it cannot."""
    token = platform.tokens.token()
    if not isinstance(token, str):
        return token
    login = login_environment(Credential(secret=token), parse_address(platform.places.clone).origin)
    return {**passed_on(process_environment()), **login}


def _joined(readings: list[PullRequestReading]) -> PullRequestReading:
    """Return several readings as one; of a pull request in more than one of them the first counts."""
    found: dict[str, PullRequest] = {}
    for reading in readings:
        for one in reading.pull_requests:
            found.setdefault(one.source, one)
    return PullRequestReading(
        pull_requests=tuple(sorted(found.values(), key=lambda one: (one.repository, one.number))),
        skipped=tuple(skipped for reading in readings for skipped in reading.skipped),
        records=sum(reading.records for reading in readings),
        unmarked=sum(reading.unmarked for reading in readings),
        findings=tuple(finding for reading in readings for finding in reading.findings),
    )
