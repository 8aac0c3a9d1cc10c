"""The git program, asked to read a code repository: an answer, or one error whatever went wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dream.errors import DreamError, RemoteError
from dream.git_program import Bounds, Ended, run_git

_READ = 65_536
_TOLD = 500
_SETTINGS = ("gc.autoDetach=false", "diff.renameLimit=2000", "log.showSignature=false")
_LOGIN = re.compile(rb"://[^/@\s]{1,1000}@")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """A bare repository to ask; `seconds` and `most` (bytes) bound each answer.

    `environment` is given to git as it is, over settings that read nothing of this machine: credentials come with it,
    and nothing of it is ever repeated. `settings` (`name=value`) come last, so that they hold.
    """

    repository: Path
    seconds: float
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    most: int = 64_000_000
    settings: tuple[str, ...] = ()

    def ask(self, *arguments: str, given: bytes = b"") -> bytes:
        """Return what git prints. Raises RemoteError where it fails, takes too long or prints too much."""
        asked = arguments[0]
        ended = self.run(*arguments, given=given)
        if ended.timed_out:
            message = f"git {asked} took more than {self.seconds:g} seconds"
            raise RemoteError(message, way_out="see that the server answers, or allow more time")
        if ended.status != 0:
            message = f"git {asked}: {last_words(ended)}"
            raise RemoteError(message, way_out="see that the address is right")
        if len(ended.output) > self.most:
            message = f"git {asked} printed more than {self.most} bytes"
            raise RemoteError(message, way_out="the repository is too large to be read whole")
        return ended.output

    def run(self, *arguments: str, given: bytes = b"") -> Ended:
        """Return how a run of git ended, whatever that is. Raises RemoteError where git cannot be started."""
        try:
            return run_git(
                arguments,
                repository=self.repository.absolute(),
                environment=self.environment,
                bounds=Bounds(seconds=self.seconds, output_bytes=self.most + 1),
                settings=(*_SETTINGS, *self.settings),
                stdin=given,
            )
        except DreamError as error:  # for whoever reads a code repository, no git is a repository that is down
            raise RemoteError(str(error), way_out=error.way_out) from error


def last_words(ended: Ended) -> str:
    """Return the end of what git said, on one line and without a login."""
    said = _LOGIN.sub(b"://", ended.errors[-_READ:]).decode("utf-8", "replace")
    lines = [line.strip() for line in said.split("\n") if line.strip()]
    return _CONTROL.sub(" ", " / ".join(lines[-2:]))[-_TOLD:] or "it failed without a word"
