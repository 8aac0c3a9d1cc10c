"""Of many organisations one may hang: it is given up, and the others are taken back nevertheless."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from config.fleet import Nightly
from config.organisation import Organisation
from config.settings import Settings
from dream.report.taking_back import Row
from flows.reverting.night import RevertRequest
from flows.reverting.organisations import Looked, each_within_time
from flows.workplace import Workplace
from tests.support.stage import NIGHT

LANDS = (
    "given up after 2 seconds; whether anything was taken back is not known",
    "dream doctor acme, then: dream log acme --night 2026-10-22 --operations",
)


@pytest.mark.parametrize(
    ("lands", "told"), [(False, ("given up after 2 seconds", "dream doctor acme")), (True, LANDS)], ids=["look", "land"]
)
def test_one_that_hangs_is_given_up_and_gives_its_place_to_the_next(
    tmp_path: Path,
    lands: bool,  # noqa: FBT001
    told: tuple[str, str],
) -> None:
    """It is the first of two that are worked on one after the other."""
    nightly = Nightly(concurrency=1, night_seconds=2)
    settings = Settings(home=tmp_path / "home", organisations=tmp_path, nightly=nightly)
    both = [
        Organisation.model_validate({"organisation": name, "memory": {"url": f"http://127.0.0.1:9/{name}.git"}})
        for name in ("acme", "birch")
    ]
    goes_on = threading.Event()

    def work(place: Workplace) -> Looked:
        if place.name == "acme":
            goes_on.wait()
        return Looked(row=Row(organisation=place.name, state="taken back"), digest="d")

    first, second = asyncio.run(each_within_time(settings, both, RevertRequest(night=NIGHT), work, lands=lands))
    (hung,) = [one for one in threading.enumerate() if one.name == "acme"]
    assert hung.daemon  # or the command would not end
    goes_on.set()
    hung.join()
    assert (first.row.state, first.row.reason, first.row.way_out, first.digest) == ("did not land", *told, "")
    assert second == Looked(row=Row(organisation="birch", state="taken back"), digest="d")
