"""Where an organisation's pull requests come from, and by which marks its agents' are known."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from config.addresses import PlacedPath
from config.credentials import Reference
from config.production import WebAddress
from config.quantities import AtLeastOne, Count, Frozen

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")


def _repository(name: str) -> str:
    if not _REPOSITORY.fullmatch(name):
        message = "must be OWNER/NAME, such as acme/web"
        raise ValueError(message)
    return name


Repository = Annotated[str, AfterValidator(_repository)]
Mark = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Agent(Frozen):
    """By which marks the pull requests and commits of one agent are known; any one of them is enough.

    `accounts` are its own, never a person's through whom it works: a login, or that of an app (`name[bot]`).
    `trailers` name it in `Co-authored-by` lines of commits; `branches` are prefixes; `texts` stand in bodies.
    """

    name: Mark
    accounts: tuple[Mark, ...] = ()
    trailers: tuple[Mark, ...] = ()
    branches: tuple[Mark, ...] = ()
    labels: tuple[Mark, ...] = ()
    texts: tuple[Mark, ...] = ()


class RecordedPullRequests(Frozen):
    """A file of recorded pull requests, or a folder of them."""

    kind: Literal["recorded"]
    path: PlacedPath


class App(Frozen):
    """A GitHub App: its id, its installation, and where its private key is."""

    id: AtLeastOne
    installation: AtLeastOne
    private_key: Reference


class GitHubPullRequests(Frozen):
    """Repositories on GitHub, or on a GitHub Enterprise server at `url`; a token as `credential`, or an `app`.

    What people changed is read by `patches`: one `compare` for each pull request, or a `git` fetch for each repository.
    One night reads up to `pull_requests` of them, `page` at a time, and waits up to `wait_seconds` for a rate limit.
    """

    kind: Literal["github"]
    repositories: tuple[Repository, ...] = Field(min_length=1)
    url: WebAddress = "https://api.github.com"
    credential: Reference = ""
    app: App | None = None
    patches: Literal["compare", "git", "none"] = "compare"
    pull_requests: AtLeastOne = 500
    page: Annotated[int, Field(ge=1, le=50)] = 10
    seconds: Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)] = 30
    wait_seconds: Count = 300

    @model_validator(mode="after")
    def _one_login(self) -> Self:
        if bool(self.credential) == (self.app is not None):
            message = "must have either a credential or an app"
            raise ValueError(message)
        return self


PullRequests = Annotated[RecordedPullRequests | GitHubPullRequests, Field(discriminator="kind")]
