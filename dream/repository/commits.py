"""Commits as values: written in memory, the same id for the same inputs, and read without trusting what they hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pygit2

from dream.errors import UsageError
from dream.repository.failures import reading, writing

_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
_FORBIDDEN_IN_NAMES = re.compile(r"[<>\x00-\x1f\x7f]")
_DROPPED_BY_GIT = " .,:;<>\"\\'"
_TRAILER = re.compile(r"([A-Za-z][A-Za-z0-9-]{0,63}): (.*)")
_ESCAPED_CATEGORIES = {"Cc", "Cs", "Co", "Zl", "Zp"}
_DIRECTIONS = {*range(0x200E, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_TAGS = range(0xE0000, 0xE1000)


@dataclass(frozen=True, slots=True)
class Identity:
    """A name and a mail address, as git records who made a commit."""

    name: str
    mail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitSpec:
    """Everything that a commit's id depends on; times are aware, git keeps whole seconds of them."""

    tree: str
    parents: Sequence[str]
    subject: str
    body: str = ""
    trailers: Sequence[tuple[str, str]] = ()
    author: Identity
    author_time: datetime
    committer_time: datetime
    committer: Identity | None = None
    """Who commits, if not the author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitInfo:
    """What a commit says about itself; anybody can write anything there."""

    id: str
    tree: str
    parents: tuple[str, ...]
    author: Identity
    committer: Identity
    author_time: datetime
    committer_time: datetime
    message: str
    trailers: tuple[tuple[str, str], ...]

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.split("\n", maxsplit=1)[0]

    def trailer(self, name: str) -> str:
        """The last trailer of this name, or nothing."""
        return next((value for key, value in reversed(self.trailers) if key == name), "")


def committer_time(night: datetime, base: datetime | None) -> datetime:
    """Return the later of the night's instant and a second after the commit it stands on.

    `git log --since` stops at the first commit that is older, so none may be dated before its parent.
    """
    if base is None:
        return night
    return max(night, min(base, _LATEST - timedelta(seconds=1)) + timedelta(seconds=1))


def write_commit(repository: pygit2.Repository, spec: CommitSpec) -> str:
    """Store a commit, move no reference, and return its id; raises UsageError for an identity git cannot record."""
    committer = spec.committer or spec.author
    message = render_message(spec.subject, spec.body, spec.trailers)
    for needed in (spec.tree, *spec.parents):
        with reading(repository, f"object {needed}"):
            repository.odb.read_header(pygit2.Oid(hex=needed))
    with writing(repository.path, "a commit"):
        return str(
            repository.create_commit(
                None,
                _signature(spec.author, spec.author_time),
                _signature(committer, spec.committer_time),
                message,
                pygit2.Oid(hex=spec.tree),
                [pygit2.Oid(hex=parent) for parent in spec.parents],
            )
        )


def render_message(subject: str, body: str = "", trailers: Sequence[tuple[str, str]] = ()) -> str:
    """Return a commit message: one line, the body, one paragraph of trailers; characters that could deceive escaped."""
    lines = [" ".join(_visible(subject).split())]
    text = "\n".join(line.rstrip() for line in _visible(body).split("\n")).strip("\n")
    if text:
        lines += ["", text]
    if trailers:
        lines += ["", *(f"{name}: {' '.join(_visible(value).split())}" for name, value in trailers)]
    return "\n".join(lines) + "\n"


def read_commit(repository: pygit2.Repository, commit: str) -> CommitInfo:
    """Return what a commit says, with undecodable text replaced and impossible times clamped.

    Raises BrokenMirrorError where there is no such commit.
    """
    with reading(repository, f"commit {commit}"):
        found = repository[commit].peel(pygit2.Commit)
        message = found.raw_message.decode("utf-8", "replace")
        return CommitInfo(
            id=str(found.id),
            tree=str(found.tree_id),
            parents=tuple(str(parent) for parent in found.parent_ids),
            author=_identity(found.author),
            committer=_identity(found.committer),
            author_time=instant(found.author.time),
            committer_time=instant(found.commit_time),
            message=message,
            trailers=_trailers(message),
        )


def instant(seconds: int) -> datetime:
    """Return git's seconds as an aware time, clamped to the years 1970 to 9999."""
    try:
        return max(_EARLIEST, min(_LATEST, _EARLIEST + timedelta(seconds=seconds)))
    except OverflowError:
        return _LATEST if seconds > 0 else _EARLIEST


def _signature(identity: Identity, at: datetime) -> pygit2.Signature:
    for text in (identity.name, identity.mail):
        # git drops a final full stop and the like in silence, and the identity would not be recognised again
        if not text or text != text.strip(_DROPPED_BY_GIT) or _FORBIDDEN_IN_NAMES.search(text):
            message = f"{text!r} cannot stand in a commit's identity"
            raise UsageError(message, way_out="set a plain name and mail address")
    return pygit2.Signature(identity.name, identity.mail, int(at.timestamp()), 0, "utf-8")


def _identity(signature: pygit2.Signature) -> Identity:
    return Identity(signature.raw_name.decode("utf-8", "replace"), signature.raw_email.decode("utf-8", "replace"))


def _trailers(message: str) -> tuple[tuple[str, str], ...]:
    """The last paragraph, if it is not the first and every line of it is a trailer."""
    paragraphs = message.rstrip("\n").rsplit("\n\n", maxsplit=1)
    if len(paragraphs) == 1:
        return ()
    matches = [_TRAILER.fullmatch(line) for line in paragraphs[1].split("\n")]
    return tuple((match[1], match[2]) for match in matches if match) if all(matches) else ()


def _visible(text: str) -> str:
    return "".join(character if _is_harmless(character) else _escape(character) for character in text)


def _is_harmless(character: str) -> bool:
    if character in "\n\t":
        return True
    code = ord(character)
    if code in _DIRECTIONS or code in _TAGS:
        return False
    return character.isprintable() or unicodedata.category(character) not in _ESCAPED_CATEGORIES


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004
