"""What stands behind an account, by what the platform recorded of it."""

from __future__ import annotations

from collections.abc import Mapping

from dream.sources.pull_requests.values import Actor, ActorKind

WEB_EDITOR = "web-flow"
_BOT_SUFFIX = "[bot]"
_GHOST = "ghost"
_SOUNDS_LIKE_A_BOT = ("bot", "-ci", "-automation")
_LONGEST = 200
_TYPES = {"user": ActorKind.PERSON, "bot": ActorKind.BOT}
UNNAMED = Actor(login="", kind=ActorKind.UNKNOWN)


def actor_of(recorded: object) -> Actor | None:
    """Return the account that a record names as a login or as an object, None where it names none.

    The type that the platform gives decides, then the mark `[bot]` of its apps. A bare login that only sounds like a
    bot's is neither a person's nor a bot's. Raises ValueError for what can be no account.
    """
    match recorded:
        case None:
            return None
        case str():
            return _from_login(recorded, None)
        case {"login": str(login), **rest}:
            return _from_login(login, _kind(rest))
        case {"login": None}:
            return Actor(login="", kind=ActorKind.DELETED)
        case _:
            message = "an account is neither a login nor an object with one"
            raise ValueError(message)


def is_same(login: str, other: str) -> bool:
    """Return whether two logins are one account's; upper case means nothing."""
    return bool(login) and login.casefold() == other.casefold()


def _from_login(login: str, kind: ActorKind | None) -> Actor:
    if len(login) > _LONGEST:
        message = "a login is too long"
        raise ValueError(message)
    if not login:
        return UNNAMED
    return Actor(login=login, kind=kind or _by_form(login))


def _by_form(login: str) -> ActorKind:
    if login.endswith(_BOT_SUFFIX):
        return ActorKind.BOT
    if is_same(login, _GHOST):
        return ActorKind.DELETED
    return ActorKind.UNKNOWN if login.casefold().endswith(_SOUNDS_LIKE_A_BOT) else ActorKind.PERSON


def _kind(recorded: Mapping[object, object]) -> ActorKind | None:
    """Return what the platform says it is, None where it does not say."""
    if recorded.get("is_bot") is True:
        return ActorKind.BOT
    named = recorded.get("type") or recorded.get("__typename")
    return _TYPES.get(str(named).casefold(), ActorKind.UNKNOWN) if named else None
