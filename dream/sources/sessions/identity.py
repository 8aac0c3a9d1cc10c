"""The short names that entries cite sessions by."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping

_SHORT = 8
_LONGEST = 64
_UUID_DIGITS = 32
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME_ORDERED = frozenset("167")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def short_id(session: str) -> str:
    """Return a short name for a session's id: a part of a UUID, a plain id as it is, else a hash."""
    return _shortened(session, _SHORT)


def short_ids(sessions: Iterable[str]) -> Mapping[str, str]:
    """Return a short name per session id, lengthened where two of them would read the same.

    Of a time-ordered UUID the end is used, because its first digits are those of every session of that hour.
    """
    names = dict.fromkeys(sessions, _SHORT)
    while True:
        holders: dict[str, list[str]] = {}
        for session, length in names.items():
            holders.setdefault(_shortened(session, length), []).append(session)
        clashing = [session for held in holders.values() if len(held) > 1 for session in held]
        if not clashing:
            return {session: _shortened(session, length) for session, length in names.items()}
        for session in clashing:
            names[session] += _SHORT // 2


def _shortened(session: str, length: int) -> str:
    lowered = session.lower()
    uuid = _UUID.fullmatch(lowered)
    if uuid is not None and length <= _UUID_DIGITS:
        digits = lowered.replace("-", "")
        return digits[-length:] if uuid[1] in _TIME_ORDERED else digits[:length]
    if length == _SHORT and len(session) <= _LONGEST and _PLAIN.fullmatch(session):
        return session
    return hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:length]
