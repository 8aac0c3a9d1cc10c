"""What the tidying of a night finds in the organisation's code, and what it tells of what it could not compare."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from config.models import Model as Configured
from dream.models.port import Model, Replied, Reply, Unanswered, Usage
from dream.models.prompt import Prompt
from flows.dreaming import build_models
from tests.support.answering import MODELS
from tests.support.repositories import host
from tests.support.served import Served
from tests.support.stage import Stage, stage_of
from tests.tasks.tidying.rulers import Ruler

NOTE = "services/search-api.md"
SAID = "# search-api\n\n- 2026-10-01: In `deploy/search.yaml` the number of replicas is 4. [thread_0001, 2026-10-01]\n"
FINDING = f"{NOTE}:3: in-code, all of it stands in web: deploy/search.yaml"


class Vendor:
    """Rules `same` on every pair, and knows nothing of anything else."""

    name = "scripted/same"

    def adapter(self, configured: Configured, **told: Any) -> Model:
        """Stand in for one configured model."""
        del configured, told
        return self

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        said = Ruler(answers=lambda _: {}).ask(prompt, reply)
        return Replied(reply=said.reply, usage=Usage(calls=1)) if isinstance(said, Replied) else said

    def check(self) -> Unanswered | None:
        return None


def dreamt(stage: Stage) -> tuple[str, ...]:
    """Dream a night of tidying and return what it found."""
    result = stage.dream(models=partial(build_models, adapter=Vendor().adapter), only=["tidy"])
    assert result.record is not None
    assert result.record.tasks["tidy"].outcome != "failed"
    return result.record.tasks["tidy"].findings


def staged(served: Served, root: Path, notes: dict[str, str], *, code: str = "", down: bool = False) -> Stage:
    hosted = host(served, "web", {"deploy/search.yaml": code or "none: 0\n"})
    url = hosted.url + "-gone" if down else hosted.url
    stage = stage_of(served, root, {"MEMORY.md": "# Memory\n", **notes})
    web = {"name": "web", "kind": "code", "url": url, "internal": True, "seconds": 10}
    stage.extra = {"models": MODELS, "sessions": [], "production": [web]}
    return stage


@pytest.mark.parametrize(
    ("code", "is_told"),
    [("# the number of pods\nreplicas: 4\n", True), ("# the number of pods\nreplicas: 5\n", False), ("\0" * 9, False)],
    ids=["says-it", "another-value", "binary"],
)
def test_what_a_file_of_the_code_says_as_well_is_told_and_left_where_it_is(
    served: Served, tmp_path: Path, code: str, *, is_told: bool
) -> None:
    stage = staged(served, tmp_path, {NOTE: SAID}, code=code)
    assert (FINDING in dreamt(stage)) is is_told
    assert stage.files()[NOTE].decode() == SAID


def test_code_that_cannot_be_read_says_nothing(served: Served, tmp_path: Path) -> None:
    stage = staged(served, tmp_path, {NOTE: SAID}, down=True)
    assert not [one for one in dreamt(stage) if "in-code" in one]


def test_an_entry_that_is_too_long_to_be_compared_is_told_once(served: Served, tmp_path: Path) -> None:
    long = "# Words\n\n- " + " ".join(f"word{n:04}" for n in range(1_001)) + "\n"
    told = "tidy: 1 new entry is longer than 1000 distinct words and compared with none"
    stage = staged(served, tmp_path, {"services/words.md": long, NOTE: SAID})
    assert told in dreamt(stage)


def test_statements_so_alike_that_not_each_was_compared_are_told_of(served: Served, tmp_path: Path) -> None:
    template = "".join(
        f"- The basin{n} and the barrel{n} are emptied through sluice{n // 2} every second evening.\n"
        for n in range(80)
    )
    stage = staged(served, tmp_path, {"services/basins.md": f"# Basins\n\n{template}", NOTE: SAID})
    ends = "times so many statements shared their words that not each was compared"
    assert [one for one in dreamt(stage) if one.startswith("tidy: ") and one.endswith(ends)]
