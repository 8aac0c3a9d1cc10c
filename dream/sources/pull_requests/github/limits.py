"""How much of GitHub one night reads, and how long it waits for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubLimits:
    """Bounds of one night's reading of one source.

    `pull_requests` are read, `page` of them at a time and `listed` at a time where only their marks are looked at. One
    answer has `seconds` and `answer_bytes`; `wait_seconds` are all that is waited for rate limits. Of one pull request
    up to `elements` commits, comments and so on are read, of one text `text_characters`, of its patches
    `patch_characters` in all and `runs` stretches of commits. A question is put `tries` times; after `failures`
    in a row, or `too_large` pull requests that are too much by themselves, nothing else is read tonight. A fetch by git
    has `fetch_seconds`.
    """

    pull_requests: int = 500
    page: int = 10
    seconds: float = 30
    wait_seconds: float = 300
    listed: int = 50
    answer_bytes: int = 20_000_000
    elements: int = 3_000
    text_characters: int = 200_000
    patch_characters: int = 400_000
    runs: int = 10
    tries: int = 3
    failures: int = 3
    too_large: int = 10
    first_wait_seconds: float = 1.0
    fetch_seconds: float = 600
