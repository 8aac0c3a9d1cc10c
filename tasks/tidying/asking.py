"""What a model is asked of nominated pairs, several in one question, and what of its answer counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict

from dream.memory.pinned import without_checks
from dream.memory.sources import Origin, weakest
from dream.models.port import Consequence, Model, Replied
from dream.models.prompt import Prompt
from prompts.loading import load_template
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominations import Nomination, Place
from tasks.unanswered import waits_for

Screen = Callable[[str, Origin], str]
"""Returns what a model is shown of a line of an origin: all of it, or a mark that stands for it."""

UNSURE = "unsure"
TOO_LONG = "too-long"
WITHHELD = "withheld"
_FIRST_OR_SECOND = {"first": 0, "second": 1}


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PairRuling(_Reply):
    """What a model says of one pair, by its number."""

    number: int
    ruling: Literal["same", "narrower", "contradicts", "different", "unsure"]
    best: Literal["first", "second", "neither"]
    wording: str


class Rulings(_Reply):
    """The rulings on the pairs of one question."""

    reasoning: str
    rulings: list[PairRuling]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What was ruled on a nomination: `best` is the side whose wording is to stay, `wording` a new one for both."""

    ruling: Literal["same", "narrower", "contradicts", "different", "unsure"]
    best: int | None = None
    wording: str = ""


@dataclass(slots=True, kw_only=True)
class Answers:
    """The rulings by the id of their nomination, why others wait or were not asked, and what was odd, counted."""

    rulings: dict[str, Ruling] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    not_shown: dict[str, str] = field(default_factory=dict)
    odd: Counter[str] = field(default_factory=Counter)


def ask_rulings(
    nominations: Sequence[Nomination], model: Model, *, screen: Screen, limits: TidyLimits, salt: str = ""
) -> Answers:
    """Ask `model` about all `nominations`, `limits.together` in one question.

    A nomination is shown whole or not at all. Where no answer comes it waits for another night; one that breaks an
    answer off is asked alone first. `salt` makes the same question another one once a pair has cooled down.
    """
    answers = Answers()
    shown: dict[str, str] = {}
    for one in nominations:
        text = _pair(one, screen)
        if text is None or len(text) > limits.question_characters:
            answers.not_shown[one.id] = WITHHELD if text is None else TOO_LONG
        else:
            shown[one.id] = text
    queue = list(_batches([one for one in nominations if one.id in shown], shown, limits))
    while queue:
        batch = queue.pop(0)
        answer = model.ask(_question([shown[one.id] for one in batch], salt), Rulings)
        if isinstance(answer, Replied):
            _take(answers, batch, answer.reply)
        elif answer.consequence in {Consequence.SPLIT, Consequence.ASK_AGAIN, Consequence.SKIP} and len(batch) > 1:
            half = len(batch) // 2
            queue[:0] = [batch[:half], batch[half:]]
        else:
            is_over = answer.consequence is Consequence.STOP
            for one in (*batch, *(other for later in queue for other in later)) if is_over else batch:
                answers.waiting[one.id] = waits_for("model", answer.reason)
            queue = [] if is_over else queue
    return answers


def _batches(
    nominations: Sequence[Nomination], shown: Mapping[str, str], limits: TidyLimits
) -> Iterator[list[Nomination]]:
    batch: list[Nomination] = []
    size = 0
    for one in nominations:
        is_full = len(batch) == limits.together or size + len(shown[one.id]) > limits.question_characters
        if batch and is_full:
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += len(shown[one.id])
    if batch:
        yield batch


def _question(pairs: Sequence[str], salt: str) -> Prompt:
    text = "\n\n".join(f"pair {number}\n{pair}" for number, pair in enumerate(pairs, 1))
    return load_template("tidy/ruling").render({"count": len(pairs)}, {"pairs": text}, salt=salt)


def _take(answers: Answers, batch: Sequence[Nomination], reply: Rulings) -> None:
    counts = Counter(one.number for one in reply.rulings)
    by_number = {one.number: one for one in reply.rulings}
    answers.odd["unknown"] += sum(count for number, count in counts.items() if not 1 <= number <= len(batch))
    for number, nomination in enumerate(batch, 1):
        if counts[number] != 1:
            answers.odd["repeated" if counts[number] else "missing"] += 1
            answers.rulings[nomination.id] = Ruling(ruling="unsure")
            continue
        said = by_number[number]
        answers.rulings[nomination.id] = Ruling(
            ruling=said.ruling, best=_FIRST_OR_SECOND.get(said.best), wording=said.wording.strip()
        )
    answers.odd += Counter()


def _pair(nomination: Nomination, screen: Screen) -> str | None:
    sides = [_side(place, screen) for place in nomination.places]
    if len(sides) != len(_FIRST_OR_SECOND) or None in sides:
        return None
    return "\n".join(f"{name}: {side}" for name, side in zip(_FIRST_OR_SECOND, sides, strict=True))


def _side(place: Place, screen: Screen) -> str | None:
    entry = place.entry
    origin = weakest(entry.sources if entry else ()) or Origin.AGENT
    said = without_checks(place.note.text) if entry is None else entry.key
    dated = entry.date.isoformat() if entry and entry.date else "undated"
    status = ", tentative" if entry and entry.tentative else ""
    head = f"{place.path}, {place.note.title!r}, {place.section.lstrip('# ')!r}, {dated}, {origin.value}{status}"
    lines = [head, *said.split("\n")]
    if any(screen(line, origin) != line for line in lines):
        return None
    return "\n".join([lines[0], *(f"  {line}".rstrip() for line in lines[1:])])
