"""`dream learnings install`: the learnings of the branch's head, where a project's agents look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from config.settings import Settings
from dream.guards.screen import screen_text
from dream.guards.secrets import find_secrets
from dream.guards.triggers import TriggerLimits, check_trigger
from dream.memory.skills import check_skill
from dream.memory.sources import Origin
from dream.projects.installing import Installation, install_learnings
from dream.projects.places import places_for
from dream.report.escaping import one_line, visible
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.teaching import Seen
from flows.installation import open_installation
from flows.lessons import THE_NIGHT, Learning
from flows.taught import trigger_limits

_HIJACKING = frozenset({"trigger-disguised", "trigger-universal"})
"""Why a trigger is nobody's own matter: it would speak to every agent."""


def install_command(name: str, project: Path, *, tools: Sequence[str], template: str, dry_run: bool) -> Answer:
    """Return the answer of `dream learnings install`."""
    return install(
        open_installation(), name, project, tools=tools, template=template, dry_run=dry_run, clock=system_clock()
    )


def install(
    settings: Settings,
    name: str,
    project: Path,
    *,
    tools: Sequence[str],
    template: str,
    dry_run: bool,
    clock: Clock,
) -> Answer:
    """Write the learnings of an organisation into `project`, and return what that came to.

    Raises:
        UsageError: there is no such folder, tool or template.
        DreamError: the memory cannot be looked at, or something cannot be written.
    """
    places = places_for(tools, template)
    seen = Seen(settings, name, clock=clock)
    found, limits = seen.learnings(), trigger_limits(seen.workplace.organisation.limits.triggers)
    withheld = {one.name: reason for one in found if (reason := _trouble(one, limits))}
    done = install_learnings(
        project,
        {one.name: one.data for one in found if one.name not in withheld},
        organisation=name,
        places=places,
        dry_run=dry_run,
    )
    lines = [f"{name}: {project}", *_lines(done, dry_run=dry_run)]
    lines += [f"  not handed out: {one_line(learning)}: {one_line(reason)}" for learning, reason in withheld.items()]
    return Answer(
        text=visible("\n".join([*lines, *seen.remarks])),
        document={
            "organisation": name,
            "project": str(project),
            "head": seen.head,
            "dry_run": dry_run,
            **asdict(done),
            "withheld": withheld,
            "remarks": seen.remarks,
        },
        exit_code=1 if done.left or withheld else 0,
    )


def _trouble(learning: Learning, limits: TriggerLimits) -> str:
    """Return why a learning is handed to nobody; people may give one fields that the published rules do not have.

    What no night wrote is judged as an agent's, because agents push to a memory as well.
    """
    if learning.skill is None:
        return learning.broken
    findings = check_skill(replace(learning.skill, unknown=()), folder=learning.name)
    if findings:
        return "; ".join(findings)
    text = learning.data.decode(errors="replace")
    if find_secrets(text):
        return "secret"
    is_nights = learning.by == THE_NIGHT
    withheld = screen_text(text, origin=Origin.PERSON if is_nights else Origin.AGENT, carriage_returns=True)
    if withheld or is_nights:
        return withheld.reason if withheld else ""
    refusal = check_trigger(learning.trigger, evidence=(learning.skill.body,), others={}, limits=limits)
    return f"{refusal.reason}: {refusal.detail}" if refusal and refusal.reason in _HIJACKING else ""


def _lines(done: Installation, *, dry_run: bool) -> Iterator[str]:
    would = "would be " if dry_run else ""
    for verb, paths in (("written", done.written), ("updated", done.updated), ("removed", done.removed)):
        yield from (f"  {would}{verb}: {path}" for path in paths)
    if done.unchanged:
        yield f"  as they should be: {len(done.unchanged)}"
    yield from (f"  left alone: {left.path}: {left.reason}" for left in done.left)
    if not (done.written or done.updated or done.removed or done.unchanged or done.left):
        yield "  nothing to write"
