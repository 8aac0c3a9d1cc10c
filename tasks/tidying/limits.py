"""How alike what is looked at must be, and how much of it a night rules on."""

from __future__ import annotations

from dataclasses import dataclass, field

from dream.memory.topics import TopicLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class TidyLimits:
    """How alike what tidy looks at is, and how much of it a night rules on; configured in `config/order.py`.

    Two statements are looked at from `alike` on, the share of their words that they have in common. A night rules on up
    to `nominations`, `together` of which make one question. A statement is worded anew by up to `chain` merges; beyond,
    others are only absorbed. A note of fewer than `empty_characters` is nearly empty, a statement of more than
    `wordy_characters` may say much in many words.

    Of notes that did not change `again` are looked at in a night, and `again_percent` of the places are kept for them.
    A statement that may go is asked about in `of_one` pairs. One question shows up to `question_characters`. Of the
    code `files` are read, and up to `incidents` notes of incidents looked into, the oldest first. Notes of more than
    `joined_entries` are not put together, `sections` are taken out of a note at once, `disputes` are told in one, and
    `findings` of a night. What notes are about is told by `topics`, as the checker tells it.
    """

    alike: float = 0.5
    nominations: int = 400
    together: int = 8
    chain: int = 3
    empty_characters: int = 80
    wordy_characters: int = 600
    again: int = 50
    again_percent: int = 10
    of_one: int = 2
    question_characters: int = 40_000
    files: int = 40
    incidents: int = 12
    joined_entries: int = 40
    sections: int = 6
    disputes: int = 3
    findings: int = 25
    topics: TopicLimits = field(default_factory=TopicLimits)
