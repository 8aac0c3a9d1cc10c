"""The learnings that stand and the suggestions that wait, as the commands tell them, and how one is suggested."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from config.settings import Settings
from dream.errors import FatalError, TransientError, UsageError
from dream.memory.skills import Skill, learning_path, parse_skill
from dream.memory.tree import Tree
from dream.memory.windows import current_night
from dream.report.escaping import one_line, visible
from dream.repository.mirror import Mirror
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.looking import Look, look
from flows.decisions import examine
from flows.installation import open_installation, open_workplace
from flows.lessons import Grounds, Learning, grounds_of, learnings_in
from flows.remembering import open_history
from flows.stories import read_state
from flows.suggestions import Suggestion, SuggestionStore, skill_of, suggestion_id
from flows.taught import RememberedWords, trigger_limits
from flows.workplace import Workplace

NOBODY_NAMED = "an agent"
"""Who a suggestion is by that does not say."""


def tell_learnings(settings: Settings, name: str, *, clock: Clock) -> Answer:
    """Return the learnings at the branch's head, and the suggestions that wait for a person."""
    seen = Seen(settings, name, clock=clock)
    taught, waiting = seen.learnings(), seen.waiting()
    counted = "1 learning" if len(taught) == 1 else f"{len(taught)} learnings"
    lines = [f"{name}: {counted}, {len(waiting)} waiting for a person"]
    for one in taught:
        lines += [f"  {one.name}: {one_line(one.broken or one.trigger)}", f"    by {one_line(one.by)}{_cited(one)}"]
    for suggestion in waiting:
        lines += [
            f"  suggestion {suggestion.id}: {suggestion.name}: {one_line(suggestion.trigger)}",
            f"    by {one_line(suggestion.suggested_by)}, {suggestion.suggested.date().isoformat()}",
        ]
    return Answer(
        text=visible("\n".join([*lines, *seen.remarks])),
        document={
            "organisation": name,
            "head": seen.head,
            "learnings": [one.payload() for one in taught],
            "suggestions": [one.model_dump(mode="json") for one in waiting],
            "remarks": seen.remarks,
        },
    )


def tell_learning(settings: Settings, name: str, wanted: str, *, clock: Clock) -> Answer:
    """Return one learning with what it rests on, or one suggestion; raises UsageError where there is neither."""
    seen = Seen(settings, name, clock=clock)
    found = next((one for one in seen.learnings() if one.name == wanted), None)
    if found is None:
        return _suggestion_told(seen.store.expect(wanted))
    evidence = tuple(grounds_of(found.path, seen.records, resolve=seen.resolve()))
    lines = [found.data.decode(errors="replace").rstrip("\n"), "", f"{found.path}, by {found.by}"]
    for one in evidence:
        lines.append(f"night {one.night.isoformat()}: {one.kind}{_from(one)}")
        lines += [f"  {mark}: {_words(words)}" for mark, words in one.quotes]
    if found.broken:
        lines.append(f"it is no skill that agents can use: {found.broken}")
    return Answer(
        text=visible("\n".join([*lines, *seen.remarks])),
        document={
            "organisation": name,
            **found.payload(),
            "text": found.data.decode(errors="replace"),
            "evidence": [one.payload() for one in evidence],
            "remarks": seen.remarks,
        },
    )


def list_command(name: str) -> Answer:
    """Return the answer of `dream learnings list`."""
    return tell_learnings(open_installation(), name, clock=system_clock())


def show_command(name: str, wanted: str) -> Answer:
    """Return the answer of `dream learnings show`."""
    return tell_learning(open_installation(), name, wanted, clock=system_clock())


def suggest_command(name: str, source: str, *, learning: str, trigger: str, by: str) -> Answer:
    """Return the answer of `dream learnings suggest`."""
    settings = open_installation()
    body = body_from(source, most_bytes=settings.limits.notes.most_bytes)
    return suggest_learning(settings, name, learning=learning, trigger=trigger, body=body, by=by, clock=system_clock())


def suggest_learning(
    settings: Settings, name: str, *, learning: str, trigger: str, body: str, by: str, clock: Clock
) -> Answer:
    """Keep a suggestion for a person to decide, or return (exit 1) everything that is held against it.

    Raises:
        UsageError: the body is a whole file with frontmatter.
        DreamError: the memory cannot be looked at, or the store not be reached.
    """
    if isinstance(parse_skill(body.encode(errors="replace")), Skill):
        message = "the body begins with frontmatter"
        raise UsageError(message, way_out="give what is in it as --name and --trigger, and only the text below it")
    seen = Seen(settings, name, clock=clock)
    skill = skill_of(learning, trigger, body)
    known = seen.store.get(suggestion_id(skill))
    if known is not None and known.status == "rejected":
        return _refused(name, [f"rejected by {known.decided_by or 'somebody'}: {known.why or 'no reason was given'}"])
    if known is not None and known.status == "waiting":
        return told_as(known, "it waits already")
    base, limits = seen.tree.blob(learning_path(learning)) or "", seen.workplace.organisation.limits
    examined = examine(
        skill,
        base=base,
        tree=seen.tree,
        by=NOBODY_NAMED,
        limits=trigger_limits(limits.triggers),
        most_bytes=limits.notes.most_bytes,
    )
    if isinstance(examined, tuple):
        return _refused(name, [f"{one.reason}: {one.detail}" if one.detail else one.reason for one in examined])
    suggestion = Suggestion(
        organisation=name,
        id=suggestion_id(skill),
        name=skill.name,
        trigger=skill.description,
        body=skill.body,
        base=base,
        suggested_by=one_line(by) or NOBODY_NAMED,
        suggested=clock.now(),
    )
    seen.store.put(suggestion)
    return told_as(suggestion, "it waits for a person")


def body_from(source: str, *, most_bytes: int) -> str:
    """Return what the file at `source`, or (`-`) standard input, holds.

    Raises:
        UsageError: there is no such file, or it is too large or no text.
    """
    try:
        if source == "-":
            data = sys.stdin.buffer.read(most_bytes + 1)
        else:
            with Path(source).open("rb") as file:
                data = file.read(most_bytes + 1)
        text = data.decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror or "it cannot be read"
        message = f"the body cannot be read from {source}: {reason}"
        raise UsageError(message, way_out="give a file of Markdown, or - for standard input") from error
    if len(data) > most_bytes:
        message = f"{source} is over {most_bytes} bytes"
        raise UsageError(message, way_out="a learning is a page: what it needs beside that stands elsewhere")
    return text


class Seen:
    """The branch as it stands, or as it was last fetched, and what waits in the store."""

    def __init__(self, settings: Settings, name: str, *, clock: Clock) -> None:
        """Look at the branch; raises UsageError for no such organisation, FatalError where it cannot be looked at."""
        self.workplace = open_workplace(settings, name)
        self._look: Look = look(self.workplace, today=current_night(clock.now()))
        if self._look.mirror is None or (self._look.troubles and not self._look.head):
            raise FatalError(self._look.troubles[0].why, way_out=self._look.troubles[0].way_out)
        self._mirror: Mirror = self._look.mirror
        self.head = self._look.head
        self.records = self._look.records
        self.tree: Tree = self._mirror.tree(self.head or None)
        self.store = suggestions_of(self.workplace)
        self._troubles: list[str] = []

    @property
    def remarks(self) -> list[str]:
        """What a reader should know of this look, as far as it has gone."""
        told = [*map(str, self._look.troubles), *(f"suggestion {one}" for one in self.store.damages), *self._troubles]
        return [*self._look.remarks, *told]

    def learnings(self) -> tuple[Learning, ...]:
        """Return the learnings at the head, by name."""
        state = read_state(self._mirror.tree(self._look.landed or None))
        return learnings_in(self.tree, state=state, mirror=self._mirror, head=self.head)

    def waiting(self) -> tuple[Suggestion, ...]:
        """Return what waits for a person, oldest first; nothing, with a remark, where the store is down."""
        try:
            return tuple(one for one in self.store.all() if one.status == "waiting")
        except TransientError as error:
            self._troubles.append(str(error))
            return ()

    def resolve(self) -> Callable[[str], str | None]:
        """Return what finds the words of a mark in the history, as long as that can be reached."""
        return RememberedWords(open_history(self.workplace))


def suggestions_of(workplace: Workplace) -> SuggestionStore:
    """Return where the organisation's suggestions wait."""
    return SuggestionStore(workplace.store, organisation=workplace.name)


def _cited(learning: Learning) -> str:
    return f"; from {one_line(', '.join(learning.sources))}" if learning.sources else ""


def _from(grounds: Grounds) -> str:
    return f", from {one_line(', '.join(grounds.sources))}" if grounds.sources else ""


def _words(words: str | None) -> str:
    return "its words are not kept any more" if words is None else f'"{one_line(words)}"'


def _refused(name: str, reasons: list[str]) -> Answer:
    lines = [f"{name}: this is no learning as it stands", *(f"  {one_line(reason)}" for reason in reasons)]
    return Answer(
        text=visible("\n".join(lines)), document={"organisation": name, "id": "", "refused": reasons}, exit_code=1
    )


def told_as(suggestion: Suggestion, told: str) -> Answer:
    """Return the answer that tells of a suggestion."""
    way = f"\n  dream learnings accept {suggestion.organisation} {suggestion.id} --by NAME"
    text = f"{suggestion.organisation}: {suggestion.name}: suggestion {suggestion.id}: {told}"
    return Answer(
        text=visible(text + (way if suggestion.status == "waiting" else "")),
        document={"organisation": suggestion.organisation, "refused": [], **_decision(suggestion)},
    )


def _decision(suggestion: Suggestion) -> dict[str, Any]:
    return suggestion.model_dump(mode="json", include={"id", "name", "trigger", "status", "decided_by", "why"})


def _suggestion_told(suggestion: Suggestion) -> Answer:
    became = suggestion.status + (f" by {suggestion.decided_by}" if suggestion.decided_by else "")
    lines = [
        suggestion.data.decode().rstrip("\n"),
        "",
        f"suggestion {suggestion.id} by {suggestion.suggested_by}, {_day(suggestion.suggested)}: {became}",
        *([f"  {suggestion.why}"] if suggestion.why else []),
    ]
    return Answer(text=visible("\n".join(lines)), document=suggestion.model_dump(mode="json"))


def _day(at: datetime) -> str:
    day: date = at.date()
    return day.isoformat()
