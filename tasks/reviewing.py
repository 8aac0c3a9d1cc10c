"""The second opinion on a learning: an independent reviewer approves, or its reason goes back for one revision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dream.memory.operations import Refusal
from dream.memory.outcomes import Declined
from dream.memory.skills import learning_path
from dream.models.port import Model, Replied, Unanswered
from tasks.candidates import (
    ProposedLearning,
    ProposedLearnings,
    Review,
    review_question,
    revise_question,
)
from tasks.drafting import Draft
from tasks.observations import Observation
from tasks.standing import Standing

NOT_APPROVED = "not-approved"
_UNANSWERED = ("reviewer-", "model-", "judge-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewing:
    """Puts drafts before `reviewer`; `dreamer` revises, of `observations` by the ids that it was shown.

    `redraft` makes a draft of a revision, by the same rules as the first one.
    """

    reviewer: Model
    dreamer: Model
    observations: Mapping[str, Observation]
    redraft: Callable[[ProposedLearning], Draft | Refusal]
    lines: int

    def review(
        self, proposed: ProposedLearning, draft: Draft, standing: Sequence[Standing], declined: list[Declined]
    ) -> Draft | Refusal:
        """Return the draft that the reviewer approves, the first or its one revision, or why there is none.

        What is turned down for good goes to `declined`. Reasons: `not-approved`, `withdrawn`, those of a revision's
        own draft, and `reviewer-…` or `model-…` where there was no answer.
        """
        first = self._approved(draft, standing)
        if not isinstance(first, Refusal) or first.reason != NOT_APPROVED:
            return first if isinstance(first, Refusal) else draft
        revised = self._revised(proposed, first.detail)
        if isinstance(revised, ProposedLearning):
            again = self.redraft(revised)
            answer = again if isinstance(again, Refusal) else self._approved(again, standing) or again
        else:
            answer = revised
        if isinstance(answer, Refusal):
            if not is_unanswered(answer.reason):
                path = learning_path(draft.name)
                declined.append(Declined(digest=draft.digest, source=path, reason=NOT_APPROVED))
            return answer
        return answer

    def _approved(self, draft: Draft, standing: Sequence[Standing]) -> Refusal | None:
        """Return None where the reviewer approves, else `not-approved` with its reason, or why it is silent."""
        others = "\n".join(f"{one.name}: {one.trigger}" for one in standing if one.name != draft.name)
        question = review_question(draft.action, learning=draft.text, cited=draft.evidence, others=others)
        answer = self.reviewer.ask(question, Review)
        if isinstance(answer, Unanswered):
            return Refusal(f"reviewer-{answer.reason.value}")
        return None if answer.reply.verdict == "approved" else Refusal(NOT_APPROVED, answer.reply.why)

    def _revised(self, proposed: ProposedLearning, why: str) -> ProposedLearning | Refusal:
        """Return the revision, of which only trigger and lines are new."""
        cited = {name for line in proposed.lines for name in line.observations}
        shown = {name: one for name, one in self.observations.items() if name in cited}
        answer = self.dreamer.ask(revise_question(proposed, shown, why=why, lines=self.lines), ProposedLearnings)
        if not isinstance(answer, Replied):
            return Refusal(f"model-{answer.reason.value}")
        if not answer.reply.learnings:
            return Refusal("withdrawn")
        new = answer.reply.learnings[0]
        return proposed.model_copy(update={"trigger": new.trigger, "lines": new.lines})


def is_unanswered(reason: str) -> bool:
    """Whether a candidate ended for want of an answer, and may be looked at again."""
    return reason.startswith(_UNANSWERED) and reason != "judge-unsure"
