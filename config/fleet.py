"""The numbers of many organisations: how they share a machine, when they are tried again, and what stops them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from config.quantities import AtLeastASecond, AtLeastOne, Count, Frozen, Percent, Seconds, Similarity

Artifacts = Literal["counts", "full"]
"""How much of a night's report Prefect is shown: counts and where the report lies, or all of it."""


class Nightly(Frozen):
    """How the organisations of one installation dream together.

    `concurrency` of them dream at once in one process, beginning spread over `spread_seconds`; the whole run has failed
    where more than `failed_percent` of them did. One that takes more than `night_seconds` is given up and holds up no
    other. Where a remote is down, a night is tried again after `first_wait_seconds`, each wait twice the one before and
    no longer than `longest_wait_seconds`, until the waits come to `again_seconds`.

    Where `shard_deployment` (`FLOW/DEPLOYMENT`) is named, every `shard_organisations` organisations are a run of that
    deployment on a worker; a shard that did not end by itself, or not within `shard_seconds`, or that a worker took and
    did not begin for `pending_seconds`, is started up to `shard_attempts` times. `poll_seconds` lie between two looks
    at a run: whether a shard has ended, and whether a person has cancelled.
    """

    concurrency: AtLeastOne = 4
    failed_percent: Percent = 10
    spread_seconds: Seconds = 0
    night_seconds: AtLeastASecond = 10_800
    again_seconds: Seconds = 21_600
    first_wait_seconds: AtLeastASecond = 300
    longest_wait_seconds: AtLeastASecond = 3_600
    shard_deployment: Annotated[str, Field(pattern=r"^([^/]+/[^/]+)?$")] = ""
    shard_organisations: AtLeastOne = 50
    shard_seconds: AtLeastASecond = 28_800
    pending_seconds: AtLeastASecond = 900
    shard_attempts: AtLeastOne = 3
    poll_seconds: AtLeastASecond = 30


class Breaker(Frozen):
    """When a task is paused by itself: taken back in `reverts` of the last `nights` in which it changed anything.

    A night counts where people took back `share` of what the task did in it.
    """

    reverts: AtLeastOne = 2
    nights: AtLeastOne = 7
    share: Similarity = 0.5

    @model_validator(mode="after")
    def _reverts_fit(self) -> Self:
        if self.reverts > self.nights:
            message = f"reverts is {self.reverts}, more than the {self.nights} nights that are looked at"
            raise ValueError(message)
        return self


class Alarms(Frozen):
    """When nights that end well are degraded nevertheless; each alarm looks back over `nights` nights.

    Nothing has landed in `landed_hours`; a task wrote nothing of `nights` nights with input, or the same again in each
    of them; a model found nothing in `silent_least` conversations of such nights; the loss cap held something back in
    each; one rule refused `refused_percent` of at least `refused_least` operations; the queue of unchecked notes grew
    each night, by `unchecked_percent` in all and to `unchecked_least`; nights wrote `grown_least` statements and
    `grown_percent` of what stood without one new topic; two nights took `spend_times` what those before took for as
    many inputs, and at least `spend_tokens` tokens.
    """

    nights: Annotated[int, Field(ge=2)] = 7
    landed_hours: AtLeastOne = 26
    silent_least: AtLeastOne = 20
    refused_percent: Percent = 90
    refused_least: AtLeastOne = 20
    unchecked_percent: Count = 20
    unchecked_least: AtLeastOne = 25
    grown_percent: Count = 25
    grown_least: AtLeastOne = 50
    spend_times: Annotated[float, Field(ge=1, allow_inf_nan=False)] = 3
    spend_tokens: Count = 20_000
