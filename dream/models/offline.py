"""The model of an organisation that has none."""

from __future__ import annotations

from dream.models.port import Reason, Replied, Reply, Unanswered
from dream.models.prompt import Prompt


class OfflineModel:
    """Answers nothing, so that every step is left with what code alone can do."""

    @property
    def name(self) -> str:
        """Who answers: nobody."""
        return "offline"

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:  # noqa: ARG002
        """Return that there is no model."""
        return Unanswered(reason=Reason.NO_MODEL, detail="no model is configured")
