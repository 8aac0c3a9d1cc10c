"""What probes were heard to say in this run, and the one line of it that a citation names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from dream.guards.screen import screen_line
from dream.memory.operations import Refusal
from dream.memory.sources import Origin

LEAST_QUOTE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputLine:
    """One line of an answer, about one thing; `fields` are its keys and values as the system gave them."""

    text: str
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One recorded answer of a probe.

    `question` is the whole question as it is shown, `asked` the text in it that a model may have written. `names` are
    what the question fixed by equality. `cut` says that the system had more to say.
    """

    id: str
    probe: str
    question: str
    asked: str
    at: datetime
    lines: tuple[OutputLine, ...]
    names: tuple[str, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A verdict's pointer to evidence: the id of an output, and words that are to stand in one line of it."""

    output: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedLine:
    """The line of an output in which a quote stands."""

    output: Output
    line: OutputLine
    quote: str


def locate(citation: Citation, outputs: Iterable[Output]) -> CitedLine | Refusal:
    """Return the one line in which the quote stands, code point by code point; nothing is folded or trimmed.

    A line that carries an instruction, a secret or hidden characters is no evidence. Reasons: `no-such-output`,
    `quote-too-short`, `quote-not-there`, `quote-in-several-lines`, `withheld`.
    """
    output = next((one for one in outputs if one.id == citation.output), None)
    if output is None:
        return Refusal("no-such-output", ascii(citation.output[:80])[1:-1])
    if len(citation.quote.strip()) < LEAST_QUOTE:
        return Refusal("quote-too-short", f"{len(citation.quote)} characters, at least {LEAST_QUOTE}")
    holding = [line for line in output.lines if citation.quote in line.text]
    if not holding:
        return Refusal("quote-not-there", output.id)
    if any(line != holding[0] for line in holding):
        return Refusal("quote-in-several-lines", f"{len(holding)} lines of {output.id}")
    if is_withheld(holding[0].text):
        return Refusal("withheld", output.id)
    return CitedLine(output=output, line=holding[0], quote=citation.quote)


def is_withheld(text: str) -> bool:
    """Whether a line says what nobody may be shown or told: an instruction, a secret, something hidden.

    A line is no Markdown, and so hides nothing by markup.
    """
    return screen_line(text, Origin.EXTERNAL) is not None
