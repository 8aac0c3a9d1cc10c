"""What one installation is told through `DREAM_…` variables of the environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from config.complaints import Location, complaints, nearest
from config.fleet import Nightly
from config.limits import Limits
from config.quantities import AtLeastOne, Frozen, Seconds
from dream.errors import UsageError

PREFIX = "DREAM_"
_NESTED = "__"


def _absolute(path: Path) -> Path:
    try:
        return path.expanduser().absolute()
    except RuntimeError as error:
        message = f"names a home directory that cannot be found: {error}"
        raise ValueError(message) from error


def _upper(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


def _store(address: str) -> str:
    """Return an address that fsspec knows as it is, and a path as one that does not depend on where this runs."""
    return address if not address or "://" in address else str(_absolute(Path(address)))


Folder = Annotated[Path, AfterValidator(_absolute)]
Store = Annotated[str, AfterValidator(_store)]
# git ends a name at any of these, and drops them without a word.
Written = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^<>\n\r\x00]*$")
]

Person = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]


class Identity(Frozen):
    """Who the nightly commits are by: author and committer alike."""

    name: Written = "Nightly Dreaming"
    mail: Written = "nightly-dreaming@localhost"


class Git(Frozen):
    """What the git program may take, in seconds, and how many days clean-up leaves alone, never fewer than two."""

    local_seconds: Seconds = 120
    fetch_seconds: Seconds = 600
    push_seconds: Seconds = 180
    stall_seconds: AtLeastOne = 60
    prune_days: Annotated[int, Field(ge=2)] = 14


class Settings(BaseSettings):
    """One installation: where things are, who it commits as, and its limits.

    `store` is an address of fsspec for what must outlive a worker; left empty, that lies in each organisation's folder
    under `home`. `prices` is a file with what models cost. `by` is who gives commands here, where the name of this
    machine's user does not say it.

    `DREAM_LIMITS__LOSS__NIGHT_PERCENT` reaches `limits.loss.night_percent`, and so on; an organisation's own file goes
    before the `limits` here.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter=_NESTED,
        env_ignore_empty=True,
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
    )

    organisations: Folder = Field(default=Path("organisations"), validate_default=True)
    home: Folder = Field(default=Path("~/.dream"), validate_default=True)
    store: Store = ""
    prices: Folder | None = None
    by: Person = ""
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_upper)] = "INFO"
    log_format: Literal["text", "json"] = "text"
    lock_wait_seconds: Seconds = 60
    identity: Identity = Identity()
    git: Git = Git()
    nightly: Nightly = Nightly()
    limits: Limits = Limits()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003  # the names of these five are the base class's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read arguments and the environment, and no file that happens to lie in the working directory."""
        return init_settings, env_settings


def load_settings() -> Settings:
    """Return the settings of this process; creates nothing.

    Raises:
        UsageError: a variable does not fit, named with the cause.
    """
    try:
        return Settings()
    except ValidationError as error:
        causes = "; ".join(f"{variable(where)} {cause}" for where, cause in complaints(error, Settings))
        raise UsageError(causes, way_out="correct the variable, or unset it to get the default") from None
    except SettingsError as error:
        message = f"the {PREFIX}… variables cannot be read: {error}"
        raise UsageError(message, way_out=f"set single values, as in {PREFIX}LIMITS__LOSS__NIGHT_PERCENT=10") from None


def unread_variables(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return what is said about each `DREAM_…` variable that no setting reads, with the nearest one that is read."""
    read = [variable((name,)) for name in Settings.model_fields]
    return tuple(
        f"{name} is read by nothing; {nearest(name, read)}"
        for name in sorted(environment)
        if name.startswith(PREFIX) and name.partition(_NESTED)[0] not in read
    )


def variable(location: Location) -> str:
    """Return the variable of the environment that sets what `location` names."""
    return PREFIX + _NESTED.join(str(part) for part in location).upper()
