"""The price list of an installation: what models cost, and the day on which somebody looked."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from pydantic import Field, ValidationError

from config.complaints import complaints, dotted
from config.documents import read_mapping
from config.models import Price
from config.quantities import Frozen
from dream.errors import UsageError


class PriceList(Frozen):
    """Prices by the name that a model answers under, `openai/<model>`; none is built in, because they change."""

    dated: date | None = None
    models: dict[str, Price] = Field(default_factory=dict)


def load_prices(path: Path | None) -> PriceList:
    """Return the price list in the YAML file at `path`, an empty one for no path.

    Raises:
        UsageError: it cannot be read, or is no price list.
    """
    if path is None:
        return PriceList()
    document = read_mapping(path)
    try:
        return PriceList.model_validate(document)
    except ValidationError as error:
        causes = "; ".join(f"{dotted(where)}: {cause}" for where, cause in complaints(error, PriceList))
        message = f"{path}: {causes}"
        raise UsageError(message, way_out="correct the price list that DREAM_PRICES names", path=str(path)) from None
