"""`dream report --html`: the report of a night as one page for a browser."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from config.settings import Settings
from dream.errors import UsageError
from dream.report.html.page import render_html
from dream.repository.kept_files import replace_file
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.reading import story_of
from flows.installation import open_installation
from flows.opening import parse_night

PRINTED = "-"
"""The name of standard output, in place of a file's."""


def tell_page(settings: Settings, name: str, file: str, *, night: date | None, clock: Clock) -> Answer:
    """Write the page of a night, by default of the newest that ran, into `file` and return where that is.

    It is readable for its owner alone, since it quotes the memory. With `-` the page itself is the answer.

    Raises:
        UsageError: there is no such night, none has run yet, or `file` is in no folder.
        DreamError: the file cannot be written.
    """
    path = Path(file).expanduser()
    if file != PRINTED and not path.parent.is_dir():
        message = f"{path.parent} is no folder"
        raise UsageError(message, way_out="name a file in a folder that is there, or - to print the page")
    if file != PRINTED and path.is_dir():
        message = f"{path} is a folder"
        raise UsageError(message, way_out=f"name a file in it, such as {path / 'report.html'}")
    story = story_of(settings, name, night=night, clock=clock)
    if story is None:
        message = f"no night of {name} has run yet"
        raise UsageError(message, way_out=f"dream run {name}")
    page = render_html(story)
    if file == PRINTED:
        return Answer(text=page, document=story.payload())
    replace_file(path, page.encode(), "the report", mode=0o600)
    return Answer(text=f"{path}: the night of {story.night.isoformat()} of {name}", document={"file": str(path)})


def page_command(name: str, file: str, *, night: str) -> Answer:
    """Return the answer of `dream report --html`."""
    return tell_page(open_installation(), name, file, night=parse_night(night), clock=system_clock())
