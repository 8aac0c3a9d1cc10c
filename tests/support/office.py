"""What people and agents do to the learnings of a stage, in the words of the commands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from config.settings import Settings
from flows.commands.answers import Answer
from flows.commands.deciding import accept, reject, undo
from flows.commands.teaching import suggest_learning, tell_learnings
from tests.support.commands import configure
from tests.support.served import Served
from tests.support.stage import MEMORY, Stage, stage_of

PATH = "learnings/review-migrations/SKILL.md"
TRIGGER = "Use when reviewing a migration of the orders database."
BODY = "# Review migrations\n\n- Ask for the rollback script of the migration before you approve it.\n"
SAID = "Ask for the rollback script of the migration before you approve it."
WRITTEN = (
    "---\nname: review-migrations\ndescription: Use when reviewing a migration of the orders database.\n---\n\n" + BODY
)


class Office:
    """What people and agents do to the learnings of one stage."""

    def __init__(self, stage: Stage) -> None:
        """Configure the stage as an installation of which every home has the same store."""
        self.stage = stage
        self.settings: Settings = configure(stage).model_copy(update={"store": self.store})

    def suggest(self, name: str = "review-migrations", trigger: str = TRIGGER, body: str = BODY) -> Answer:
        """Suggest a learning as an agent does."""
        clock = self.stage.clock()
        return suggest_learning(
            self.settings, "acme", learning=name, trigger=trigger, body=body, by="claude", clock=clock
        )

    def suggested(self, **said: str) -> str:
        """Suggest one that is taken and return its id."""
        answer = self.suggest(**said)
        assert answer.exit_code == 0, answer.text
        return str(answer.document["id"])

    def accept(self, wanted: str, by: str = "Ana Lind <ana@acme.example>", home: str = "home") -> Answer:
        """Accept a suggestion in a person's name."""
        settings = self.settings.model_copy(update={"home": self.stage.root / home})
        return accept(settings, "acme", wanted, by=by, clock=self.stage.clock())

    def undo(self, name: str = "review-migrations", by: str = "Bo Berg") -> Answer:
        """Take a learning away."""
        return undo(self.settings, "acme", name, by=by, why="we do it otherwise now", clock=self.stage.clock())

    def reject(self, wanted: str, why: str = "nobody does that") -> Answer:
        """Turn a suggestion down."""
        return reject(self.settings, "acme", wanted, by="Bo", why=why, clock=self.stage.clock())

    def list(self) -> Mapping[str, object]:
        """Return what is listed, as the document of the command."""
        return tell_learnings(self.settings, "acme", clock=self.stage.clock()).document

    def learning(self) -> Mapping[str, object]:
        """The only learning, as it is listed."""
        learnings = self.list()["learnings"]
        assert isinstance(learnings, list)
        assert len(learnings) == 1
        return learnings[0]  # type: ignore[no-any-return]

    @property
    def store(self) -> str:
        """Where suggestions wait, whatever home somebody works in."""
        return str(self.stage.root / "store")


def office_of(served: Served, root: Path) -> Office:
    """Return an office whose memory no night has dreamed over yet."""
    return Office(stage_of(served, root, MEMORY))
