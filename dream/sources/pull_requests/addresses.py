"""Accounts by the addresses that a platform gives to those who keep their own for themselves. Pure."""

from __future__ import annotations

import re

from dream.sources.pull_requests.actors import WEB_EDITOR, actor_of
from dream.sources.pull_requests.values import Actor

_KEPT = re.compile(
    r"(?:[0-9]{1,20}\+)?([a-z0-9][a-z0-9-]{0,60}(?:\[bot\])?)@users\.noreply\.github\.com", re.IGNORECASE
)
_WEB_EDITOR = "noreply@github.com"
_TRAILER = re.compile(r"(?im)^co-authored-by:[ \t]{0,8}[^<\n]{0,200}<([^<>\s]{1,254})>[ \t\r]{0,8}$")
_MOST = 100


def login_of(address: str) -> str:
    """Return the login that an e-mail address names, "" where it is no address of the platform's own."""
    if address.casefold() == _WEB_EDITOR:
        return WEB_EDITOR
    kept = _KEPT.fullmatch(address)
    return kept[1] if kept else ""


def co_authors_in(message: str) -> tuple[Actor, ...]:
    """Return the accounts that `Co-authored-by` trailers name by an address of the platform's own, each once."""
    logins = dict.fromkeys(login for address in _TRAILER.findall(message)[:_MOST] if (login := login_of(address)))
    return tuple(actor for login in logins if (actor := actor_of(login)) is not None)
