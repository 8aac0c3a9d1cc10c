"""What models may say of learnings, and the questions that they are asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from dream.models.prompt import Prompt
from prompts.loading import load_template
from tasks.conversation import Excerpt
from tasks.observations import Observation, Recurrence
from tasks.proposals import CitedQuote
from tasks.standing import Standing

Action = Literal["create", "update", "merge", "delete"]


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Observed(_Reply):
    """The stretches of one conversation in which a person says how work is to be done; usually none."""

    reasoning: str
    observations: list[CitedQuote]


class ProposedLine(_Reply):
    """One line of a learning, the observations that say it, and the standing line that it takes the place of."""

    text: str
    observations: list[str]
    replaces: str


class ProposedLearning(_Reply):
    """What is to be made of, changed in, merged into or done with one learning."""

    reasoning: str
    action: Action
    name: str
    trigger: str
    lines: list[ProposedLine]
    absorbs: list[str]


class ProposedLearnings(_Reply):
    """What the observations give; usually nothing."""

    reasoning: str
    learnings: list[ProposedLearning]


class Review(_Reply):
    """Whether a learning is worth having and adds nothing, and if not, why."""

    reasoning: str
    verdict: Literal["approved", "not-approved"]
    why: str


def observe_question(excerpt: Excerpt, *, most: int) -> Prompt:
    """Return the question which stretches of `excerpt` say how work is to be done."""
    return load_template("learnings/observe").render({"most": most}, {"conversation": excerpt.text})


def propose_question(
    standing: Sequence[Standing],
    observations: Mapping[str, Observation],
    *,
    recurrence: Recurrence,
    most: int,
    lines: int,
) -> Prompt:
    """Return the question what is to be made of `observations`, by the ids under which they are shown."""
    often = {"sessions": recurrence.sessions, "days": recurrence.days, "people": recurrence.people}
    untrusted = {"learnings": standing_text(standing), "observations": observations_text(observations)}
    return load_template("learnings/propose").render({"most": most, "lines": lines, **often}, untrusted)


def review_question(action: Action, *, learning: str, cited: str, others: str) -> Prompt:
    """Return the question whether a learning may stand as it reads."""
    untrusted = {"others": others or "none", "learning": learning, "observations": cited}
    return load_template("learnings/review").render({"action": action}, untrusted)


def revise_question(
    proposed: ProposedLearning, observations: Mapping[str, Observation], *, why: str, lines: int
) -> Prompt:
    """Return the question for the one revision, with the reviewer's reason."""
    written = [f"{proposed.name}: {proposed.trigger}".rstrip(": ")]
    written += [f"- {line.text} ({', '.join(line.observations)})" for line in proposed.lines]
    untrusted = {
        "observations": observations_text(observations),
        "learning": "\n".join(written),
        "reason": why.strip() or "it does not say",
    }
    return load_template("learnings/revise").render({"action": proposed.action, "lines": lines}, untrusted)


def observations_text(observations: Mapping[str, Observation]) -> str:
    """Return the observations as a model is shown them, a line each."""
    return "\n".join(f"{name} {told(one)}" for name, one in observations.items()) or "nothing"


def told(one: Observation) -> str:
    """Return the words of an observation on one line, with the day, the repository and the person."""
    place = ", ".join(filter(None, (one.day.isoformat(), one.repository, one.person)))
    return f"({place}): {' '.join(one.words.split())}"


def standing_text(standing: Sequence[Standing]) -> str:
    """Return the learnings as a model is shown them; their own lines have ids, under which they can be replaced."""
    shown: list[str] = []
    for one in standing:
        whose = "the night's own" if one.is_own else "people's"
        shown.append(f"{one.name} ({whose}): {one.trigger}")
        shown += [f"  {name}: {lesson.text}" for name, lesson in one.lines.items()]
    return "\n".join(shown) or "none"
