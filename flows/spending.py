"""What the runs of one night have spent on models, in a file of the organisation's own folder."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dream.errors import FatalError
from dream.models.budget import Spent
from dream.repository.kept_files import private_folder, replace_file

FOLDER = "spend"


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: int = Field(ge=0)
    dollars: Decimal = Field(ge=0, allow_inf_nan=False)
    calls: int = Field(ge=0)
    seconds: float = Field(ge=0, allow_inf_nan=False)


def read_spent(home: Path, night: date) -> Spent:
    """Return what the runs of `night` have spent so far.

    Raises:
        FatalError: it is written down and cannot be read; the night must not begin with a fresh ceiling then.
    """
    path = _path(home, night)
    try:
        kept = _Kept.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Spent()
    except (OSError, ValidationError) as error:
        message = f"what the night of {night.isoformat()} has spent cannot be read from {path}: {type(error).__name__}"
        raise FatalError(message, way_out="take that file away if the night may spend as much again") from error
    return Spent(tokens=kept.tokens, dollars=kept.dollars, calls=kept.calls, seconds=kept.seconds)


def write_spent(home: Path, night: date, spent: Spent) -> None:
    """Write down what the runs of `night` have spent; raises DreamError where that cannot be done."""
    path = _path(home, night)
    kept = _Kept(tokens=spent.tokens, dollars=spent.dollars, calls=spent.calls, seconds=max(spent.seconds, 0.0))
    private_folder(path.parent)
    replace_file(path, kept.model_dump_json().encode(), "what is spent")


def _path(home: Path, night: date) -> Path:
    return home / FOLDER / f"{night.isoformat()}.json"
