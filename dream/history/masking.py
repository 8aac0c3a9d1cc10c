"""A session as it may be kept: no credential in any of its texts, and each as long as it was."""

from __future__ import annotations

from dataclasses import replace

from dream.guards.masking import mask_secrets
from dream.sources.sessions.values import Message, Session


def masked_session(session: Session, *, source: str = "") -> Session:
    """Return `session` without a credential in it, under the name `source` if one is given.

    Where its files lay is nobody's business later and left out.
    """
    return replace(
        session,
        id=mask_secrets(session.id),
        short=mask_secrets((source or session.source).removeprefix("thread_")),
        messages=tuple(map(_masked, session.messages)),
        title=mask_secrets(session.title),
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
        text=mask_secrets(message.text),
        author=mask_secrets(message.author),
        tool=mask_secrets(message.tool),
        command=mask_secrets(message.command),
        edits=mask_secrets(message.edits),
        diff=mask_secrets(message.diff),
    )
