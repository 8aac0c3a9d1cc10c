"""What stands behind an account, by what the platform recorded of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from dream.sources.pull_requests.values import Actor, ActorKind, PullRequest

WEB_EDITOR = "web-flow"
_BOT_SUFFIX = "[bot]"
_GHOST = "ghost"
_SOUNDS_LIKE_A_BOT = ("bot", "-ci", "-automation")
_LONGEST = 200
_TYPES = {"user": ActorKind.PERSON, "bot": ActorKind.BOT}
UNNAMED = Actor(login="", kind=ActorKind.UNKNOWN)


def actor_of(recorded: object) -> Actor | None:
    """Return the account that a record names as a login or as an object, None where it names none.

    The type that the platform gives decides, then the mark `[bot]` of its apps. A login that only sounds like a bot's
    is neither a person's nor a bot's, also where the platform calls it a user's: machines have such accounts too.
    Raises ValueError for what can be no account.
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
    formed = _by_form(login)
    return Actor(login=login, kind=formed if kind in {None, ActorKind.PERSON} else kind)


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


def with_machines(pull_request: PullRequest, machines: Collection[str]) -> PullRequest:
    """Return a pull request in which the accounts called `machines` are bots, whatever the platform calls them."""
    if not machines:
        return pull_request
    known = frozenset(login.casefold() for login in machines)
    found: PullRequest = _replaced(pull_request, known)
    return found


def _replaced(held: Any, known: frozenset[str]) -> Any:
    match held:
        case Actor(login=login):
            return Actor(login=login, kind=ActorKind.BOT) if login.casefold() in known else held
        case tuple():
            return tuple(_replaced(one, known) for one in held)
        case _ if is_dataclass(held) and not isinstance(held, type):
            changed = {field.name: _replaced(getattr(held, field.name), known) for field in fields(held)}
            return replace(held, **changed)
        case _:
            return held
