"""How long ago something changed, in steps coarse enough that an order by age seldom moves."""

from __future__ import annotations

from datetime import date
from enum import IntEnum


class Age(IntEnum):
    """An age bucket, newest first; each covers all that the ones before it do not."""

    WEEK = 0
    MONTH = 1
    QUARTER = 2
    OLDER = 3


_LONGEST = ((Age.WEEK, 7), (Age.MONTH, 30), (Age.QUARTER, 90))


def age_of(changed: date | None, today: date) -> Age:
    """Return the bucket of what last changed on `changed`: within 7, 30 or 90 days, or longer ago; None is OLDER."""
    if changed is None:
        return Age.OLDER
    days = (today - changed).days
    return next((age for age, longest in _LONGEST if days < longest), Age.OLDER)
