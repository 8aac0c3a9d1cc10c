"""The kinds of numbers that a configuration holds, and what every value of it is made of."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]
Percent = Annotated[int, Field(ge=0, le=100)]
Similarity = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
AtLeastASecond = Annotated[float, Field(ge=1, allow_inf_nan=False)]


class Frozen(BaseModel):
    """A configuration value: read once, never changed, and without a key that nobody knows."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
