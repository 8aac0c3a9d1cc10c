"""The numbers of keeping a memory in order: what tidy looks at, how notes are ranked, what the checker calls old."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from config.quantities import AtLeastOne, Count, Frozen, Percent, Similarity


class Tidy(Frozen):
    """How alike what tidy looks at is, and how much of it a night rules on.

    Two statements are looked at from `alike` on, the share of their words that they have in common. A night rules on up
    to `nominations`, `together` of which make one question. A statement is worded anew by up to `chain` merges; beyond,
    others are only absorbed. A note of fewer than `empty_characters` is nearly empty, a statement of more than
    `wordy_characters` may say much in many words.

    Of notes that did not change `again` are looked at in a night, and `again_percent` of the places are kept for them.
    A statement that may go is asked about in `of_one` pairs. One question shows up to `question_characters`. Of the
    code `files` are read, and up to `incidents` notes of incidents looked into, the oldest first. Notes of more than
    `joined_entries` are not put together, `sections` are taken out of a note at once, `disputes` are told in one, and
    `findings` of a night. A proposal by hand holds up to `proposed` items.
    """

    alike: Similarity = 0.5
    nominations: Count = 400
    together: AtLeastOne = 8
    chain: Count = 3
    empty_characters: Count = 80
    wordy_characters: AtLeastOne = 600
    again: AtLeastOne = 50
    again_percent: Percent = 10
    of_one: AtLeastOne = 2
    question_characters: Annotated[int, Field(ge=1_000, le=60_000)] = 40_000
    files: Count = 40
    incidents: Count = 12
    joined_entries: Count = 40
    sections: Count = 6
    disputes: Count = 3
    findings: Count = 25
    proposed: AtLeastOne = 500


class Topics(Frozen):
    """What is alike to the checker and to tidy, as the share of all words of both that they have in common.

    Two notes are about one thing where their texts are alike from `same_text` on, or from `titled_text` on and their
    titles from `same_title` on. Parts of a note are about several where no two are alike from `apart` on. A text of
    fewer than `telling` words tells nothing.
    """

    telling: AtLeastOne = 25
    same_text: Similarity = 0.6
    titled_text: Similarity = 0.3
    same_title: Similarity = 0.75
    apart: Similarity = 0.08


class Ranking(Frozen):
    """How fast a note fades, and how long the list is that `dream manifest` prints.

    Relevance halves every `half_life_days` without a change, a check or a read, for a note that was never shown only
    after `grace_days`. The list takes up to `tokens`, each note with up to `neighbours`.
    """

    half_life_days: AtLeastOne = 30
    grace_days: Count = 30
    tokens: AtLeastOne = 2_000
    neighbours: Count = 3


class Checking(Frozen):
    """After how many days without a change what says `Updated` is stale, and how much is told.

    A line of the index of more than `line_characters` is cut off by agents' tools. Of one rule in one note `per_note`
    findings are told one by one.
    """

    stale_days: AtLeastOne = 180
    line_characters: AtLeastOne = 2_000
    per_note: AtLeastOne = 5
