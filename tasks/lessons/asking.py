"""What a model may say of one pull request, the question that it is asked, and the lines that can bear it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict

from dream.guards.statements.utterances import Record, Speaker, Utterance
from dream.models.prompt import Prompt
from dream.sources.pull_requests.values import PullRequest
from prompts.loading import load_template
from tasks.conversation import Screen
from tasks.lessons.candidates import Candidate
from tasks.lessons.diffs import Run
from tasks.lessons.teachers import Spoken
from tasks.proposals import CitedQuote
from tasks.subjects import Subject

MOST_LESSONS = 6
_SHARE_OF_WORDS = 3
_LONGEST_STANDING = 400


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ShownQuote(_Reply):
    """An exact piece of what is shown under an id."""

    id: str
    quote: str


class ProposedLesson(_Reply):
    """A rule of work, what it is about, the lines that bear it out, and the sentence that it repeats."""

    statement: str
    resource: str
    quotes: list[ShownQuote]
    repeats: str

    @property
    def cited(self) -> list[CitedQuote]:
        """The quotes as the gates take them."""
        return [CitedQuote(message=one.id, quote=one.quote) for one in self.quotes]


class ProposedLessons(_Reply):
    """What one pull request teaches; usually nothing."""

    reasoning: str
    lessons: list[ProposedLesson]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One pull request as far as it may teach: what people changed, by `editors`, and what people said."""

    pull_request: PullRequest
    ended: datetime
    runs: tuple[Run, ...]
    words: tuple[Spoken, ...]
    editors: tuple[str, ...]

    @property
    def edited_as(self) -> str:
        """How an entry cites the changes: as that person's where one alone made them, else as the pull request."""
        source = self.pull_request.source
        return f"person:{self.editors[0]}@{source}" if len(self.editors) == 1 else source

    def subject(self, timezone: ZoneInfo) -> Subject:
        """Return what can be evidence: the changes as the platform recorded them, and people's own words.

        Title, body, branch, messages of commits and whatever anybody else said are not there to be cited.
        """
        source = self.pull_request.source
        changed = [
            Utterance(id=run.id, source=self.edited_as, speaker=Speaker.TOOL, text=run.text, at=self.ended, tool="diff")
            for run in self.runs
        ]
        said = [
            Utterance(
                id=f"w{number}",
                source=source,
                speaker=Speaker.PERSON,
                text=one.text,
                at=one.at or self.ended,
                author=one.actor.login,
            )
            for number, one in enumerate(self.words, 1)
        ]
        return Subject(
            source=source,
            digest=self.pull_request.digest,
            last=self.ended,
            utterances=(*changed, *said),
            record=Record(
                day=self.ended.astimezone(timezone).date(),
                repository=self.pull_request.repository,
                pull_requests=(source,),
                files=tuple(dict.fromkeys(run.path for run in self.runs)),
                zone=timezone,
            ),
        )


def lessons_question(work: Work, standing: Mapping[str, Candidate], *, screen: Screen, most: int) -> Prompt:
    """Return the question what `work` teaches, of which at most `most` characters are shown, and of words a third."""
    untrusted = {
        "standing": _joined(
            [f"{name}: {screen(one.statement[:_LONGEST_STANDING], Speaker.RECALLED)}" for name, one in standing.items()]
        ),
        "edits": _shown([_edit(run, screen) for run in work.runs], most - most // _SHARE_OF_WORDS),
        "words": _shown(
            [_word(number, one, screen) for number, one in enumerate(work.words, 1)], most // _SHARE_OF_WORDS
        ),
    }
    return load_template("outcomes/lessons").render({"most": MOST_LESSONS}, untrusted)


def _edit(run: Run, screen: Screen) -> str:
    lines = [screen(line, Speaker.TOOL) for line in run.text.split("\n")]
    return "\n".join([f"{run.id} in {screen(run.path, Speaker.TOOL)}", *lines])


def _word(number: int, one: Spoken, screen: Screen) -> str:
    place = f" on {screen(one.place, Speaker.TOOL)}" if one.place else ""
    lines = [screen(line, Speaker.PERSON) for line in one.text.split("\n")]
    return "\n".join([f"w{number} by {one.actor.login}{place}:", *(f"    {line}" for line in lines)])


def _shown(blocks: Sequence[str], most: int) -> str:
    shown: list[str] = []
    size = 0
    for block in blocks:
        size += len(block) + 1
        if size <= most:
            shown.append(block)
    return _joined(shown)


def _joined(blocks: Sequence[str]) -> str:
    return "\n".join(blocks) or "nothing"
