"""A session as it may be kept: no credential in any of its texts, and each as long as it was."""

from __future__ import annotations

from dataclasses import replace

from dream.guards.masking import mask_cut_secrets, mask_secrets
from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.tools import LONGEST_CALL
from dream.sources.sessions.values import Message, Session

_LONGEST_TITLE = 500
_LIMITS = ReadingLimits()


def masked_session(session: Session, *, source: str = "") -> Session:
    """Return `session` without a credential in it, under the name `source` if one is given.

    Where its files lay is nobody's business later and left out.
    """
    return replace(
        session,
        id=mask_secrets(session.id),
        short=mask_secrets((source or session.source).removeprefix("thread_")),
        messages=tuple(map(_masked, session.messages)),
        tool=mask_secrets(session.tool),
        title=_masked_to(session.title, _LONGEST_TITLE),
        repository=mask_secrets(session.repository),
        branch=mask_secrets(session.branch),
        pull_requests=tuple(map(mask_secrets, session.pull_requests)),
        files=tuple(map(mask_secrets, session.files)),
        origin_files=(),
    )


def _masked(message: Message) -> Message:
    return replace(
        message,
        id=mask_secrets(message.id),
        text=mask_cut_secrets(message.text) if message.cut else mask_secrets(message.text),
        author=mask_secrets(message.author),
        tool=_masked_to(message.tool, LONGEST_CALL),
        command=_masked_to(message.command, _LIMITS.captured),
        edits=mask_secrets(message.edits),
        diff=_masked_to(message.diff, _LIMITS.captured),
    )


def _masked_to(text: str, most: int) -> str:
    """Return `text` masked; where it has as many characters as it may have, its end may have been cut off."""
    return mask_cut_secrets(text) if len(text) >= most else mask_secrets(text)
