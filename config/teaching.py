"""The numbers of what nights teach: learnings from what people type, and lessons from what became of pull requests."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from config.quantities import AtLeastOne, Count, Frozen, Similarity


class Learnings(Frozen):
    """When people have said something often enough for it to be taught, and how much a night may make of that.

    A learning needs `sessions`, on `days` or from `people`, of what was typed in the last `look_back_days` or observed
    in the last `observation_days`; sessions of one person within `apart_minutes` are one, and so are words of
    `verbatim_characters` and more that are the same to the letter. A message of `pasted_lines` or `pasted_characters`
    was mostly pasted. A session gives up to `observations` of up to `observation_characters`; a question shows `shown`
    of them, and its reply gives up to `candidates`; a learning has up to `lines`, for each of which up to `cited`
    observations are looked at, and those count that have `in_common` of its words. A night makes `new` learnings and up
    to `changes` to its own; what the reviewer turned down is asked about again after `declined_nights`.
    """

    look_back_days: AtLeastOne = 14
    observation_days: AtLeastOne = 180
    sessions: AtLeastOne = 3
    days: AtLeastOne = 2
    people: AtLeastOne = 2
    apart_minutes: Count = 60
    verbatim_characters: AtLeastOne = 120
    pasted_lines: AtLeastOne = 40
    pasted_characters: AtLeastOne = 4_000
    excerpt_characters: Annotated[int, Field(ge=4_000, le=60_000)] = 24_000
    excerpts: AtLeastOne = 10
    observations: AtLeastOne = 8
    observation_characters: AtLeastOne = 400
    shown: AtLeastOne = 200
    candidates: AtLeastOne = 8
    cited: AtLeastOne = 8
    in_common: Similarity = 0.5
    lines: AtLeastOne = 6
    new: Count = 2
    changes: Count = 2
    declined_nights: Count = 30


class Triggers(Frozen):
    """How much the trigger of a learning may claim.

    It has up to `tokens`, lists up to `alternatives` kinds of task, `unnamed` of them without a name, and is another's
    from the similarity `alike` on.
    """

    tokens: AtLeastOne = 40
    alternatives: AtLeastOne = 8
    unnamed: Count = 2
    alike: Similarity = 0.85


class Lessons(Frozen):
    """When what people did to agents' pull requests is a lesson, and how much of a pull request is looked at.

    A lesson needs `pull_requests`, of which one that nothing repeated is forgotten after `tentative_days`. Of a pull
    request up to `commits`, `edits` (files that people changed) and `words` (reviews and comments) are looked at, each
    up to so many `characters`; a question shows `shown_characters` of it. A night writes `new` lessons, and two are the
    same from the similarity `alike` on.
    """

    pull_requests: AtLeastOne = 2
    tentative_days: AtLeastOne = 90
    commits: AtLeastOne = 5_000
    edits: AtLeastOne = 200
    words: AtLeastOne = 300
    characters: AtLeastOne = 4_000
    shown_characters: Annotated[int, Field(ge=4_000, le=60_000)] = 24_000
    new: Count = 10
    alike: Similarity = 0.75
