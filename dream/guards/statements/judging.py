"""A judge's say on whether the cited lines bear a statement out: closed unless it says so in so many words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict

from dream.guards.secrets import redact_secrets
from dream.guards.statements.claims import Claim
from dream.guards.statements.utterances import Speaker, Utterance
from dream.guards.vocabulary import content_words
from dream.memory.operations import Refusal
from dream.models.port import Model, Replied
from dream.models.prompt import Prompt

_MOST_LATER = 12
_LONGEST_LATER = 400
_PLAIN_NAME = re.compile(r"[\w.-]{1,60}(?:[ /][\w.-]{1,60}){0,3}")
_REFUSALS = {"contradicted": "not-entailed", "unsure": "judge-unsure"}


class Verdict(BaseModel):
    """What a judge answers: first what the lines say and what they do not, then whether they support the claim."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    reasoning: str
    verdict: Literal["supported", "contradicted", "unsure"]


class Ruling(Protocol):
    """Says of a claim why it may not be written, None where it may."""

    def rules_on(self, claim: Claim) -> Refusal | None:
        """Return the refusal, or None."""
        ...


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks `model` about one claim at a time, with the prompt that `ask` makes; `salt` makes tonight's questions new.

    `ask` shows the statement, `evidence_text` and `later_text`, and nothing else.
    """

    model: Model
    ask: Callable[[Claim], Prompt]
    salt: str = ""

    def rules_on(self, claim: Claim) -> Refusal | None:
        """Return None where the judge says `supported`, else `not-entailed`, `judge-unsure` or `judge-<why silent>`."""
        prompt = self.ask(claim)
        answer = self.model.ask(replace(prompt, salt=self.salt) if self.salt else prompt, Verdict)
        if not isinstance(answer, Replied):
            return Refusal(f"judge-{answer.reason.value}", answer.detail)
        if answer.reply.verdict == "supported":
            return None
        return Refusal(_REFUSALS[answer.reply.verdict])


@dataclass(frozen=True, slots=True)
class NoJudge:
    """Stands where no judge may be asked, and refuses everything with the reason why."""

    reason: str

    def rules_on(self, claim: Claim) -> Refusal | None:  # noqa: ARG002  # the same for every claim
        """Return the reason."""
        return Refusal(self.reason)


def evidence_text(claim: Claim) -> str:
    """Return the cited lines as a judge reads them, each quote under its id, day, repository and speaker.

    What was said is indented, so that no line of it can pass for the label of another.
    """
    shown = dict.fromkeys((_label(quote.utterance, claim), quote.lines) for quote in claim.quotes)
    return "\n".join(f"{label}\n{_indented(lines)}" for label, lines in shown)


def later_text(claim: Claim) -> str:
    """Return what people said in the same thread afterwards, in the same form, each turn cut at 400 characters.

    Of more than twelve turns the first six are shown, since who takes something back mostly does so at once, and the
    six of the rest that have most words of the statement. A credential among them is masked: of what is cited, the
    gates see to that.
    """
    newest = max(quote.utterance.at for quote in claim.quotes)
    cited = {quote.utterance.id for quote in claim.quotes}
    turns = [one for one in claim.later if one.speaker is Speaker.PERSON and one.at >= newest and one.id not in cited]
    return "\n".join(
        f"{_label(turn, claim)}\n{_indented(redact_secrets(turn.text)[:_LONGEST_LATER])}"
        for turn in _telling(turns, claim)
    )


def _telling(turns: Sequence[Utterance], claim: Claim) -> Sequence[Utterance]:
    """Return the turns that say most of whether a statement still holds, in their order."""
    at_once, rest = turns[: _MOST_LATER // 2], turns[_MOST_LATER // 2 :]
    words = content_words(claim.statement)
    ranked = sorted(rest, key=lambda turn: -len(words & content_words(turn.text)))[: _MOST_LATER - len(at_once)]
    return [*at_once, *sorted(ranked, key=rest.index)]


def _label(utterance: Utterance, claim: Claim) -> str:
    places = (_plain(utterance.id), utterance.at.astimezone(claim.record.zone).date().isoformat())
    repository = _plain(claim.record.repository)
    author = _plain(utterance.author) if utterance.speaker is Speaker.PERSON else ""
    return (
        f"[{', '.join(part for part in (*places, repository) if part)}] {utterance.speaker.value} {author}".rstrip()
        + ":"
    )


def _plain(name: str) -> str:
    return name if _PLAIN_NAME.fullmatch(name) else ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
