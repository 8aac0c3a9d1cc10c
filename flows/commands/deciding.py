"""What people decide of learnings, as the commands answer it: accepted, rejected, taken away."""

from __future__ import annotations

from config.settings import Settings
from dream.errors import UsageError
from dream.memory.skills import learning_path
from dream.report.escaping import one_line, visible
from flows.changing import Decided
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.teaching import suggestions_of, told_as
from flows.decisions import accept_suggestion, person_called, undo_learning
from flows.installation import open_installation, open_workplace
from flows.suggestions import Suggestion


def accept(settings: Settings, name: str, wanted: str, *, by: str, clock: Clock) -> Answer:
    """Land a suggestion in a person's name; one that was accepted already is told and left as it is.

    Raises:
        UsageError: there is no such suggestion, or nobody's name was given.
        DreamError: nothing landed, and why.
    """
    workplace = open_workplace(settings, name)
    store = suggestions_of(workplace)
    person = person_called(by, organisation=name)
    suggestion = store.expect(wanted)
    if suggestion.status == "accepted":
        told = f"accepted already{f' by {suggestion.decided_by}' if suggestion.decided_by else ''}"
        return _decided(suggestion, Decided(reason=told))
    done = accept_suggestion(workplace, suggestion, person=person, clock=clock)
    # Whoever else decided meanwhile has said so: the first one to land is who accepted it.
    now = store.get(wanted) or suggestion
    if now.status != "accepted":
        decided_by = person.name if done.commit else ""
        update = {"status": "accepted", "decided_by": decided_by, "decided": clock.now(), "commit": done.commit}
        store.put(now.model_copy(update={**update, "why": done.reason}))
    return _decided(suggestion, done)


def reject(settings: Settings, name: str, wanted: str, *, by: str, why: str, clock: Clock) -> Answer:
    """Turn a suggestion down, and remember why; raises UsageError for one that was accepted."""
    store = suggestions_of(open_workplace(settings, name))
    suggestion = store.expect(wanted)
    if suggestion.status == "accepted":
        message = f"{wanted} was accepted{f' by {suggestion.decided_by}' if suggestion.decided_by else ''}"
        raise UsageError(message, way_out=f"to take it away: dream learnings undo {name} {suggestion.name} --by NAME")
    if suggestion.status == "rejected":
        return told_as(suggestion, "rejected already")
    rejected = suggestion.model_copy(
        update={"status": "rejected", "decided_by": one_line(by), "decided": clock.now(), "why": one_line(why)}
    )
    store.put(rejected)
    return told_as(rejected, "rejected; the same is not taken again")


def undo(settings: Settings, name: str, learning: str, *, by: str, why: str, clock: Clock) -> Answer:
    """Take a learning away in a person's name; no night makes it again.

    Raises:
        UsageError: there is no such learning, or nobody's name was given.
        DreamError: nothing landed, and why.
    """
    workplace = open_workplace(settings, name)
    person = person_called(by, organisation=name)
    done = undo_learning(workplace, learning, person=person, why=one_line(why), clock=clock)
    told = f"taken away by {person.name}, commit {done.commit[:12]}" if done.commit else done.reason
    document = {"organisation": name, "name": learning, "commit": done.commit, "reason": done.reason}
    return Answer(text=visible(f"{name}: {learning}: {told}"), document=document)


def accept_command(name: str, wanted: str, *, by: str) -> Answer:
    """Return the answer of `dream learnings accept`."""
    return accept(open_installation(), name, wanted, by=by, clock=system_clock())


def reject_command(name: str, wanted: str, *, by: str, why: str) -> Answer:
    """Return the answer of `dream learnings reject`."""
    return reject(open_installation(), name, wanted, by=by, why=why, clock=system_clock())


def undo_command(name: str, learning: str, *, by: str, why: str) -> Answer:
    """Return the answer of `dream learnings undo`."""
    return undo(open_installation(), name, learning, by=by, why=why, clock=system_clock())


def _decided(suggestion: Suggestion, done: Decided) -> Answer:
    told = f"landed as commit {done.commit[:12]}" if done.commit else f"nothing to do: {done.reason}"
    document = {
        "organisation": suggestion.organisation,
        "id": suggestion.id,
        "name": suggestion.name,
        "path": learning_path(suggestion.name),
        "commit": done.commit,
        "reason": done.reason,
    }
    return Answer(text=visible(f"{suggestion.organisation}: {suggestion.name}: {told}"), document=document)
