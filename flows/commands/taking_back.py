"""`dream revert`: a night, a task of it or single operations, shown first, taken back and landed."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass

from config.settings import Settings
from dream.errors import UsageError
from dream.report.escaping import visible
from dream.report.taking_back import Row, exit_of, render_rows
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.arguments import task_name
from flows.commands.asking import Ask, terminal_question
from flows.commands.edge import NOTHING_LANDED
from flows.installation import open_installation, open_workplace, some_organisations
from flows.opening import parse_night
from flows.reverting.night import RevertRequest, revert_night
from flows.reverting.organisations import Looked, land_all, look_at_all

_YES = ("y", "yes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How it is done: only shown, without a question, or after one that `ask` puts to a person (None: nobody there).

    `quiet` shows nothing before it lands but to whoever is asked.
    """

    dry_run: bool = False
    yes: bool = False
    quiet: bool = False
    ask: Ask | None = None

    @property
    def asks(self) -> bool:
        """Whether a person is asked before anything lands."""
        return self.ask is not None and not self.yes and not self.dry_run

    @property
    def exactly(self) -> bool:
        """Whether it lands only as it was shown; who said yes where nobody looks wants it as it is by then."""
        return not (self.yes and self.ask is None)

    def show(self, text: str) -> None:
        """Show what would happen on standard output, unless a person is shown it with the question."""
        if not self.quiet and not self.asks:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    def agreed(self, text: str, question: str, *, to: tuple[str, ...]) -> bool:
        """Whether it may land: nobody is asked, or the answer is one of `to`."""
        return not self.asks or (self.ask is not None and self.ask(text, question).lower() in to)


def revert_command(
    name: str,
    *,
    everyone: bool,
    night: str,
    tasks: tuple[str, ...],
    operations: tuple[str, ...],
    retry: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> Answer:
    """Return the answer of `dream revert`.

    Raises UsageError where it is not said what is to be taken back.
    """
    date = parse_night(night)
    if date is None:
        message = "which night is to be taken back?"
        raise UsageError(message, way_out=f"dream revert {name or '--all'} --night DATE")
    if bool(name) == everyone:
        message = "an organisation or --all, one of them" if everyone else "whose night is to be taken back?"
        raise UsageError(message, way_out="dream revert ORG --night DATE, or dream revert --all --night DATE")
    if everyone and operations:
        message = "an operation is one of a single organisation's"
        raise UsageError(message, way_out=f"dream revert ORG --night {night} --operation ID")
    if len(tasks) > 1:
        message = f"one task at a time, and not {', '.join(tasks)}"
        raise UsageError(
            message, way_out=f"dream revert {name or '--all'} --night {night} --task {tasks[0]}, then the next"
        )
    settings = open_installation()
    request = RevertRequest(night=date, task=task_name(tasks[0]) if tasks else None, operations=operations, retry=retry)
    manner = Manner(dry_run=dry_run, yes=yes, quiet=as_json, ask=terminal_question())
    if everyone:
        return take_back_everywhere(settings, request, manner, clock=system_clock())
    return take_back(settings, name, request, manner, clock=system_clock())


def take_back(settings: Settings, name: str, request: RevertRequest, manner: Manner, *, clock: Clock) -> Answer:
    """Show what would be taken back, take it back if that is wanted, and return what was and what conflicts.

    Raises:
        DreamError: there is no such night or operation, or nothing landed.
    """
    workplace = open_workplace(settings, name)
    title = f"{name}: the night of {request.night.isoformat()}"
    preview = revert_night(workplace, request, dry_run=True, clock=clock)
    text = visible("\n".join([title, *(f"  {line}" for line in preview.preview)]))
    if manner.dry_run or not preview.commits:
        return Answer(text=text, document=preview.payload(), exit_code=preview.exit_code)
    manner.show(text)
    if not manner.agreed(text, "take that back? [y/N]", to=_YES):
        document = {**preview.payload(), "exit": NOTHING_LANDED}
        return Answer(text=f"{name}: nothing was taken back", document=document, exit_code=NOTHING_LANDED)
    shown = preview.digest if manner.exactly else None
    result = revert_night(workplace, request, dry_run=False, clock=clock, shown=shown)
    lines = [title, *(f"  {line}" for line in result.lines)]
    return Answer(text=visible("\n".join(lines)), document=result.payload(), exit_code=result.exit_code)


def take_back_everywhere(settings: Settings, request: RevertRequest, manner: Manner, *, clock: Clock) -> Answer:
    """Show what would be taken back of every organisation, and take it back only for a clear yes.

    Raises UsageError where there is no organisation, or nothing of that task can be taken back.
    """
    request.check()
    found = some_organisations(settings)
    looked = asyncio.run(look_at_all(settings, found, request, clock=clock))
    rows = _rows(looked)
    text = visible(render_rows(request.night, rows))
    concerned = sum(bool(one.digest) for one in looked)
    if manner.dry_run or not concerned:
        return _answer(text, request, rows, dry_run=True, exit_code=exit_of(rows))
    if not manner.yes and manner.ask is None:
        night = f"--night {request.night.isoformat()}"
        task = f" --task {request.task}" if request.task else ""
        retry = " --retry" if request.retry else ""
        text += f"\nnothing was taken back; to do it: dream revert --all {night}{task}{retry} --yes"
        return _answer(text, request, rows, dry_run=True, exit_code=NOTHING_LANDED)
    manner.show(text)
    question = f"to take that back in {concerned} of {len(rows)}, type the night, {request.night.isoformat()}:"
    if not manner.agreed(text, question, to=(request.night.isoformat(),)):
        return _answer("nothing was taken back", request, rows, dry_run=True, exit_code=NOTHING_LANDED)
    landing = land_all(settings, found, request, clock=clock, looked=looked, exactly=manner.exactly)
    ended = _rows(asyncio.run(landing))
    told = visible(render_rows(request.night, ended))
    return _answer(told, request, ended, dry_run=False, exit_code=exit_of(ended))


def _rows(looked: tuple[Looked, ...]) -> tuple[Row, ...]:
    return tuple(one.row for one in looked)


def _answer(text: str, request: RevertRequest, rows: tuple[Row, ...], *, dry_run: bool, exit_code: int) -> Answer:
    document = {
        "night": request.night.isoformat(),
        "task": request.task,
        "organisations": [row.payload() for row in rows],
        "dry_run": dry_run,
        "exit": exit_code,
    }
    return Answer(text=text, document=document, exit_code=exit_code)
