"""How alike what is looked at must be, and how much of it a night rules on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TidyLimits:
    """How alike what tidy looks at is, and how much of it a night rules on.

    Two statements are looked at from `alike` on, the share of their words that they have in common. A night rules on up
    to `nominations`, `together` of which make one question. A statement is worded anew by up to `chain` merges; beyond,
    others are only absorbed. A note of fewer than `empty_characters` is nearly empty, a statement of more than
    `wordy_characters` may say much in many words.
    """

    alike: float = 0.5
    nominations: int = 200
    together: int = 8
    chain: int = 3
    empty_characters: int = 80
    wordy_characters: int = 600
