"""The git program as the mirror uses it: with its limits, with credentials, and with no secret in what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dream.errors import UsageError
from dream.git_program import Bounds, passed_on, run_git
from dream.repository.address import Address, Credential, CredentialSource, no_credential, scrub
from dream.repository.limits import RepositoryLimits

# what git adds to every failure of a transport, after its cause
_EMPTY_WORDS = {
    "",
    "fatal: Could not read from remote repository.",
    "Please make sure you have the correct access rights",
    "and the repository exists.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a run of git ended; `errors` holds no secret and no control character."""

    status: int
    output: bytes
    errors: str
    timed_out: bool = False
    seconds: float = 0
    """The time limit it ran under."""
    had_credential: bool = False

    @property
    def ok(self) -> bool:
        """Whether git ended by itself and without an error."""
        return self.status == 0 and not self.timed_out

    @property
    def last_words(self) -> str:
        """The end of what git said went wrong, on one line."""
        lines = [line.strip() for line in self.errors.split("\n") if line.strip() not in _EMPTY_WORDS]
        return " / ".join(lines[-3:])[-500:] or f"git ended with status {self.status}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """The git program with its limits; of `environment` only path, proxies, certificates and ssh are passed on."""

    limits: RepositoryLimits = field(default_factory=RepositoryLimits)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)

    def run(self, arguments: Sequence[str], *, repository: Path | None = None, stdin: bytes = b"") -> Finished:
        """Run git on a local repository.

        Raises FatalError where there is no git program, and TransientError where the machine cannot start it now.
        """
        return self._run(
            arguments, repository, stdin=stdin, seconds=self.limits.local_seconds, credential=None, origin=""
        )

    def run_remote(
        self,
        arguments: Sequence[str],
        *,
        repository: Path | None,
        address: Address,
        credential: CredentialSource = no_credential,
        seconds: float,
    ) -> Finished:
        """Run git against `address`, with a credential that only git's environment holds.

        Raises UsageError where a credential is given for an address that is not http, since nothing would use it.
        """
        entry = credential() or address.login
        if entry is not None and not address.origin:
            message = f"a credential is configured for {scrub(address.url, ())}, but only https addresses take one"
            raise UsageError(
                message,
                way_out="use the https address, or take the credential out and give ssh a key",
            )
        return self._run(arguments, repository, stdin=b"", seconds=seconds, credential=entry, origin=address.origin)

    def _run(
        self,
        arguments: Sequence[str],
        repository: Path | None,
        *,
        stdin: bytes,
        seconds: float,
        credential: Credential | None,
        origin: str,
    ) -> Finished:
        ended = run_git(
            arguments,
            repository=repository,
            environment={**passed_on(self.environment), **login_environment(credential, origin)},
            bounds=Bounds(
                seconds=seconds,
                output_bytes=self.limits.output_bytes,
                stall_seconds=self.limits.stall_seconds,
                kill_grace_seconds=self.limits.kill_grace_seconds,
            ),
            settings=("gc.auto=0",),
            stdin=stdin,
        )
        return Finished(
            status=ended.status,
            output=ended.output,
            errors=scrub(ended.errors.decode("utf-8", "replace"), credential.secrets() if credential else ()),
            timed_out=ended.timed_out,
            seconds=seconds,
            had_credential=credential is not None,
        )


def login_environment(credential: Credential | None, origin: str) -> dict[str, str]:
    """Return the variables by which git alone is given a credential for the addresses of `origin`."""
    if credential is None:
        return {}
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"http.{origin}.extraHeader",
        "GIT_CONFIG_VALUE_0": credential.header(),
    }
