"""The one push that publishes a night, and what counts as having landed: only what the remote then says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import structlog

from dream.errors import DreamError, FatalError
from dream.repository.git import Finished
from dream.repository.history import is_ancestor
from dream.repository.mirror import Head, Mirror
from dream.repository.remote_failures import Cause, cause_of, remote_failure, remote_lines

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """The remote's branch is, or contains, the night's last commit; `head` is where it stands."""

    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """The branch stands elsewhere (None: it is gone) and nothing landed: plant again on it."""

    head: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The remote's own rules refused the push and nothing landed; `message` is what they said."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAnswer:
    """The remote did not answer in a way that tells; as far as it can be asked, nothing landed."""

    message: str


Answer = Landed | Moved | Rejected | NoAnswer


class Landing(Protocol):
    """Publishes a prepared commit."""

    def land(self, tip: str, onto: str | None) -> Answer:
        """Publish `tip`, which descends from `onto`, if the branch still stands there; None: if there is no branch."""
        ...


@dataclass(frozen=True, slots=True)
class PushLanding:
    """Lands by an atomic push, leased on the commit it was planted on, and reads the branch back."""

    mirror: Mirror

    def land(self, tip: str, onto: str | None) -> Answer:
        """Push once and tell what the remote then holds.

        Raises FatalError where `tip` does not descend from `onto` (nothing is ever forced), RemoteError where the
        credential may not push, NotAMemoryError where there is no repository any more.
        """
        check_descends(self.mirror, tip, onto)
        pushed = self.mirror.push(tip, onto)
        cause = None if pushed.ok else cause_of(pushed)
        try:
            head = self._read_back()
        except DreamError as failure:
            if cause in {Cause.CREDENTIAL, Cause.NO_REPOSITORY}:
                raise _refused(pushed, self.mirror) from failure
            if self._shows(tip):
                return Landed(head=tip)
            return NoAnswer(message=f"after the push: {failure}")
        result = self._judge(tip, onto, head, pushed, cause)
        log.info("push.answered", result=type(result).__name__, tip=tip, onto=onto, head=head)
        return result

    def _judge(self, tip: str, onto: str | None, head: str | None, pushed: Finished, cause: Cause | None) -> Answer:
        if head is not None and is_ancestor(self.mirror.repository, tip, head):
            self._remember(head)
            return Landed(head=head)
        if cause in {Cause.CREDENTIAL, Cause.NO_REPOSITORY, Cause.REDIRECTS, Cause.FORBIDDEN_PROTOCOL, Cause.OWNERSHIP}:
            raise _refused(pushed, self.mirror)
        refusal = _refusal(pushed)
        if refusal is not None and cause is None:
            return Rejected(message=refusal)
        if head != onto:
            return Moved(head=head)
        if pushed.ok:
            return NoAnswer(message="the remote said yes, but its branch does not show it")
        failure = remote_failure(pushed, self.mirror.url)
        return NoAnswer(message=str(failure) if failure else remote_lines(pushed.errors) or pushed.last_words)

    def _shows(self, tip: str) -> bool:
        """Whether the remote shows `tip` where nothing can be fetched: a disk that is full here says nothing of it."""
        try:
            return self.mirror.ask_tip() == tip
        except DreamError:
            return False

    def _remember(self, head: str) -> None:
        try:
            self.mirror.saw(head)
        except DreamError as failure:  # it has landed, and the next fetch remembers as much
            log.warning("tip.not_kept", head=head, cause=str(failure))

    def _read_back(self) -> str | None:
        found = self.mirror.read_back()
        return found.commit if isinstance(found, Head) else None


@dataclass(frozen=True, slots=True)
class DryLanding:
    """Publishes nothing, and answers as if the branch had taken it."""

    mirror: Mirror

    def land(self, tip: str, onto: str | None) -> Answer:
        """Check what a push would check first, and push nothing; raises FatalError as PushLanding does."""
        check_descends(self.mirror, tip, onto)
        return Landed(head=tip)


def check_descends(mirror: Mirror, tip: str, onto: str | None) -> None:
    """Raise FatalError unless `tip` is here and descends from `onto`."""
    if not is_ancestor(mirror.repository, onto or tip, tip):
        message = f"{tip} does not descend from {onto}, so it cannot be landed on it"
        raise FatalError(message, way_out="plant the night again")


# what servers say when a reference changed, or was being changed, while they updated it
_RACES = (
    "atomic transaction failed",
    "cannot lock ref",
    "failed to lock",
    "failed to update ref",
    "incorrect old value provided",
    "reference already exists",
    "stale info",
)


def _refused(pushed: Finished, mirror: Mirror) -> DreamError:
    return remote_failure(pushed, mirror.url) or FatalError(
        f"the remote does not take the push: {pushed.last_words}",
        way_out="see what the server says to the flow's identity: dream doctor ORG",
    )


def _refusal(pushed: Finished) -> str | None:
    """Return why the remote's rules refused the reference, or None where they did not.

    A porcelain line reads `!<tab>from:to<tab>[remote rejected] (reason)`; a lease that does not hold is no refusal,
    nor is a reference that another push changed at the same moment.
    """
    for line in pushed.output.decode("utf-8", "replace").split("\n"):
        flag, _, rest = line.partition("\t")
        if flag == "!" and "[remote rejected]" in rest:
            reason = rest.partition("[remote rejected]")[2].strip().strip("()")
            if any(words in reason for words in _RACES):
                return None
            said = remote_lines(pushed.errors)
            return f"{said}\n({reason})" if said else reason
    return None
