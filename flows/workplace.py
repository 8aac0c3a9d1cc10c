"""Where one organisation's nights work: its folder, its mirror, its keys."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from pydantic import SecretStr

from config.credentials import resolve_credential
from config.environment import process_environment
from config.organisation import Organisation
from config.settings import Settings
from dream.guards.state import seal_state
from dream.memory.allowance import LossLimits
from dream.memory.state import State, state_payload
from dream.night.authenticity import Keeper
from dream.report.alarms.limits import AlarmLimits
from dream.repository.address import Credential
from dream.repository.commits import Identity
from dream.repository.limits import RepositoryLimits
from dream.repository.mirror import Mirror, open_mirror


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """An organisation with the settings that hold for it."""

    organisation: Organisation
    settings: Settings

    @property
    def name(self) -> str:
        """The organisation's name."""
        return self.organisation.organisation

    @property
    def home(self) -> Path:
        """The organisation's own folder; all in it can be made again."""
        return self.settings.home / self.name

    @property
    def store(self) -> str:
        """Where the organisation keeps what must outlive a worker: an address of fsspec, its own alone."""
        kept = self.settings.store
        return f"{kept.rstrip('/')}/{self.name}" if kept else str(self.home / "store")

    @property
    def identity(self) -> Identity:
        """Who nightly commits are by."""
        return Identity(self.settings.identity.name, self.settings.identity.mail)

    def keeper(self) -> Keeper:
        """Return by what the flow's own state is known; raises UsageError where the key is missing."""
        key = self._secret(self.organisation.state_key)
        return Keeper(
            organisation=self.name,
            identity=self.identity,
            key=key.get_secret_value().encode() if key else None,
            look_back=timedelta(days=self.organisation.limits.window.look_back_days),
            observed=timedelta(days=self.organisation.limits.learnings.observation_days),
        )

    def mirror(self) -> Mirror:
        """Return the mirror of the organisation's memory; raises UsageError where its credential is missing."""
        memory = self.organisation.memory
        self._secret(memory.credential)
        return open_mirror(
            self.home,
            memory.url,
            memory.branch,
            prefix=memory.path,
            credential=lambda: _credential(self._secret(memory.credential)),
            limits=self.repository_limits(),
            environment=process_environment(),
        )

    def seal(self, state: State) -> State:
        """Return `state` under the organisation's seal, or as it is where no key is configured."""
        key = self.keeper().key
        return state if key is None else state.model_copy(update={"seal": seal_state(state_payload(state), key)})

    def repository_limits(self) -> RepositoryLimits:
        """Return what git may take."""
        git = self.settings.git
        return RepositoryLimits(
            local_seconds=git.local_seconds,
            fetch_seconds=git.fetch_seconds,
            push_seconds=git.push_seconds,
            stall_seconds=git.stall_seconds,
            prune_days=git.prune_days,
            nights_kept=self.organisation.limits.records.kept,
        )

    def loss_limits(self) -> LossLimits:
        """Return what nights may take away."""
        return LossLimits(**self.organisation.limits.loss.model_dump())

    def alarm_limits(self) -> AlarmLimits:
        """Return when nights that end well are degraded nevertheless."""
        return AlarmLimits(**self.organisation.limits.alarms.model_dump())

    def _secret(self, reference: str) -> SecretStr | None:
        return resolve_credential(reference, organisation=self.name)


def _credential(secret: SecretStr | None) -> Credential | None:
    return Credential(secret=secret.get_secret_value()) if secret else None
