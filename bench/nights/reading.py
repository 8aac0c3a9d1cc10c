"""The page of a replayed night, for people to look at."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from config.organisation import Organisation
from config.settings import Settings
from dream.memory.records import record_dates
from dream.report.html.page import render_html
from flows.stories import read_story
from flows.workplace import Workplace


def write_page(organisation: Mapping[str, Any], home: Path, file: Path) -> None:
    """Write the page of the newest night that has landed of an organisation (the document of its file) into `file`."""
    settings = Settings(home=home, organisations=home)
    workplace = Workplace(organisation=Organisation.model_validate(organisation), settings=settings)
    mirror = workplace.mirror()
    head = mirror.tracked() or ""
    story = read_story(workplace, mirror, record_dates(mirror.tree(head))[-1], head=head)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(render_html(story), encoding="utf-8")
