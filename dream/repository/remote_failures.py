"""What went wrong with a remote, told from what the git program says in English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from dream.errors import DreamError, FatalError, NotAMemoryError, RemoteError, TransientError
from dream.repository.address import scrub
from dream.repository.git import Finished


class Cause(StrEnum):
    """Why a remote did not do what was asked; kept in the error's data as `cause`."""

    CREDENTIAL = "credential-refused"
    DAMAGED = "damaged"
    NO_REPOSITORY = "no-repository"
    DOWN = "down"
    HANGS = "hangs"
    CUT = "cut-off"
    REFUSES = "refuses"
    UNTRUSTED = "untrusted-certificate"
    REDIRECTS = "redirects"
    FORBIDDEN_PROTOCOL = "forbidden-protocol"
    OWNERSHIP = "owned-by-another-user"
    DISK_FULL = "disk-full"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Symptom:
    cause: Cause
    words: tuple[str, ...]


# in this order: an early line of git names the cause, later ones only its consequences
_SYMPTOMS = (
    _Symptom(cause=Cause.DISK_FULL, words=("No space left on device", "Disk quota exceeded")),
    _Symptom(cause=Cause.OWNERSHIP, words=("detected dubious ownership",)),
    _Symptom(
        cause=Cause.FORBIDDEN_PROTOCOL,
        words=("transport '", "Unsupported URL protocol", "unable to find remote helper"),
    ),
    _Symptom(
        cause=Cause.CREDENTIAL,
        words=(
            "Authentication failed",
            "could not read Username",
            "could not read Password",
            "returned error: 401",
            "returned error: 403",
            "Permission denied (",
            "Host key verification failed",
            "Access denied",
        ),
    ),
    _Symptom(
        cause=Cause.NO_REPOSITORY,
        words=(
            "returned error: 404",
            "returned error: 410",
            "does not appear to be a git repository",
            "not valid: is this a git repository?",
            "' not found",
            "Repository not found",
            "repository not exported",
            "no such repository",
            "mismatched algorithms",
        ),
    ),
    _Symptom(
        cause=Cause.UNTRUSTED,
        words=(
            "SSL certificate problem",
            "certificate verification failed",
            "SSL_ERROR",
            "SSL routines",
            "gnutls_handshake",
        ),
    ),
    _Symptom(
        cause=Cause.REDIRECTS,
        words=(
            "returned error: 301",
            "returned error: 302",
            "returned error: 303",
            "returned error: 307",
            "returned error: 308",
            "Maximum (",
            "unable to update url base from redirection",
        ),
    ),
    _Symptom(
        cause=Cause.HANGS,
        words=("Operation too slow", "transfer closed with outstanding", "Operation timed out", "Connection timed out"),
    ),
    _Symptom(
        cause=Cause.DOWN,
        words=(
            "Could not resolve",
            "Failed to connect",
            "Couldn't connect",
            "Connection refused",
            "unable to connect",
            "No route to host",
            "Network is unreachable",
            "unable to look up",
        ),
    ),
    _Symptom(cause=Cause.REFUSES, words=("returned error: ", "HTTP 4", "HTTP 5", "service not enabled")),
    _Symptom(
        cause=Cause.CUT,
        words=(
            "Empty reply from server",
            "hung up",
            "early EOF",
            "unexpected disconnect",
            "Connection reset",
            "RPC failed",
            "Recv failure",
            "Broken pipe",
            "unable to access",
        ),
    ),
)


def cause_of(finished: Finished) -> Cause | None:
    """Return why a remote did not serve a run of git, or None where git's words do not say."""
    if finished.timed_out:
        return Cause.HANGS
    if "repository corruption on the remote side" in finished.errors:
        return Cause.DAMAGED
    ours = "\n".join(line for line in finished.errors.split("\n") if not line.startswith("remote: "))
    return next((item.cause for item in _SYMPTOMS if any(word in ours for word in item.words)), None)


def remote_failure(finished: Finished, url: str) -> DreamError | None:
    """Return the error for a run of git that a remote did not serve, or None where it was not the remote's doing."""
    cause = cause_of(finished)
    if cause is None:
        return None
    message, way_out, kind = _told(cause, finished, scrub(url, ()))
    return kind(message, way_out=way_out, cause=str(cause), address=scrub(url, ()))


def _told(cause: Cause, finished: Finished, url: str) -> tuple[str, str, type[DreamError]]:
    said = finished.last_words
    told: dict[Cause, tuple[str, str, type[DreamError]]] = {
        Cause.CREDENTIAL: (
            f"{url} refuses the credential: {said}",
            "check memory.credential: is it still valid, and allowed to read and write there?",
            RemoteError,
        )
        if finished.had_credential
        else (f"{url} asks for a credential, and none is configured: {said}", "set memory.credential", RemoteError),
        Cause.DAMAGED: (f"the repository at {url} is damaged: {said}", "run git fsck where it is hosted", FatalError),
        Cause.NO_REPOSITORY: (
            f"there is no git repository at {url}, or this credential may not see it: {said}",
            "correct memory.url, or give the credential access",
            NotAMemoryError,
        ),
        Cause.DOWN: (f"{url} cannot be reached: {said}", "run again when it can", RemoteError),
        Cause.HANGS: (
            f"{url} did not answer within {finished.seconds:g} s" if finished.timed_out else f"{url} hangs: {said}",
            "run again; if it is only slow, raise the time limit",
            RemoteError,
        ),
        Cause.CUT: (f"{url} broke the connection off: {said}", "run again", RemoteError),
        Cause.REFUSES: (f"{url} refuses to serve: {said}", "run again; if it stays, ask who runs it", RemoteError),
        Cause.UNTRUSTED: (
            f"{url} shows a certificate that is not trusted: {said}",
            "renew it there, or name its authority in GIT_SSL_CAINFO",
            RemoteError,
        ),
        Cause.REDIRECTS: (
            f"{url} redirects to another address, where a credential does not follow: {said}",
            "configure the final address as memory.url",
            FatalError,
        ),
        Cause.FORBIDDEN_PROTOCOL: (
            f"{url} uses a protocol that is not allowed: {said}",
            "use https, http, ssh, git or file",
            FatalError,
        ),
        Cause.OWNERSHIP: (
            f"git does not trust a folder that belongs to another user: {said}",
            "let the user that runs this own it",
            FatalError,
        ),
        Cause.DISK_FULL: (f"the disk is full: {said}", "make room and run again", TransientError),
    }
    return told[cause]


def remote_lines(errors: str, *, most: int = 2_000) -> str:
    """Return what the other side said (git marks it with `remote: `), at most so many characters."""
    lines: Sequence[str] = [
        line.removeprefix("remote:").strip() for line in errors.split("\n") if line.startswith("remote:")
    ]
    return "\n".join(line for line in lines if line)[:most]
